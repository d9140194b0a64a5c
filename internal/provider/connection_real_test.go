// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// realSecure is one node with a listener for each way in.
var realSecure = kafkatest.RealOptions{Security: true}

// secureCluster is a secure cluster, emptied for one test.
type secureCluster struct {
	realCluster
	*kafkatest.RealSecurity
}

func freshSecure(t *testing.T) secureCluster {
	t.Helper()
	cluster := freshReal(t, realSecure)
	cluster.AddScramUsers(t)
	return secureCluster{cluster, cluster.Security(t)}
}

// block configures the provider for a listener.
func (c secureCluster) block(listener string, more fields) string {
	return settingsBlock(c.settings(listener, more))
}

// settings are what block writes.
func (c secureCluster) settings(listener string, more fields) fields {
	settings := fields{"bootstrap_servers": []string{c.Address(listener)}, "storage_quota": fields{"accounting": "reserved"}, "request_timeout": "15s"}
	switch listener {
	case kafkatest.ListenerSASL:
		settings["tls"] = fields{"enabled": false}
	default:
		settings["tls"] = fields{"ca_pem": c.Authority.PEM}
	}
	maps.Copy(settings, more)
	return settings
}

// settingsBlock writes a provider block. JSON's literals are Terraform's but for the
// two ways to begin a template.
func settingsBlock(settings fields) string {
	var block strings.Builder
	block.WriteString("provider \"kafkastorage\" {\n")
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		text, err := json.Marshal(settings[name])
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&block, "  %s = %s\n", name, strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(text)))
	}
	block.WriteString("}\n")
	return block.String()
}

// password logs a user in by name and password.
func password(mechanism, user string) fields {
	return fields{"sasl": fields{"mechanism": mechanism, "username": user, "password": kafkatest.Password(user)}}
}

// clientCertificate is a certificate of root's.
func (c secureCluster) clientCertificate() kafkatest.Certificate {
	c.t.Helper()
	certificate, err := c.Authority.Issue(kafkatest.CertificateOptions{Name: kafkatest.UserRoot})
	if err != nil {
		c.t.Fatal(err)
	}
	return certificate
}

// wayIn is one way to connect.
type wayIn struct {
	listener string
	more     fields
	env      map[string]string
}

// waysIn are all that a cluster of one's own offers.
func (c secureCluster) waysIn() map[string]wayIn {
	c.t.Helper()
	client := c.clientCertificate()
	folder := c.t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			c.t.Fatal(err)
		}
		return path
	}
	tokens := kafkatest.StartTokenServer(c.t, c.Signer, "secret-of-the-client")
	oauth := func(settings fields) fields {
		return fields{"sasl": fields{"mechanism": "oauthbearer", "oauth": settings}}
	}
	return map[string]wayIn{
		"TLS, authority as content": {kafkatest.ListenerTLS, nil, nil},
		"TLS, authority as file":    {kafkatest.ListenerTLS, fields{"tls": fields{"ca_pem": file("ca.pem", strings.ReplaceAll(c.Authority.PEM, "\n", "\r\n"))}}, nil},
		"TLS, any certificate":      {kafkatest.ListenerExpired, fields{"tls": fields{"insecure_skip_verify": true}}, nil},
		"mutual TLS, as content": {kafkatest.ListenerMutual, fields{"tls": fields{
			"ca_pem": c.Authority.PEM, "certificate_pem": client.PEM, "private_key_pem": client.Key, "server_name": "localhost",
		}}, nil},
		"mutual TLS, as files of the incumbent's variables": {kafkatest.ListenerMutual, fields{"tls": fields{}}, map[string]string{
			"KAFKA_CA_CERT": file("ca2.pem", c.Authority.PEM), "KAFKA_CLIENT_CERT": file("c.pem", client.PEM), "KAFKA_CLIENT_KEY": file("c.key", client.Key),
		}},
		"PLAIN over plaintext":                {kafkatest.ListenerSASL, password("plain", kafkatest.UserRoot), nil},
		"PLAIN over TLS":                      {kafkatest.ListenerSASLTLS, password("PLAIN", kafkatest.UserRoot), nil},
		"SCRAM-SHA-256":                       {kafkatest.ListenerSASL, password("scram-sha-256", kafkatest.UserRoot), nil},
		"SCRAM-SHA-512 over TLS":              {kafkatest.ListenerSASLTLS, password("scram-sha512", kafkatest.UserRoot), nil},
		"OAUTHBEARER, token":                  {kafkatest.ListenerSASLTLS, oauth(fields{"token": c.Signer.Token(kafkatest.UserRoot), "extensions": fields{"logicalCluster": "lkc-1"}}), nil},
		"OAUTHBEARER, file":                   {kafkatest.ListenerSASL, oauth(fields{"token_file": file("token", c.Signer.Token(kafkatest.UserRoot)+"\n")}), nil},
		"OAUTHBEARER, environment":            {kafkatest.ListenerSASL, oauth(fields{"token_environment": "TFC_WORKLOAD_IDENTITY_TOKEN"}), map[string]string{"TFC_WORKLOAD_IDENTITY_TOKEN": c.Signer.Token(kafkatest.UserRoot)}},
		"OAUTHBEARER, client credentials":     {kafkatest.ListenerSASLTLS, oauth(fields{"token_url": tokens.URL, "client_id": kafkatest.UserRoot, "client_secret": "secret-of-the-client", "scopes": []string{"kafka", "topics"}}), nil},
		"all from the incumbent's variables":  {kafkatest.ListenerSASL, nil, map[string]string{"KAFKA_SASL_MECHANISM": "scram-sha512", "KAFKA_SASL_USERNAME": kafkatest.UserRoot, "KAFKA_SASL_PASSWORD": kafkatest.Password(kafkatest.UserRoot)}},
		"client credentials by the incumbent": {kafkatest.ListenerSASL, nil, map[string]string{"KAFKA_SASL_MECHANISM": "oauthbearer", "KAFKA_SASL_TOKEN_URL": tokens.URL, "KAFKA_SASL_USERNAME": kafkatest.UserRoot, "KAFKA_SASL_PASSWORD": "secret-of-the-client"}},
	}
}

// Every way in that a broker offers leads to a topic that is created, planned without
// a difference, and destroyed.
func TestRealConnection_EveryWayInWorks(t *testing.T) {
	c := freshSecure(t)
	for name, way := range c.waysIn() {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, c.block(way.listener, way.more)+topic("way-in", 1, ""))
			maps.Copy(w.env, way.env)
			w.apply(0)
			if !c.has("way-in") {
				t.Error("not created")
			}
			w.plan(0).silent(t, "Warning")
			w.destroy(0)
		})
	}
}

// Whatever is logged at whatever level, no secret is in it: not in Terraform's trace
// log, not in what is printed, not in the state.
func TestRealConnection_NoSecretIsEverWritten(t *testing.T) {
	c := freshSecure(t)
	encrypted := []string{kafkatest.Password(kafkatest.UserRoot), "secret-of-the-client", "PRIVATE KEY", "eyJhbGciOi"}
	for name, way := range c.waysIn() {
		t.Run(name, func(t *testing.T) {
			block := c.block(way.listener, way.more)
			w := newWorkspace(t, block+topic("traced", 1, ""))
			maps.Copy(w.env, way.env)
			log := filepath.Join(t.TempDir(), "trace")
			w.env["TF_LOG"], w.env["TF_LOG_PATH"] = "TRACE", log
			for _, variable := range []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO", "TF_LOG_PROVIDER"} {
				w.env[variable] = "TRACE"
			}
			said := w.apply(0).text + w.destroyed()
			traced, err := os.ReadFile(log)
			if err != nil || len(traced) < 10_000 {
				t.Fatalf("%v: %d bytes of log", err, len(traced))
			}
			state, err := os.ReadFile(filepath.Join(w.folder, "terraform.tfstate"))
			if err != nil {
				t.Fatal(err)
			}
			for what, text := range map[string]string{"log": string(traced), "output": said, "state": string(state)} {
				for _, secret := range encrypted {
					if at := strings.Index(text, secret); at >= 0 {
						t.Errorf("the %s holds %q: …%s…", what, secret, text[max(0, at-200):min(len(text), at+40)])
					}
				}
			}
		})
	}
}

// destroyed destroys everything and returns what was said.
func (w *workspace) destroyed() string {
	w.t.Helper()
	return w.apply(0, "-destroy").text
}
