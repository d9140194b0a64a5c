// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

// heartbeat notes how late a goroutine of this process is woken: what the machine does to us it does to
// the broker.
type heartbeat struct {
	mu     sync.Mutex
	stalls []lifeSpan // of more than 50 ms
}

func startHeartbeat(t *testing.T) *heartbeat {
	h := &heartbeat{}
	done := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		const beat = 10 * time.Millisecond
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		last := time.Now()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				now := time.Now()
				if now.Sub(last) > 5*beat {
					h.mu.Lock()
					h.stalls = append(h.stalls, lifeSpan{last.UnixMilli(), now.UnixMilli()})
					h.mu.Unlock()
				}
				last = now
			}
		}
	})
	t.Cleanup(func() { close(done); running.Wait() })
	return h
}

// worst is the longest stall that touches a span, in milliseconds.
func (h *heartbeat) worst(span lifeSpan) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	worst := int64(0)
	for _, stall := range h.stalls {
		if stall.to >= span.from && stall.from <= span.to {
			worst = max(worst, stall.to-stall.from)
		}
	}
	return worst
}

// live carries a plan out on a real broker, watches the partition's files, the tier's files and the partition's offsets, and returns
// what was done and seen.
func (r *Real) live(ctx context.Context, plan lifePlan) (*lifeRun, error) {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(r.brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.DisableIdempotentWrite(), kgo.RequiredAcks(kgo.AllISRAcks()), kgo.ProducerLinger(0), kgo.MetadataMinAge(10*time.Millisecond),
	)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	own := &RealClient{kafka: client, admin: kadm.NewClient(client)}
	run := &lifeRun{plan: plan, seen: map[lifeEvent]lifeSpan{}}
	settings := map[string]string{}
	for key, value := range plan.settings {
		if key != "remote.storage.enable" || plan.tierAt == 0 {
			settings[key] = value
		}
	}
	if err := own.Create(ctx, RealTopic{Name: plan.name, Partitions: 1, Settings: settings}); err != nil {
		return nil, err
	}
	created := time.Now()
	run.created = created.UnixMilli()
	// The broker hears of a new topic a moment after the controller.
	if err := realPoll(realTierPatience, func() (bool, error) {
		_, err := listOffsets(ctx, client, plan.name, 0)
		return err == nil, ctx.Err()
	}); err != nil {
		return nil, err
	}

	watching, stop := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	defer watchers.Wait()
	defer stop()
	var failed error
	watchers.Go(func() { r.watchFiles(watching, run) })
	offsets := &lifeRun{plan: plan, seen: map[lifeEvent]lifeSpan{}}
	watchers.Go(func() { failed = watchOffsets(watching, client, offsets) })

	tiering := func() error {
		if plan.tierAt == 0 || run.tiered != 0 || time.Since(created) < plan.tierAt {
			return nil
		}
		asked := time.Now()
		if err := own.Alter(ctx, plan.name, RealChange{Set: map[string]string{"remote.storage.enable": "true"}}); err != nil {
			return err
		}
		run.tiered = time.Now().UnixMilli()
		run.longestQuestion = max(run.longestQuestion, time.Since(asked).Milliseconds())
		return nil
	}
	for i, a := range plan.appends {
		if err := pause(ctx, a.after, tiering); err != nil {
			return nil, err
		}
		sent := time.Now()
		stamp := sent.Add(a.skew).Truncate(time.Millisecond)
		if err := client.ProduceSync(ctx, &kgo.Record{Topic: plan.name, Value: make([]byte, a.bytes), Timestamp: stamp}).FirstErr(); err != nil {
			return nil, fmt.Errorf("append %d: %w", i, err)
		}
		run.sent, run.acked = append(run.sent, sent.UnixMilli()), append(run.acked, time.Now().UnixMilli())
		run.stamps, run.sizes = append(run.stamps, stamp.UnixMilli()), append(run.sizes, int64(a.bytes+lifeBatchOverhead))
		run.longestQuestion = max(run.longestQuestion, time.Since(sent).Milliseconds())
	}
	if err := pause(ctx, plan.watch, tiering); err != nil {
		return nil, err
	}
	run.ended = time.Now().UnixMilli()
	stop()
	watchers.Wait()
	if failed != nil {
		return nil, failed
	}
	run.addOffsets(offsets)
	return run, own.Delete(ctx, plan.name)
}

// pause waits and now and then does something.
func pause(ctx context.Context, length time.Duration, now func() error) error {
	for end := time.Now().Add(length); ; {
		if err := now(); err != nil {
			return err
		}
		left := time.Until(end)
		if left <= 0 {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(left, 20*time.Millisecond)):
		}
	}
}

// watchFiles looks at the folder of the partition and at its folder in the tier.
func (r *Real) watchFiles(ctx context.Context, run *lifeRun) {
	logs := filepath.Join(filepath.Dir(r.tier), "data-1", run.plan.name+"-0")
	tiers := filepath.Join(r.tier, "*", run.plan.name+"-0-*")
	before := map[string]bool{}
	last := run.created
	var tier string
	for ctx.Err() == nil {
		from := time.Now().UnixMilli()
		now := map[string]bool{}
		list(logs, now, "local ")
		if tier == "" {
			if found, _ := filepath.Glob(tiers); len(found) > 0 {
				tier = found[0]
			}
		}
		if tier != "" {
			list(tier, now, "remote ")
		}
		to := time.Now().UnixMilli()
		span := lifeSpan{last, to}
		for file := range now {
			if base, deleted := number(file); !before[file] && !deleted {
				if strings.HasPrefix(file, "local ") {
					run.saw(retention.Opened, retention.LocalTier, base, "files", span)
				} else {
					run.saw(retention.Copied, retention.RemoteTier, base, "files", span)
				}
			}
		}
		for file := range before {
			base, deleted := number(file)
			switch {
			case now[file]:
			case deleted:
				run.saw(retention.Purged, retention.LocalTier, base, "files", span)
			case strings.HasPrefix(file, "local "):
				run.saw(retention.Expired, retention.LocalTier, base, "files", span)
			default:
				run.saw(retention.Expired, retention.RemoteTier, base, "files", span)
			}
		}
		before, last = now, from
		select {
		case <-ctx.Done():
		case <-time.After(25 * time.Millisecond):
		}
	}
}

// list adds the segment files of a folder.
func list(folder string, files map[string]bool, prefix string) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".log") || strings.HasSuffix(name, ".log.deleted") {
			files[prefix+name] = true
		}
	}
}

// number reads a file's first offset.
func number(file string) (base int64, deleted bool) {
	_, name, _ := strings.Cut(file, " ")
	base, _ = strconv.ParseInt(name[:min(len(name), 20)], 10, 64)
	return base, strings.HasSuffix(name, ".deleted")
}

func (r *lifeRun) saw(kind retention.Kind, tier retention.Tier, base int64, through string, span lifeSpan) {
	event := lifeEvent{kind, tier, base, through}
	if _, already := r.seen[event]; !already {
		r.seen[event] = span
	}
}

// watchOffsets asks for the three offsets that tell of tiers. The base of what it notes is where the offset is now:
// which segments that speaks of is known only when all segments are.
func watchOffsets(ctx context.Context, client *kgo.Client, run *lifeRun) error {
	last, lastAt := Offsets{LatestTiered: -1}, run.created
	for ctx.Err() == nil {
		from := time.Now().UnixMilli()
		now, err := listOffsets(ctx, client, run.plan.name, 0)
		if ctx.Err() != nil || errors.Is(err, kerr.UnknownTopicOrPartition) || errors.Is(err, kerr.NotLeaderForPartition) {
			continue // the watch has ended, or the broker has not heard of the new topic yet
		}
		if err != nil {
			return fmt.Errorf("offsets of %s: %w", run.plan.name, err)
		}
		span := lifeSpan{lastAt, time.Now().UnixMilli()}
		if now.Earliest > last.Earliest {
			run.saw(retention.Expired, "", now.Earliest, "-2", span)
		}
		if now.EarliestLocal > last.EarliestLocal {
			run.saw(retention.Expired, retention.LocalTier, now.EarliestLocal, "-4", span)
		}
		if now.LatestTiered > last.LatestTiered {
			run.saw(retention.Copied, retention.RemoteTier, now.LatestTiered+1, "-5", span)
		}
		last, lastAt = now, from
		select {
		case <-ctx.Done():
		case <-time.After(60 * time.Millisecond):
		}
	}
	return nil
}

// addOffsets turns offsets into events of segments: an offset that has reached a segment's end tells that the segment,
// and those before that were not told of yet, are out of the tier, or copied.
func (r *lifeRun) addOffsets(offsets *lifeRun) {
	next := map[int64]int64{} // a segment's end by its base
	var bases []int64
	for event := range r.seen {
		if event.kind == retention.Opened {
			bases = append(bases, event.base)
		}
	}
	for _, base := range bases {
		for _, other := range bases {
			if other > base && (next[base] == 0 || other < next[base]) {
				next[base] = other
			}
		}
	}
	for base, end := range next {
		for seen, span := range offsets.seen {
			if seen.base < end {
				continue
			}
			tier := seen.tier
			if seen.through == "-2" {
				tier = retention.LocalTier
				if _, copied := r.seen[lifeEvent{retention.Copied, retention.RemoteTier, base, "files"}]; copied {
					tier = retention.RemoteTier
				}
			}
			_, copied := r.seen[lifeEvent{retention.Copied, retention.RemoteTier, base, "files"}]
			_, expired := r.seen[lifeEvent{retention.Expired, retention.LocalTier, base, "files"}]
			if seen.through == "-5" && expired && !copied {
				continue // it went before the topic became tiered
			}
			event := lifeEvent{seen.kind, tier, base, seen.through}
			if before, already := r.seen[event]; !already || span.to < before.to {
				r.seen[event] = span
			}
		}
	}
}
