// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// diagnosis is one diagnostic.
type diagnosis struct {
	Severity, Summary, Detail string
}

// diagnoses are what a call has said.
type diagnoses []diagnosis

// errors returns the errors alone.
func (d diagnoses) errors() diagnoses {
	return slices.DeleteFunc(slices.Clone(d), func(one diagnosis) bool { return one.Severity != "error" })
}

// String puts everything that was said into one text.
func (d diagnoses) String() string {
	var texts []string
	for _, one := range d {
		texts = append(texts, one.Severity+": "+one.Summary+"\n"+one.Detail)
	}
	return strings.Join(texts, "\n\n")
}

// heard translates diagnostics.
func heard(diagnostics []*tfprotov6.Diagnostic) diagnoses {
	var said diagnoses
	for _, one := range diagnostics {
		said = append(said, diagnosis{Severity: strings.ToLower(one.Severity.String()), Summary: one.Summary, Detail: one.Detail})
	}
	return said
}
