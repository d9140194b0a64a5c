// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// People and brokers write versions in many ways; only two numbers count.
func TestParseVersion_ReadsMajorAndMinor(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]topicconfig.Version{
		"4.1": {Major: 4, Minor: 1}, "v3.9.1": {Major: 3, Minor: 9}, " 3.10.0 ": {Major: 3, Minor: 10},
		"3.9.x": {Major: 3, Minor: 9}, "2.8.2.tiered": {Major: 2, Minor: 8}, "": {}, " ": {},
	} {
		if got, err := topicconfig.ParseVersion(text); err != nil || got != want {
			t.Errorf("%q reads %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"4", "four.one", "4.", ".1", "4.x", "4.1.", "-4.1", "0.11", "99999999999999999999.1", "v"} {
		if got, err := topicconfig.ParseVersion(text); err == nil {
			t.Errorf("%q reads %v", text, got)
		}
	}
}

// A version that is not known is neither old nor new: no rule may build on it.
func TestVersion_WhatIsNotKnownIsNeitherBeforeNorAfter(t *testing.T) {
	t.Parallel()
	var unknown topicconfig.Version
	if unknown.Known() || unknown.AtLeast(0, 0) || unknown.Before(99, 0) || unknown.String() != "unknown" {
		t.Errorf("%+v", unknown)
	}
	v := topicconfig.Version{Major: 3, Minor: 10}
	if !v.Known() || v.String() != "3.10" {
		t.Errorf("%v", v)
	}
	for _, c := range []struct {
		major, minor int
		atLeast      bool
	}{{3, 9, true}, {3, 10, true}, {3, 11, false}, {4, 0, false}, {2, 99, true}} {
		if v.AtLeast(c.major, c.minor) != c.atLeast || v.Before(c.major, c.minor) == c.atLeast {
			t.Errorf("%v against %d.%d", v, c.major, c.minor)
		}
	}
}
