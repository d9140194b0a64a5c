// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The intervals of the brokers that the simulation of retention is held against, and the delay of a
// topic's files.
const (
	lifeCheck = 1500 * time.Millisecond
	lifeTask  = 1000 * time.Millisecond
	lifeFiles = 700 * time.Millisecond
)

// lifePlan is what a test does to a topic: settings, appends, and when tiering begins.
type lifePlan struct {
	name     string
	settings map[string]string
	appends  []lifeAppend
	tierAt   time.Duration // after the creation; 0 is from the start, or never
	watch    time.Duration // how long to look after the last append
}

// lifeAppend is one record, a batch of its own.
type lifeAppend struct {
	after time.Duration // since the one before
	bytes int           // of the value
	skew  time.Duration // of its timestamp
}

// lifeBatchOverhead is what a batch of one record takes beside its value, while the value has 8 KiB to
// 1 MiB: 61 bytes for the batch; 3 for the record's length, 3 for the value's, one each for attributes, time delta,
// offset delta, key length and the number of headers (DefaultRecordBatch and DefaultRecord, Apache Kafka 4.4).
const lifeBatchOverhead = 61 + 3 + 3 + 5

// lifeSegment is the least segment that Kafka 4.4 allows.
const lifeSegment = 1 << 20

// drawLife draws a plan. Pauses are short, or long enough that even a late check finds an idle segment, or just in between
// so that it depends on the broker's phase whether it does. A late topic becomes tiered while it is written to.
func drawLife(name string, chance *rand.Rand, tiered, late bool) lifePlan {
	p := lifePlan{name: name, settings: map[string]string{
		"segment.bytes": strconv.Itoa(lifeSegment), "file.delete.delay.ms": fmt.Sprint(lifeFiles.Milliseconds()),
		"retention.ms": "-1", "retention.bytes": "-1",
	}}
	ms := func(from, to int) time.Duration {
		return time.Duration(from+chance.IntN(to-from+1)) * time.Millisecond
	}
	set := func(key string, n int64) { p.settings[key] = strconv.FormatInt(n, 10) }
	var idle, total time.Duration // after which an active segment counts as idle; after which all is gone
	byTime, bySize := chance.IntN(4) > 0, chance.IntN(2) == 0
	if !byTime && !bySize {
		bySize = true
	}
	if byTime {
		total = ms(5000, 9000)
		idle = total
		set("retention.ms", total.Milliseconds())
	}
	if bySize {
		set("retention.bytes", int64(lifeSegment)*int64(2+chance.IntN(3))-int64(chance.IntN(lifeSegment*3/4)))
	}
	if tiered {
		p.settings["remote.storage.enable"] = "true"
		if byTime && chance.IntN(4) > 0 || !byTime && chance.IntN(2) == 0 {
			idle = ms(1500, 3000)
			set("local.retention.ms", idle.Milliseconds())
		}
		if chance.IntN(2) == 0 {
			set("local.retention.bytes", int64(lifeSegment)+int64(chance.IntN(lifeSegment/8))) // below the least total
		}
		if late {
			p.tierAt = ms(1500, 5000)
		}
	}
	if chance.IntN(3) == 0 {
		set("segment.ms", ms(1500, 3000).Milliseconds())
	}
	for range 10 + chance.IntN(14) {
		a := lifeAppend{after: ms(20, 250), bytes: 150_000 + chance.IntN(250_000)}
		switch chance.IntN(12) {
		case 0:
			a.skew = -ms(500, 2000)
		case 1:
			a.skew = ms(500, 1500)
		case 2:
			if idle > 0 && idle < 5*time.Second {
				a.after = idle + lifeCheck + ms(2500, 3500) // surely idle
			}
		case 3:
			if idle > 0 && idle < 5*time.Second {
				a.after = idle + ms(300, int((lifeCheck-300*time.Millisecond).Milliseconds())) // perhaps
			}
		}
		p.appends = append(p.appends, a)
	}
	p.watch = max(total, idle) + 2*lifeCheck + 2*lifeTask + lifeFiles + 4*time.Second
	return p
}

// lifeRun is what was really done: moments in milliseconds of Unix time.
type lifeRun struct {
	plan            lifePlan
	created, ended  int64
	tiered          int64 // when the change was acknowledged
	sent            []int64
	acked           []int64
	stamps          []int64
	sizes           []int64
	seen            map[lifeEvent]lifeSpan
	longestQuestion int64 // the longest that an append or a change took to be acknowledged
}

// lifeEvent is something that can be seen of a segment. Through offsets the same event is seen again, as a
// separate observation.
type lifeEvent struct {
	kind    retention.Kind
	tier    retention.Tier
	base    int64
	through string // "files" or the kind of offset
}

// lifeSpan is when it was seen: it was not so yet at from, and it was at to.
type lifeSpan struct{ from, to int64 }

// scenario is the run as the simulation is told it: appends are taken at their acknowledgement, or when they were
// sent. The broker took them in between.
func (r *lifeRun) scenario(version string, whenSent bool) (retention.Scenario, error) {
	rules, err := retention.ReadRules(topicconfig.Settings(r.plan.settings))
	if err != nil {
		return retention.Scenario{}, err
	}
	release, err := retention.ParseVersion(version)
	if err != nil {
		return retention.Scenario{}, err
	}
	s := retention.Scenario{
		Rules: rules, Version: release, Start: r.created, Horizon: r.ended,
		CheckMs: lifeCheck.Milliseconds(), TaskMs: lifeTask.Milliseconds(), TieredFrom: r.tiered,
	}
	for i := range r.acked {
		at := r.acked[i]
		if whenSent {
			at = r.sent[i]
		}
		s.Messages = append(s.Messages, retention.Message{Ts: r.stamps[i], Bytes: r.sizes[i], Append: at})
	}
	return s, nil
}
