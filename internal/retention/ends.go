// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "slices"

// Ends keeps the first and the last events of a long row: half of Max each. The zero
// value keeps all. What sentences and charts are made of it keeps in any case.
type Ends struct {
	// Max is how many events are kept; 0 is all.
	Max int

	head, tail []Event
	next       int // where the oldest event of a full tail stands
	seen       int64
	opening    []Event
	refused    bool // the opening has a refused write
}

// Add takes the next event.
func (e *Ends) Add(event Event) {
	e.seen++
	e.open(event)
	half := e.Max - e.Max/2
	switch {
	case e.Max == 0 || len(e.head) < half:
		e.head = append(e.head, event)
	case len(e.tail) < e.Max-half:
		e.tail = append(e.tail, event)
	case len(e.tail) > 0:
		e.tail[e.next] = event
		e.next = (e.next + 1) % len(e.tail)
	}
}

// open keeps the whole lives of the first segments, and the first refused write.
func (e *Ends) open(event Event) {
	switch {
	case event.Kind == WriteRefused && e.refused:
	case event.Kind == WriteRefused:
		e.refused = true
		e.opening = append(e.opening, event)
	case event.Segment < mostBars:
		e.opening = append(e.opening, event)
	}
}

// Events returns what is kept, in order, and how many events between the halves are not.
func (e *Ends) Events() (events []Event, omitted int64) {
	events = slices.Concat(e.head, e.tail[e.next:], e.tail[:e.next])
	return events, e.seen - int64(len(events))
}
