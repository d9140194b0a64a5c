// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"cmp"
	"maps"
	"slices"
)

// A forecast tells up to mostCourses different courses apart, if they are short; for long ones, of which each
// takes its time, a few at least.
const (
	mostCourses    = 512
	leastCourses   = 8
	eventsLookedAt = 300_000
)

// Forecast gives, for a broker whose phases nobody knows, the windows in which things happen: each contains
// the moment that [Simulate] gives for any phases. The errors are [*ScenarioError].
//
// Where it depends on the phases what happens at all, which is so when a producer pauses for a
// little longer than the retention, or tiering begins just when data expires, the possible courses
// are told apart and laid over each other: what is not common to all is Maybe. If there are too
// many, the timeline ends where they begin to part (Decided).
//
// For ApsaraMQ the windows hold for what goes by age. What goes because the disk is full follows one course, that of rounds
// which begin at the start; other phases may remove a segment more or less.
func Forecast(s Scenario) (Timeline, error) {
	s, err := s.normal()
	if err != nil {
		return Timeline{}, err
	}
	if s.Apsara != nil {
		return walkApsara(&s, anyBeat(s.Start, s.Apsara.PollMs), nil), nil
	}
	begin := max(s.Start, s.TieredFrom)
	all := box{check: anyBeat(s.Start, s.CheckMs), copy: anyBeat(begin, s.TaskMs), expire: anyBeat(begin, s.TaskMs)}
	timeline, _, doubt := walk(&s, all, nil)
	if doubt == nil {
		return timeline, nil
	}
	courses, parted := part(&s, all)
	for parted < never {
		if s.Horizon = parted - 1; s.Horizon < s.Start {
			return Timeline{Decided: s.Start}, nil
		}
		courses, parted = part(&s, all)
	}
	return overlay(&s, courses), nil
}

// part follows each course apart. If there are too many it returns the first moment
// that is in doubt.
func part(s *Scenario, all box) (courses []Timeline, parted int64) {
	whole := *s
	whole.MaxEvents = 0
	open := []box{all}
	parted = never
	looked := int64(0)
	for runs := 0; len(open) > 0; runs++ {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		timeline, events, doubt := walk(&whole, next, nil)
		looked += events
		switch {
		case doubt == nil:
			courses = append(courses, timeline)
		case runs >= 4*mostCourses, len(open)+len(courses) >= mostCourses, runs >= leastCourses && looked > eventsLookedAt:
			parted = min(parted, doubt.due.lo)
			return courses, parted
		default:
			before, after := next.split(doubt)
			open = append(open, after, before)
		}
	}
	return courses, parted
}

// split cuts a box in two, so that each leaves less doubt. If what is due is due at a known moment, it is the phase of the
// checks that decides. If not, both courses are possible, whatever the phases: which phases lead to which is
// not followed up, so windows may be wider than need be, but hold.
func (b box) split(doubt *undecided) (before, after box) {
	before, after = b, b
	if doubt.due.lo == doubt.due.hi {
		for _, t := range []int64{doubt.until + 1, doubt.due.lo} {
			var ok bool
			if before.check, after.check, ok = b.check.split(t); ok {
				return before, after
			}
		}
	}
	before.choices = append(slices.Clip(b.choices), choice{doubt.until, true})
	after.choices = append(slices.Clip(b.choices), choice{doubt.until, false})
	return before, after
}

// identity tells that two events of different courses are the same.
type identity struct {
	kind Kind
	tier Tier
	base int64
	// Of a refused write, which has no segment: when, and which one of the same moment.
	at, nth int64
}

// overlay lays courses over each other.
func overlay(s *Scenario, courses []Timeline) Timeline {
	all := Timeline{Decided: s.Horizon}
	type merged struct {
		Event
		seen, rank int
	}
	events := map[identity]*merged{}
	for c, course := range courses {
		moment, nth := int64(-1), int64(0)
		for i, event := range course.Events {
			id := identity{kind: event.Kind, tier: event.Tier, base: event.Base}
			if event.Kind == WriteRefused {
				if event.Earliest != moment {
					moment, nth = event.Earliest, 0
				}
				nth++
				id = identity{kind: event.Kind, tier: event.Tier, at: moment, nth: nth}
			}
			m := events[id]
			if m == nil {
				events[id] = &merged{event, 1, i}
				continue
			}
			m.Window, m.Due = m.hull(event.Window), m.Due.hull(event.Due)
			m.LocalBytes, m.RemoteBytes = max(m.LocalBytes, event.LocalBytes), max(m.RemoteBytes, event.RemoteBytes)
			m.Maybe = m.Maybe || event.Maybe
			m.Bytes = max(m.Bytes, event.Bytes)
			m.seen++
		}
		all.PeakLocalBytes = max(all.PeakLocalBytes, course.PeakLocalBytes)
		all.PeakRemoteBytes = max(all.PeakRemoteBytes, course.PeakRemoteBytes)
		if course.WorstAge.Ms > all.WorstAge.Ms {
			all.WorstAge = course.WorstAge
		}
		if c == 0 {
			all.FirstTs, all.FirstGone, all.Books = course.FirstTs, course.FirstGone, course.Books
			continue
		}
		all.FirstGone = all.FirstGone.hull(course.FirstGone)
	}
	ordered := slices.SortedFunc(maps.Values(events), func(a, b *merged) int {
		return cmp.Or(cmp.Compare(a.Latest, b.Latest), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Base, b.Base), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Tier, b.Tier))
	})
	kept := Ends{Max: s.MaxEvents}
	for _, m := range ordered {
		m.Maybe = m.Maybe || m.seen < len(courses)
		kept.Add(m.Event)
	}
	all.Events, all.Omitted = kept.Events()
	all.Opening = kept.opening
	return all
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
