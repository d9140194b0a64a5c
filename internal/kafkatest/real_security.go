// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
)

// The listeners of a secure cluster, beside the plain one that RealOptions.Security leaves.
const (
	// ListenerTLS is TLS alone.
	ListenerTLS = "TLS"
	// ListenerMutual is TLS with a client certificate.
	ListenerMutual = "MUTUAL"
	// ListenerExpired is TLS with a certificate that has expired.
	ListenerExpired = "EXPIRED"
	// ListenerSASL logs in over plaintext: PLAIN, both SCRAM, OAUTHBEARER.
	ListenerSASL = "LOGIN"
	// ListenerSASLTLS logs in over TLS: the same.
	ListenerSASLTLS = "LOGINTLS"
)

var securityListeners = []string{ListenerTLS, ListenerMutual, ListenerExpired, ListenerSASL, ListenerSASLTLS}

// The users of a secure cluster; each one's password is [Password] of its name. Root
// may do everything; the others what a test grants them.
const (
	UserRoot   = "root"
	UserWriter = "writer"
	UserReader = "reader"
)

// Password is a user's password.
func Password(user string) string { return "pass-of-" + user + "-\"=,x" }

// RealSecurity is what a client needs to know of a secure cluster.
type RealSecurity struct {
	// Authority has signed the brokers' certificates, and is who may sign clients'.
	Authority *Authority
	// Signer signs tokens that the cluster believes.
	Signer *TokenSigner

	addresses map[string]string
}

// Address is where a listener is.
func (s *RealSecurity) Address(listener string) string { return s.addresses[listener] }

// Security tells of the listeners of a cluster with RealOptions.Security.
func (r *Real) Security(tb testing.TB) *RealSecurity {
	tb.Helper()
	if r.security == nil {
		tb.Fatal("kafkatest: the cluster was started without Security")
	}
	return r.security
}

// prepareSecurity makes keys and certificates for one node.
func prepareSecurity(dir string) (*RealSecurity, error) {
	authority, err := NewAuthority("test root")
	if err != nil {
		return nil, err
	}
	signer, err := newTokenSigner()
	if err != nil {
		return nil, err
	}
	for name, options := range map[string]CertificateOptions{
		"server": {Name: "broker", Hosts: []string{"localhost", "127.0.0.1"}},
		"stale":  {Name: "broker", Hosts: []string{"localhost", "127.0.0.1"}, Expired: true},
	} {
		certificate, err := authority.Issue(options)
		if err != nil {
			return nil, err
		}
		// Kafka reads the key first and then the chain, out of one file (KIP-651).
		if err := os.WriteFile(filepath.Join(dir, name+".pem"), []byte(certificate.Key+certificate.PEM), 0o600); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), []byte(authority.PEM), 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "keys.json"), signer.keySet(), 0o600); err != nil {
		return nil, err
	}
	return &RealSecurity{Authority: authority, Signer: signer, addresses: map[string]string{}}, nil
}

// secureProperties adds the listeners to a node's properties.
func (s *RealSecurity) secureProperties(properties map[string]string, ports []int, dir string) {
	protocols := map[string]string{ListenerTLS: "SSL", ListenerMutual: "SSL", ListenerExpired: "SSL", ListenerSASL: "SASL_PLAINTEXT", ListenerSASLTLS: "SASL_SSL"}
	for i, listener := range securityListeners {
		s.addresses[listener] = fmt.Sprintf("127.0.0.1:%d", ports[i])
		address := listener + "://" + s.addresses[listener]
		properties["listeners"] += "," + address
		properties["advertised.listeners"] += "," + address
		properties["listener.security.protocol.map"] += "," + listener + ":" + protocols[listener]
	}
	maps.Copy(properties, map[string]string{
		"ssl.keystore.type":                              "PEM",
		"ssl.keystore.location":                          filepath.Join(dir, "server.pem"),
		"ssl.truststore.type":                            "PEM",
		"ssl.truststore.location":                        filepath.Join(dir, "ca.pem"),
		"listener.name.mutual.ssl.client.auth":           "required",
		"listener.name.expired.ssl.keystore.type":        "PEM",
		"listener.name.expired.ssl.keystore.location":    filepath.Join(dir, "stale.pem"),
		"authorizer.class.name":                          "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
		"super.users":                                    "User:ANONYMOUS;User:" + UserRoot + ";User:CN=" + UserRoot,
		"sasl.oauthbearer.jwks.endpoint.url":             "file://" + filepath.Join(dir, "keys.json"),
		"sasl.oauthbearer.expected.audience":             "kafka",
		"sasl.oauthbearer.expected.issuer":               "test",
		"listener.name.login.sasl.enabled.mechanisms":    "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
		"listener.name.logintls.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
	})
	const security = "org.apache.kafka.common.security."
	users := ""
	for _, user := range []string{UserRoot, UserWriter, UserReader} {
		users += fmt.Sprintf(" user_%s=\"%s\"", user, strings.ReplaceAll(Password(user), `"`, `\"`))
	}
	for _, listener := range []string{ListenerSASL, ListenerSASLTLS} {
		prefix := "listener.name." + strings.ToLower(listener) + "."
		properties[prefix+"plain.sasl.jaas.config"] = security + "plain.PlainLoginModule required" + users + ";"
		for _, scram := range []string{"scram-sha-256", "scram-sha-512"} {
			properties[prefix+scram+".sasl.jaas.config"] = security + "scram.ScramLoginModule required;"
		}
		properties[prefix+"oauthbearer.sasl.jaas.config"] = security + "oauthbearer.OAuthBearerLoginModule required;"
		properties[prefix+"oauthbearer.sasl.server.callback.handler.class"] = security + "oauthbearer.OAuthBearerValidatorCallbackHandler"
	}
}

// AddScramUsers gives the users their SCRAM credentials.
func (r *Real) AddScramUsers(tb testing.TB) {
	tb.Helper()
	admin := r.Admin(tb)
	for _, mechanism := range []kadm.ScramMechanism{kadm.ScramSha256, kadm.ScramSha512} { // one of a user's at a time
		var upserts []kadm.UpsertSCRAM
		for _, user := range []string{UserRoot, UserWriter, UserReader} {
			upserts = append(upserts, kadm.UpsertSCRAM{User: user, Mechanism: mechanism, Iterations: 4096, Password: Password(user)})
		}
		answers, err := admin.AlterUserSCRAMs(tb.Context(), nil, upserts)
		if err != nil {
			tb.Fatalf("kafkatest: scram: %v", err)
		}
		for _, answer := range answers {
			if answer.Err != nil {
				tb.Fatalf("kafkatest: scram: %v %s", answer.Err, answer.ErrMessage)
			}
		}
	}
	r.Settle(tb)
}
