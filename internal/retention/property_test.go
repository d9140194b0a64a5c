// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

// onlyFacts compares what the oracle tells too.
var onlyFacts = cmp.Options{cmpopts.IgnoreUnexported(retention.Event{}), cmpopts.IgnoreFields(retention.Event{}, "Segment", "Due", "Maybe", "LocalBytes", "RemoteBytes")}

func drawLimit(t *rapid.T, name string, most int64) retention.Limit {
	if rapid.IntRange(0, 3).Draw(t, name+" unlimited") == 0 {
		return retention.Unlimited
	}
	return retention.AtMost(rapid.Int64Range(0, most).Draw(t, name))
}

func drawLocal(t *rapid.T, name string, total retention.Limit, most int64) retention.Local {
	if rapid.Bool().Draw(t, name+" inherited") {
		return retention.Local{}
	}
	if n, bounded := total.Bounded(); bounded {
		return retention.Local{Own: true, Limit: retention.AtMost(rapid.Int64Range(0, n).Draw(t, name))}
	}
	return retention.Local{Own: true, Limit: drawLimit(t, name, most)}
}

var versions = []retention.Version{{}, {Major: 3, Minor: 6, Patch: 2}, {Major: 3, Minor: 7, Patch: 1}, {Major: 3, Minor: 8}, {Major: 3, Minor: 9, Patch: 1}, {Major: 4, Minor: 4}}

// drawScenario draws a small scenario in which much happens: spans of tens and hundreds of
// milliseconds, segments of a few messages, pauses, late and future timestamps.
func drawScenario(t *rapid.T) retention.Scenario {
	r := retention.Rules{
		SegmentBytes:       rapid.Int64Range(50, 400).Draw(t, "segment.bytes"),
		SegmentMs:          rapid.SampledFrom([]int64{40, 150, 100000}).Draw(t, "segment.ms"),
		SegmentIndexBytes:  rapid.SampledFrom([]int64{48, 60, 1000}).Draw(t, "segment.index.bytes"),
		IndexIntervalBytes: rapid.SampledFrom([]int64{0, 100, 4096}).Draw(t, "index.interval.bytes"),
		FileDeleteDelayMs:  rapid.Int64Range(0, 60).Draw(t, "file.delete.delay.ms"),
		Tiered:             rapid.IntRange(0, 2).Draw(t, "tiered") > 0,
		CopyLagMs:          retention.Local{Own: true, Limit: retention.AtMost(0)},
	}
	r.RetentionMs = drawLimit(t, "retention.ms", 600)
	r.RetentionBytes = drawLimit(t, "retention.bytes", 900)
	r.LocalMs = drawLocal(t, "local.retention.ms", r.RetentionMs, 300)
	r.LocalBytes = drawLocal(t, "local.retention.bytes", r.RetentionBytes, 500)
	s := retention.Scenario{
		Version: rapid.SampledFrom(versions).Draw(t, "version"),
		Start:   rapid.Int64Range(0, 30).Draw(t, "start"),
		CheckMs: rapid.Int64Range(1, 90).Draw(t, "check"),
		TaskMs:  rapid.Int64Range(1, 60).Draw(t, "task"),
	}
	s.Horizon = s.Start + 2500
	if r.Tiered {
		r.CopyDisabled = rapid.IntRange(0, 9).Draw(t, "copy disabled") == 0
		switch rapid.IntRange(0, 3).Draw(t, "lag") {
		case 0:
			r.CopyLagMs = retention.Local{Own: true, Limit: retention.AtMost(rapid.Int64Range(1, 100).Draw(t, "lag ms"))}
		case 1:
			r.CopyLagMs = retention.Local{}
			r.CopyLagBytes = retention.Local{Own: true, Limit: retention.AtMost(rapid.Int64Range(0, 300).Draw(t, "lag bytes"))}
		}
		if rapid.IntRange(0, 2).Draw(t, "late") == 0 {
			s.TieredFrom = s.Start + rapid.Int64Range(1, 600).Draw(t, "tiered from")
		}
		s.CopyBytesPerSecond = rapid.SampledFrom([]int64{0, 0, 1000, 20000}).Draw(t, "copy speed")
		s.OpenTransactionMs = rapid.SampledFrom([]int64{0, 0, 50}).Draw(t, "open transaction")
		if rapid.IntRange(0, 2).Draw(t, "outages") == 0 {
			begin := s.Start + rapid.Int64Range(0, 500).Draw(t, "outage")
			s.Outages = []retention.Outage{{Start: begin, End: begin + rapid.Int64Range(1, 300).Draw(t, "outage length")}}
		}
	}
	at := s.Start
	for range rapid.IntRange(0, 25).Draw(t, "messages") {
		at += rapid.SampledFrom([]int64{0, 1, 7, 30, 30, 120, 400}).Draw(t, "pause")
		ts := max(0, at+rapid.SampledFrom([]int64{0, 0, 0, -1, -200, 90}).Draw(t, "skew"))
		s.Messages = append(s.Messages, retention.Message{
			Ts: ts, Append: max(at, 1), Records: rapid.Int64Range(0, 3).Draw(t, "records"),
			Bytes: rapid.Int64Range(10, 150).Draw(t, "bytes"),
		})
		at = max(at, 1)
	}
	s.Rules = r
	s.Phases = drawPhases(t, s)
	return s
}

func drawPhases(t *rapid.T, s retention.Scenario) retention.Phases {
	begin := max(s.Start, s.TieredFrom)
	return retention.Phases{
		Check:  s.Start + rapid.Int64Range(0, s.CheckMs-1).Draw(t, "check phase"),
		Copy:   begin + rapid.Int64Range(0, s.TaskMs-1).Draw(t, "copy phase"),
		Expire: begin + rapid.Int64Range(0, s.TaskMs-1).Draw(t, "expire phase"),
	}
}

func simulate(t rapid.TB, s retention.Scenario) retention.Timeline {
	t.Helper()
	timeline, err := retention.Simulate(s)
	if err != nil {
		t.Fatal(err)
	}
	return timeline
}

// Skipping idle time is only sound if it changes nothing: the events are those of a broker
// that does every round.
func TestSimulate_IsWhatABrokerDoesRoundForRound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		want := (&oracle{s: s}).run()
		if diff := cmp.Diff(byMoment(want), byMoment(simulate(t, s).Events), onlyFacts); diff != "" {
			t.Fatalf("broker (-), simulation (+):\n%s\nscenario: %+v", diff, s)
		}
	})
}

// A forecast is worth something only if no phase of the brokers' rounds leads out of it.
func TestForecast_ContainsTheCourseOfEveryPhase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		forecast, err := retention.Forecast(s)
		if err != nil {
			t.Fatal(err)
		}
		s.TieredFrom = max(s.TieredFrom, s.Start)
		for range 3 {
			s.Phases = drawPhases(t, s)
			holds(t, s, forecast, simulate(t, s))
		}
	})
}

func holds(t rapid.TB, s retention.Scenario, forecast, exact retention.Timeline) {
	t.Helper()
	var unseen []retention.Event
	for _, event := range forecast.Events {
		if !event.Maybe {
			unseen = append(unseen, event)
		}
	}
	for _, event := range exact.Events {
		if event.Earliest > forecast.Decided {
			continue
		}
		same := func(f retention.Event) bool {
			return f.Kind == event.Kind && f.Tier == event.Tier && (f.Base == event.Base || f.Kind == retention.WriteRefused) && f.Earliest <= event.Earliest && event.Latest <= f.Latest
		}
		if !slices.ContainsFunc(forecast.Events, same) {
			t.Fatalf("not in the forecast: %+v\nforecast up to %d: %+v\nscenario: %+v", event, forecast.Decided, forecast.Events, s)
		}
		if i := slices.IndexFunc(unseen, same); i >= 0 {
			unseen = slices.Delete(unseen, i, i+1)
		}
	}
	if len(unseen) > 0 {
		t.Fatalf("forecast without a maybe, and did not happen: %+v\nexact: %+v", unseen, exact.Events)
	}
	if forecast.Decided < s.Horizon {
		return
	}
	if exact.PeakLocalBytes > forecast.PeakLocalBytes || exact.PeakRemoteBytes > forecast.PeakRemoteBytes {
		t.Fatalf("peaks %d and %d are above the forecast's %d and %d", exact.PeakLocalBytes, exact.PeakRemoteBytes, forecast.PeakLocalBytes, forecast.PeakRemoteBytes)
	}
	if f, e := forecast.FirstGone, exact.FirstGone; f.Goes && e.Goes && (e.Earliest < f.Earliest || e.Latest > f.Latest) {
		t.Fatalf("the first message goes at %+v, forecast %+v", e, f)
	}
	if exact.WorstAge.Ms > forecast.WorstAge.Ms {
		t.Fatalf("worst age %+v, forecast %+v", exact.WorstAge, forecast.WorstAge)
	}
}
