// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// settle takes every closed segment through the stages, as far as they cannot be
// changed by what is appended from now on.
func (e *engine) settle(now int64) *undecided {
	if e.tiered {
		e.settleCopies(now)
		e.settleRemote(now)
	}
	doubt := e.settleLocal(now)
	for e.removals > 0 && (!e.tiered || e.remotes > 0) {
		e.release()
	}
	return doubt
}

// release forgets the oldest segment, which is gone.
func (e *engine) release() {
	s := e.queue[0]
	for _, o := range []*over{&e.local, &e.total, &e.lag} {
		if len(o.waiting) > 0 && o.waiting[0] == s {
			o.waiting = o.waiting[1:]
		}
	}
	e.queue[0] = nil
	e.queue = e.queue[1:]
	e.removals--
	if e.tiered {
		e.copies--
		e.remotes--
	}
	e.free = append(e.free, s)
}

// aged is when a segment is older than a limit. Locally that takes more than the
// limit (UnifiedLog.deleteRetentionMsBreachedSegments), remotely the limit itself is
// enough (RemoteLogManager.RLMExpirationTask; both Apache Kafka 4.4).
func aged(s *segment, limit Limit, strictly bool) int64 {
	ms, bounded := limit.Bounded()
	switch {
	case !bounded:
		return never
	case strictly:
		return plus(plus(max(0, s.newest), ms), 1)
	}
	return plus(max(0, s.newest), ms)
}

// settleRemote removes segments from the remote tier: each in its turn, once it is
// copied, and too old or behind enough data. A round goes from segment to segment, asks
// for age first, then for size, and stops at the first one that stays
// (RemoteLogManager.cleanupExpiredRemoteLogSegments, Apache Kafka 4.4). For size, the data is counted over
// both tiers, but once (buildRetentionSizeData), so what counts is simply everything written after the segment.
func (e *engine) settleRemote(now int64) {
	for e.remotes < e.copies {
		s := e.queue[e.remotes]
		own := e.remoteDueOf(s)
		due := later(e.remoteDue, own)
		if due.lo == never || due.hi > now {
			return
		}
		e.remoteDue = due
		s.remote = e.box.expire.first(due)
		reason := ByTime
		if aged(s, e.s.Rules.RetentionMs, false) > s.remote.hi {
			reason = BySize
		}
		e.sink.add(Event{
			Kind: Expired, Reason: reason, Tier: RemoteTier, Segment: s.number, Base: s.base, Bytes: s.bytes,
			Window: s.remote.window(), Due: due.window(),
		}, rankRemote)
		e.sink.leavesRemote(s, s.remote)
		e.remotes++
	}
}

// remoteDueOf is when a copied segment may go, older ones apart. A round of expiry at the moment
// of a copy comes before it.
func (e *engine) remoteDueOf(s *segment) span {
	return later(s.copied.plus(1), point(min(aged(s, e.s.Rules.RetentionMs, false), s.overTotal)))
}

// settleLocal removes segments from the local tier, oldest first.
func (e *engine) settleLocal(now int64) *undecided {
	for e.removals < len(e.queue) {
		s := e.queue[e.removals]
		due := e.localDueOf(e.removals, e.localDue, e.unsettled())
		if due.lo == never || due.hi > now {
			return nil
		}
		tick := e.box.check.first(due)
		if e.tiered && s.byCheck {
			tick.lo = max(tick.lo, plus(s.closed.lo, e.box.check.every)) // a check that closes does not come back sooner
		}
		if tick.hi > now {
			// Until the check comes the reason may still change.
			if !e.switched && now == e.s.TieredFrom-1 && tick.lo <= min(now, e.s.Horizon) {
				return &undecided{due, now}
			}
			return nil
		}
		e.remove(s, tick, due)
	}
	return nil
}

// localDueOf is when a closed segment may go from the local tier, at the latest of the
// moments for it and those before it. A check removes what lies below the
// start of the log, then by size, then by age (UnifiedLog.deleteOldSegments, Apache
// Kafka 4.4); each of the three stops at the first segment that it has to leave, and
// what one of them would take of a segment it would take of all before, so the
// earliest of the three counts. While the topic is copied, only the start of the log may overtake the copy.
func (e *engine) localDueOf(i int, before span, first *unsettled) span {
	s := e.queue[i]
	limit := point(min(aged(s, e.localMs, true), s.overLocal))
	if !e.tiered {
		return later(before, later(s.closed.plus(1), limit))
	}
	// What is not settled yet may be over by now all the same.
	keep, remote := later(limit, s.copied), s.remote
	if i >= e.copies {
		keep.lo = max(limit.lo, e.soonestCopy(i, first))
	} else if i >= e.remotes && e.remoteDueOf(s).lo < keep.lo {
		remote.lo = e.soonestRemoval(i, first)
	}
	return later(before, earlier(keep, remote))
}

// unsettled goes along the segments whose copy, or whose removal from the remote tier, is not settled: up to which one,
// and before which moments none of those so far is due. Who asks for one segment after the other looks at each once.
type unsettled struct {
	copies, remotes    int
	copyDue, remoteDue int64
}

func (e *engine) unsettled() *unsettled {
	return &unsettled{e.copies, e.remotes, e.copyDue.lo, e.remoteDue.lo}
}

// soonestCopy is before which moment a segment is surely not copied, whose copy is not settled.
func (e *engine) soonestCopy(i int, first *unsettled) int64 {
	for ; first.copies <= i; first.copies++ {
		e.work.looks++
		first.copyDue = max(first.copyDue, e.copyDueOf(e.queue[first.copies]).lo)
	}
	return e.box.copy.soonest(first.copyDue)
}

// soonestRemoval is the same for the removal of a copied segment from the remote tier.
func (e *engine) soonestRemoval(i int, first *unsettled) int64 {
	for ; first.remotes <= i; first.remotes++ {
		e.work.looks++
		first.remoteDue = max(first.remoteDue, e.remoteDueOf(e.queue[first.remotes]).lo)
	}
	return e.box.expire.soonest(first.remoteDue)
}

// remove takes a segment from the local tier; its files linger.
func (e *engine) remove(s *segment, tick, due span) {
	e.localDue = due
	reason := ByTime
	switch {
	case e.tiered && s.remote.hi <= tick.hi:
		reason = ByLogStart
	case s.overLocal <= tick.hi:
		reason = BySize
	}
	event := Event{
		Kind: Expired, Reason: reason, Tier: LocalTier, Segment: s.number, Base: s.base, Bytes: s.bytes,
		Window: tick.window(), Due: due.window(), inRemote: e.tiered,
	}
	e.sink.add(event, rankLocal)
	event.Kind, event.Window = Purged, tick.plus(e.s.Rules.FileDeleteDelayMs).window()
	e.sink.add(event, rankPurge)
	if !e.tiered {
		e.sink.gone(s, tick)
	}
	e.removals++
}

// idle closes the active segment if a check finds it expired before anything is
// appended to it. Of a plain topic the check closes and removes it at once; of a
// tiered one it closes it, from 3.7 on, for the next copy task
// (UnifiedLog.deletableSegments, Apache Kafka 4.4). By size that takes a limit of 0,
// because no data lies behind the active segment.
func (e *engine) idle(now int64) (rolled bool, doubt *undecided) {
	s := e.active
	if s.empty() || e.tiered && !e.s.Version.rollsIdleTiered() {
		return false, nil
	}
	own := aged(s, e.localMs, true)
	if limit, bounded := e.local.limit.Bounded(); bounded && limit == 0 {
		own = 0
	}
	due := point(max(own, s.lastAppend+1))
	if due.lo > now || due.lo == never {
		return false, nil
	}
	before, first := e.localDue, e.unsettled()
	for i := e.removals; i < len(e.queue); i++ {
		e.work.looks++
		if before = e.localDueOf(i, before, first); before.lo > now || before.lo == never {
			return false, nil
		}
	}
	due = later(due, before)
	tick := e.box.check.first(due)
	switch {
	case tick.lo > min(now, e.s.Horizon):
		return false, nil
	case tick.hi > now:
		closed, assumed := e.box.chosen(now)
		switch {
		case !assumed:
			return false, &undecided{due, now}
		case !closed:
			return false, nil
		}
		tick.hi = now
	}
	e.roll(tick, due, ByRetention)
	if !e.tiered {
		s.overLocal = never
		if own == 0 {
			s.overLocal = due.lo
		}
		e.remove(s, tick, due)
	}
	return true, nil
}
