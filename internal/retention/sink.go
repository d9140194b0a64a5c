// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// The order of what happens in the same millisecond.
const (
	rankPurge = iota
	rankRemote
	rankCopy
	rankCopied
	rankCheck // a roll by the check, and the segment that it opens
	rankLocal
	rankAppend // a roll by an append, and the segment that it opens
)

func rolls(byCheck bool) int {
	if byCheck {
		return rankCheck
	}
	return rankAppend
}

// sink puts events in order and counts what the partition occupies.
//
// Events come out by their latest moment, and the bytes beside them are those of the course
// in which everything is as late as it may be: for the local tier that is the most there can
// be. What the remote tier holds at most is counted apart (copied as early, removed as
// late as possible).
type sink struct {
	horizon int64
	visit   func(Event)
	heap    []place
	slots   []Event
	free    []int32
	count   int64

	purged, remote        int64
	expired               int64 // bytes no longer readable locally
	remoteOnly            int64
	localTo, remoteTo     int64 // segments below these numbers are out of the tier
	peakLocal, peakRemote int64
	enters, leaves        changes
	mayRemote             int64
	sawFirst              bool
	firstTs, firstSegment int64
	firstGone             Gone
	worst                 Age
	written               int64
}

// writes tells how many bytes have been accepted by a moment.
type writes interface{ appended(t int64) int64 }

// place is where an event that waits stands: in the order of its latest moment, and of its rank and its turn in the same
// millisecond. The events lie apart, since much is moved in a heap while a million of them wait for a round.
type place struct {
	latest, order int64
	slot          int32
}

const rankShift = 56

func (p *place) rank() int { return int(p.order >> rankShift) }

// change is a possible change of what the remote tier holds.
type change struct{ at, bytes int64 }

// changes is a queue that uses its memory again.
type changes struct {
	items []change
	head  int
}

func (c *changes) empty() bool   { return c.head == len(c.items) }
func (c *changes) front() change { return c.items[c.head] }

func (c *changes) push(next change) {
	if c.head > 32 && c.head > len(c.items)/2 {
		c.items = c.items[:copy(c.items, c.items[c.head:])]
		c.head = 0
	}
	c.items = append(c.items, next)
}

func (c *changes) pop() change {
	c.head++
	return c.items[c.head-1]
}

func (p *place) before(other *place) bool {
	return p.latest < other.latest || p.latest == other.latest && p.order < other.order
}

// add takes an event that is settled.
func (k *sink) add(event Event, rank int) {
	if event.Earliest > k.horizon {
		return
	}
	if event.Latest > k.horizon {
		event.Maybe = true
	}
	k.count++
	k.heap = append(k.heap, place{event.Latest, int64(rank)<<rankShift | k.count, k.slot(&event)})
	for i := len(k.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !k.heap[i].before(&k.heap[parent]) {
			break
		}
		k.heap[i], k.heap[parent] = k.heap[parent], k.heap[i]
		i = parent
	}
}

// slot puts an event where it waits.
func (k *sink) slot(event *Event) int32 {
	if last := len(k.free) - 1; last >= 0 {
		slot := k.free[last]
		k.free, k.slots[slot] = k.free[:last], *event
		return slot
	}
	k.slots = append(k.slots, *event)
	return int32(len(k.slots) - 1)
}

// flush lets out everything that nothing can come before: whatever is added from now
// on happens after the moment now, or at it.
func (k *sink) flush(now int64, src writes) {
	for len(k.heap) > 0 && (k.heap[0].latest < now || now == never) {
		first := k.heap[0]
		k.pop()
		event := &k.slots[first.slot]
		k.settle(event, first.rank(), src)
		if k.visit != nil {
			k.visit(*event)
		}
		k.free = append(k.free, first.slot)
	}
	for !k.enters.empty() && (k.enters.front().at < now || now == never) {
		enter := k.enters.pop()
		for !k.leaves.empty() && k.leaves.front().at <= enter.at {
			k.mayRemote -= k.leaves.pop().bytes
		}
		if enter.at <= k.horizon {
			k.mayRemote += enter.bytes
			k.peakRemote = max(k.peakRemote, k.mayRemote)
		}
	}
}

func (k *sink) pop() {
	last := len(k.heap) - 1
	k.heap[0] = k.heap[last]
	k.heap = k.heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return
		}
		if child+1 < last && k.heap[child+1].before(&k.heap[child]) {
			child++
		}
		if !k.heap[child].before(&k.heap[i]) {
			return
		}
		k.heap[i], k.heap[child] = k.heap[child], k.heap[i]
		i = child
	}
}

// settle brings the bytes up to one event and writes them into it.
func (k *sink) settle(event *Event, rank int, src writes) {
	until := event.Latest
	if rank < rankAppend {
		until--
	}
	appended := src.appended(min(until, k.horizon))
	k.peakLocal = max(k.peakLocal, appended-k.purged)
	if event.Latest <= k.horizon {
		k.move(event)
	}
	event.LocalBytes, event.RemoteBytes = appended-k.purged, k.remote
}

// move moves a segment's bytes.
func (k *sink) move(event *Event) {
	switch {
	case event.Kind == Purged:
		k.purged += event.Bytes
	case event.Kind == Copied:
		k.remote += event.Bytes
	case event.Kind == Expired && event.Tier == RemoteTier:
		k.remote -= event.Bytes
		k.remoteTo = event.Segment + 1
		if event.Segment < k.localTo {
			k.remoteOnly -= event.Bytes
		}
	case event.Kind == Expired:
		k.expired += event.Bytes
		k.localTo = event.Segment + 1
		if event.inRemote && event.Segment >= k.remoteTo {
			k.remoteOnly += event.Bytes
		}
	}
}

// entersRemote and leavesRemote tell when a segment may be in the remote tier.
func (k *sink) entersRemote(s *segment, copied span) {
	k.enters.push(change{copied.lo, s.bytes})
}

func (k *sink) leavesRemote(s *segment, removed span) {
	k.leaves.push(change{removed.hi, s.bytes})
	k.gone(s, removed)
}

// wrote notes the first message of all.
func (k *sink) wrote(s *segment) {
	if !k.sawFirst {
		k.sawFirst, k.firstTs, k.firstSegment = true, s.oldest, s.number
	}
}

// gone notes that a segment's messages can no longer be read.
func (k *sink) gone(s *segment, when span) {
	if s.empty() {
		return
	}
	if when.lo <= k.horizon && when.hi < never && s.number == k.firstSegment {
		k.firstGone = Gone{Goes: true, Window: when.window(), Ts: k.firstTs, AgeMs: when.hi - k.firstTs}
	}
	if when.hi > k.horizon {
		k.stays(s)
		return
	}
	if age := when.hi - s.oldest; age > k.worst.Ms || !k.worst.AtLeast && age == k.worst.Ms {
		k.worst = Age{Ms: age}
	}
}

// stays notes that a segment is still there at the horizon.
func (k *sink) stays(s *segment) {
	if s.empty() {
		return
	}
	if age := k.horizon - s.oldest; age > k.worst.Ms {
		k.worst = Age{Ms: age, AtLeast: true}
	}
}

// finish lets the rest out and closes the books.
func (k *sink) finish(src writes) {
	k.flush(never, src)
	k.written = src.appended(k.horizon)
	k.peakLocal = max(k.peakLocal, k.written-k.purged)
}
