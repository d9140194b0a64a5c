// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "math"

// append writes the next batch or, of a steady flow, as many as fit without
// anything happening in between.
func (e *engine) append(at int64) {
	e.work.batches++
	k, bytes, rules := e.next, e.src.bytes(e.next), &e.s.Rules
	if bytes > rules.SegmentBytes {
		e.sink.add(Event{
			Kind: WriteRefused, Reason: TooLarge, Tier: LocalTier, Segment: e.active.number, Base: e.active.base, Bytes: bytes,
			Window: Window{at, at}, Due: Window{at, at},
		}, rankAppend)
		e.next++
		if e.src.steady() {
			e.next = e.src.count // so are all others
		}
		return
	}
	if reason := e.full(k, bytes); reason != "" {
		e.roll(point(at), point(at), reason)
	}
	n := int64(1)
	if e.src.steady() {
		n = e.fits(k, bytes)
	}
	e.write(k, n, bytes)
}

// full says why a batch opens a new segment: the rules of LogSegment.shouldRoll in
// Apache Kafka 4.4, in its order.
func (e *engine) full(k, bytes int64) Reason {
	s, rules := e.active, &e.s.Rules
	switch {
	case s.bytes > rules.SegmentBytes-bytes:
		return BySize
	case !s.empty() && e.src.newest(k)-s.first > rules.SegmentMs-e.s.JitterMs:
		return ByTime
	case !s.empty() && e.src.steady() && s.records >= e.fitIndex():
		return ByIndex
	case !s.empty() && !e.src.steady() && s.entries.full(rules.SegmentIndexBytes):
		return ByIndex
	case !s.empty() && s.end+e.src.records(k)-1-s.base > math.MaxInt32:
		return ByIndex
	}
	return ""
}

// fits is how many batches of the steady flow, of which batch k fits, follow each
// other before a segment closes, before tiering begins, or before the flow pauses long enough
// for a check to find the segment expired.
func (e *engine) fits(k, bytes int64) int64 {
	s, rules, src := e.active, &e.s.Rules, e.src
	if limit, bounded := e.localMs.Bounded(); bounded && src.pause() > limit {
		return 1
	}
	if limit, bounded := e.local.limit.Bounded(); bounded && limit == 0 {
		return 1
	}
	first := s.first
	if s.empty() {
		first = src.newest(k)
	}
	n := min(
		src.count-k,
		(rules.SegmentBytes-s.bytes)/bytes,
		src.arrived(plus(first, rules.SegmentMs-e.s.JitterMs))-k,
		e.fitIndex()-s.records,
		math.MaxInt32+1-s.records,
	)
	if !e.switched {
		n = min(n, src.arrived(e.s.TieredFrom-1)-k)
	}
	return max(1, n)
}

// pause is the longest time between two batches of the flow.
func (s *source) pause() int64 {
	return ceilMulDiv(s.rate.BatchBytes, 1, 1000, s.rate.BytesPerSecond)
}

// fitIndex is how many batches of the steady flow a segment's indexes hold: every
// so many appends make an entry, and the append after the last entry is the first to find them full. Of
// a flow that makes several entries in a millisecond the time index takes one.
func (e *engine) fitIndex() int64 {
	rules, src := &e.s.Rules, e.src
	each := rules.IndexIntervalBytes/src.rate.BatchBytes + 1
	byOffset := mulDiv(offsetEntries(rules.SegmentIndexBytes), each, 1, 1)
	times := timeEntries(rules.SegmentIndexBytes)
	byTime := max(mulDiv(times, each, 1, 1), plus(each, mulDiv(times, src.rate.BytesPerSecond, src.rate.BatchBytes, 1000)))
	if mulDiv(each, src.rate.BatchBytes*1000, src.rate.BytesPerSecond, 1) >= 1 {
		byTime = mulDiv(times, each, 1, 1)
	}
	return plus(min(byOffset, byTime), 1)
}

// write puts n batches of one size into the active segment.
func (e *engine) write(k, n, bytes int64) {
	s, last := e.active, k+n-1
	if s.empty() {
		s.first = e.src.newest(k)
	}
	if e.src.steady() {
		e.offset += n
	} else {
		s.entries.append(bytes, max(s.newest, e.src.newest(k)), e.s.Rules.IndexIntervalBytes)
		e.offset += e.src.records(k)
	}
	s.oldest = min(s.oldest, e.src.oldest(k))
	s.newest = max(s.newest, e.src.newest(last))
	s.lastAppend = e.src.at(last)
	s.records += n
	s.end = e.offset
	before := e.written
	s.bytes += n * bytes
	e.written += n * bytes
	s.through = e.written
	e.local.appended(e.src, before, k, n, bytes)
	e.total.appended(e.src, before, k, n, bytes)
	e.lag.appended(e.src, before, k, n, bytes)
	e.next += n
	e.sink.wrote(s)
}
