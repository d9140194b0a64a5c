// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"cmp"
	"maps"
	"slices"
)

// A forecast tells up to mostCourses different courses apart, which all together take up to partedSteps steps, because
// they are held in memory until they are laid over each other. Where that is not enough for the horizon it tries how far it
// is, with triedSteps steps for all tries.
const (
	mostCourses = 512
	partedSteps = 300_000
	triedSteps  = 2_000_000
)

// Forecast gives, for a broker whose phases nobody knows, the windows in which things happen: each contains
// the moment that [Simulate] gives for any phases. The errors are [*ScenarioError] and [*TooLongError].
//
// Where it depends on the phases what happens at all, which is so when a producer pauses for a
// little longer than the retention, or tiering begins just when data expires, the possible courses
// are told apart and laid over each other: what is not common to all is Maybe. If they are too
// many, or too long together, the timeline ends sooner (Decided).
//
// For ApsaraMQ the windows hold for what goes by age. What goes because the disk is full follows one course, that of rounds
// which begin at the start; other phases may remove a segment more or less.
func Forecast(s Scenario) (Timeline, error) {
	s, err := s.normal()
	if err != nil {
		return Timeline{}, err
	}
	if s.Apsara != nil {
		return walkApsara(&s, anyBeat(s.Start, s.Apsara.PollMs), nil).outcome()
	}
	begin := max(s.Start, s.TieredFrom)
	all := box{check: anyBeat(s.Start, s.CheckMs), copy: anyBeat(begin, s.TaskMs), expire: anyBeat(begin, s.TaskMs)}
	one := walk(&s, all, nil)
	if one.doubt == nil {
		return one.outcome()
	}
	return parted(s, all, one.doubt.due.lo-1), nil
}

// parted lays the courses over each other, up to the horizon or as far as they can be told apart. Up to the moment decided
// there is one course only.
func parted(s Scenario, all box, decided int64) Timeline {
	most, known := s.Horizon, false // as far as it is worth a try; whether decided is more than where the first doubt begins
	for left, first := int64(triedSteps), true; left > 0 && decided < most; first = false {
		tried := s
		switch {
		case first:
		case !known: // the first doubt may be the beginning of very many
			tried.Horizon = decided + (most-decided+63)/64
		default:
			tried.Horizon = decided + (most-decided+1)/2
		}
		courses, steps := part(tried, all)
		left -= steps
		switch {
		case courses == nil:
			most = tried.Horizon - 1
		case tried.Horizon == s.Horizon:
			return overlay(&s, courses)
		default:
			decided, known = tried.Horizon, true
		}
	}
	switch s.Horizon = decided; {
	case decided < s.Start:
		return Timeline{Decided: s.Start}
	case !known:
		return walk(&s, all, nil).timeline
	}
	courses, _ := part(s, all) // again, so that two sets never are in memory at once
	return overlay(&s, courses)
}

// part follows each course apart; nil if they are too many, or too long together. It tells the steps that it took.
func part(s Scenario, all box) (courses []Timeline, steps int64) {
	most := min(s.MaxSteps, partedSteps)
	s.MaxEvents = 0
	for open := []box{all}; len(open) > 0; {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		s.MaxSteps = most - steps
		one := walk(&s, next, nil)
		steps += one.steps
		switch {
		case steps >= most, one.tooLong != nil, one.doubt != nil && len(open)+len(courses) >= mostCourses:
			return nil, steps
		case one.doubt == nil:
			courses = append(courses, one.timeline)
		default:
			before, after := next.split(one.doubt)
			open = append(open, after, before)
		}
	}
	return courses, steps
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
