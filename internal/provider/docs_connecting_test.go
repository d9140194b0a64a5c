// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

// The guide's tables are the code's: each attribute with its variables, each message
// with what to do.
func TestDocsConnectingTablesAreTheCodes(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../docs/guides/connecting.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(content)
	for at, variables := range connectionVariables {
		if row := "| `" + at + "` | `" + strings.Join(variables, "`, then `") + "` |"; !strings.Contains(guide, row) {
			t.Errorf("the guide lacks %s", row)
		}
	}
	for kind, words := range reachTexts {
		if !strings.Contains(guide, "| "+words.title+" | ") || !strings.Contains(guide, " | "+words.todo+" |") {
			t.Errorf("the guide lacks the message for %s: %s", kind, words.title)
		}
	}
	if rows := strings.Count(guide, "\n| `tls.") + strings.Count(guide, "\n| `sasl."); rows != len(connectionVariables) {
		t.Errorf("the guide has %d attributes, the code %d", rows, len(connectionVariables))
	}
}

// Each way to fail has words of its own: two kinds with one title would be one message.
func TestDocsConnectingEachMessageIsDistinct(t *testing.T) {
	t.Parallel()
	titles := map[string]kafka.ConnectKind{}
	for kind, words := range reachTexts {
		if other, taken := titles[words.title]; taken {
			t.Errorf("%s and %s share the title %q", kind, other, words.title)
		}
		titles[words.title] = kind
		if words.todo == "" || !strings.Contains(words.what, "%[1]s") || strings.Contains(words.title, "%") {
			t.Errorf("%s: %+v", kind, words)
		}
	}
}

// An address that the cluster itself gave is in no setting: whoever is sent to correct
// bootstrap_servers for it looks in the wrong place.
func TestConnectFailed_AdvertisedAddressesAreTheClusters(t *testing.T) {
	t.Parallel()
	settings := providerSettings{kafka: kafka.Config{Servers: []string{"b1.example.com:9092"}, TLS: &kafka.TLS{}}}
	for kind, words := range reachTexts {
		for server, advertised := range map[string]bool{"b1.example.com:9092": false, "b1.example.com:909": true, "10.0.0.1:9092": true} {
			text := connectFailed(&kafka.ConnectError{Kind: kind, Server: server}, words, settings).Detail()
			if strings.Contains(text, "advertised.listeners") != advertised {
				t.Errorf("%s at %s:\n%s", kind, server, text)
			}
			if advertised && strings.Contains(text, "bootstrap_servers.") || advertised && strings.Contains(text, "In the provider block: bootstrap_servers") || advertised && strings.Contains(text, "in bootstrap_servers") {
				t.Errorf("%s at %s blames a setting that is right:\n%s", kind, server, text)
			}
		}
	}
}
