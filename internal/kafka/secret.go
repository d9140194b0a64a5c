// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"cmp"
	"slices"
	"strings"
)

// Secret is a text that nobody may see: every way to print it says "(secret)". The
// zero value is no secret.
type Secret struct {
	// A pointer, because fmt prints an unexported string field without asking its type.
	text *string
}

// NewSecret hides a text; "" is no secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the text, for those who have to send it.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsSet says whether there is a secret.
func (s Secret) IsSet() bool { return s.text != nil }

// hasBlanksAround says that a text begins or ends with blanks, as one read from a file
// does. That much of a secret may be known.
func (s Secret) hasBlanksAround() bool {
	return s.Reveal() != strings.TrimSpace(s.Reveal())
}

// blanksAround says it.
const blanksAround = "begins or ends with a blank or a line break, which counts as a part of it: trimspace(…) takes it off"

// hidden stands where a secret would.
const hidden = "(secret)"

// String hides the text.
func (Secret) String() string { return hidden }

// GoString hides the text from %#v.
func (Secret) GoString() string { return hidden }

// MarshalText hides the text from encoders.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// redact takes secrets out of a text that others wrote: a broker or a token endpoint
// may repeat what it was sent.
func redact(text string, secrets []Secret) string {
	known := make([]string, 0, len(secrets))
	for _, secret := range secrets {
		if len(secret.Reveal()) > 3 { // shorter ones stand in any text by chance
			known = append(known, secret.Reveal())
		}
	}
	slices.SortFunc(known, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, secret := range known {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return text
}
