// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "fmt"

// MostSteps is how much work a course may be, unless [Scenario].MaxSteps says less: room for ten years at a thousand
// segments a day. MostHeld is how many segments it may hold at once, unless MaxHeld says less: some 200 MB of memory.
const (
	MostSteps = 10_000_000
	MostHeld  = 1_000_000
)

// Load is what a course consists of.
type Load string

// The loads: what takes a step to follow.
const (
	// Segments are opened, and looked at again while they wait.
	Segments Load = "segments"
	// Batches are appended one by one, where each may change what happens.
	Batches Load = "batches"
	// Rounds are those in which ApsaraMQ looks at its disk.
	Rounds Load = "rounds"
)

// TooLongError says that a course up to the horizon is more work than a timeline may be. The work is counted, since this
// room reads no clock.
type TooLongError struct {
	// Load is what there is most of.
	Load Load
	// Holds is about how much of it there is up to the horizon (2^63-1 is that much or more), Most is how much of it
	// was followed when the bound was reached; or, where Held says so, how many segments may be there at once.
	Holds, Most int64
	Held        bool
	// FitsMs is the longest horizon, counted from the start, that can be followed; below 1 there is none.
	FitsMs int64
}

// Error says how much it is, and how much is followed.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("the horizon holds about %d %s, of which at most %d are followed: up to %d ms", e.Holds, e.Load, e.Most, e.FitsMs)
}

// work counts the steps of a course. What follows of a segment later (copy, expiry, purge) belongs to its step, because it
// happens to it once.
type work struct {
	most, mostHeld           int64
	segments, batches, looks int64 // looks at segments that wait, beyond the first of each stage, and at outages in their way
	rounds                   int64
}

func (w *work) steps() int64 { return w.segments + w.batches + w.looks + w.rounds }

// spent says that no batch more may be followed, while so many closed segments are not gone.
func (w *work) spent(held int) bool { return w.steps() >= w.most || w.holdsAll(held) }

func (w *work) holdsAll(held int) bool { return int64(held) >= w.mostHeld }

// tooLong is a course that can be followed only up to before a moment, when the batches up to next have been written, and
// so many closed segments are not gone. Up to there it takes the very same steps if the horizon ends there.
func (w *work) tooLong(s *Scenario, before, next int64, src *source, held int) *TooLongError {
	e := &TooLongError{Load: Segments, Most: w.segments, FitsMs: before - 1 - s.Start}
	done, all := max(1, next), src.count
	switch {
	case w.holdsAll(held):
		e.Held = true
	case w.rounds > w.segments+w.batches:
		e.Load, e.Most = Rounds, w.rounds
		done, all = max(1, before-s.Start), s.Horizon-s.Start
	case w.batches/2 > w.segments:
		e.Load, e.Most = Batches, w.batches
	}
	e.Holds = max(e.Most, mulDiv(e.Most, all, done, 1))
	if e.Held {
		e.Most = w.mostHeld
	}
	return e
}
