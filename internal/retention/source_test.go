// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A steady flow is worked out a segment at a time; written out batch by batch it has to be the same.
func TestSteadyFlow_IsTheSameAsItsBatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		s.Messages = nil
		s.Rate = retention.Rate{
			BytesPerSecond: rapid.Int64Range(50, 20000).Draw(t, "rate"), BatchBytes: rapid.Int64Range(10, 150).Draw(t, "batch"),
			Start: s.Start + rapid.Int64Range(0, 100).Draw(t, "first"),
		}
		s.Rate.Stop = s.Rate.Start + rapid.Int64Range(1, 2000).Draw(t, "length")
		batches := s
		for k := int64(1); ; k++ {
			at := s.Rate.Start + (k*s.Rate.BatchBytes*1000+s.Rate.BytesPerSecond-1)/s.Rate.BytesPerSecond
			if at > s.Rate.Stop {
				break
			}
			batches.Messages = append(batches.Messages, retention.Message{Ts: at, Bytes: s.Rate.BatchBytes})
		}
		if len(batches.Messages) == 0 || s.Rate.BatchBytes > s.Rules.SegmentBytes {
			return
		}
		flow, listed := simulate(t, s), simulate(t, batches)
		// Batches within a millisecond enter the time index once, which the flow takes into account only on the whole.
		if s.Rate.BatchBytes*1000 < s.Rate.BytesPerSecond {
			return
		}
		if diff := cmp.Diff(listed, flow, cmpopts.IgnoreUnexported(retention.Event{}), cmpopts.IgnoreFields(retention.Timeline{}, "FirstTs", "FirstGone", "WorstAge")); diff != "" {
			t.Fatalf("batch by batch (-), as a flow (+):\n%s\n%+v", diff, s)
		}
	})
}

// An index of 1 MiB holds 1048576/12 = 87381 time entries and counts as full with 87380; an entry is made at the first append
// after more than 4096 bytes. So batches of 4097 bytes make an entry each but for the first, and the
// segment closes at 87381 × 4097 bytes, a third of its segment.bytes.
func TestIndex_ClosesASegmentBeforeItIsFull(t *testing.T) {
	t.Parallel()
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{"segment.index.bytes": "1048576"}), Horizon: 2 * hour,
		Rate: retention.Rate{BytesPerSecond: mib, BatchBytes: 4097},
	}
	for _, event := range simulate(t, s).Events {
		if event.Kind == retention.Rolled && (event.Reason != retention.ByIndex || event.Bytes != 87381*4097) {
			t.Errorf("%+v, want it closed by index at %d bytes", event, 87381*4097)
		}
	}
	// Below 24 bytes the time index is full from the start: every append closes the segment before it.
	s.Rules.SegmentIndexBytes, s.Horizon = 23, minute
	if b := simulate(t, s); len(b.Events) == 0 || b.Events[len(b.Events)-1].Segment < 15000 {
		t.Errorf("%d events, want a segment for each of 15356 batches", len(b.Events))
	}
}

// A year of a gigabyte a second is beyond 63 bits once it is counted in thousandths; the largest flow that can be
// asked for must not wrap either. Segments are made large so that there are few.
func TestSteadyFlow_NeverWraps(t *testing.T) {
	t.Parallel()
	for rate, horizon := range map[int64]int64{gib: 365 * day, 1 << 60: 2} {
		s := retention.Scenario{
			Rules:   retention.Rules{SegmentBytes: 1 << 50, SegmentMs: 365 * day, SegmentIndexBytes: 1 << 30, IndexIntervalBytes: 4096, RetentionMs: retention.AtMost(hour)},
			Horizon: horizon, Rate: retention.Rate{BytesPerSecond: rate, BatchBytes: 1 << 40},
		}
		want := (rate / 1024 * horizon / 1000) >> 30 << 40 // whole batches
		if timeline := simulate(t, s); timeline.Books.Written != want || timeline.PeakLocalBytes <= 0 || timeline.PeakLocalBytes > want {
			t.Errorf("rate %d: %+v, peak %d; want %d written", rate, timeline.Books, timeline.PeakLocalBytes, want)
		}
	}
}

// What is wrong with the input is said, not computed with.
func TestScenario_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	good := retention.Rules{SegmentBytes: 1000}
	for want, s := range map[string]retention.Scenario{
		"Horizon":              {Rules: good, Start: 5, Horizon: 4},
		"Rules.SegmentBytes":   {Horizon: 1},
		"CheckMs":              {Rules: good, CheckMs: -1},
		"TaskMs":               {Rules: good, TaskMs: 1<<60 + 1},
		"OpenTransactionMs":    {Rules: good, OpenTransactionMs: 1<<60 + 1},
		"JitterMs":             {Rules: good, JitterMs: 5},
		"Outages[1]":           {Rules: good, Outages: []retention.Outage{{Start: 5, End: 9}, {Start: 8, End: 12}}},
		"Outages[0]":           {Rules: good, Outages: []retention.Outage{{Start: 5, End: 5}}},
		"Messages[1].Append":   {Rules: good, Horizon: 9, Messages: []retention.Message{{Ts: 5, Bytes: 1}, {Ts: 4, Bytes: 1}}},
		"Messages[0].Append":   {Rules: good, Horizon: 9, Messages: []retention.Message{{Ts: 5, Bytes: 1, AtZero: true}}, Start: 1},
		"Messages[0].Bytes":    {Rules: good, Horizon: 9, Messages: []retention.Message{{Ts: 5}}},
		"Messages[1].Bytes":    {Rules: good, Horizon: 9, Messages: []retention.Message{{Ts: 5, Bytes: 1 << 60}, {Ts: 5, Bytes: 1}}},
		"CopyBytesPerSecond":   {Rules: good, CopyBytesPerSecond: -1},
		"Rate.Start":           {Rules: good, Horizon: 9, Start: 5, Rate: retention.Rate{BytesPerSecond: 1}},
		"Rate.BytesPerSecond":  {Rules: good, Horizon: 2000, Rate: retention.Rate{BytesPerSecond: 1 << 60}},
		"Apsara.PollMs":        {Rules: good, Apsara: &retention.Apsara{PollMs: -1}},
		"Apsara.DiskUsedBytes": {Rules: good, Apsara: &retention.Apsara{DiskUsedBytes: 1<<60 + 1}},
	} {
		_, err := retention.Forecast(s)
		var wrong *retention.ScenarioError
		if !errors.As(err, &wrong) || wrong.Field != want {
			t.Errorf("want an error about %s, got %v", want, err)
		}
	}
}

// Settings are read as Kafka reads them, and what no clock decides is refused.
func TestReadRules_ReadsAsKafkaDoes(t *testing.T) {
	t.Parallel()
	r := rules(t, topicconfig.Settings{"retention.bytes": "-5", "retention.ms": " 1000 ", "local.retention.ms": "-2", "local.retention.bytes": "-1"})
	if r.RetentionBytes != retention.Unlimited || r.RetentionMs != retention.AtMost(1000) || r.LocalMs.Own || !r.LocalBytes.Own || r.LocalBytes.Limit != retention.Unlimited {
		t.Errorf("%+v", r)
	}
	if r.SegmentBytes != gib || r.SegmentMs != 7*day || r.FileDeleteDelayMs != minute || r.IndexIntervalBytes != 4096 {
		t.Errorf("defaults %+v", r)
	}
	if r := rules(t, topicconfig.Settings{"cleanup.policy": "delete, compact", "max.compaction.lag.ms": "5000"}); r.SegmentMs != 5000 {
		t.Errorf("a compacted topic closes segments after %d ms, want max.compaction.lag.ms", r.SegmentMs)
	}
	if r := rules(t, topicconfig.Settings{"cleanup.policy": "", "local.retention.ms": "5"}); r.RetentionMs != retention.Unlimited || r.LocalMs.Limit != retention.AtMost(5) {
		t.Errorf("no policy: %+v", r)
	}
	var notTimeBound *retention.NotTimeBoundError
	if _, err := retention.ReadRules(topicconfig.Settings{"cleanup.policy": "compact"}); !errors.As(err, &notTimeBound) {
		t.Errorf("compact: %v", err)
	}
	var notTierable *retention.NotTierableError
	if _, err := retention.ReadRules(topicconfig.Settings{"cleanup.policy": "compact,delete", "remote.storage.enable": "true"}); !errors.As(err, &notTierable) {
		t.Errorf("compact and tiered: %v", err)
	}
	for key, value := range map[string]string{"retention.ms": "1e3", "segment.bytes": "13", "remote.storage.enable": "yes", "local.retention.ms": "-3", "cleanup.policy": "none"} {
		var invalid *topicconfig.InvalidError
		if _, err := retention.ReadRules(topicconfig.Settings{key: value}); !errors.As(err, &invalid) || invalid.Key != key {
			t.Errorf("%s = %s: %v", key, value, err)
		}
	}
}

// Versions are read from what brokers and services print.
func TestParseVersion_ReadsReleases(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]retention.Version{
		"4.4": {Major: 4, Minor: 4}, "3.9.2": {Major: 3, Minor: 9, Patch: 2}, "3.6.0-IV1": {Major: 3, Minor: 6}, " 2.8.2.tiered": {Major: 2, Minor: 8, Patch: 2}, "3.7-IV4": {Major: 3, Minor: 7},
	} {
		if got, err := retention.ParseVersion(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "4", "x.y", "-1.2", "4.4.x"} {
		var bad *retention.VersionError
		if got, err := retention.ParseVersion(text); !errors.As(err, &bad) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
