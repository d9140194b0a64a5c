// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "fmt"

// Timeline is what happens to a partition up to the horizon.
type Timeline struct {
	// Events are in the order of their latest moments; Omitted ones are missing in their middle.
	Events  []Event
	Omitted int64
	// Opening are the events of the first twelve segments, and the first refused write,
	// none of them omitted: what sentences and charts tell.
	Opening []Event
	// FirstTs is the oldest record's own time in the first batch.
	FirstTs int64
	// FirstGone is when the first message of all can no longer be read.
	FirstGone Gone
	// WorstAge is the greatest age that a message reaches.
	WorstAge Age
	// PeakLocalBytes is the most that the segment files of one replica occupy, PeakRemoteBytes
	// the most in the remote tier; a bound if the phases are not known.
	PeakLocalBytes, PeakRemoteBytes int64
	// Books are the bytes at the horizon.
	Books Books
	// Decided is up to when the timeline tells; before the horizon only where too much depends
	// on when exactly brokers do their rounds.
	Decided int64
}

// Gone is the end of a message. What does not go by the horizon has Goes false.
type Gone struct {
	Goes bool
	Window
	// Ts is the message's own time; AgeMs is how old it is when it goes, at the latest.
	Ts, AgeMs int64
}

// Age is an age in milliseconds. AtLeast says that a message of this age is still there at the
// horizon, so that the true figure is this or more.
type Age struct {
	Ms      int64
	AtLeast bool
}

// Books are bytes of one replica at the horizon, everything as late as it may be. What is
// written is in the local tier, or only in the remote one, or gone.
type Books struct {
	Written, Local, RemoteOnly, Gone int64
}

// Simulate gives the exact course for known phases. The errors are [*ScenarioError] and [*TooLongError].
func Simulate(s Scenario) (Timeline, error) {
	s, err := s.normal()
	if err != nil {
		return Timeline{}, err
	}
	return Walk(s, nil)
}

// Walk is [Simulate] for long courses: it hands each event over in turn. With a nil visit it
// returns the events, otherwise none.
func Walk(s Scenario, visit func(Event)) (Timeline, error) {
	s, err := s.normal()
	if err != nil {
		return Timeline{}, err
	}
	if s.Apsara != nil {
		return walkApsara(&s, beat{s.Phases.Poll, s.Phases.Poll, s.Apsara.PollMs}, visit).outcome()
	}
	phases := box{
		check:  beat{s.Phases.Check, s.Phases.Check, s.CheckMs},
		copy:   beat{s.Phases.Copy, s.Phases.Copy, s.TaskMs},
		expire: beat{s.Phases.Expire, s.Phases.Expire, s.TaskMs},
	}
	if s.TieredFrom > s.Start {
		phases.copy.from, phases.copy.to = s.TieredFrom, s.TieredFrom
		phases.expire.from, phases.expire.to = s.TieredFrom, s.TieredFrom
	}
	only := walk(&s, phases, visit)
	if doubt := only.doubt; doubt != nil {
		return Timeline{}, fmt.Errorf("known phases leave no doubt, but whether a round due at %v comes by %d is in doubt: this is a bug", doubt.due, doubt.until)
	}
	return only.outcome()
}

// course is what came of following one: a timeline, unless it was in doubt or too long. It tells the steps that it took.
type course struct {
	timeline Timeline
	steps    int64
	doubt    *undecided
	tooLong  *TooLongError
}

// outcome is that of a course without doubt.
func (c course) outcome() (Timeline, error) {
	if c.tooLong != nil {
		return Timeline{}, c.tooLong
	}
	return c.timeline, nil
}

// walk follows one box of phases.
func walk(s *Scenario, phases box, visit func(Event)) course {
	kept := Ends{Max: s.MaxEvents}
	out := &sink{horizon: s.Horizon, visit: visit}
	if visit == nil {
		out.visit = kept.Add
	}
	e := newEngine(s, phases, out)
	doubt, tooLong := e.follow(never)
	c := course{steps: e.work.steps(), doubt: doubt, tooLong: tooLong}
	if doubt == nil && tooLong == nil {
		c.timeline = out.timeline(&kept)
	}
	return c
}

// timeline puts together what the sink has counted.
func (k *sink) timeline(kept *Ends) Timeline {
	t := Timeline{
		FirstTs: k.firstTs, FirstGone: k.firstGone, WorstAge: k.worst,
		PeakLocalBytes: k.peakLocal, PeakRemoteBytes: k.peakRemote,
		Books: Books{
			Written: k.written, Local: k.written - k.expired, RemoteOnly: k.remoteOnly,
			Gone: k.expired - k.remoteOnly,
		},
		Decided: k.horizon,
	}
	t.Events, t.Omitted = kept.Events()
	t.Opening = kept.opening
	return t
}
