// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package units

import (
	"fmt"
	"strconv"
	"strings"
)

// spans are the units of time, the longest first, in milliseconds.
var spans = []struct {
	name string
	ms   int64
}{
	{"d", 24 * 60 * 60 * 1000},
	{"h", 60 * 60 * 1000},
	{"min", 60 * 1000},
	{"s", 1000},
	{"ms", 1},
}

// ReadableMs prints a number of milliseconds for people, exactly: 2629800000 is
// "30 d 10 h 30 min". A negative number keeps its sign.
func ReadableMs(ms int64) string {
	if ms == 0 {
		return "0 ms"
	}
	var parts []string
	rest := ms
	for _, span := range spans {
		// A quotient of a negative number is negative or zero, so the smallest int64 needs no care.
		if whole := rest / span.ms; whole != 0 {
			parts = append(parts, strconv.FormatUint(magnitude(whole), 10)+" "+span.name)
			rest -= whole * span.ms
		}
	}
	text := strings.Join(parts, " ")
	if ms < 0 {
		return "-" + text
	}
	return text
}

// magnitude is n without its sign.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n) //nolint:gosec // two's complement: the magnitude of every negative int64 is a uint64
	}
	return uint64(n)
}

// spanNames are the spellings of the units that [ParseMs] reads.
var spanNames = map[string]int64{
	"d": spans[0].ms, "day": spans[0].ms, "days": spans[0].ms,
	"h": spans[1].ms, "hour": spans[1].ms, "hours": spans[1].ms,
	"m": spans[2].ms, "min": spans[2].ms, "minute": spans[2].ms, "minutes": spans[2].ms,
	"s": spans[3].ms, "second": spans[3].ms, "seconds": spans[3].ms,
	"ms": spans[4].ms,
	"w":  7 * spans[0].ms, "week": 7 * spans[0].ms, "weeks": 7 * spans[0].ms,
}

// ParseMs reads a span of time as milliseconds: whole milliseconds without a unit
// ("604800000"), or whole numbers with units, added up ("7d", "1 d 12 h", "1d12h30min").
// It reads every text that [ReadableMs] prints of a number that is not negative. The error quotes
// a text that is none, or that is more than 2^63-1 milliseconds.
func ParseMs(text string) (int64, error) {
	rest := strings.TrimSpace(text)
	if rest == "" {
		return 0, notASpan(text)
	}
	if n, err := strconv.ParseInt(rest, 10, 64); err == nil && n >= 0 {
		return n, nil
	}
	var sum int64
	for rest != "" {
		digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if digits < 1 {
			return 0, notASpan(text)
		}
		n, err := strconv.ParseInt(rest[:digits], 10, 64)
		if err != nil {
			return 0, notASpan(text)
		}
		rest = strings.TrimLeft(rest[digits:], " ")
		letters := strings.IndexFunc(rest+" ", func(r rune) bool { return r < 'a' || r > 'z' })
		ms, known := spanNames[rest[:letters]]
		if !known || n > (1<<63-1-sum)/ms {
			return 0, notASpan(text)
		}
		sum += n * ms
		rest = strings.TrimLeft(rest[letters:], " ")
	}
	return sum, nil
}

// notASpan words a text that is no span of time.
func notASpan(text string) error {
	return fmt.Errorf("%q is no span of time: write whole milliseconds, or whole numbers with w, d, h, min, s or ms, such as 7d or 1d 12h", text)
}
