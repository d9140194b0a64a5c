// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "sort"

// settleCopies copies closed segments in order.
func (e *engine) settleCopies(now int64) {
	for e.copies < len(e.queue) {
		s := e.queue[e.copies]
		due := later(e.copyDue, e.copyDueOf(s))
		if due.lo == never || due.hi > now {
			return
		}
		e.copyDue = due
		ready, start := e.copyStart(due)
		end := start.plus(e.transfer(s.bytes))
		s.copied = end
		e.finished, e.elapsed = end, plus(e.elapsed, e.transfer(s.bytes))
		event := Event{
			Kind: CopyStarted, Tier: RemoteTier, Segment: s.number, Base: s.base, Bytes: s.bytes,
			Window: start.window(), Due: ready.window(),
		}
		e.sink.add(event, rankCopy)
		event.Kind, event.Window = Copied, end.window()
		e.sink.add(event, rankCopied)
		e.sink.entersRemote(s, end)
		e.copies++
	}
}

// transfer is how long the copy of so many bytes takes.
func (e *engine) transfer(bytes int64) int64 {
	if e.s.CopyBytesPerSecond == 0 {
		return 0
	}
	return ceilMulDiv(bytes, 1, 1000, e.s.CopyBytesPerSecond)
}

// copyDueOf is when a copy task would take a segment: closed, wholly below the last stable offset,
// and past its lag (RemoteLogManager.RLMCopyTask, Apache Kafka 4.4; the lag is
// KIP-1241). What closes at the moment of a task is seen by the next one.
func (e *engine) copyDueOf(s *segment) span {
	due := later(s.closed.plus(1), point(e.s.TieredFrom))
	if e.s.OpenTransactionMs > 0 {
		due = later(due, point(plus(s.lastAppend, e.s.OpenTransactionMs)))
	}
	if !e.s.Version.knowsCopyLag() {
		return due
	}
	ms, bytes := e.s.Rules.CopyLagMs.over(e.localMs), e.lag.limit
	if ms == AtMost(0) || bytes == AtMost(0) {
		return due
	}
	lagged := later(due, point(min(aged(s, ms, false), s.overLag)))
	_, tick := e.awaitTask(later(due, e.finished))
	if joins, surely := e.joins(due); surely {
		tick = e.run
	} else if joins {
		tick = hull(tick, e.run)
	}
	switch {
	case tick.hi < s.newest: // a time in the future holds nothing back
		return due
	case tick.lo < s.newest:
		return span{due.lo, lagged.hi}
	}
	return lagged
}

// copyStart is when the copy of a segment that is due begins, and when it only waited for
// a task: not before the copy of the one before has ended, and never in an outage.
//
// A task copies one after the other what is due when it begins. So either the segment was
// due when the task of the one before began, and follows it at once, or it waits
// for another task.
func (e *engine) copyStart(due span) (ready, start span) {
	joins, surely := e.joins(due)
	if !surely {
		// Another task ran before the segment was due, if it ran at all.
		busy := span{e.finished.lo, min(e.finished.hi, plus(due.hi-1, e.elapsed))}
		ready, start = e.awaitTask(later(due, busy))
	}
	if !joins {
		e.copying, e.run, e.elapsed = true, start, 0
		return ready, start
	}
	joined := later(point(due.lo), e.finished)
	follows, run := joined, e.run
	if held, cut, wholly := e.outage(joined); cut {
		// The task ends at the outage; the segment waits for the first one after it.
		waits, next := e.awaitTask(point(held))
		if wholly {
			joined, follows, run = waits, next, next
		} else {
			joined, follows, run = hull(joined, waits), hull(follows, next), hull(run, next)
		}
	}
	if surely {
		e.run = run
		return joined, follows
	}
	e.run = hull(run, start)
	return hull(ready, joined), hull(start, follows)
}

// joins says whether a segment that is due may have been due, or surely was, when the
// last copy task began.
func (e *engine) joins(due span) (joins, surely bool) {
	joins = e.copying && due.lo <= e.run.hi
	return joins, joins && due.hi <= e.run.lo
}

// awaitTask is when the first copy task from a moment on begins that meets no
// outage, and when only the task was waited for.
func (e *engine) awaitTask(due span) (ready, start span) {
	ready, start = due, e.box.copy.first(due)
	for _, o := range e.s.Outages[e.outagesOver(due.lo):] {
		if o.Start > start.hi {
			break
		}
		e.work.looks++
		if o.Start <= start.lo && start.lo < o.End {
			ready.lo, start.lo = max(ready.lo, o.End), e.box.copy.soonest(o.End)
		}
		if o.Start <= start.hi && due.hi < o.End {
			ready.hi, start.hi = max(ready.hi, o.End), max(start.hi, e.box.copy.latest(o.End))
		}
	}
	return ready, start
}

// outage returns the end of the first outage that a moment may fall into, and whether it surely does.
func (e *engine) outage(when span) (end int64, cut, wholly bool) {
	over := e.outagesOver(when.lo)
	if over == len(e.s.Outages) || e.s.Outages[over].Start > when.hi {
		return 0, false, false
	}
	o := e.s.Outages[over]
	return o.End, true, o.Start <= when.lo && when.hi < o.End
}

// outagesOver is how many outages are over by a moment: they are in order.
func (e *engine) outagesOver(t int64) int {
	return sort.Search(len(e.s.Outages), func(i int) bool { return e.s.Outages[i].End > t })
}
