// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "slices"

// A forecast tells up to mostCourses different courses apart. How far that can be done it tries, with up to triedSteps steps
// for all tries, of which each may take half of what is left.
const (
	mostCourses = 512
	triedSteps  = 8_000_000
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
	most := s.Horizon // as far as it is worth a try
	left := min(triedSteps, 2*s.MaxSteps)
	var told *Timeline
	for first := true; left > 1 && decided < most; first = false {
		tried := s
		switch {
		case first:
		case told == nil: // the first doubt may be the beginning of very many
			tried.Horizon = decided + (most-decided+63)/64
		default:
			tried.Horizon = decided + (most-decided+1)/2
		}
		courses, steps := part(tried, all, left/2)
		left -= steps
		var laid *Timeline
		if courses != nil {
			laid, steps = overlay(&tried, courses)
			left -= steps
		}
		if laid == nil {
			most = tried.Horizon - 1
			continue
		}
		told, decided = laid, tried.Horizon
	}
	switch s.Horizon = decided; {
	case told != nil:
		return *told
	case decided < s.Start:
		return Timeline{Decided: s.Start}
	}
	return walk(&s, all, nil).timeline
}

// part finds the boxes that leave no doubt; nil if they are too many, or too much to follow. It tells the steps that it took.
func part(s Scenario, all box, most int64) (courses []box, steps int64) {
	ignore := func(Event) {}
	for open := []box{all}; len(open) > 0; {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		s.MaxSteps = most - steps
		one := walk(&s, next, ignore)
		steps += one.steps
		switch {
		case steps >= most, one.tooLong != nil, one.doubt != nil && len(open)+len(courses) >= mostCourses:
			return nil, steps
		case one.doubt == nil:
			courses = append(courses, next)
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
