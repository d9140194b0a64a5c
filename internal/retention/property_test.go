// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"math"
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

func forecastOf(t rapid.TB, s retention.Scenario) retention.Timeline {
	t.Helper()
	timeline, err := retention.Forecast(s)
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
		forecast := forecastOf(t, s)
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

// Every byte is somewhere: what is written is local, or only remote, or gone; and the events add up to that.
func TestSimulate_ConservesBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		timeline := simulate(t, s)
		accepted := int64(0)
		for _, m := range s.Messages {
			if m.Bytes <= s.Rules.SegmentBytes && when(m) <= s.Horizon {
				accepted += m.Bytes
			}
		}
		type place struct{ expired, copied, removed bool }
		places, sizes := map[int64]*place{}, map[int64]int64{}
		for _, event := range timeline.Events {
			p := places[event.Base]
			if p == nil {
				p = &place{}
				places[event.Base] = p
			}
			switch {
			case event.Kind == retention.Rolled:
				sizes[event.Base] = event.Bytes
			case event.Kind == retention.Copied:
				p.copied = true
			case event.Kind == retention.Expired && event.Tier == retention.RemoteTier:
				p.removed = true
			case event.Kind == retention.Expired:
				p.expired = true
			}
		}
		var closed, gone, remoteOnly int64
		for base, p := range places {
			closed += sizes[base]
			switch {
			case p.expired && p.copied && !p.removed:
				remoteOnly += sizes[base]
			case p.expired:
				gone += sizes[base]
			}
		}
		b := timeline.Books
		if b.Written != accepted || b.Local+b.RemoteOnly+b.Gone != b.Written || b.Gone != gone || b.RemoteOnly != remoteOnly || b.Local < 0 || closed > accepted {
			t.Fatalf("books %+v; accepted %d, gone %d, only remote %d by the events", b, accepted, gone, remoteOnly)
		}
	})
}

// While a topic is copied, a segment leaves the local tier only after its copy is complete.
func TestSimulate_NothingLeavesUncopied(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		s.Rules.Tiered, s.Rules.CopyDisabled = true, false
		copied := map[int64]int64{}
		events := simulate(t, s).Events
		for _, event := range events {
			if event.Kind == retention.Copied {
				copied[event.Base] = event.Earliest
			}
		}
		for _, event := range events {
			if event.Kind != retention.Expired || event.Tier != retention.LocalTier || event.Earliest < s.TieredFrom {
				continue
			}
			if at, ok := copied[event.Base]; !ok || at > event.Earliest {
				t.Fatalf("%+v, copied at %d (%v)", event, at, ok)
			}
		}
	})
}

// Who keeps more for longer keeps every message at least as long: a longer limit, of time or
// of size, lets no first message go sooner, and no message reach a smaller age.
func TestSimulate_ALongerRetentionNeverRemovesEarlier(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		s.Rules.Tiered = false // so that one limit of each kind rules
		s.TieredFrom = 0
		longer := s
		longer.Rules.RetentionMs = lengthen(t, "more ms", s.Rules.RetentionMs)
		longer.Rules.RetentionBytes = lengthen(t, "more bytes", s.Rules.RetentionBytes)
		short, long := simulate(t, s).FirstGone, simulate(t, longer).FirstGone
		if long.Goes && (!short.Goes || long.Earliest < short.Earliest) {
			t.Fatalf("the first message goes %+v, with a longer retention %+v", short, long)
		}
	})
}

func lengthen(t *rapid.T, name string, limit retention.Limit) retention.Limit {
	n, bounded := limit.Bounded()
	if !bounded {
		return limit
	}
	return retention.AtMost(n + rapid.Int64Range(0, 400).Draw(t, name))
}

// A window is as wide as the broker's own rounds make it and no wider: behind the moment at which its rule comes true at
// the latest there is one check for what leaves the local tier, one check and the delay for its files, one
// task and the transfer for a copy, one task for what leaves the remote tier. An append is known.
func TestForecast_WindowsAreAsWideAsTheRounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		forecast := forecastOf(t, s)
		for _, event := range forecast.Events {
			if event.Due.Latest == math.MaxInt64 {
				continue // may never happen
			}
			if event.Earliest < event.Due.Earliest || event.Latest > event.Due.Latest+widest(s, event) {
				t.Fatalf("%+v is wider than %d", event, widest(s, event))
			}
		}
	})
}

// widest is what the rounds of a broker may add to the moment at which a rule comes true.
func widest(s retention.Scenario, event retention.Event) int64 {
	switch {
	case event.Kind == retention.CopyStarted, event.Kind == retention.Expired && event.Tier == retention.RemoteTier:
		return s.TaskMs
	case event.Kind == retention.Copied:
		if s.CopyBytesPerSecond == 0 {
			return s.TaskMs
		}
		return s.TaskMs + (event.Bytes*1000+s.CopyBytesPerSecond-1)/s.CopyBytesPerSecond
	case event.Kind == retention.Purged:
		return s.CheckMs + s.Rules.FileDeleteDelayMs
	case event.Kind == retention.Expired:
		return s.CheckMs
	case event.Reason == retention.ByRetention, event.Kind == retention.Opened:
		return s.CheckMs
	}
	return 0
}

// A copy that waits for more data behind its segment, and may meet an outage, may be over before the next append or
// long after it. Whether an idle segment behind it is closed by then is open, and a forecast has to say so.
func TestForecast_ACopyThatIsNotSettledMayBeOver(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Horizon: 2500, CheckMs: 1, TaskMs: 15, Outages: []retention.Outage{{Start: 16, End: 100}},
		Rules: retention.Rules{
			RetentionBytes: retention.AtMost(0), LocalMs: retention.Local{Own: true}, Tiered: true,
			CopyLagBytes: retention.Local{Own: true, Limit: retention.AtMost(11)},
			SegmentBytes: 50, SegmentMs: 40, SegmentIndexBytes: 48,
		},
	}
	for _, ts := range []int64{0, 1, 1, 91, 1, 1, 1, 1, 1, 31} {
		s.Messages = append(s.Messages, retention.Message{Ts: ts, Append: 1, Bytes: 10})
	}
	s.Messages[9].Append = 31
	forecast := forecastOf(t, s)
	for copies := range s.TaskMs {
		for expiry := range s.TaskMs {
			s.Phases = retention.Phases{Copy: copies, Expire: expiry}
			holds(t, s, forecast, simulate(t, s))
		}
	}
}
