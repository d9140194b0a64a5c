// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Each way in which encryption or a login can be set up wrongly has its own message,
// produced by a broker that is set up otherwise.
func TestRealConnectionMessages_OfTLSAndLogin(t *testing.T) {
	c := freshSecure(t)
	stranger, err := kafkatest.NewAuthority("stranger")
	if err != nil {
		t.Fatal(err)
	}
	issue := func(authority *kafkatest.Authority, options kafkatest.CertificateOptions) kafkatest.Certificate {
		certificate, err := authority.Issue(options)
		if err != nil {
			t.Fatal(err)
		}
		return certificate
	}
	client := func(certificate kafkatest.Certificate) fields {
		return fields{"ca_pem": c.Authority.PEM, "certificate_pem": certificate.PEM, "private_key_pem": certificate.Key}
	}
	mutual := func(certificate kafkatest.Certificate) fields {
		return fields{"bootstrap_servers": []any{c.Address(kafkatest.ListenerMutual)}, "tls": client(certificate)}
	}
	with := func(listener string, security fields, login fields) fields {
		settings := fields{"bootstrap_servers": []any{c.Address(listener)}, "tls": security}
		if login != nil {
			settings["sasl"] = login
		}
		return settings
	}
	trusting, plaintext := fields{"ca_pem": c.Authority.PEM}, fields{"enabled": false}
	login := func(mechanism, user, secret string) fields {
		return fields{"mechanism": mechanism, "username": user, "password": secret}
	}
	tokens := kafkatest.StartTokenServer(t, c.Signer, "right")
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!doctype html><title>Sign in</title>")
	}))
	t.Cleanup(page.Close)
	mute := serve(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	oauth := func(settings fields) fields { return fields{"mechanism": "oauthbearer", "oauth": settings} }
	const offers = "It offers OAUTHBEARER, PLAIN, SCRAM-SHA-256, SCRAM-SHA-512."
	for name, m := range map[string]message{
		"plaintext on a TLS listener": {with(kafkatest.ListenerTLS, plaintext, nil), "Kafka listener expects TLS", []string{"TLS is off in this run"}, true},
		"TLS on a plain listener":     {fields{"bootstrap_servers": []any{c.Bootstrap()}}, "Kafka listener does not speak TLS", []string{"tls = { enabled = false }"}, true},
		"unknown authority":           {with(kafkatest.ListenerTLS, fields{}, nil), "Broker's certificate is signed by an unknown authority", []string{`issued by "CN=test root"`, "tls.ca_pem"}, true},
		"another authority":           {with(kafkatest.ListenerTLS, fields{"ca_pem": stranger.PEM}, nil), "Broker's certificate is signed by an unknown authority", []string{"tls.ca_pem"}, true},
		"wrong server name":           {with(kafkatest.ListenerTLS, fields{"ca_pem": c.Authority.PEM, "server_name": "kafka.example.com"}, nil), "Broker's certificate is for another name", []string{"for localhost, 127.0.0.1", "tls.server_name"}, true},
		"expired server certificate":  {with(kafkatest.ListenerExpired, trusting, nil), "Broker's certificate has expired or is not valid yet", []string{"valid from"}, true},
		"missing client certificate":  {with(kafkatest.ListenerMutual, trusting, nil), "Kafka listener wants a client certificate", []string{"tls.certificate_pem"}, true},
		"expired client certificate":  {mutual(issue(c.Authority, kafkatest.CertificateOptions{Name: "root", Expired: true})), "Client certificate has expired or is not valid yet", []string{"valid from"}, true},
		"client certificate of a stranger": {
			mutual(issue(stranger, kafkatest.CertificateOptions{Name: "root"})), "Kafka listener refuses the client certificate",
			[]string{`it is "CN=root", issued by "CN=stranger"`},
			true,
		},
		"no login":                 {with(kafkatest.ListenerSASL, plaintext, nil), "Kafka listener wants a login", []string{offers}, true},
		"no login over TLS":        {with(kafkatest.ListenerSASLTLS, trusting, nil), "Kafka listener wants a login", []string{offers}, true},
		"login where none is":      {with(kafkatest.ListenerTLS, trusting, login("plain", "root", "x")), "Kafka listener takes no login", []string{"Remove sasl"}, true},
		"wrong mechanism":          {with(kafkatest.ListenerSASLTLS, trusting, fields{"mechanism": "aws-iam", "aws": fields{"region": "eu-west-1", "access_key": "AK", "secret_key": "SK"}}), "Kafka listener does not offer the mechanism", []string{"Asked for: AWS_MSK_IAM.", offers}, true},
		"wrong password":           {with(kafkatest.ListenerSASL, plaintext, login("plain", "root", "wrong")), "Kafka cluster refuses the login", []string{"Invalid username or password", `as "root"`}, true},
		"wrong scram password":     {with(kafkatest.ListenerSASLTLS, trusting, login("scram-sha-512", "root", "wrong")), "Kafka cluster refuses the login", []string{"SCRAM-SHA-512"}, true},
		"token of a stranger":      {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token": "not.a.token"})), "Kafka cluster refuses the login", []string{"OAUTHBEARER"}, true},
		"wrong client secret":      {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token_url": tokens.URL, "client_id": "root", "client_secret": "quite wrong"})), "Login token cannot be had", []string{"401", "invalid_client", "the secret (secret)", tokens.URL}, true},
		"token endpoint is gone":   {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token_url": "http://" + closedPort(t) + "/token", "client_id": "root", "client_secret": "any"})), "Login token cannot be had", []string{"connection refused"}, false},
		"token that has expired":   {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token": c.Signer.TokenUntil("root", time.Now().Add(-time.Hour))})), "Kafka cluster refuses the login", []string{"by its own date the token has expired at 2"}, true},
		"password with a line end": {with(kafkatest.ListenerSASLTLS, trusting, login("plain", "root", kafkatest.Password("root")+"\n")), "Kafka cluster refuses the login", []string{"the password begins or ends with a blank or a line break", "trimspace(…)"}, true},
		"token endpoint is a page": {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token_url": page.URL, "client_id": "root", "client_secret": "any"})), "Login token cannot be had", []string{page.URL, "its answer holds no token"}, true},
		"token endpoint hangs":     {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token_url": "http://" + mute + "/token", "client_id": "root", "client_secret": "any"})), "Login token cannot be had", []string{mute, "it did not answer in time"}, false},
		"token file is no file":    {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token_file": os.DevNull})), "Login token cannot be had", []string{os.DevNull, "not a regular file"}, true},
		"token file is missing":    {with(kafkatest.ListenerSASLTLS, trusting, oauth(fields{"token_file": "/nonexistent/token"})), "Login token cannot be had", []string{"/nonexistent/token", "no such file"}, true},
	} {
		t.Run(name, func(t *testing.T) { m.check(t) })
	}
}

// Bootstrap servers that hang beside one that is well: over TLS and with a client
// certificate too, a plan is done within seconds.
func TestRealConnection_HangingServersCostSeconds(t *testing.T) {
	c := freshSecure(t)
	client := c.clientCertificate()
	for listener, settings := range map[string]fields{
		kafkatest.ListenerMutual:  {"tls": fields{"ca_pem": c.Authority.PEM, "certificate_pem": client.PEM, "private_key_pem": client.Key}},
		kafkatest.ListenerSASLTLS: {"tls": fields{"ca_pem": c.Authority.PEM}, "sasl": password("scram-sha-512", kafkatest.UserRoot)["sasl"]},
	} {
		t.Run(listener, func(t *testing.T) {
			servers := []any{c.Address(listener)}
			for i := range 5 {
				servers = append(servers, fmt.Sprintf("hanging-%d.invalid:9093", i))
			}
			settings["bootstrap_servers"], settings["storage_quota"] = servers, fields{"accounting": "reserved"}
			p, err := startProcessOver(t.Context(), settings, func(ctx context.Context, network, address string) (net.Conn, error) {
				if !strings.HasPrefix(address, "hanging") {
					return (&net.Dialer{}).DialContext(ctx, network, address)
				}
				ours, theirs := net.Pipe()
				go func() { _, _ = io.Copy(io.Discard, theirs) }()
				return ours, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			defer p.end()
			start := time.Now()
			planned, err := p.plan(t.Context(), topicKind, nil, fields{"name": "t", "partitions": 1})
			if err != nil || len(planned.said) > 0 {
				t.Errorf("%v %s", err, planned.said)
			}
			if took := time.Since(start); took > 6*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}
