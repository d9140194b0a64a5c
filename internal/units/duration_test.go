// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package units_test

import (
	"math"
	"testing"

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
