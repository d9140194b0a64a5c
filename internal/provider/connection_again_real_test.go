// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Brokers may end sessions after a while, and an apply may last longer. The provider
// logs in anew in time, with what the token file holds then: a token that is renewed
// in place carries a run of any length, and one that is spoilt ends it with the reason.
func TestRealConnection_LogsInAnewWhileARunLasts(t *testing.T) {
	cluster := kafkatest.StartReal(t, kafkatest.RealOptions{Security: true, Config: map[string]string{"connections.max.reauth.ms": "3000"}})
	security := cluster.Security(t)
	file := filepath.Join(t.TempDir(), "token")
	issued := 0
	renew := func() {
		issued++
		token := security.Signer.TokenUntil(kafkatest.UserRoot, time.Now().Add(time.Hour+time.Duration(issued)*time.Second))
		if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	renew()
	network := &kafkatest.Overheard{}
	p, err := startProcessOver(t.Context(), fields{
		"bootstrap_servers": []any{security.Address(kafkatest.ListenerSASL)}, "tls": fields{"enabled": false}, "request_timeout": "10s",
		"sasl": fields{"mechanism": "oauthbearer", "oauth": fields{"token_file": file}}, "storage_quota": fields{"accounting": "reserved"},
	}, network.Dial)
	if err != nil {
		t.Fatal(err)
	}
	defer p.end()
	asked := 0
	ask := func() diagnoses {
		asked++
		planned, err := p.plan(t.Context(), topicKind, nil, fields{"name": fmt.Sprintf("t%d", asked), "partitions": 1})
		if err != nil {
			t.Fatal(err)
		}
		return planned.said.errors()
	}
	until := time.Now().Add(time.Minute)
	first := 0
	for logins := 0; logins < first+3; logins = network.Requests()["SASLAuthenticate"] {
		if said := ask(); len(said) > 0 {
			t.Fatalf("after %d logins:\n%s", logins, said)
		}
		if first == 0 {
			first = network.Requests()["SASLAuthenticate"]
		}
		renew()
		if time.Now().After(until) {
			t.Fatalf("only %d logins, %d of them at first", logins, first)
		}
	}
	if err := os.WriteFile(file, []byte("not.a.token"), 0o600); err != nil {
		t.Fatal(err)
	}
	var said diagnoses
	for len(said) == 0 {
		if said = ask(); time.Now().After(until) {
			t.Fatal("the spoilt token is not noticed: no login reads the file anew")
		}
	}
	if said[0].Summary != "Kafka cluster refuses the login" || !strings.Contains(said[0].Detail, "invalid_token") {
		t.Errorf("%s", said)
	}
	t.Logf("%d logins, %d tokens, %d questions", network.Requests()["SASLAuthenticate"], issued, asked)
}
