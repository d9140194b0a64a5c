// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package units

import (
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
