// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package units_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// A reader compares two settings by their readable form, so nothing may be lost in
// it: every part that is not zero is told.
func TestReadableMs_TellsEveryPart(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int64]string{
		0:             "0 ms",
		1:             "1 ms",
		999:           "999 ms",
		1000:          "1 s",
		90_000:        "1 min 30 s",
		86_400_000:    "1 d",
		2_629_800_000: "30 d 10 h 30 min",
		604_800_001:   "7 d 1 ms",
		-3_600_000:    "-1 h",
		math.MaxInt64: "106751991167 d 7 h 12 min 55 s 807 ms",
		math.MinInt64: "-106751991167 d 7 h 12 min 55 s 808 ms",
	} {
		if got := units.ReadableMs(ms); got != want {
			t.Errorf("ReadableMs(%d) = %q, want %q", ms, got, want)
		}
	}
}

// What a configuration says in days has to be the number that Kafka counts in.
func TestParseMs_ReadsWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "604800000": 604_800_000, "7d": 604_800_000, " 7 d ": 604_800_000, "1d12h": 129_600_000, "1 d 12 h 30 min": 131_400_000,
		"90m": 5_400_000, "2w": 1_209_600_000, "3 days": 259_200_000, "1500ms": 1500, "106751991167d": 9_223_372_036_828_800_000,
	} {
		if got, err := units.ParseMs(text); err != nil || got != want {
			t.Errorf("ParseMs(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "7x", "-1", "-1d", "1.5d", "7d7", "9223372036854775808", "106751991168d", "7D", "1d,2h"} {
		if got, err := units.ParseMs(text); err == nil {
			t.Errorf("ParseMs(%q) = %d, want an error", text, got)
		}
	}
}

// Both directions are exact: what is printed is read back to the same number.
func TestParseMs_ReadsBackWhatIsPrinted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(0, math.MaxInt64).Draw(t, "ms")
		if got, err := units.ParseMs(units.ReadableMs(ms)); err != nil || got != ms {
			t.Fatalf("%q is read as %d, %v", units.ReadableMs(ms), got, err)
		}
	})
}

// No text brings the parser down, and what it takes is never negative.
func FuzzParseMs(f *testing.F) {
	for _, seed := range []string{"7d", "1 d 12 h", "", "9223372036854775807ms", "1d1d1d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if ms, err := units.ParseMs(text); err == nil && ms < 0 {
			t.Errorf("ParseMs(%q) = %d", text, ms)
		}
	})
}
