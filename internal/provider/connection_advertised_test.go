// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A bootstrap server that answers and brokers that cannot be reached, because they
// advertise addresses of another network: the one mistake about Kafka that everybody
// makes once. The message names the address, says that it came from the cluster, and
// does not send the reader to bootstrap_servers, which is right.
func TestConnectionMessages_AdvertisedAddresses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fails error // nil: nobody answers
		title string
	}{
		"name not resolved": {&net.DNSError{Err: "no such host", Name: "inner", IsNotFound: true}, "Kafka server name cannot be resolved"},
		"refused":           {os.NewSyscallError("connect", syscall.ECONNREFUSED), "Kafka server refuses connections"},
		"dropped":           {nil, "Kafka server does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Brokers: 1})
			const bootstrap = "kafka.example.com:9092"
			settings := at(bootstrap)
			settings["request_timeout"] = messageTimeout.String()
			settings["storage_quota"] = fields{"accounting": "reserved"}
			p, err := startProcessOver(t.Context(), settings, func(ctx context.Context, network, address string) (net.Conn, error) {
				switch {
				case address == bootstrap:
					return (&net.Dialer{}).DialContext(ctx, network, fake.Bootstrap())
				case c.fails == nil:
					<-ctx.Done()
					return nil, &net.OpError{Op: "dial", Net: network, Err: ctx.Err()}
				}
				return nil, &net.OpError{Op: "dial", Net: network, Err: c.fails}
			})
			if err != nil {
				t.Fatal(err)
			}
			defer p.end()
			start := time.Now()
			var said diagnoses
			for _, topic := range []string{"a", "b", "c"} {
				planned, err := p.plan(t.Context(), topicKind, nil, fields{"name": topic, "partitions": 1})
				if err != nil {
					t.Fatal(err)
				}
				said = append(said, planned.said...)
			}
			if took := time.Since(start); took > messageTimeout+time.Second/2 {
				t.Errorf("took %s", took)
			}
			if len(said) != 1 || said[0].Summary != c.title {
				t.Fatalf("want %q:\n%s", c.title, said)
			}
			for _, want := range []string{fake.Bootstrap(), "advertised.listeners", "reached at " + bootstrap, "Run where " + fake.Bootstrap() + " can be reached", "Nothing was changed."} {
				if !strings.Contains(said[0].Detail, want) {
					t.Errorf("the detail does not say %q:\n%s", want, said[0].Detail)
				}
			}
			if strings.Contains(said[0].Detail, "In the provider block") {
				t.Errorf("the detail blames a setting:\n%s", said[0].Detail)
			}
		})
	}
}
