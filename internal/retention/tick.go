// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// span is a moment that is known up to a first and a last possibility. A moment
// that is known is a span of one; what never happens is never at both ends.
type span struct{ lo, hi int64 }

func point(t int64) span { return span{t, t} }

func (s span) plus(ms int64) span { return span{plus(s.lo, ms), plus(s.hi, ms)} }

// later and earlier compare moments that depend on each other in no way, or rise
// together: then both ends compare on their own.
func later(a, b span) span   { return span{max(a.lo, b.lo), max(a.hi, b.hi)} }
func earlier(a, b span) span { return span{min(a.lo, b.lo), min(a.hi, b.hi)} }

// hull holds what either may be.
func hull(a, b span) span { return span{min(a.lo, b.lo), max(a.hi, b.hi)} }

func (s span) window() Window { return Window{s.lo, s.hi} }

// beat is something periodic: its first moment is one of [from, to], and each next one
// comes every ms later.
type beat struct{ from, to, every int64 }

// any is a beat of which only the period is known. It is running already at the
// start: so its first moment falls into the first period.
func anyBeat(start, every int64) beat { return beat{start, start + every - 1, every} }

// first is when the beat comes at or after the moment due, for every beat that is
// possible and every moment that due may be.
func (b beat) first(due span) span {
	return span{b.soonest(due.lo), b.latest(due.hi)}
}

// soonest is the first possible moment of the beat from due on.
func (b beat) soonest(due int64) int64 {
	switch {
	case due == never:
		return never
	case due <= b.from:
		return b.from
	case due <= b.to || b.inside(due) >= 0:
		return due
	}
	return b.next(b.from, due)
}

// latest is the last moment by which the beat has come once after due.
func (b beat) latest(due int64) int64 {
	if due == never {
		return never
	}
	last := b.next(b.to, due)
	// Just behind a beat that comes at due, or just before it, lies the longest wait.
	if at := b.inside(due); at > b.from {
		last = max(last, b.next(at-1, due))
	}
	return last
}

// next is when a beat that begins at first comes at or after due.
func (b beat) next(first, due int64) int64 {
	switch {
	case due <= first:
		return first
	case due > never-b.every: // no horizon reaches that far
		return never
	}
	missed := (due - first + b.every - 1) / b.every
	return plus(first, missed*b.every)
}

// inside returns the last first moment, if there is one, from which the beat comes exactly
// at t; -1 if none.
func (b beat) inside(t int64) int64 {
	last := min(b.to, t)
	if last < b.from {
		return -1
	}
	at := last - ((last-t)%b.every+b.every)%b.every
	if at < b.from {
		return -1
	}
	return at
}

// split cuts the beat in two where first moments begin from which it comes at t;
// false where there is nothing to cut.
func (b beat) split(t int64) (before, after beat, ok bool) {
	if t == never {
		return b, b, false
	}
	at := b.to - ((b.to-t)%b.every+b.every)%b.every
	if at <= b.from {
		return b, b, false
	}
	return beat{b.from, at - 1, b.every}, beat{at, b.to, b.every}, true
}
