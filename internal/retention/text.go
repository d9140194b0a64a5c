// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// Span is a span of milliseconds for people: whole hours up to ten days as hours ("124 h"), else in
// days, hours, minutes, seconds and milliseconds as far as they are there ("5 d 30 s"). From
// an hour on it is rounded up to minutes, from a minute on to seconds.
func Span(ms int64) string {
	switch {
	case ms%hourMs == 0 && ms > 0 && ms <= 10*dayMs:
		return fmt.Sprintf("%d h", ms/hourMs)
	case ms > never-minuteMs: // no room to round up
	case ms > hourMs:
		ms = (ms + minuteMs - 1) / minuteMs * minuteMs
	case ms > minuteMs:
		ms = (ms + 999) / 1000 * 1000
	}
	if ms%hourMs == 0 && ms > 0 && ms <= 10*dayMs {
		return fmt.Sprintf("%d h", ms/hourMs)
	}
	var parts []string
	for _, unit := range []struct {
		ms   int64
		name string
	}{{dayMs, "d"}, {hourMs, "h"}, {minuteMs, "min"}, {1000, "s"}, {1, "ms"}} {
		if n := ms / unit.ms; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit.name))
			ms -= n * unit.ms
		}
	}
	if len(parts) == 0 {
		return "0 ms"
	}
	return strings.Join(parts, " ")
}

const (
	minuteMs = 60 * 1000
	hourMs   = 60 * minuteMs
)

// clock is a moment as days and time of day since the start: "5d 04:00:00.000".
func clock(ms int64) string {
	return fmt.Sprintf("%dd %02d:%02d:%02d.%03d", ms/dayMs, ms/hourMs%24, ms/minuteMs%60, ms/1000%60, ms%1000)
}

// timeOfDay is "04:00", or "04:00:30" where seconds count.
func timeOfDay(ms int64) string {
	if ms%minuteMs != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", ms/hourMs%24, ms/minuteMs%60, ms/1000%60)
	}
	return fmt.Sprintf("%02d:%02d", ms/hourMs%24, ms/minuteMs%60)
}

func readable(bytes int64) string { return units.Readable(big.NewInt(bytes)) }

// life is what a timeline tells of one segment. Moments that it does not tell are windows of never.
type life struct {
	number                                               int64
	bytes                                                int64
	opened, rolled, copied, expired, purged, removed     Window
	rolledBy, expiredBy                                  Reason
	hasOpened, hasRolled, hasCopied, hasExpired, hasGone bool
	hasPurged                                            bool
}

// livesOf gathers the events of each of the first segments, in the order in which segments are opened.
func livesOf(t Timeline) []*life {
	byBase := map[int64]*life{}
	var all []*life
	for _, event := range t.Opening {
		if event.Kind == WriteRefused {
			continue
		}
		l := byBase[event.Base]
		if l == nil {
			l = &life{number: event.Segment}
			byBase[event.Base] = l
			all = append(all, l)
		}
		l.bytes = max(l.bytes, event.Bytes)
		switch {
		case event.Kind == Opened:
			l.opened, l.hasOpened = event.Window, true
		case event.Kind == Rolled:
			l.rolled, l.rolledBy, l.hasRolled = event.Window, event.Reason, true
		case event.Kind == Copied:
			l.copied, l.hasCopied = event.Window, true
		case event.Kind == Purged:
			l.purged, l.hasPurged = event.Window, true
		case event.Kind == Expired && event.Tier == LocalTier:
			l.expired, l.expiredBy, l.hasExpired = event.Window, event.Reason, true
		case event.Kind == Expired:
			l.removed, l.hasGone = event.Window, true
		}
	}
	return all
}
