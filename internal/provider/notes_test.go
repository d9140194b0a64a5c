// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Hundreds of warnings are read by nobody: each kind comes once, three kinds come
// whole, the rest become one line, and what is weighty is never crowded out.
func TestNotes_AreFewAndTheWeightyOnesComeThrough(t *testing.T) {
	t.Parallel()
	var n notes
	note := func(kind noteKind) []diag.Diagnostic {
		return n.say(kind, diag.NewWarningDiagnostic(string(kind), "detail"))
	}
	for _, kind := range []noteKind{noteKeysMove, noteExists, noteUnreadable} {
		if got := note(kind); len(got) != 1 || got[0].Summary() != string(kind) {
			t.Errorf("%s: %v", kind, got)
		}
		if got := note(kind); len(got) != 0 {
			t.Errorf("%s came twice", kind)
		}
	}
	if got := note(noteThrottle); len(got) != 1 || got[0].Summary() == string(noteThrottle) {
		t.Errorf("the fourth kind is to be one line for the rest: %v", got)
	}
	if got := note(noteAdoption); len(got) != 0 {
		t.Errorf("the fifth kind: %v", got)
	}
	if got := note(noteNotJudged); len(got) != 1 || got[0].Summary() != string(noteNotJudged) {
		t.Errorf("a weighty kind was crowded out: %v", got)
	}
}
