// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Every attribute about connecting takes, in this order: the configuration, its own
// variable, the one that pipelines have already.
func TestConnectionSettings_EveryAttributeHasItsVariablesInOrder(t *testing.T) {
	t.Parallel()
	for at, variables := range connectionVariables {
		// Three values that differ, as the environment spells them and as the configuration does.
		texts, configured := []string{"first", "second", "third"}, any("first")
		want := slices.Clone(texts)
		switch at {
		case "tls.enabled", "tls.insecure_skip_verify":
			texts, configured = []string{"false", "true", "true"}, false
			if at == "tls.insecure_skip_verify" {
				texts, configured = []string{"true", "false", "true"}, true
			}
			want = texts
		case "sasl.mechanism":
			texts, configured = []string{"plain", "SCRAM-SHA-256", "scram-sha512"}, "plain"
			want = []string{"plain", "scram-sha-256", "scram-sha-512"}
		case "sasl.oauth.scopes":
			texts, configured = []string{"a, b", "c", "d"}, []string{"a", "b"}
			want = []string{"a,b", "c", "d"}
		case "sasl.oauth.extensions":
			texts, configured = []string{"a=1", "a=2", "a=3"}, map[string]string{"a": "1"}
			want = texts
		case "sasl.oauth.token_environment":
			texts, configured = []string{"HOLDER_1", "HOLDER_2", "HOLDER_3"}, "HOLDER_1"
			want = []string{"of HOLDER_1", "of HOLDER_2", "of HOLDER_3"}
		}
		base := func() map[string]any {
			given := map[string]any{}
			switch {
			case at == "sasl.mechanism":
				nested(given, "sasl.username", "u")
			case strings.HasPrefix(at, "sasl.oauth."):
				nested(given, "sasl.mechanism", "oauthbearer")
				if at == "sasl.oauth.extensions" {
					nested(given, "sasl.oauth.token", "t")
				} else if !strings.HasPrefix(at, "sasl.oauth.token") {
					nested(given, "sasl.oauth.token_url", "https://x")
				}
			case strings.HasPrefix(at, "sasl.aws."):
				nested(given, "sasl.mechanism", "aws-iam")
			case strings.HasPrefix(at, "sasl."):
				nested(given, "sasl.mechanism", "plain")
			}
			return given
		}
		env := map[string]string{"HOLDER_1": "of HOLDER_1", "HOLDER_2": "of HOLDER_2", "HOLDER_3": "of HOLDER_3"}
		for i := len(variables) - 1; i >= 0; i-- { // the weakest first
			env[variables[i]] = texts[i+1]
			settings, said := read(base(), env)
			if got := resolved(settings, at); got != want[i+1] {
				t.Errorf("%s with %s: %q, want %q; %v", at, variables[i], got, want[i+1], said)
			}
		}
		given := base()
		nested(given, at, configured)
		settings, said := read(given, env)
		if got := resolved(settings, at); got != want[0] {
			t.Errorf("%s configured: %q, want %q; %v", at, got, want[0], said)
		}
		// An empty text is none, as an empty variable is, and blanks around one do not
		// count, but in what somebody may have chosen with them.
		if _, isText := configured.(string); isText {
			texts := map[string]string{"": want[1], " first\n": want[0], " \n": want[1]}
			switch at {
			case "sasl.password", "sasl.oauth.client_secret", "tls.private_key_passphrase":
				texts = map[string]string{"": want[1], " first\n": " first\n", " \n": " \n"}
			}
			for text, want := range texts {
				if at == "sasl.mechanism" || at == "sasl.oauth.token_environment" {
					text = strings.ReplaceAll(text, "first", configured.(string)) //nolint:forcetypeassert // seen above
				}
				given := base()
				nested(given, at, text)
				if settings, said := read(given, env); resolved(settings, at) != want {
					t.Errorf("%s = %q: %q, want %q; %v", at, text, resolved(settings, at), want, said)
				}
			}
		}
		if len(variables) > 2 || !strings.HasPrefix(variables[0], "KAFKASTORAGE_"+strings.ToUpper(strings.ReplaceAll(at, ".", "_"))) {
			t.Errorf("%s has the variables %v", at, variables)
		}
	}
}

// What is missing or contradicts itself is said at plan, on the attribute, with the
// right form, and without a secret.
func TestConnectionSettings_WhatIsWrongIsSaidAtPlan(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2"
	sasl := func(values map[string]any) map[string]any { return map[string]any{"sasl": values} }
	tls := func(values map[string]any) map[string]any { return map[string]any{"tls": values} }
	oauth := func(values map[string]any) map[string]any {
		return sasl(map[string]any{"mechanism": "oauthbearer", "oauth": values})
	}
	aws := func(values map[string]any) map[string]any {
		return sasl(map[string]any{"mechanism": "aws-iam", "aws": values})
	}
	for _, one := range []struct {
		given map[string]any
		env   map[string]string
		want  []string // one for each thing that is said, by the order of what is said
	}{
		{sasl(map[string]any{"password": secret}), nil, []string{"sasl needs a mechanism"}},
		{sasl(map[string]any{"mechanism": "plain", "password": secret}), nil, []string{"Set sasl.username (or KAFKASTORAGE_SASL_USERNAME or KAFKA_SASL_USERNAME"}},
		{sasl(map[string]any{"mechanism": "scram-sha-512", "username": "u"}), nil, []string{"scram-sha-512 needs a password"}},
		{sasl(map[string]any{"mechanism": "GSSAPI"}), nil, []string{`"GSSAPI" is no mechanism; write one of plain, scram-sha-256, scram-sha-512, oauthbearer, aws-iam`}},
		{nil, map[string]string{"KAFKA_SASL_MECHANISM": "kerberos", "KAFKA_SASL_USERNAME": "u"}, []string{"It comes from KAFKA_SASL_MECHANISM"}},
		{sasl(map[string]any{}), nil, []string{"sasl needs a mechanism"}},
		{sasl(map[string]any{"mechanism": "plain", "username": "u", "password": secret, "aws": map[string]any{"region": "eu-west-1"}}), nil, []string{"sasl.aws is for the mechanism aws-iam, and the mechanism is plain"}},
		{sasl(map[string]any{"mechanism": "aws-iam", "username": "u"}), nil, []string{"sasl.username is for the mechanism plain"}},
		{oauth(nil), nil, []string{"oauthbearer needs one of token, token_file, token_environment, token_url"}},
		{oauth(map[string]any{"token": secret, "token_file": "f"}), nil, []string{"token and token_file are both set"}},
		{oauth(map[string]any{"token_environment": "NOT_SET"}), nil, []string{`"NOT_SET", which is empty or not set`}},
		{oauth(map[string]any{"token_url": "login.example.com", "client_id": "c", "client_secret": secret}), nil, []string{"must be a URL"}},
		{oauth(map[string]any{"token_url": "https://x/t", "client_id": "c"}), nil, []string{"token_url needs a client_secret"}},
		{oauth(map[string]any{"token": secret, "client_secret": secret}), nil, []string{"client_secret is for token_url, and token is set instead"}},
		{oauth(map[string]any{"token": secret, "extensions": map[string]string{"auth": "x"}}), nil, []string{`Extension "auth"`}},
		{aws(map[string]any{"access_key": "a"}), nil, []string{"access_key needs its secret_key"}},
		{aws(map[string]any{"secret_key": secret}), nil, []string{"secret_key needs its access_key"}},
		{aws(map[string]any{"access_key": "a", "secret_key": secret, "profile": "p"}), nil, []string{"access_key and profile are both set"}},
		{aws(map[string]any{"external_id": "e"}), nil, []string{"external_id is for a role"}},
		{tls(map[string]any{"enabled": false, "ca_pem": "x"}), nil, []string{"tls.ca_pem is set, and tls.enabled = false switches TLS off"}},
		{tls(map[string]any{"server_name": "x"}), map[string]string{"KAFKA_ENABLE_TLS": "false"}, []string{"KAFKA_ENABLE_TLS in the environment switches TLS off"}},
		{tls(map[string]any{"certificate_pem": "x"}), nil, []string{"certificate_pem needs its private key"}},
		{tls(map[string]any{"private_key_pem": secret}), nil, []string{"private_key_pem needs the certificate"}},
		{tls(map[string]any{"private_key_passphrase": secret}), nil, []string{"private_key_passphrase needs the key"}},
		{tls(map[string]any{"ca_pem": "/nonexistent/ca.pem"}), nil, []string{`tls.ca_pem has no -----BEGIN line, so "/nonexistent/ca.pem" was taken for the path of a file, which cannot be read: no such file or directory`}},
		{nil, map[string]string{"KAFKA_CA_CERT": "/nonexistent/ca.pem"}, []string{"It comes from KAFKA_CA_CERT in the environment"}},
		{nil, map[string]string{"KAFKA_SKIP_VERIFY": "maybe"}, []string{`KAFKA_SKIP_VERIFY = "maybe"`}},
		{nil, map[string]string{"KAFKA_ENABLE_TLS": "yes"}, []string{`KAFKA_ENABLE_TLS = "yes"`}},
		{tls(map[string]any{"server_name": "b1.example.com:9093"}), nil, []string{`tls.server_name = "b1.example.com:9093" cannot be used: it has a port`}},
		{tls(map[string]any{"server_name": "[::1]"}), nil, []string{"without brackets"}},
		{tls(map[string]any{"server_name": "https://b1.example.com"}), nil, []string{"it names a scheme"}},
		{nil, map[string]string{"KAFKASTORAGE_TLS_SERVER_NAME": "b1, b2"}, []string{"It comes from KAFKASTORAGE_TLS_SERVER_NAME"}},
		{tls(map[string]any{"ca_pem": "~/ca.pem"}), nil, []string{`pathexpand("~/`}},
		{tls(map[string]any{"ca_pem": "/"}), nil, []string{"it is not a regular file"}},
		{nil, map[string]string{"KAFKA_CLIENT_CERT": "c.pem"}, []string{"certificate_pem (from KAFKA_CLIENT_CERT in the environment) needs its private key. Set tls.private_key_pem"}},
		{nil, map[string]string{"KAFKA_CLIENT_KEY_PASSPHRASE": secret}, []string{"private_key_passphrase (from KAFKA_CLIENT_KEY_PASSPHRASE in the environment) needs the key"}},
		{aws(nil), map[string]string{"AWS_ACCESS_KEY_ID": "a"}, []string{"access_key (from AWS_ACCESS_KEY_ID in the environment) needs its secret_key"}},
		{sasl(map[string]any{"mechanism": "plain", "username": "", "password": ""}), nil, []string{"plain needs a username", "plain needs a password"}},
		{sasl(map[string]any{"mechanism": "", "username": "", "password": ""}), nil, []string{"sasl needs a mechanism"}},
		{map[string]any{"request_timeout": "0s"}, nil, []string{"a duration from 100ms to 30m"}},
		{map[string]any{"request_timeout": "-1s"}, nil, []string{"a duration from 100ms to 30m"}},
		{map[string]any{"request_timeout": "30"}, nil, []string{`request_timeout = "30" must be a duration from 100ms to 30m`}},
		{map[string]any{"request_timeout": "1ms"}, nil, []string{"a duration from 100ms to 30m"}},
		{map[string]any{"request_timeout": "24h"}, nil, []string{"a duration from 100ms to 30m"}},
		{nil, map[string]string{"KAFKASTORAGE_REQUEST_TIMEOUT": "99ms"}, []string{"KAFKASTORAGE_REQUEST_TIMEOUT"}},
		// These are right.
		{nil, map[string]string{"KAFKA_SASL_MECHANISM": "plain"}, nil},
		{nil, map[string]string{"KAFKA_ENABLE_TLS": "True", "KAFKA_SKIP_VERIFY": "1"}, nil},
		{map[string]any{"request_timeout": " 5s "}, map[string]string{"KAFKASTORAGE_REQUEST_TIMEOUT": "never"}, nil},
		{map[string]any{"request_timeout": ""}, nil, nil},
		{tls(map[string]any{"enabled": false, "ca_pem": "", "server_name": " "}), nil, nil},
		{tls(map[string]any{"server_name": "::1"}), nil, nil},
		// A module that hands all of its variables down gives empty texts for what is not in use.
		{sasl(map[string]any{"mechanism": "oauthbearer", "username": "", "password": "", "oauth": map[string]any{"token": secret, "client_secret": ""}}), nil, nil},
		{sasl(map[string]any{"mechanism": "plain", "username": "u", "password": secret, "oauth": map[string]any{"token": ""}, "aws": map[string]any{"region": " "}}), nil, nil},
		{nil, map[string]string{"KAFKA_SASL_USERNAME": "u", "KAFKA_SASL_PASSWORD": " "}, nil},
		{tls(map[string]any{"enabled": false}), map[string]string{"KAFKA_CA_CERT": "/nonexistent"}, nil},
		{oauth(map[string]any{"token": secret}), map[string]string{"KAFKA_SASL_TOKEN_URL": "https://x", "KAFKA_SASL_USERNAME": "u"}, nil},
		{aws(map[string]any{"profile": "p"}), map[string]string{"AWS_ACCESS_KEY_ID": "a"}, nil},
		{aws(nil), map[string]string{"KAFKA_SASL_USERNAME": "u", "KAFKA_SASL_PASSWORD": "p"}, nil},
		{sasl(map[string]any{"mechanism": "plain", "username": types.StringUnknown()}), nil, nil},
		{tls(map[string]any{"certificate_pem": types.StringUnknown()}), nil, nil},
	} {
		_, said := read(one.given, one.env)
		if len(said) != len(one.want) {
			t.Errorf("%v %v: said %q, want %d things", one.given, one.env, said, len(one.want))
			continue
		}
		for i, want := range one.want {
			if !strings.Contains(said[i], want) {
				t.Errorf("%v %v: %q does not say %q", one.given, one.env, said[i], want)
			}
			if strings.Contains(said[i], secret) {
				t.Errorf("%q repeats the secret", said[i])
			}
		}
	}
}

// Addresses are taken as people write them, and what cannot be dialled is said with
// the right form.
func TestConnectionSettings_Addresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"b1.example:9092":                     "b1.example:9092",
		" b1.example:9092 ":                   "b1.example:9092",
		"b1.example:9092,b2.example:9094":     "b1.example:9092 b2.example:9094",
		"b1.example:9092 , ,b1.example:9092,": "b1.example:9092",
		"b1.example":                          "b1.example:9092",
		"10.0.0.1":                            "10.0.0.1:9092",
		"[::1]:9093":                          "[::1]:9093",
		"[::1]":                               "[::1]:9092",
		"::1":                                 "[::1]:9092",
		"[fe80::1%eth0]:9092":                 "[fe80::1%eth0]:9092",
		"2001:db8::1":                         "[2001:db8::1]:9092",
		"SASL_SSL://b1.example:9092":          `Write "b1.example:9092"`,
		"b1:0":                                "from 1 to 65535",
		"b1:65536":                            "from 1 to 65535",
		"b1:kafka":                            "from 1 to 65535",
		"b1:":                                 "from 1 to 65535",
		":9092":                               "it has no host",
		"a:b:9092":                            "must stand in brackets",
		"[b1]x:9092":                          "",
		"b1 b2:9092":                          "a character that no address has",
		"b1:9092/":                            "a character that no address has",
	} {
		settings, said := read(map[string]any{"bootstrap_servers": []string{text}}, nil)
		got := strings.Join(settings.kafka.Servers, " ")
		if len(said) > 0 {
			got = said[0]
			if len(settings.kafka.Servers) > 0 || !strings.Contains(got, text) {
				t.Errorf("%q: %q, %v", text, said, settings.kafka.Servers)
			}
		}
		if !strings.Contains(got, want) || len(said) == 0 && got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Who writes a user into an address is told where it belongs, and what may be the
// password is not repeated.
func TestConnectionSettings_UsersInAddressesAreNotRepeated(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"token:hunter2@b1:9092", "SASL_SSL://token:hunter2@b1:9092", "hunter2@"} {
		for _, env := range []map[string]string{nil, {envIncumbentServers: text}} {
			given := map[string]any{"bootstrap_servers": []string{text}}
			if env != nil {
				given = nil
			}
			_, said := read(given, env)
			if len(said) != 1 || !strings.Contains(said[0], "it names a user, for which sasl is the place") || strings.Contains(said[0], "hunter2") || strings.Contains(said[0], envIncumbentServers) != (env != nil) {
				t.Errorf("%q: %q", text, said)
			}
		}
	}
}

// A list of blanks says nothing, so the environment does.
func TestConnectionSettings_BlankServersAreNone(t *testing.T) {
	t.Parallel()
	for _, blank := range [][]string{{""}, {" ", ","}} {
		settings, said := read(map[string]any{"bootstrap_servers": blank}, map[string]string{envIncumbentServers: "b1:9092"})
		if diff := cmp.Diff([]string{"b1:9092"}, settings.kafka.Servers); diff != "" || len(said) > 0 {
			t.Errorf("%q: %s %v", blank, diff, said)
		}
	}
	given := types.ListValueMust(types.StringType, []attr.Value{types.StringUnknown()})
	if settings, _ := read(map[string]any{"bootstrap_servers": given}, map[string]string{envIncumbentServers: "b1:9092"}); !settings.unknown || len(settings.kafka.Servers) > 0 {
		t.Errorf("a server that is not known yet: %v %v", settings.unknown, settings.kafka.Servers)
	}
}

// Whatever is written into the provider block, reading it ends, and what is wrong has
// a title, a detail and an attribute.
func FuzzConnectionSettings(f *testing.F) {
	f.Add("b1:9092", "30s", "-----BEGIN", "-----BEGIN PRIVATE KEY-----", "plain", "user", "a=b", "https://x")
	f.Add("[::1]:9092,x://y", "-1h", "/", "\x00", "OAUTHBEARER", "", "=,=", ":")
	f.Add("[", "1e9s", "a\nb", "p", "aws_msk_iam", "%", ",", "http://%zz")
	f.Fuzz(func(t *testing.T, servers, timeout, certificate, key, mechanism, user, pairs, address string) {
		given := map[string]any{
			"bootstrap_servers": []string{servers}, "request_timeout": timeout,
			"tls":  map[string]any{"ca_pem": certificate, "certificate_pem": certificate, "private_key_pem": key, "private_key_passphrase": user, "server_name": servers},
			"sasl": map[string]any{"mechanism": mechanism, "username": user, "oauth": map[string]any{"token_url": address, "client_id": user, "extensions": map[string]string{pairs: user}}},
		}
		for _, env := range []map[string]string{nil, {
			envBootstrapServers: servers, envRequestTimeout: timeout, "KAFKA_CA_CERT": certificate, "KAFKA_CLIENT_CERT": certificate, "KAFKA_CLIENT_KEY": key,
			"KAFKA_SASL_MECHANISM": mechanism, "KAFKA_SASL_USERNAME": user, "KAFKASTORAGE_SASL_OAUTH_EXTENSIONS": pairs, "KAFKA_SASL_TOKEN_URL": address,
			"KAFKASTORAGE_CAPACITY_BYTES": pairs, "KAFKASTORAGE_LIMIT_PERCENT": user,
		}} {
			if env != nil {
				given = nil
			}
			settings, diags := readProviderSettings(context.Background(), connectionModel(given), func(name string) string { return env[name] })
			for _, one := range diags {
				if one.Summary() == "" || one.Detail() == "" {
					t.Errorf("%+v", one)
				}
				if at, ok := one.(diag.DiagnosticWithPath); !ok || at.Path().String() == "" {
					t.Errorf("%+v hangs on no attribute", one)
				}
			}
			if !diags.HasError() {
				if runtime, err := newRuntime(settings, "dev"); err == nil && runtime.client != nil {
					runtime.client.Close()
				}
			}
		}
	})
}

// sensitivity says of each attribute of a block whether it is marked.
func sensitivity(block schema.SingleNestedAttribute) map[string]bool {
	marked := map[string]bool{}
	for name, attribute := range block.Attributes {
		marked[name] = attribute.IsSensitive()
	}
	return marked
}

// The schema marks what is secret, and nothing else needs to be.
func TestConnectionSettings_SecretsAreMarked(t *testing.T) {
	t.Parallel()
	var marked []string
	for name, attributes := range map[string]map[string]bool{
		"tls": sensitivity(tlsAttribute()), "sasl": sensitivity(saslAttribute()), "sasl.oauth": sensitivity(oauthAttribute()), "sasl.aws": sensitivity(awsAttribute()),
	} {
		for attribute := range maps.Keys(attributes) {
			if attributes[attribute] {
				marked = append(marked, name+"."+attribute)
			}
		}
	}
	slices.Sort(marked)
	if diff := cmp.Diff([]string{"sasl.aws.secret_key", "sasl.aws.token", "sasl.oauth.client_secret", "sasl.oauth.token", "sasl.password", "tls.private_key_passphrase", "tls.private_key_pem"}, marked); diff != "" {
		t.Error(diff)
	}
}
