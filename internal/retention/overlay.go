// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"cmp"
	"slices"
)

// Courses are followed side by side, in laps, so that of their events only those are held that some have had and others have
// not: laps is how many, mostOpen how many of these events there may be.
const (
	laps     = 1024
	mostOpen = 300_000
)

// overlay lays courses over each other; nil if they have too little in common. It tells the steps that it took.
func overlay(s *Scenario, courses []box) (t *Timeline, steps int64) {
	all := &laid{courses: len(courses), open: map[identity]*merged{}, half: s.MaxEvents - s.MaxEvents/2, max: s.MaxEvents}
	lanes := make([]*lane, 0, len(courses))
	for i, phases := range courses {
		l := &lane{number: i, all: all, out: &sink{horizon: s.Horizon}}
		l.out.visit = l.add
		l.engine = newEngine(s, phases, l.out)
		lanes = append(lanes, l)
	}
	lap := (s.Horizon-s.Start)/laps + 1
	for until := s.Start; ; until += lap {
		if until > s.Horizon {
			until = never
		}
		for _, l := range lanes {
			if doubt, tooLong := l.engine.follow(until); doubt != nil || tooLong != nil || len(all.open) > mostOpen {
				return nil, stepsOf(lanes)
			}
		}
		if until == never {
			break
		}
	}
	timeline := all.timeline()
	timeline.Decided = s.Horizon
	for i, l := range lanes {
		timeline.take(l.out.timeline(&Ends{}), i == 0)
	}
	return &timeline, stepsOf(lanes)
}

// take adds what is told of a course beside its events.
func (t *Timeline) take(course Timeline, first bool) {
	t.PeakLocalBytes = max(t.PeakLocalBytes, course.PeakLocalBytes)
	t.PeakRemoteBytes = max(t.PeakRemoteBytes, course.PeakRemoteBytes)
	if course.WorstAge.Ms > t.WorstAge.Ms {
		t.WorstAge = course.WorstAge
	}
	if first {
		t.FirstTs, t.FirstGone, t.Books = course.FirstTs, course.FirstGone, course.Books
		return
	}
	t.FirstGone = t.FirstGone.hull(course.FirstGone)
}

// lane is one of the courses.
type lane struct {
	number int
	all    *laid
	out    *sink
	engine *engine
	events int // so far
	// The last refused write, and which one of its moment it was.
	refusedAt, nth int64
}

func stepsOf(lanes []*lane) (steps int64) {
	for _, l := range lanes {
		steps += l.engine.work.steps()
	}
	return steps
}

// identity tells that two events of different courses are the same.
type identity struct {
	kind Kind
	tier Tier
	base int64
	// Of a refused write, which has no segment: when, and which one of the same moment.
	at, nth int64
}

// merged is an event of several courses: what they tell differently is told as in the first of them.
type merged struct {
	Event
	seen, rank, lane int
}

// compare is the order of a timeline.
func (m *merged) compare(other *merged) int {
	return cmp.Or(
		cmp.Compare(m.Latest, other.Latest), cmp.Compare(m.rank, other.rank), cmp.Compare(m.Base, other.Base),
		cmp.Compare(m.Kind, other.Kind), cmp.Compare(m.Tier, other.Tier),
	)
}

// add takes the next event of a course.
func (l *lane) add(event Event) {
	id := identity{kind: event.Kind, tier: event.Tier, base: event.Base}
	if event.Kind == WriteRefused {
		if l.nth == 0 || event.Earliest != l.refusedAt {
			l.refusedAt, l.nth = event.Earliest, 0
		}
		l.nth++
		id = identity{kind: event.Kind, tier: event.Tier, at: l.refusedAt, nth: l.nth}
	}
	m := l.all.open[id]
	switch {
	case m == nil:
		m = &merged{event, 0, l.events, l.number}
		l.all.open[id] = m
	case l.number < m.lane: // a course before is seen later, if it is behind
		m.Reason, m.Segment, m.inRemote, m.rank, m.lane = event.Reason, event.Segment, event.inRemote, l.events, l.number
	}
	l.events++
	m.Window, m.Due = m.hull(event.Window), m.Due.hull(event.Due)
	m.LocalBytes, m.RemoteBytes = max(m.LocalBytes, event.LocalBytes), max(m.RemoteBytes, event.RemoteBytes)
	m.Maybe = m.Maybe || event.Maybe
	m.Bytes = max(m.Bytes, event.Bytes)
	if m.seen++; m.seen == l.all.courses {
		delete(l.all.open, id)
		l.all.close(m)
	}
}

// laid is what is told of all courses: like [Ends], but its events come in any order.
type laid struct {
	courses   int
	open      map[identity]*merged // not seen in every course, so far
	max, half int
	kept      []*merged
	count     int64
	opening   []*merged
	refused   *merged
}

// close takes an event that does not change any more.
func (l *laid) close(m *merged) {
	l.count++
	switch {
	case m.Kind == WriteRefused:
		if l.refused == nil || m.compare(l.refused) < 0 {
			l.refused = m
		}
	case m.Segment < mostBars:
		l.opening = append(l.opening, m)
	}
	if l.kept = append(l.kept, m); l.max > 0 && len(l.kept) >= 4*l.max+4096 {
		l.cut()
	}
}

// cut brings what is kept in order, and keeps its ends.
func (l *laid) cut() {
	slices.SortFunc(l.kept, (*merged).compare)
	if over := len(l.kept) - l.max; l.max > 0 && over > 0 {
		l.kept = slices.Delete(l.kept, l.half, l.half+over)
	}
}

// timeline is the events; what not every course has may happen.
func (l *laid) timeline() Timeline {
	for _, m := range l.open {
		m.Maybe = true
		l.close(m)
	}
	l.cut()
	if l.refused != nil {
		l.opening = append(l.opening, l.refused)
	}
	slices.SortFunc(l.opening, (*merged).compare)
	return Timeline{Events: eventsOf(l.kept), Omitted: l.count - int64(len(l.kept)), Opening: eventsOf(l.opening)}
}

func eventsOf(all []*merged) (events []Event) {
	for _, m := range all {
		events = append(events, m.Event)
	}
	return events
}

func (w Window) hull(other Window) Window {
	return Window{min(w.Earliest, other.Earliest), max(w.Latest, other.Latest)}
}

// hull is a message's end in either course; where it stays in one it may stay.
func (g Gone) hull(other Gone) Gone {
	if !g.Goes || !other.Goes {
		return Gone{}
	}
	g.Window = g.Window.hull(other.Window)
	g.AgeMs = max(g.AgeMs, other.AgeMs)
	return g
}
