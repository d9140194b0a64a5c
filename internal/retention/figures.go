// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// Figure is a picture for the documentation.
type Figure struct {
	// Name is the file's, without its ending.
	Name string
	// SVG is its content.
	SVG string
}

// Figures draws the pictures of the documentation: the course that Amazon MSK's page on tiered storage tells, with and without
// a producer that stays, and what the disk rules of ApsaraMQ for Kafka make of three days.
func Figures() ([]Figure, error) {
	live, idle, quiet, hungry := mskExample(13*dayMs), mskExample(dayMs/2), apsaraExample(0), apsaraExample(800)
	steady := Scenario{
		Rules:   tieredRules(7*dayMs, dayMs, 1<<30),
		Horizon: 12 * dayMs, Rate: Rate{BytesPerSecond: 64 << 10},
	}
	var figures []Figure
	for _, f := range []struct {
		name, title string
		scenario    Scenario
		draw        func(Scenario, Timeline, string) string
	}{
		{"retention-tiered-live", "Five days in all, two of them local, and a producer that never stops", live, TimelineSVG},
		{"retention-tiered-idle", "Five days in all, two of them local, and a producer that stops at noon", idle, TimelineSVG},
		{"retention-apsaramq", "Three days on ApsaraMQ, 8 KiB a second, disk below 75 %", quiet, TimelineSVG},
		{"retention-apsaramq-occupancy", "Three days on ApsaraMQ, 8 KiB a second, disk at 80 %", hungry, OccupancySVG},
		{"retention-tiered-occupancy", "Seven days in all, one of them local, 64 KiB a second in segments of 1 GiB", steady, OccupancySVG},
	} {
		timeline, err := Forecast(f.scenario)
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{f.name, f.draw(f.scenario, timeline, f.title)})
	}
	return figures, nil
}

// tieredRules are Kafka's defaults with these limits.
func tieredRules(total, local, segment int64) Rules {
	return Rules{
		RetentionMs: AtMost(total), LocalMs: Local{Own: true, Limit: AtMost(local)}, Tiered: true, CopyLagMs: Local{Own: true, Limit: AtMost(0)},
		SegmentBytes: segment, SegmentMs: 7 * dayMs, SegmentIndexBytes: 10 << 20, IndexIntervalBytes: 4096, FileDeleteDelayMs: minuteMs,
	}
}

// mskExample is the walk-through of the page "Tiered storage" of Amazon MSK, with one record an hour until stop.
func mskExample(stop int64) Scenario {
	s := Scenario{Rules: tieredRules(5*dayMs, 2*dayMs, 7000), Horizon: 13 * dayMs, TieredFrom: dayMs / 2}
	for at := int64(0); at <= stop; at += hourMs {
		bytes := int64(10)
		if at <= 6*hourMs {
			bytes = 1000 - at/(6*hourMs)*5 // seven fill the segment
		}
		s.Messages = append(s.Messages, Message{Ts: at, Bytes: bytes})
	}
	return s
}

// apsaraExample is a partition of ApsaraMQ on a disk of 300 GB that others fill to a permille; 0 is a disk that never fills.
func apsaraExample(permille int64) Scenario {
	a := DefaultApsara()
	a.ZoneOffsetMinutes = 0
	if permille > 0 {
		a.DiskTotalBytes, a.DiskUsedBytes = 300e9, 300e6*permille
	}
	return Scenario{
		Rules:   Rules{SegmentBytes: 1 << 30, RetentionMs: AtMost(3 * dayMs)},
		Horizon: 12 * dayMs, Apsara: &a, Rate: Rate{BytesPerSecond: 8192, BatchBytes: 1024},
	}
}
