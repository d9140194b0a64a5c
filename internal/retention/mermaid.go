// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"fmt"
	"strings"
)

// mostBars is how many segments a picture shows.
const mostBars = 12

// Mermaid draws a timeline as a gantt chart in the language of Mermaid, which many places render where people
// review changes. It shows the first segments: while each is written, closed in the local tier, and in the
// remote tier; in a forecast each as long as it may be.
func Mermaid(s Scenario, t Timeline) string {
	var text strings.Builder
	text.WriteString("gantt\n    title Segments of one partition\n    dateFormat x\n    axisFormat %m-%d %H:%M\n")
	lives := livesOf(t)
	for _, l := range lives {
		fmt.Fprintf(&text, "    section Segment %d\n", l.number)
		for _, bar := range l.bars(s.Horizon) {
			fmt.Fprintf(&text, "    %s : %s%d, %d\n", bar.name, bar.tag, bar.from, bar.to)
		}
	}
	newest := int64(0)
	for _, event := range t.Events {
		newest = max(newest, event.Segment)
	}
	if newest >= mostBars {
		fmt.Fprintf(&text, "    %%%% only the first %d segments are shown\n", mostBars)
	}
	return text.String()
}

// bar is a span of a segment's life.
type bar struct {
	name, tag, class string
	from, to         int64
	certain          int64 // up to when it surely lasts
}

// bars are the spans of a segment's life up to the horizon.
func (l *life) bars(horizon int64) []bar {
	end := func(has bool, w Window) (latest, earliest int64) {
		if !has {
			return horizon, horizon
		}
		return min(w.Latest, horizon), min(w.Earliest, horizon)
	}
	closed, closedSure := end(l.hasRolled, l.rolled)
	bars := []bar{{"written", "active, ", "written", l.opened.Earliest, closed, closedSure}}
	gone, goneSure := end(l.hasExpired, l.expired)
	if l.hasRolled && gone > l.rolled.Earliest {
		bars = append(bars, bar{"local", "", "local", l.rolled.Earliest, gone, goneSure})
	}
	if l.hasCopied {
		removed, removedSure := end(l.hasGone, l.removed)
		bars = append(bars, bar{"remote", "done, ", "remote", l.copied.Earliest, removed, removedSure})
	}
	return bars
}
