// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// What was measured on a single Kafka 4.1.1 node with a check every 5 s, tasks every second and
// 3 s until files go. Six segments of 1000720 bytes each, a tiny one open.
func sixSegments(t testing.TB, settings topicconfig.Settings) retention.Scenario {
	s := retention.Scenario{
		Rules:   rules(t, settings.Over(topicconfig.Settings{"segment.bytes": "1048576", "file.delete.delay.ms": "3000", "retention.ms": "-1"})),
		Horizon: hour, CheckMs: 5 * second, TaskMs: second,
	}
	for i := range int64(6) {
		s.Messages = append(s.Messages, retention.Message{Ts: second + i, Bytes: 1000720})
	}
	return s
}

// Retention by size keeps what is left when the oldest segment no longer fits into the surplus: four of six
// segments, 857152 bytes more than the limit.
func TestMeasured_BySizePlain(t *testing.T) {
	t.Parallel()
	timeline := simulate(t, sixSegments(t, topicconfig.Settings{"retention.bytes": "3145728"}))
	if b := timeline.Books; b.Local != 4002880 || b.Gone != 2*1000720 {
		t.Errorf("books %+v, want 4002880 bytes left", b)
	}
}

// Tiered, the local limit rules locally and the total over both tiers, each byte once: two
// segments stay local, and of the total four, of which the active one is not in the remote tier.
func TestMeasured_BySizeTiered(t *testing.T) {
	t.Parallel()
	timeline := simulate(t, sixSegments(t, topicconfig.Settings{"retention.bytes": "3145728", "local.retention.bytes": "1048576", "remote.storage.enable": "true"}))
	if b := timeline.Books; b.Local != 2*1000720 || b.RemoteOnly != 2*1000720 || b.Gone != 2*1000720 {
		t.Errorf("books %+v, want 2 segments local, 2 more remote, 2 gone", b)
	}
	last := timeline.Events[len(timeline.Events)-1]
	if last.RemoteBytes != 3*1000720 {
		t.Errorf("%d bytes remote in the end, want 3 segments", last.RemoteBytes)
	}
}

// The idle cases: record at 0, phases as the measured run had them (first check at 1.5 s, tasks at
// 0.8 s past the second). The measured moments carry some 100 ms of polling.
func TestMeasured_IdleTieredAndPlain(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{
			"retention.ms": "40000", "local.retention.ms": "10000", "remote.storage.enable": "true", "file.delete.delay.ms": "3000",
		}),
		Horizon: hour, CheckMs: 5 * second, TaskMs: second, Phases: retention.Phases{Check: 1500, Copy: 800, Expire: 300},
		Messages: []retention.Message{{Ts: 0, Append: 1, Bytes: 5350}},
	}
	happens(
		t, simulate(t, s),
		at{retention.Rolled, retention.LocalTier, 0, 11500},
		at{retention.Copied, retention.RemoteTier, 0, 11800},
		at{retention.Expired, retention.LocalTier, 0, 16500},
		at{retention.Purged, retention.LocalTier, 0, 19500},
		at{retention.Expired, retention.RemoteTier, 0, 40300},
	)
	s.Rules = rules(t, topicconfig.Settings{"retention.ms": "10000", "file.delete.delay.ms": "3000"})
	happens(
		t, simulate(t, s),
		at{retention.Rolled, retention.LocalTier, 0, 11500},
		at{retention.Expired, retention.LocalTier, 0, 11500},
		at{retention.Purged, retention.LocalTier, 0, 14500},
	)
}

// segment.ms closes nothing by itself: one segment for a minute, until the next append.
func TestMeasured_SegmentMsWaitsForAnAppend(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules:   rules(t, topicconfig.Settings{"segment.ms": "5000"}),
		Horizon: hour, Messages: []retention.Message{{Ts: 0, Append: 1, Bytes: 100}, {Ts: minute, Bytes: 100}},
	}
	happens(t, simulate(t, s), at{retention.Rolled, retention.LocalTier, 0, minute})
}

// kafka PR 14766 (KAFKA-15047): up to 3.6 the active segment of a quiet tiered topic outlives its retention.
func TestReport1_QuietTieredTopicUpTo36(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules:   rules(t, topicconfig.Settings{"retention.ms": "3600000", "local.retention.ms": "600000", "remote.storage.enable": "true"}),
		Horizon: 30 * day, Messages: []retention.Message{{Ts: 0, Append: 1, Bytes: 100}},
	}
	if timeline := simulate(t, s); !timeline.FirstGone.Goes || timeline.FirstGone.AgeMs > hour+30*second {
		t.Errorf("first gone %+v, want within a task of an hour", timeline.FirstGone)
	}
	s.Version = retention.Version{Major: 3, Minor: 6, Patch: 1}
	if timeline := simulate(t, s); timeline.FirstGone.Goes {
		t.Errorf("first gone %+v, want never", timeline.FirstGone)
	}
}

// kafka PR 16932 (KAFKA-17360): where -2 is taken as it is, local copies stay until the
// remote tier has moved the start of the log.
func TestReport2_InheritedLocalRetentionTakenAsItIs(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules:   rules(t, topicconfig.Settings{"retention.bytes": "3000", "retention.ms": "-1", "remote.storage.enable": "true", "segment.bytes": "1000"}),
		Horizon: day, Rate: retention.Rate{BytesPerSecond: 1, BatchBytes: 1000},
	}
	s.CheckMs, s.TaskMs = minute, hour // so that locally most would go long before the remote round
	for _, tt := range []struct {
		version retention.Version
		broken  bool
	}{
		{retention.Version{Major: 3, Minor: 7, Patch: 1}, true},
		{retention.Version{Major: 3, Minor: 7, Patch: 2}, false},
		{retention.Version{Major: 3, Minor: 8}, true},
		{retention.Version{Major: 3, Minor: 8, Patch: 1}, false},
		{retention.Version{}, false},
	} {
		s.Version = tt.version
		reasons := map[retention.Reason]int{}
		for _, event := range simulate(t, s).Events {
			if event.Kind == retention.Expired && event.Tier == retention.LocalTier {
				reasons[event.Reason]++
			}
		}
		if reasons[retention.ByLogStart]+reasons[retention.BySize] < 70 || (reasons[retention.BySize] == 0) != tt.broken {
			t.Errorf("%v: segments expire by %v; is -2 taken as it is: want %v", tt.version, reasons, tt.broken)
		}
	}
}

// kafka PR 21049 and 21361 (KAFKA-19952): ten minutes local, the store down for an hour. What is not
// copied does not expire, so an hour of data piles up, and goes when the store is back.
func TestReport3_AnOutageKeepsDataLocal(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{
			"retention.ms": "1200000", "local.retention.ms": "600000", "remote.storage.enable": "true", "segment.bytes": "1048576",
		}),
		Horizon: 4 * hour, Rate: retention.Rate{BytesPerSecond: 17476, BatchBytes: 17476}, // a segment a minute
		Outages: []retention.Outage{{Start: hour, End: 2 * hour}},
	}
	timeline := simulate(t, s)
	if peak, least, most := timeline.PeakLocalBytes, 17476*int64(3600), 17476*int64(3600+60+30+300+60); peak < least || peak > most {
		t.Errorf("peak %d, want from %d (the outage) to %d (and an open segment, a task, a check, the files' minute)", peak, least, most)
	}
	for _, event := range timeline.Events {
		if event.Kind == retention.CopyStarted && event.Earliest >= hour && event.Earliest < 2*hour {
			t.Errorf("copied in the outage: %+v", event)
		}
	}
	s.Outages = nil
	if peak := simulate(t, s).PeakLocalBytes; peak > 17476*(600+60+300+60+30) {
		t.Errorf("peak %d without the outage", peak)
	}
}

// Aiven's tiered storage plugin #560: 4 GiB local, segments of 1 GiB, 24 replicas, and the owner counts 24 × 4 GiB. The
// bound is 24 × (4 GiB + 1 GiB - 1) and what is written until the next check.
func TestReport6_LocalBytesAreAFloor(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{
			"retention.ms": "-1", "local.retention.bytes": "4294967296", "remote.storage.enable": "true", "file.delete.delay.ms": "0",
		}),
		Horizon: 2 * day, Rate: retention.Rate{BytesPerSecond: mib, BatchBytes: mib},
	}
	peak := simulate(t, s).PeakLocalBytes
	if bound := 5*gib - 1 + mib*(300+30); peak <= 4*gib || peak > bound {
		t.Errorf("peak %d, want more than 4 GiB and at most %d", peak, bound)
	}
	if 24*(5*gib-1) != 128849018856 {
		t.Error("the bound of the 24 replicas is worked out wrongly")
	}
}

// A report against a fork of Kafka 3.6 (kafka-dev #90): a local limit of 100 MiB with segments of 1 GiB keeps up to 100 MiB + 1 GiB - 1,
// as long as copying works; what is seen beyond is not copied.
func TestReport13_SmallLocalLimitLargeSegments(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{
			"retention.ms": "-1", "local.retention.bytes": "104857600", "remote.storage.enable": "true", "file.delete.delay.ms": "0",
		}),
		Horizon: day, Rate: retention.Rate{BytesPerSecond: mib, BatchBytes: mib}, CheckMs: 1, TaskMs: 1,
	}
	if peak, bound := simulate(t, s).PeakLocalBytes, 100*mib+gib; peak > bound || peak < gib {
		t.Errorf("peak %d, want at most %d", peak, bound)
	}
	s.Outages = []retention.Outage{{Start: 0, End: day}}
	if peak := simulate(t, s).PeakLocalBytes; peak < 80*gib {
		t.Errorf("peak %d, want all that a stalled copy holds back", peak)
	}
}

// KAFKA-16414 and KAFKA-16385: age closes and removes an idle active segment, size does only with a limit of 0.
func TestReport16_TimeRollsAnActiveSegmentSizeDoesNot(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		settings topicconfig.Settings
		goes     bool
	}{
		{topicconfig.Settings{"retention.ms": "10000"}, true},
		{topicconfig.Settings{"retention.ms": "-1", "retention.bytes": "0"}, true},
		{topicconfig.Settings{"retention.ms": "-1", "retention.bytes": "1"}, false},
	} {
		s := retention.Scenario{Rules: rules(t, tt.settings), Horizon: day, Messages: []retention.Message{{Ts: 0, Append: 1, Bytes: 5350}}}
		if timeline := simulate(t, s); timeline.FirstGone.Goes != tt.goes || !tt.goes && timeline.Books.Local != 5350 {
			t.Errorf("%v: first gone %+v, books %+v", tt.settings, timeline.FirstGone, timeline.Books)
		}
	}
}

// Worst ages by the closed form min(fill, segment.ms) + retention, with the defaults of Event Streams: 512 MiB, a
// day, segment.ms a week; and the check and a minute for the files. The simulation has to stay below and come near.
func TestWorstAge_IsFillTimeAndRetention(t *testing.T) {
	t.Parallel()
	for rate, wantMs := range map[int64]int64{100 << 10: 92002880, 10 << 10: 139188800, 1 << 10: 611048000, 512: 691560000} {
		s := retention.Scenario{
			Rules:   rules(t, topicconfig.Settings{"segment.bytes": "536870912", "retention.ms": "86400000"}),
			Horizon: 40 * day, Rate: retention.Rate{BytesPerSecond: rate, BatchBytes: 1024},
		}
		forecast := forecastOf(t, s)
		// The bound counts the files' minute, in which nobody can read them any more, and a whole check.
		if got := forecast.WorstAge.Ms; forecast.WorstAge.AtLeast || got > wantMs || got < wantMs-6*minute {
			t.Errorf("%d B/s: worst age %+v, bound %d", rate, forecast.WorstAge, wantMs)
		}
	}
}
