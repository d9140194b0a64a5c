// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package units_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// Libraries read "10GB" in two ways, so the accepted spellings and their exact
// values are the contract.
func TestParseBytes_WholeBytesAndIECUnits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "1": 1, "1048576": 1 << 20, " 7 ": 7, "7B": 7, "7 bytes": 7,
		"1KiB": 1 << 10, "10GiB": 10 << 30, "10 GiB": 10 << 30, "10gib": 10 << 30,
		"1.5GiB": 1610612736, "0.5KiB": 512, "2TiB": 2 << 40, "7EiB": 7 << 60,
		"9223372036854775807": math.MaxInt64, "9007199254740993": 9007199254740993,
	} {
		got, err := units.ParseBytes(text)
		if err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

// A refused text must say what to write instead: that is the whole point of
// refusing GB.
func TestParseBytes_RefusesWithAHint(t *testing.T) {
	t.Parallel()
	for text, hint := range map[string]string{
		"": "empty", "   ": "empty", "10GB": "GiB", "10G": "GiB", "10M": "MiB", "1kb": "KiB", "5Ti": "TiB",
		"-1": "negative", "-1GiB": "negative", "GiB": "digit", "1.1KiB": "whole number", "0.1": "whole number",
		"8EiB": "9223372036854775807", "9223372036854775808": "9223372036854775807", "1e3": "not known",
		"1.2.3": "at most one point", "1.GiB": "digits", ".5GiB": "digits", "10 parsecs": "not known",
		strings.Repeat("9", 100): "too many digits",
	} {
		got, err := units.ParseBytes(text)
		if err == nil {
			t.Errorf("ParseBytes(%q) = %d; want a refusal", text, got)
			continue
		}
		if !strings.Contains(err.Error(), hint) {
			t.Errorf("ParseBytes(%q) says %q; want a hint with %q", text, err, hint)
		}
	}
}

// The text must be exact: three decimals at most, else a smaller unit.
func TestFormatBytes_LargestExactUnit(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 1 << 30: "1 GiB",
		1610612736: "1.5 GiB", 1073741825: "1073741825 B", 1673527296: "1596 MiB", -1536: "-1.5 KiB",
		math.MaxInt64: "9223372036854775807 B", math.MinInt64: "-8 EiB",
	} {
		if got := units.FormatBytes(n); got != want {
			t.Errorf("FormatBytes(%d) = %q, want %q", n, got, want)
		}
	}
}

// Round trip: a number printed and read back is the same number, for every number.
func TestFormatBytes_ParsesBackToTheSameNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(0).Draw(t, "n") >> rapid.IntRange(0, 62).Draw(t, "shift")
		got, err := units.ParseBytes(units.FormatBytes(n))
		if err != nil || got != n {
			t.Fatalf("%d prints %q and reads back as %d, %v", n, units.FormatBytes(n), got, err)
		}
	})
}

// People compare the readable number with a limit: rounding up would show 90.0
// where 89.95 is the truth.
func TestReadable_CutsAndNeverRoundsUp(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1,023 B", 1<<30 - 1: "1,023.9 MiB", 1 << 30: "1.0 GiB", 1673527296: "1.5 GiB", -1536: "-1.5 KiB",
	} {
		if got := units.Readable(big.NewInt(n)); got != want {
			t.Errorf("Readable(%d) = %q, want %q", n, got, want)
		}
	}
	if got := units.ReadableAs(big.NewInt(2199023255552), big.NewInt(21662741300)); got != "2,048.0 GiB" {
		t.Errorf("in the unit of another number: %q", got)
	}
	if got := units.Grouped(big.NewInt(-1234567)); got != "-1,234,567" {
		t.Errorf("Grouped(-1234567) = %q", got)
	}
}

// A parser of user text may refuse, but never panic, and never return a
// negative number.
func FuzzParseBytes(f *testing.F) {
	for _, seed := range []string{"", "1", "10GiB", "1.5 TiB", "-1", "99999999999999999999EiB", "1e9", "½GiB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := units.ParseBytes(text)
		if err == nil && n < 0 {
			t.Fatalf("ParseBytes(%q) = %d", text, n)
		}
		if err != nil && err.Error() == "" {
			t.Fatalf("ParseBytes(%q): an error without words", text)
		}
	})
}
