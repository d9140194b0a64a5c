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
