// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

// drawApsara draws a small instance: segments of a few messages, rounds every few dozen milliseconds, and a
// disk that may fill.
func drawApsara(t *rapid.T) retention.Scenario {
	a := retention.Apsara{
		Storage:            rapid.SampledFrom([]retention.Storage{retention.CloudStorage, retention.CloudStorage, retention.LocalStorage, retention.ServerlessStorage}).Draw(t, "storage"),
		DailyRunMs:         rapid.Int64Range(0, 800).Draw(t, "daily run"),
		PollMs:             rapid.Int64Range(1, 90).Draw(t, "poll"),
		PurgeTargetPercent: 85,
		DiskTotalBytes:     rapid.SampledFrom([]int64{0, 2000, 4000}).Draw(t, "disk"),
		DiskUsedBytes:      rapid.Int64Range(0, 3600).Draw(t, "used"),
	}
	s := retention.Scenario{
		Rules:   retention.Rules{SegmentBytes: rapid.Int64Range(50, 400).Draw(t, "segment.bytes"), RetentionMs: drawLimit(t, "retention.ms", 600)},
		Horizon: 1500, Apsara: &a,
	}
	at := int64(1)
	for range rapid.IntRange(0, 40).Draw(t, "messages") {
		at += rapid.SampledFrom([]int64{0, 1, 7, 30}).Draw(t, "pause")
		s.Messages = append(s.Messages, retention.Message{Ts: at, Bytes: rapid.Int64Range(10, 50).Draw(t, "bytes")})
	}
	return s
}

// The oracle of ApsaraMQ goes through every millisecond and every rule as the vendor's table has them.
func apsaraOracle(s retention.Scenario, phase int64) (expired map[int64]int64, refused int) {
	type segment struct{ number, bytes, newest int64 }
	a := s.Apsara
	var closed []segment
	active := segment{}
	present, next := int64(0), 0
	expired = map[int64]int64{}
	limit, bounded := s.Rules.RetentionMs.Bounded()
	use := func() int64 { return (a.DiskUsedBytes + present) * 100 }
	over := func(percent int64) bool {
		return a.DiskTotalBytes > 0 && a.Storage != retention.ServerlessStorage && use() >= percent*a.DiskTotalBytes
	}
	remove := func(t int64) {
		expired[closed[0].number] = t
		present -= closed[0].bytes
		closed = closed[1:]
	}
	old := func(t int64) bool { return len(closed) > 0 && bounded && t-closed[0].newest > limit }
	roll := func() {
		closed = append(closed, active)
		active = segment{number: active.number + 1}
	}
	for t := int64(0); t <= s.Horizon; t++ {
		if t >= phase && (t-phase)%a.PollMs == 0 {
			switch a.Storage {
			case retention.CloudStorage:
				if over(85) {
					for len(closed) > 0 && over(a.PurgeTargetPercent) {
						remove(t)
					}
				}
				for over(75) && old(t) {
					remove(t)
				}
			case retention.LocalStorage:
				share := present / 10
				for len(closed) > 0 && (over(83) && closed[0].bytes <= share || old(t)) {
					share -= closed[0].bytes
					remove(t)
				}
			case retention.ServerlessStorage:
				for old(t) {
					remove(t)
				}
			}
		}
		if a.Storage == retention.CloudStorage && t == a.DailyRunMs {
			for old(t) {
				remove(t)
			}
		}
		full := over(map[bool]int64{true: 88, false: 90}[a.Storage == retention.LocalStorage])
		for next < len(s.Messages) && s.Messages[next].Ts == t {
			m := s.Messages[next]
			next++
			if full || m.Bytes > s.Rules.SegmentBytes {
				refused++
				continue
			}
			if active.bytes+m.Bytes > s.Rules.SegmentBytes {
				roll()
			}
			active.bytes += m.Bytes
			active.newest = m.Ts
			present += m.Bytes
			if active.bytes == s.Rules.SegmentBytes {
				roll()
			}
		}
	}
	return expired, refused
}

// The vendor's table, millisecond for millisecond.
func TestApsaraMQ_IsTheVendorsTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawApsara(t)
		s.Phases.Poll = rapid.Int64Range(0, s.Apsara.PollMs-1).Draw(t, "phase")
		want, _ := apsaraOracle(s, s.Phases.Poll)
		got := map[int64]int64{}
		for _, event := range simulate(t, s).Events {
			if event.Kind == retention.Expired {
				got[event.Segment] = event.Earliest
			}
		}
		if len(got) != len(want) {
			t.Fatalf("expired %v, want %v", got, want)
		}
		for number, at := range want {
			if got[number] != at {
				t.Fatalf("expired %v, want %v", got, want)
			}
		}
	})
}

// What goes by age goes within one round of being due, whatever the phase, as long as the disk has no say.
func TestApsaraMQ_AForecastContainsEveryPhase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawApsara(t)
		s.Apsara.DiskTotalBytes = 0
		forecast := forecastOf(t, s)
		for range 3 {
			s.Phases.Poll = rapid.Int64Range(0, s.Apsara.PollMs-1).Draw(t, "phase")
			holds(t, s, forecast, simulate(t, s))
		}
		for _, event := range forecast.Events {
			if event.Latest > event.Due.Latest+s.Apsara.PollMs && s.Apsara.Storage != retention.CloudStorage {
				t.Fatalf("%+v is wider than a round", event)
			}
		}
	})
}
