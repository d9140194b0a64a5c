// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "sort"

// apsaraRun follows one partition of ApsaraMQ from round to round.
type apsaraRun struct {
	s      *Scenario
	a      *Apsara
	src    *source
	sink   *sink
	poll   beat
	active *segment
	queue  []*segment

	work                  work
	next, written, offset int64
	refusing              bool
	purging               bool // this round has begun to purge the oldest segments
	refused               []refusal
	removed               int64 // bytes
}

// refusal is a row of batches that were not taken: from to to, the last one not included. Up to from, bytes had been
// refused before.
type refusal struct{ from, to, before int64 }

func walkApsara(s *Scenario, poll beat, visit func(Event)) course {
	kept := Ends{Max: s.MaxEvents}
	out := &sink{horizon: s.Horizon, visit: visit}
	if visit == nil {
		out.visit = kept.Add
	}
	r := &apsaraRun{s: s, a: s.Apsara, src: newSource(s), sink: out, poll: poll, work: work{most: s.MaxSteps, mostHeld: s.MaxHeld}}
	r.open(s.Start)
	last := s.Start - 1
	for t := r.round(s.Start); t <= s.Horizon; t = r.round(t + 1) {
		if tooLong := r.write(t - 1); tooLong != nil {
			return course{steps: r.work.steps(), tooLong: tooLong}
		}
		if r.work.spent(len(r.queue)) {
			return course{steps: r.work.steps(), tooLong: r.work.tooLong(s, t, r.next, r.src, len(r.queue))}
		}
		r.work.rounds++
		if t == r.poll.next(r.poll.from, t) {
			r.look(last, t)
			last = t
		}
		if t == r.a.daily(t) {
			r.run(t)
		}
		out.flush(t, r)
	}
	if tooLong := r.write(s.Horizon); tooLong != nil {
		return course{steps: r.work.steps(), tooLong: tooLong}
	}
	for _, left := range append(r.queue, r.active) {
		out.stays(left)
	}
	out.finish(r)
	return course{steps: r.work.steps(), timeline: out.timeline(&kept)}
}

// round is the next moment from t on at which something may be deleted.
func (r *apsaraRun) round(t int64) int64 {
	daily := r.a.daily(t)
	if r.a.Storage == CloudStorage && !r.a.limited() {
		return daily
	}
	return min(daily, r.poll.next(r.poll.from, t))
}

// used is what is on the disk at a moment: of everything else, and of this partition.
func (r *apsaraRun) used(t int64) int64 {
	other := plus(r.a.DiskUsedBytes, mulDiv(t-r.s.Start, r.a.DiskGrowthBytesPerSecond, 1000, 1))
	return plus(other, r.appended(t)-r.removed)
}

// above says that the disk is used by at least a percentage at a moment.
func (r *apsaraRun) above(t, percent int64) bool {
	return r.a.limited() && r.a.above(r.used(t), percent)
}

// appended is how many bytes have been taken by a moment.
func (r *apsaraRun) appended(t int64) int64 {
	bytes := r.src.appended(t)
	if len(r.refused) == 0 {
		return bytes
	}
	come := r.src.come(t)
	rows := sort.Search(len(r.refused), func(i int) bool { return r.refused[i].from >= come })
	if rows == 0 {
		return bytes
	}
	last := r.refused[rows-1]
	return bytes - last.before - r.src.offered(last.from, min(last.to, come))
}

func (r *apsaraRun) open(t int64) {
	r.work.segments++
	s := &segment{base: r.offset, end: r.offset, newest: -1, oldest: never, overLocal: never}
	if r.active != nil {
		s.number = r.active.number + 1
	}
	r.active = s
	r.sink.add(Event{Kind: Opened, Tier: LocalTier, Segment: s.number, Base: s.base, Window: Window{t, t}, Due: Window{t, t}}, rankAppend)
}

func (r *apsaraRun) roll(t int64) {
	s := r.active
	s.closed = point(t)
	r.queue = append(r.queue, s)
	r.sink.add(Event{
		Kind: Rolled, Reason: BySize, Tier: LocalTier, Segment: s.number, Base: s.base, Bytes: s.bytes,
		Window: Window{t, t}, Due: Window{t, t},
	}, rankAppend)
	r.open(t)
	r.sink.flush(t, r)
}

// write appends everything up to a moment.
func (r *apsaraRun) write(until int64) *TooLongError {
	for r.next < r.src.count && r.src.at(r.next) <= until {
		if r.work.spent(len(r.queue)) {
			return r.work.tooLong(r.s, r.src.at(r.next), r.next, r.src, len(r.queue))
		}
		r.work.batches++
		k, bytes := r.next, r.src.bytes(r.next)
		at := r.src.at(k)
		n := int64(1)
		if r.src.steady() {
			n = min(r.src.count, r.src.arrived(until)) - k
		}
		full := r.above(at-1, r.a.refuse())
		if full || bytes > r.s.Rules.SegmentBytes {
			r.refuse(at, k, n, bytes, full)
			continue
		}
		r.refusing = false
		if r.active.bytes > r.s.Rules.SegmentBytes-bytes {
			r.roll(at)
		}
		n = min(n, (r.s.Rules.SegmentBytes-r.active.bytes)/bytes)
		if n > 1 && r.a.limited() {
			// The disk only fills between two rounds, so the batches taken are the first ones.
			n = max(1, int64(sort.Search(int(n), func(i int) bool { return r.above(r.src.at(k+int64(i))-1, r.a.refuse()) })))
		}
		r.take(k, n, bytes)
	}
	return nil
}

// refuse lets batches go by; one event tells that it begins.
func (r *apsaraRun) refuse(at, k, n, bytes int64, full bool) {
	reason := TooLarge
	switch last := len(r.refused) - 1; {
	case !full && r.src.steady():
		n = r.src.count - k // so are all others
	case !full:
	case last >= 0 && r.refused[last].to == k:
		r.refused[last].to = k + n
	case last >= 0:
		before := r.refused[last].before + r.src.offered(r.refused[last].from, r.refused[last].to)
		r.refused = append(r.refused, refusal{k, k + n, before})
	default:
		r.refused = append(r.refused, refusal{k, k + n, 0})
	}
	if full {
		reason = ByDisk
	}
	if !full || !r.refusing {
		r.sink.add(Event{
			Kind: WriteRefused, Reason: reason, Tier: LocalTier, Segment: r.active.number, Base: r.active.base, Bytes: bytes,
			Window: Window{at, at}, Due: Window{at, at},
		}, rankAppend)
	}
	r.refusing = full
	r.next += n
}

func (r *apsaraRun) take(k, n, bytes int64) {
	s, last := r.active, k+n-1
	if r.src.steady() {
		r.offset += n
	} else {
		r.offset += r.src.records(k)
	}
	s.oldest, s.newest = min(s.oldest, r.src.oldest(k)), max(s.newest, r.src.newest(last))
	s.lastAppend, s.end = r.src.at(last), r.offset
	s.bytes += n * bytes
	r.written += n * bytes
	r.next += n
	r.sink.wrote(s)
	if s.bytes == r.s.Rules.SegmentBytes {
		r.roll(s.lastAppend)
	}
}

// expired says that a segment is older than its retention.
func (r *apsaraRun) expired(s *segment, t int64) bool {
	return t >= aged(s, r.s.Rules.RetentionMs, true)
}

// run is the daily run.
func (r *apsaraRun) run(t int64) {
	for len(r.queue) > 0 && r.expired(r.queue[0], t) {
		due := max(aged(r.queue[0], r.s.Rules.RetentionMs, true), r.queue[0].closed.lo)
		r.remove(point(t), point(due), ByTime)
	}
}

// look is the periodic round at t; the one before was at last.
func (r *apsaraRun) look(last, t int64) {
	share := mulDiv(r.appended(t-1)-r.removed, localPurgeShare, 100, 1)
	r.purging = false
	for len(r.queue) > 0 {
		left := share
		reason := r.verdict(t, left)
		if reason == "" {
			return
		}
		r.purging = r.purging || reason == ByDisk
		share -= r.queue[0].bytes
		// The rule came true at some moment since the last round.
		due := last + 1 + int64(sort.Search(int(t-last-1), func(i int) bool { return r.verdict(last+1+int64(i), left) != "" }))
		when := point(t)
		if r.poll.from != r.poll.to {
			when = span{due, plus(due, r.a.PollMs)}
		}
		r.remove(when, point(due), reason)
	}
}

// verdict is why the oldest closed segment would go in a periodic round; empty if it would stay.
func (r *apsaraRun) verdict(t, share int64) Reason {
	front := r.queue[0]
	if t <= front.closed.lo {
		return ""
	}
	before := t - 1 // what is appended at t comes after the round
	switch r.a.Storage {
	case CloudStorage:
		switch {
		case r.above(before, cloudPurge), r.purging && r.above(before, r.a.PurgeTargetPercent):
			return ByDisk
		case r.above(before, cloudPeriodic) && r.expired(front, t):
			return ByTime
		}
		return ""
	case LocalStorage:
		if r.above(before, localPurge) && front.bytes <= share {
			return ByDisk
		}
	case ServerlessStorage:
	}
	if r.expired(front, t) {
		return ByTime
	}
	return ""
}

// remove takes the oldest segment away; of a delay of its files nothing is known.
func (r *apsaraRun) remove(when, due span, reason Reason) {
	s := r.queue[0]
	r.queue = r.queue[1:]
	r.removed += s.bytes
	event := Event{
		Kind: Expired, Reason: reason, Tier: LocalTier, Segment: s.number, Base: s.base, Bytes: s.bytes,
		Window: when.window(), Due: due.window(),
	}
	r.sink.add(event, rankLocal)
	event.Kind = Purged
	r.sink.add(event, rankLocal)
	r.sink.gone(s, when)
}
