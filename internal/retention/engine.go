// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// engine follows the segments of one partition. It never ticks: for every segment it
// works out when a rule comes true and when the broker's next round after that is, so idle
// time costs nothing and a segment costs the same however long it lives.
//
// Segments are opened, copied and removed in order, so each stage is a queue. A
// stage is settled for a segment as soon as nothing that is yet to be appended can
// change it.
type engine struct {
	s    *Scenario
	src  *source
	box  box
	sink *sink
	work work

	tiered   bool // copying, and the local limits rule
	switched bool // tiering is not, or no longer, to come
	localMs  Limit
	next     int64 // batch
	written  int64
	offset   int64
	active   *segment
	free     []*segment

	local, total, lag over

	// Closed segments that are not gone, and how many of them are through each stage.
	queue                     []*segment
	copies, remotes, removals int

	// The last copy task that did something: when it began, when its last transfer ended,
	// and how long that took at most.
	copying       bool
	run, finished span
	elapsed       int64

	// What was due last in each stage; the next segment is not due before.
	copyDue, remoteDue, localDue span
}

// box is a set of possible phases, and of courses: where the phases leave open whether an idle segment is closed before an append,
// choices tell what is assumed.
type box struct {
	check, copy, expire beat
	choices             []choice
}

// choice is the assumption that an idle segment is closed by a moment, or not.
type choice struct {
	until  int64
	closed bool
}

// chosen is what is assumed of a moment, if anything is.
func (b *box) chosen(until int64) (closed, ok bool) {
	for _, c := range b.choices {
		if c.until == until {
			return c.closed, true
		}
	}
	return false, false
}

// undecided says that the course depends on more than the box tells: whether a round that
// is due at due comes by the moment until.
type undecided struct {
	due   span
	until int64
}

func newEngine(s *Scenario, phases box, out *sink) *engine {
	e := &engine{s: s, src: newSource(s), box: phases, sink: out, work: work{most: s.MaxSteps, mostHeld: s.MaxHeld}}
	e.local.mark = func(s *segment, t int64) { s.overLocal = t }
	e.total.mark = func(s *segment, t int64) { s.overTotal = t }
	e.lag.mark = func(s *segment, t int64) { s.overLag = t }
	return e
}

// follow runs up to before the first append behind a moment, or, with never, to the horizon; or until the course turns out
// to be too long, or to depend on more than is known. It can go on from there.
func (e *engine) follow(until int64) (*undecided, *TooLongError) {
	if e.active == nil {
		e.begin()
		e.open(point(e.s.Start), point(e.s.Start), false)
	}
	for {
		at := int64(never)
		if e.next < e.src.count {
			at = e.src.at(e.next)
			if e.work.spent(len(e.queue)) {
				return nil, e.work.tooLong(e.s, at, e.next, e.src, len(e.queue))
			}
		}
		if at > until {
			return nil, nil
		}
		if !e.switched && e.s.TieredFrom <= at {
			if doubt := e.advance(e.s.TieredFrom - 1); doubt != nil {
				return doubt, nil
			}
			e.becomeTiered()
			continue
		}
		if doubt := e.advance(at); doubt != nil {
			return doubt, nil
		}
		if at == never {
			break
		}
		e.append(at)
	}
	for _, s := range e.queue[e.remotes:] {
		e.sink.stays(s)
	}
	e.sink.stays(e.active)
	e.sink.finish(e.src)
	return nil, nil
}

// begin sets the limits up that rule at the start. A topic whose copying is disabled
// has the total in its local tier and waits for no copy (KIP-950, UnifiedLog.isSegmentEligibleForDeletion, Apache Kafka 4.4).
func (e *engine) begin() {
	rules := &e.s.Rules
	e.localMs, e.local.limit = rules.RetentionMs, rules.RetentionBytes
	e.switched = !rules.Tiered || rules.CopyDisabled || e.s.TieredFrom > e.s.Horizon
}

// becomeTiered puts the tiered limits in force.
func (e *engine) becomeTiered() {
	rules := &e.s.Rules
	e.switched, e.tiered = true, true
	e.localDue = point(e.s.TieredFrom)
	if !e.s.Version.resolvesInherited() {
		e.localMs, e.local.limit = rules.LocalMs.over(Unlimited), rules.LocalBytes.over(Unlimited)
	} else {
		e.localMs, e.local.limit = rules.LocalMs.over(rules.RetentionMs), rules.LocalBytes.over(rules.RetentionBytes)
	}
	e.total.limit = rules.RetentionBytes
	if e.s.Version.knowsCopyLag() {
		e.lag.limit = rules.CopyLagBytes.over(e.local.limit)
	}
	e.local.waiting = nil
	for _, s := range e.queue[e.removals:] {
		s.overLocal = never
		e.line(s)
	}
}

// line makes a closed segment wait for the limits by size.
func (e *engine) line(s *segment) {
	for _, o := range []*over{&e.local, &e.total, &e.lag} {
		if o.limit.bounded && e.written-s.through >= o.limit.amount {
			o.mark(s, max(s.lastAppend+1, e.lastWrite()))
			continue
		}
		o.add(s)
	}
}

// lastWrite is the moment behind the last append.
func (e *engine) lastWrite() int64 {
	if e.next == 0 {
		return e.s.Start
	}
	return e.src.at(e.next-1) + 1
}

// open begins a segment.
func (e *engine) open(when, due span, byCheck bool) {
	var s *segment
	if last := len(e.free) - 1; last >= 0 {
		s, e.free = e.free[last], e.free[:last]
	} else {
		s = new(segment)
	}
	e.work.segments++
	number := int64(0)
	if e.active != nil {
		number = e.active.number + 1
	}
	*s = segment{
		number: number, base: e.offset, end: e.offset, through: e.written, newest: -1, oldest: never,
		overLocal: never, overTotal: never, overLag: never, remote: span{never, never}, copied: span{never, never},
	}
	e.active = s
	e.sink.add(Event{Kind: Opened, Tier: LocalTier, Segment: s.number, Base: s.base, Window: when.window(), Due: due.window()}, rolls(byCheck))
}

// roll closes the active segment and opens the next one.
func (e *engine) roll(when, due span, reason Reason) {
	s := e.active
	s.closed, s.byCheck = when, reason == ByRetention
	e.queue = append(e.queue, s)
	e.line(s)
	e.sink.add(Event{
		Kind: Rolled, Reason: reason, Tier: LocalTier, Segment: s.number, Base: s.base, Bytes: s.bytes,
		Window: when.window(), Due: due.window(),
	}, rolls(reason == ByRetention))
	e.open(when, due, reason == ByRetention)
}

// advance brings everything up to a moment before something is appended.
func (e *engine) advance(now int64) *undecided {
	for {
		if doubt := e.settle(now); doubt != nil {
			return doubt
		}
		rolled, doubt := e.idle(now)
		if doubt != nil {
			return doubt
		}
		if !rolled {
			break
		}
	}
	e.sink.flush(now, e.src)
	return nil
}
