// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"fmt"
	"strconv"
	"strings"
)

// Table lists a timeline's events as text of fixed width. Moments are days and times of day since the start.
func Table(s Scenario, t Timeline) string {
	rows := [][]string{{"earliest", "latest", "event", "tier", "reason", "segment", "bytes", "local bytes", "remote bytes"}}
	gap := -1
	for i, event := range t.Events {
		if t.Omitted > 0 && i == (len(t.Events)+1)/2 {
			gap = len(rows)
		}
		kind := string(event.Kind)
		if event.Maybe {
			kind += " (maybe)"
		}
		latest := clock(event.Latest - s.Start)
		if event.Latest == never {
			latest = "never"
		}
		rows = append(rows, []string{
			clock(event.Earliest - s.Start), latest, kind, string(event.Tier), string(event.Reason),
			strconv.FormatInt(event.Segment, 10), strconv.FormatInt(event.Bytes, 10),
			strconv.FormatInt(event.LocalBytes, 10), strconv.FormatInt(event.RemoteBytes, 10),
		})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var text strings.Builder
	for r, row := range rows {
		if r == gap {
			fmt.Fprintf(&text, "... %d events ...\n", t.Omitted)
		}
		var line strings.Builder
		for i, cell := range row {
			width := widths[i]
			if i == 2 || i == 3 || i == 4 {
				width = -width
			}
			fmt.Fprintf(&line, "%*s  ", width, cell)
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return text.String()
}
