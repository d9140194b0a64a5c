// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"cmp"
	"slices"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

// The oracle does what a broker does, round for round and pass for pass, with nothing worked
// out ahead: slow, plain, and written apart from the code under test.

type oracleSegment struct {
	base, end       int64
	bytes           int64
	first, newest   int64
	lastAppend      int64
	sinceEntry      int64
	offsets, times  int64
	lastTime        int64
	closed          bool
	copied, expired bool // remotely
	local           bool
	wasCopied       bool
}

type oracle struct {
	s        retention.Scenario
	segments []*oracleSegment
	events   []retention.Event
	offset   int64
	tiered   bool
	logStart int64
	busy     int64 // until when the copy task runs
	pending  []oracleCopy
}

type oracleCopy struct {
	segment *oracleSegment
	at      int64
}

func (o *oracle) say(kind retention.Kind, reason retention.Reason, tier retention.Tier, base, bytes, at int64) {
	if at <= o.s.Horizon {
		o.events = append(o.events, retention.Event{Kind: kind, Reason: reason, Tier: tier, Base: base, Bytes: bytes, Window: retention.Window{Earliest: at, Latest: at}})
	}
}

func (o *oracle) open(at int64) {
	o.segments = append(o.segments, &oracleSegment{base: o.offset, end: o.offset, newest: -1, local: true})
	o.say(retention.Opened, "", retention.LocalTier, o.offset, 0, at)
}

func (o *oracle) active() *oracleSegment { return o.segments[len(o.segments)-1] }

func (o *oracle) roll(at int64, reason retention.Reason) {
	o.active().closed = true
	o.say(retention.Rolled, reason, retention.LocalTier, o.active().base, o.active().bytes, at)
	o.open(at)
}

func since(v retention.Version, major, minor, patch int) bool {
	return v == (retention.Version{}) || v.Compare(retention.Version{Major: major, Minor: minor, Patch: patch}) >= 0
}

func (o *oracle) limits() (ms, bytes retention.Limit) {
	r := o.s.Rules
	if !o.tiered {
		return r.RetentionMs, r.RetentionBytes
	}
	broken := !since(o.s.Version, 3, 7, 2) || o.s.Version == (retention.Version{Major: 3, Minor: 8})
	ms, bytes = r.RetentionMs, r.RetentionBytes
	if broken {
		ms, bytes = retention.Unlimited, retention.Unlimited
	}
	if r.LocalMs.Own {
		ms = r.LocalMs.Limit
	}
	if r.LocalBytes.Own {
		bytes = r.LocalBytes.Limit
	}
	return ms, bytes
}

func (o *oracle) append(m retention.Message, at int64) {
	r := o.s.Rules
	if m.Bytes > r.SegmentBytes {
		o.say(retention.WriteRefused, retention.TooLarge, retention.LocalTier, o.active().base, m.Bytes, at)
		return
	}
	a := o.active()
	switch {
	case a.bytes+m.Bytes > r.SegmentBytes:
		o.roll(at, retention.BySize)
	case a.bytes > 0 && m.Ts-a.first > r.SegmentMs-o.s.JitterMs:
		o.roll(at, retention.ByTime)
	case a.bytes > 0 && (a.offsets >= r.SegmentIndexBytes/8 || a.times >= r.SegmentIndexBytes/12-1):
		o.roll(at, retention.ByIndex)
	}
	a = o.active()
	if a.bytes == 0 {
		a.first = m.Ts
	}
	a.newest = max(a.newest, m.Ts)
	if a.sinceEntry > r.IndexIntervalBytes {
		a.offsets++
		if a.times == 0 || a.newest > a.lastTime {
			a.times, a.lastTime = a.times+1, a.newest
		}
		a.sinceEntry = 0
	}
	a.sinceEntry += m.Bytes
	a.bytes += m.Bytes
	a.lastAppend = at
	o.offset += max(1, m.Records)
	a.end = o.offset
}

// pass is UnifiedLog.deletableSegments and deleteSegments.
func (o *oracle) pass(at int64, reason retention.Reason, predicate func(s *oracleSegment) bool) {
	var local, deletable []*oracleSegment
	for _, s := range o.segments {
		if s.local {
			local = append(local, s)
		}
	}
	shouldRoll := false
	for i, s := range local {
		last := i == len(local)-1
		if last && s.bytes == 0 || !predicate(s) {
			break
		}
		if last && o.tiered {
			shouldRoll = since(o.s.Version, 3, 7, 0)
			break
		}
		if o.tiered && !s.wasCopied && s.end > o.logStart {
			break
		}
		deletable = append(deletable, s)
	}
	if len(deletable) == len(local) && len(local) > 0 {
		o.roll(at, retention.ByRetention)
	}
	if shouldRoll {
		o.roll(at, retention.ByRetention)
	}
	for _, s := range deletable {
		s.local = false
		o.say(retention.Expired, reason, retention.LocalTier, s.base, s.bytes, at)
		o.say(retention.Purged, reason, retention.LocalTier, s.base, s.bytes, at+o.s.Rules.FileDeleteDelayMs)
		if !o.tiered {
			o.logStart = max(o.logStart, s.end)
		}
	}
}

func (o *oracle) check(at int64) {
	ms, bytes := o.limits()
	o.pass(at, retention.ByLogStart, func(s *oracleSegment) bool { return s.closed && s.end <= o.logStart })
	if limit, bounded := bytes.Bounded(); bounded {
		diff := -limit
		for _, s := range o.segments {
			if s.local {
				diff += s.bytes
			}
		}
		o.pass(at, retention.BySize, func(s *oracleSegment) bool {
			if diff-s.bytes < 0 {
				return false
			}
			diff -= s.bytes
			return true
		})
	}
	if limit, bounded := ms.Bounded(); bounded {
		o.pass(at, retention.ByTime, func(s *oracleSegment) bool { return at-s.newest > limit })
	}
}

func (o *oracle) copyTask(at int64) {
	if at < o.busy || o.outage(at) {
		return
	}
	ms, bytes := o.limits()
	lagMs, lagBytes := ms, bytes
	if o.s.Rules.CopyLagMs.Own {
		lagMs = o.s.Rules.CopyLagMs.Limit
	}
	if o.s.Rules.CopyLagBytes.Own {
		lagBytes = o.s.Rules.CopyLagBytes.Limit
	}
	begin := at
	after := int64(0)
	for i := len(o.segments) - 1; i >= 0; i-- {
		after += o.segments[i].bytes
	}
	for _, s := range o.segments {
		after -= s.bytes
		if !s.closed || s.wasCopied || !s.local || o.copying(s) {
			continue
		}
		if s.lastAppend+o.s.OpenTransactionMs > begin {
			return
		}
		if since(o.s.Version, 4, 4, 0) && lagMs != retention.AtMost(0) && lagBytes != retention.AtMost(0) {
			n, bounded := lagMs.Bounded()
			old := bounded && (s.newest > begin || begin-s.newest >= n) || !bounded && s.newest > begin
			n, bounded = lagBytes.Bounded()
			if !old && (!bounded || after < n) {
				return
			}
		}
		if o.outage(at) {
			return
		}
		o.say(retention.CopyStarted, "", retention.RemoteTier, s.base, s.bytes, at)
		if rate := o.s.CopyBytesPerSecond; rate > 0 {
			at += (s.bytes*1000 + rate - 1) / rate
		}
		o.say(retention.Copied, "", retention.RemoteTier, s.base, s.bytes, at)
		o.pending = append(o.pending, oracleCopy{s, at})
		o.busy = at
	}
}

func (o *oracle) copying(s *oracleSegment) bool {
	return slices.ContainsFunc(o.pending, func(c oracleCopy) bool { return c.segment == s })
}

func (o *oracle) outage(at int64) bool {
	return slices.ContainsFunc(o.s.Outages, func(out retention.Outage) bool { return out.Start <= at && at < out.End })
}

// expire is RLMExpirationTask.cleanupExpiredRemoteLogSegments.
func (o *oracle) expire(at int64) {
	debt, bounded := o.s.Rules.RetentionBytes.Bounded()
	debt = -debt
	for _, s := range o.segments {
		if s.copied || s.local && !s.expired {
			debt += s.bytes
		}
	}
	if !bounded {
		debt = 0
	}
	limit, timed := o.s.Rules.RetentionMs.Bounded()
	for _, s := range o.segments {
		if !s.copied {
			continue
		}
		var reason retention.Reason
		switch {
		case timed && s.newest <= at-limit:
			reason = retention.ByTime
			debt = max(0, debt-s.bytes)
		case debt > 0 && debt-s.bytes >= 0:
			reason = retention.BySize
			debt -= s.bytes
		default:
			return
		}
		s.copied, s.expired = false, true
		o.logStart = s.end
		o.say(retention.Expired, reason, retention.RemoteTier, s.base, s.bytes, at)
	}
}

// run is the whole course. In the same millisecond tiering begins first, then come expiry, copies, the
// check, and appends.
func (o *oracle) run() []retention.Event {
	s := o.s
	wantsTier := s.Rules.Tiered && !s.Rules.CopyDisabled
	from := max(s.TieredFrom, s.Start)
	copyPhase, expirePhase := s.Phases.Copy, s.Phases.Expire
	if from > s.Start {
		copyPhase, expirePhase = from, from
	}
	beat := func(t, phase, every int64) bool { return t >= phase && (t-phase)%every == 0 }
	o.open(s.Start)
	next := 0
	for t := s.Start; t <= s.Horizon; t++ {
		if wantsTier && t >= from {
			o.tiered = true
		}
		for len(o.pending) > 0 && o.pending[0].at < t {
			o.pending[0].segment.copied, o.pending[0].segment.wasCopied = true, true
			o.pending = o.pending[1:]
		}
		if o.tiered && beat(t, expirePhase, s.TaskMs) {
			o.expire(t)
		}
		if o.tiered && beat(t, copyPhase, s.TaskMs) {
			o.copyTask(t)
		}
		for len(o.pending) > 0 && o.pending[0].at <= t {
			o.pending[0].segment.copied, o.pending[0].segment.wasCopied = true, true
			o.pending = o.pending[1:]
		}
		if beat(t, s.Phases.Check, s.CheckMs) {
			o.check(t)
		}
		for next < len(s.Messages) && when(s.Messages[next]) == t {
			o.append(s.Messages[next], t)
			next++
		}
	}
	return o.events
}

func when(m retention.Message) int64 {
	if m.Append != 0 {
		return m.Append
	}
	return m.Ts
}

// byMoment orders events for a comparison that does not look at the order within a moment.
func byMoment(events []retention.Event) []retention.Event {
	sorted := slices.Clone(events)
	slices.SortFunc(sorted, func(a, b retention.Event) int {
		return cmp.Or(cmp.Compare(a.Earliest, b.Earliest), cmp.Compare(a.Base, b.Base), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Bytes, b.Bytes))
	})
	return sorted
}
