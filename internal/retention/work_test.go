// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tooLong is what a scenario says when it is more than can be followed; nil if it is not.
func tooLong(t rapid.TB, s retention.Scenario) *retention.TooLongError {
	t.Helper()
	_, err := retention.Simulate(s)
	var e *retention.TooLongError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return e
}

// drawFlow draws messages, a steady flow, or a partition of ApsaraMQ.
func drawFlow(t *rapid.T) retention.Scenario {
	if rapid.IntRange(0, 3).Draw(t, "platform") == 0 {
		return drawApsara(t)
	}
	s := drawScenario(t)
	if rapid.Bool().Draw(t, "steady") {
		s.Messages = nil
		s.Rate = retention.Rate{
			BytesPerSecond: rapid.Int64Range(50, 20000).Draw(t, "rate"), BatchBytes: rapid.Int64Range(10, 150).Draw(t, "batch"), Start: s.Start,
		}
	}
	return s
}

// A refusal that offers a horizon must not refuse it, nor one that a millisecond more would have done.
func TestTooLong_OffersTheLongestHorizonThatFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawFlow(t)
		s.MaxSteps, s.MaxHeld = rapid.Int64Range(1, 60).Draw(t, "steps"), rapid.Int64Range(1, 20).Draw(t, "held")
		e := tooLong(t, s)
		if e == nil {
			return
		}
		if e.Holds < e.Most || e.FitsMs >= s.Horizon-s.Start {
			t.Fatalf("%+v", e)
		}
		shorter := s
		if shorter.Horizon = s.Start + e.FitsMs; e.FitsMs >= 0 && tooLong(t, shorter) != nil {
			t.Fatalf("%v, but that does not fit: %v\n%+v", e, tooLong(t, shorter), s)
		}
		if shorter.Horizon++; tooLong(t, shorter) == nil {
			t.Fatalf("%v, but a millisecond more fits\n%+v", e, s)
		}
	})
}

// Little work allowed may shorten a forecast, or refuse it; what it tells has to hold all the same.
func TestForecast_HoldsAsFarAsItTells(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		s.MaxSteps, s.MaxHeld = rapid.Int64Range(1, 300).Draw(t, "steps"), rapid.Int64Range(1, 40).Draw(t, "held")
		forecast, err := retention.Forecast(s)
		var e *retention.TooLongError
		if errors.As(err, &e) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if forecast.Decided < s.Start || forecast.Decided > s.Horizon {
			t.Fatalf("told up to %d", forecast.Decided)
		}
		s.TieredFrom, s.MaxSteps, s.MaxHeld = max(s.TieredFrom, s.Start), 0, 0
		for range 3 {
			s.Phases = drawPhases(t, s)
			holds(t, s, forecast, simulate(t, s))
		}
	})
}

// What would run for hours is refused, and says of what there is too much. Ten years of a gigabyte a second in segments of a
// mebibyte are 3650 × 86400 × 10^9 / 2^20, some 300,743,103,027 segments; a segment.ms of 1 closes one every two milliseconds
// of the 30 days, 1,296,000,000; with a retention of 0 each of 30 × 86400 × 10^9 batches counts; a disk looked at every
// millisecond for ten years has 315,360,000,000 rounds.
func TestTooLong_SaysHowMuchTheHorizonHolds(t *testing.T) {
	t.Parallel()
	apsara := retention.DefaultApsara()
	apsara.PollMs, apsara.DiskTotalBytes = 1, gib
	for name, tt := range map[string]struct {
		scenario retention.Scenario
		load     retention.Load
		holds    int64
	}{
		"tiny segments": {
			retention.Scenario{Rules: rules(t, topicconfig.Settings{"segment.bytes": "1048576"}), Horizon: 3650 * day, Rate: retention.Rate{BytesPerSecond: 1e9}},
			retention.Segments, 300_743_103_027,
		},
		"short segments": {
			retention.Scenario{Rules: rules(t, topicconfig.Settings{"segment.ms": "1"}), Horizon: 30 * day, Rate: retention.Rate{BytesPerSecond: 1e9}},
			retention.Segments, 1_296_000_000,
		},
		"no retention": {
			retention.Scenario{Rules: rules(t, topicconfig.Settings{"retention.bytes": "0"}), CheckMs: 3650 * day, Phases: retention.Phases{Check: 3650 * day}, Horizon: 30 * day, Rate: retention.Rate{BytesPerSecond: 1e9, BatchBytes: 1}},
			retention.Batches, 2_592_000_000_000_000,
		},
		"short rounds": {
			retention.Scenario{Rules: retention.Rules{SegmentBytes: gib, RetentionMs: retention.AtMost(day)}, Apsara: &apsara, Horizon: 3650 * day, Rate: retention.Rate{BytesPerSecond: 1}},
			retention.Rounds, 315_360_000_000,
		},
	} {
		tt.scenario.MaxSteps = 200_000
		e := tooLong(t, tt.scenario)
		if e == nil || e.Load != tt.load || e.Most > 200_000 {
			t.Errorf("%s: %+v", name, e)
			continue
		}
		if ratio := float64(e.Holds) / float64(tt.holds); ratio < 0.97 || ratio > 1.03 {
			t.Errorf("%s: about %d, want about %d", name, e.Holds, tt.holds)
		}
	}
}

// Where tiering begins just when segments are due to go, it is the moments of the checks that decide which of them still go
// untiered. The courses that come of it are told apart to the horizon, whatever their length, and of their events the ends are
// kept as of any other.
func TestForecast_PartedCoursesAreToldToTheHorizon(t *testing.T) {
	t.Parallel()
	s := yearOfSegments(t)
	s.Horizon, s.TieredFrom = 12*day, 8*day
	whole := s
	whole.MaxEvents = 0
	cut, err := retention.Forecast(s)
	if err != nil {
		t.Fatal(err)
	}
	all, err := retention.Forecast(whole)
	if err != nil {
		t.Fatal(err)
	}
	maybe := slices.ContainsFunc(all.Events, func(e retention.Event) bool {
		return e.Maybe && e.Kind == retention.Copied && e.Latest < s.TieredFrom+day
	})
	if cut.Decided != s.Horizon || !maybe || len(all.Events) < 50_000 {
		t.Fatalf("told to %d, %d events, doubt about the checks: %v", cut.Decided, len(all.Events), maybe)
	}
	if diff := cmp.Diff(slices.Concat(all.Events[:100], all.Events[len(all.Events)-100:]), cut.Events, cmpopts.IgnoreUnexported(retention.Event{})); diff != "" {
		t.Errorf("ends of all (-), kept (+):\n%s", diff)
	}
	if cut.Omitted != int64(len(all.Events)-200) || len(cut.Opening) != len(all.Opening) {
		t.Errorf("%d omitted of %d; the opening has %d and %d events", cut.Omitted, len(all.Events), len(cut.Opening), len(all.Opening))
	}
}

// What stays takes memory as long as it does: of segments that are there at once only so many are followed. Ten seconds
// of a segment each have nine that closed, and the tenth is more than eight.
func TestTooLong_SegmentsThatStayAreTooMany(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{"retention.ms": "-1", "segment.bytes": "1000"}), Horizon: 10 * second, Rate: retention.Rate{BytesPerSecond: 1000, BatchBytes: 1000}, MaxHeld: 8,
	}
	if e := tooLong(t, s); e == nil || !e.Held || e.Most != 8 || e.FitsMs != 10*second-1 {
		t.Errorf("%+v, want all but the last moment to fit", e)
	}
	if s.MaxHeld = 9; tooLong(t, s) != nil {
		t.Error(tooLong(t, s))
	}
}

// Ten years at a thousand segments a day have to fit: ten days take no more than their share.
func TestMostSteps_HasRoomForTenYears(t *testing.T) {
	t.Parallel()
	s := yearOfSegments(t)
	s.Horizon, s.MaxSteps = 10*day, retention.MostSteps/366
	if e := tooLong(t, s); e != nil {
		t.Error(e)
	}
}

// Whoever asks for a year of a slow flow that pauses longer than its retention meets a doubt at each batch. A forecast tells
// then as far as it can, and takes no longer for it than for any other.
func TestForecast_ManyDoubtsEndIt(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{"retention.ms": "1000"}), Horizon: 3650 * day,
		Rate: retention.Rate{BytesPerSecond: 1000, BatchBytes: 1013}, MaxEvents: 10, MaxSteps: 20_000,
	}
	timeline, err := retention.Forecast(s)
	if err != nil || timeline.Decided < s.Rate.BatchBytes || timeline.Decided >= s.Horizon || len(timeline.Events) == 0 {
		t.Errorf("told up to %d, %d events, %v", timeline.Decided, len(timeline.Events), err)
	}
}

// drawHuge draws numbers of every size, and those at which something could wrap.
func drawHuge(t *rapid.T, name string) int64 {
	n := rapid.Int64Range(0, math.MaxInt64).Draw(t, name) >> rapid.IntRange(0, 62).Draw(t, name+" size")
	return max(n, n+rapid.SampledFrom([]int64{0, 0, -1, 1}).Draw(t, name+" off by"), 0)
}

func drawHugeLimit(t *rapid.T, name string) retention.Limit {
	if rapid.Bool().Draw(t, name+" unlimited") {
		return retention.Unlimited
	}
	return retention.AtMost(drawHuge(t, name))
}

// No number that fits an int64 may wrap or panic: it is computed with, or refused.
func TestForecast_NeverWraps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		huge := func(name string) int64 { return drawHuge(t, name) }
		s := retention.Scenario{
			Rules: retention.Rules{
				RetentionMs: drawHugeLimit(t, "retention.ms"), RetentionBytes: drawHugeLimit(t, "retention.bytes"),
				LocalMs:    retention.Local{Own: rapid.Bool().Draw(t, "own ms"), Limit: drawHugeLimit(t, "local ms")},
				LocalBytes: retention.Local{Own: rapid.Bool().Draw(t, "own bytes"), Limit: drawHugeLimit(t, "local bytes")},
				Tiered:     rapid.Bool().Draw(t, "tiered"), CopyDisabled: rapid.IntRange(0, 9).Draw(t, "disabled") == 0,
				CopyLagMs:    retention.Local{Own: rapid.Bool().Draw(t, "own lag"), Limit: drawHugeLimit(t, "lag ms")},
				CopyLagBytes: retention.Local{Own: rapid.Bool().Draw(t, "own lag bytes"), Limit: drawHugeLimit(t, "lag bytes")},
				SegmentBytes: huge("segment.bytes"), SegmentMs: max(1, huge("segment.ms")), SegmentJitterMs: huge("jitter"),
				SegmentIndexBytes: huge("segment.index.bytes"), IndexIntervalBytes: rapid.Int64Range(0, math.MaxInt32).Draw(t, "index.interval.bytes"), FileDeleteDelayMs: huge("file.delete.delay.ms"),
			},
			Start: huge("start"), Horizon: huge("horizon"), CheckMs: huge("check"), TaskMs: huge("task"), TieredFrom: huge("tiered from"),
			CopyBytesPerSecond: huge("copy speed"), OpenTransactionMs: huge("open transaction"), MaxSteps: 200, MaxEvents: rapid.IntRange(0, 20).Draw(t, "events"),
			Rate: retention.Rate{BytesPerSecond: huge("rate"), BatchBytes: huge("batch"), Stop: huge("stop")},
		}
		s.Rate.Start = s.Start
		if rapid.Bool().Draw(t, "messages") {
			s.Rate = retention.Rate{}
			at := s.Start
			for range rapid.IntRange(1, 5).Draw(t, "count") {
				s.Messages = append(s.Messages, retention.Message{Ts: huge("ts"), Append: at, AtZero: true, Bytes: huge("bytes")})
				at = max(at, at+huge("pause"))
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "outage") == 0 {
			s.Outages = []retention.Outage{{Start: huge("outage"), End: huge("outage end")}}
		}
		if rapid.IntRange(0, 3).Draw(t, "apsara") == 0 {
			s.Apsara = &retention.Apsara{
				Storage: rapid.SampledFrom([]retention.Storage{retention.CloudStorage, retention.LocalStorage, retention.ServerlessStorage}).Draw(t, "storage"),
				PollMs:  huge("poll"), DiskTotalBytes: huge("disk"), DiskUsedBytes: huge("used"), DiskGrowthBytesPerSecond: huge("growth"),
				DailyRunMs: rapid.Int64Range(0, day-1).Draw(t, "daily"), PurgeTargetPercent: rapid.Int64Range(1, 85).Draw(t, "target"),
			}
		}
		timeline, err := retention.Forecast(s)
		if err != nil {
			var wrong *retention.ScenarioError
			var long *retention.TooLongError
			if !errors.As(err, &wrong) && !errors.As(err, &long) {
				t.Fatal(err)
			}
			return
		}
		b := timeline.Books
		if min(b.Written, b.Local, b.RemoteOnly, b.Gone, timeline.PeakLocalBytes, timeline.PeakRemoteBytes, timeline.WorstAge.Ms) < 0 || b.Local+b.RemoteOnly+b.Gone != b.Written {
			t.Fatalf("%+v\n%+v", timeline, s)
		}
		for _, e := range timeline.Events {
			if e.Earliest < s.Start || e.Earliest > s.Horizon || e.Latest < e.Earliest || e.LocalBytes < 0 || e.RemoteBytes < 0 {
				t.Fatalf("%+v\n%+v", e, s)
			}
		}
		for _, text := range []string{retention.Summary(s, timeline), retention.Table(s, timeline), retention.Mermaid(s, timeline)} {
			if text == "" {
				t.Fatal("nothing is told")
			}
		}
	})
}

// A limit that ends just before the last number there is ends behind every horizon, not before the first moment.
func TestSimulate_ALimitOfMillionsOfYearsIsNotReached(t *testing.T) {
	t.Parallel()
	s := yearOfSegments(t)
	s.Horizon, s.CheckMs, s.TaskMs = 3*day, 100*day, 100*day // the round behind the limit is behind the last number
	limit := strconv.FormatInt(math.MaxInt64-10*day, 10)
	for _, r := range []topicconfig.Settings{
		{"retention.ms": limit}, {"retention.ms": limit, "local.retention.ms": limit, "remote.storage.enable": "true"},
	} {
		s.Rules = rules(t, r)
		for _, event := range simulate(t, s).Events {
			if event.Kind == retention.Expired {
				t.Fatalf("%+v", event)
			}
		}
	}
}

// A limit of 2^63-1 ms is some 292 million years, not nothing.
func TestSpan_TellsTheLongest(t *testing.T) {
	t.Parallel()
	if got := retention.Span(math.MaxInt64); got != "106751991167 d 7 h 12 min 55 s 807 ms" {
		t.Error(got)
	}
}
