// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

const (
	// lifeTolerance is what an observation may lie outside its window on a machine that never stalls.
	lifeTolerance = 1000
	// lifeStall is the stall beyond which a run says nothing and is done again.
	lifeStall = 2000
	// lifeTogether is how many topics live on the broker at the same time.
	lifeTogether = 10
)

func lifeCluster(t *testing.T, version string) *Real {
	t.Helper()
	return StartReal(t, RealOptions{Version: version, Tiered: true, Config: map[string]string{
		"log.retention.check.interval.ms":     fmt.Sprint(lifeCheck.Milliseconds()),
		"remote.log.manager.task.interval.ms": fmt.Sprint(lifeTask.Milliseconds()),
		"log.segment.delete.delay.ms":         fmt.Sprint(lifeFiles.Milliseconds()),
		"remote.log.reader.threads":           "2",
		"log.message.timestamp.after.max.ms":  "3600000",
		"log.initial.task.delay.ms":           "500",
	}})
}

// lifeVerdict is how a run compares with the forecast.
type lifeVerdict struct {
	wrong             []string
	widths, distances []int64
	events, maybes    int
	twice             bool // the broker counted a segment in both tiers, see countedTwice
}

// judge holds a run against the forecast. Both ends of the time that an append may have taken are forecast: what
// happens in only one of them is not certain.
func judge(run *lifeRun, version string, beats *heartbeat) (lifeVerdict, error) {
	var v lifeVerdict
	var forecasts [2]retention.Timeline
	var s retention.Scenario
	for i := range forecasts {
		var err error
		if s, err = run.scenario(version, i == 0); err != nil {
			return v, err
		}
		if forecasts[i], err = retention.Forecast(s); err != nil {
			return v, err
		}
		if forecasts[i].Decided < s.Horizon {
			return v, fmt.Errorf("%s: the forecast ends at %d of %d", run.plan.name, forecasts[i].Decided, s.Horizon)
		}
	}
	find := func(i int, event lifeEvent) *retention.Event {
		for j := range forecasts[i].Events {
			f := &forecasts[i].Events[j]
			if f.Kind == event.kind && f.Tier == event.tier && f.Base == event.base {
				return f
			}
		}
		return nil
	}
	for event, span := range run.seen {
		if event.kind == retention.Opened && event.base == 0 {
			continue // seen through the creation
		}
		if event.through == "-5" && s.Version.Compare(retention.Version{Major: 3, Minor: 9}) < 0 {
			continue // taken for a timestamp, and answered with the first offset
		}
		best, predicted := int64(-1), (*retention.Event)(nil)
		for i := range forecasts {
			if f := find(i, event); f != nil {
				distance := max(0, f.Earliest-span.to, span.from-f.Latest)
				if predicted == nil || distance < best {
					best, predicted = distance, f
				}
			}
		}
		if predicted == nil {
			v.wrong = append(v.wrong, fmt.Sprintf("%v seen at %d to %d, not predicted", event, span.from-run.created, span.to-run.created))
			continue
		}
		v.events++
		v.distances = append(v.distances, best)
		allowed := lifeTolerance + beats.worst(lifeSpan{min(predicted.Earliest, span.from) - lifeTolerance, max(min(predicted.Latest, run.ended), span.to) + lifeTolerance})
		if best > allowed && span.to < predicted.Earliest && run.countedTwice(s, event, span) {
			v.twice = true
		} else if best > allowed {
			v.wrong = append(v.wrong, fmt.Sprintf("%v seen at %d to %d, predicted %d to %d: %d ms off", event, span.from-run.created, span.to-run.created, predicted.Earliest-run.created, predicted.Latest-run.created, best))
		}
	}
	for _, f := range forecasts[1].Events {
		if width, asserted := lifeWidth(f); asserted && f.Due.Latest < 1<<60 {
			own := f.Latest - f.Due.Latest
			v.widths = append(v.widths, f.Latest-f.Earliest)
			if own > width || f.Earliest < f.Due.Earliest {
				v.wrong = append(v.wrong, fmt.Sprintf("%s %s of %d: its window is %d wide behind its cause, allowed is %d", f.Tier, f.Kind, f.Base, own, width))
			}
		}
		event := lifeEvent{f.Kind, f.Tier, f.Base, "files"}
		if f.Kind == retention.Rolled || f.Kind == retention.CopyStarted || f.Kind == retention.Opened && f.Base == 0 {
			continue // seen as the opening of the next one, and as the copy
		}
		other := find(0, event)
		if f.Maybe || other == nil || other.Maybe || f.Latest+lifeTolerance+lifeStall > run.ended {
			v.maybes++
			continue
		}
		if _, seen := run.seen[event]; !seen {
			v.wrong = append(v.wrong, fmt.Sprintf("%v predicted for %d to %d, not seen", event, f.Earliest-run.created, f.Latest-run.created))
		}
	}
	return v, nil
}

// countedTwice says that a removal by size that comes too early is what follows if the broker counts one segment more than
// there is. It does so where a copy ends while a round of expiry is adding up: the round has read what is local only, with
// the segment, and then finds it in the remote tier too (RemoteLogManager.buildRetentionSizeData in Apache Kafka 4.4; copies and
// expiry run side by side). No rule of retention says that, so such a run is done again, and counted.
func (r *lifeRun) countedTwice(s retention.Scenario, event lifeEvent, span lifeSpan) bool {
	limit, bounded := s.Rules.RetentionBytes.Bounded()
	if !bounded || event.kind != retention.Expired || event.tier != retention.RemoteTier {
		return false
	}
	size := func(from, to int64) (bytes int64) {
		for i := from; i < min(to, int64(len(r.sizes))); i++ {
			if r.sent[i] <= span.to {
				bytes += r.sizes[i]
			}
		}
		return bytes
	}
	end := func(base int64) int64 {
		next := int64(len(r.sizes))
		for other := range r.seen {
			if other.kind == retention.Opened && other.base > base {
				next = min(next, other.base)
			}
		}
		return next
	}
	for other, copied := range r.seen {
		if other.kind == retention.Copied && other.through == "files" && other.base > event.base &&
			copied.to >= span.from-lifeTolerance && copied.from <= span.to &&
			size(end(event.base), int64(len(r.sizes)))+size(other.base, end(other.base)) >= limit {
			return true
		}
	}
	return false
}

// lifeWidth is how wide a window may be behind the moment at which its rule comes true.
func lifeWidth(event retention.Event) (ms int64, asserted bool) {
	switch {
	case event.Kind == retention.Purged:
		return (lifeCheck + lifeFiles).Milliseconds(), true
	case event.Kind == retention.Expired && event.Tier == retention.LocalTier:
		return lifeCheck.Milliseconds(), true
	case event.Kind == retention.Expired, event.Kind == retention.Copied, event.Kind == retention.CopyStarted:
		return lifeTask.Milliseconds(), true
	case event.Kind == retention.Rolled && event.Reason == retention.ByRetention:
		return lifeCheck.Milliseconds(), true
	case event.Kind == retention.Rolled:
		return 0, true
	}
	return 0, false
}

// lives carries out plans, some at a time, and repeats those in which the machine stalled.
func lives(t *testing.T, real *Real, version string, plans []lifePlan) (total lifeVerdict, stalled, twice int) {
	t.Helper()
	beats := startHeartbeat(t)
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, lifeTogether)
	for _, plan := range plans {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			name := plan.name
			for attempt := 1; ; attempt++ {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				plan.name = fmt.Sprintf("%s-%d", name, attempt)
				run, err := real.live(ctx, plan)
				cancel()
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				if stall := max(beats.worst(lifeSpan{run.created, run.ended}), run.longestQuestion); stall > lifeStall && attempt < 5 {
					mu.Lock()
					stalled++
					mu.Unlock()
					t.Logf("campaign: %s is repeated: a stall of %d ms", name, stall)
					continue
				}
				v, err := judge(run, version, beats)
				if err != nil {
					t.Error(err)
					return
				}
				if v.twice && attempt < 5 {
					mu.Lock()
					twice++
					mu.Unlock()
					t.Logf("campaign: %s is repeated: the broker counted a segment in both tiers", name)
					continue
				}
				mu.Lock()
				defer mu.Unlock()
				total.events += v.events
				total.maybes += v.maybes
				total.widths, total.distances = append(total.widths, v.widths...), append(total.distances, v.distances...)
				for _, wrong := range v.wrong {
					total.wrong = append(total.wrong, name+": "+wrong)
				}
				if len(v.wrong) > 0 {
					t.Errorf("%s %v, tiered at %d, appends acknowledged at %v", name, plan.settings, run.tiered-run.created, relative(run))
				}
				return
			}
		})
	}
	all.Wait()
	for _, wrong := range total.wrong {
		t.Error(wrong)
	}
	return total, stalled, twice
}

func relative(run *lifeRun) []string {
	var all []string
	for i := range run.acked {
		all = append(all, fmt.Sprintf("%d (stamp %+d, %d B)", run.acked[i]-run.created, run.stamps[i]-run.acked[i], run.sizes[i]))
	}
	return all
}

func median(of []int64) int64 {
	if len(of) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

// What the simulation says about a broker with unknown phases is what a real one does: each event that can be seen of
// a segment falls into its window, all that are certain come, and no window is wider than the brokers' intervals
// make it.
func TestRealCampaignRetention_EverythingFallsIntoItsWindow(t *testing.T) {
	seed := uint64(20260918)
	if text := os.Getenv("KAFKASTORAGE_CAMPAIGN_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("KAFKASTORAGE_CAMPAIGN_SEED: %v", err)
		}
	}
	size := 6
	if os.Getenv("KAFKASTORAGE_CAMPAIGN") == "full" {
		size = 40
	}
	var plans []lifePlan
	var tiered, late int
	for i := range size {
		plan := drawLife(fmt.Sprintf("life-%d", i), rand.New(rand.NewPCG(seed, uint64(i))), i%5 > 1, i%5 == 4)
		if plan.settings["remote.storage.enable"] == "true" {
			tiered++
		}
		if plan.tierAt > 0 {
			late++
		}
		plans = append(plans, plan)
	}
	real := lifeCluster(t, "")
	begin := time.Now()
	total, stalled, twice := lives(t, real, realKafkaVersion, plans)
	t.Logf("campaign: retention, seed %d: %d scenarios (%d tiered, %d of them late; %d runs repeated for a stall, %d because the broker counted a segment twice), %d events in their windows, %d uncertain or too late to wait for, %v",
		seed, size, tiered, late, stalled, twice, total.events, total.maybes, time.Since(begin).Round(time.Second))
	if len(total.distances) > 0 {
		t.Logf("campaign: retention: median width of a window %d ms, worst distance of an event from its window %d ms", median(total.widths), slices.Max(total.distances))
	}
	if total.events < 20*size || late == 0 || tiered == size {
		t.Errorf("%d events of %d scenarios, %d tiered, prove little", total.events, size, tiered)
	}
}

// Where versions differ the simulation differs with them: up to 3.6 the idle end of a tiered topic stays, and in
// 3.6 a local limit of -2 is none at all; 3.9 does as 4.4 does.
func TestRealRetention_OlderReleasesHaveTheirOwnRules(t *testing.T) {
	base := func(more ...string) map[string]string {
		settings := map[string]string{
			"segment.bytes": strconv.Itoa(lifeSegment), "file.delete.delay.ms": fmt.Sprint(lifeFiles.Milliseconds()),
			"retention.ms": "-1", "retention.bytes": "-1", "remote.storage.enable": "true",
		}
		for i := 0; i < len(more); i += 2 {
			settings[more[i]] = more[i+1]
		}
		return settings
	}
	appends := func(n int) (all []lifeAppend) {
		for range n {
			all = append(all, lifeAppend{after: 100 * time.Millisecond, bytes: 300_000})
		}
		return all
	}
	plans := []lifePlan{
		{name: "idle", settings: base("local.retention.ms", "2000", "retention.ms", "9000"), appends: appends(5), watch: 18 * time.Second},
		{name: "inherited", settings: base("retention.bytes", "2500000"), appends: appends(14), watch: 10 * time.Second},
		{name: "both", settings: base("retention.ms", "5000", "local.retention.bytes", "1048576"), appends: appends(8), watch: 14 * time.Second},
	}
	versions := []string{realKafkaVersion, "3.9.2"}
	if os.Getenv("KAFKASTORAGE_CAMPAIGN") == "full" {
		versions = append(versions, "3.8.1", "3.6.2")
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			if version == "3.6.2" {
				// Its first check comes 30 s after the start and cannot be brought forward.
				defer func(begin time.Time) { t.Logf("took %v", time.Since(begin)) }(time.Now())
			}
			real := lifeCluster(t, version)
			if version == "3.6.2" {
				if err := pause(t.Context(), 31*time.Second, func() error { return nil }); err != nil {
					t.Fatal(err)
				}
			}
			total, stalled, twice := lives(t, real, version, plans)
			t.Logf("campaign: retention on %s: %d events in their windows, %d runs repeated, median width %d ms, worst distance %d ms", version, total.events, stalled+twice, median(total.widths), slices.Max(append(total.distances, 0)))
		})
	}
}
