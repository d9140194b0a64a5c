// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// segment is one segment of the partition, with what is known of its life so far.
type segment struct {
	number, base, end int64 // end is the offset behind the last one
	bytes             int64
	through           int64 // bytes accepted up to and with its last one
	records           int64 // batches in it

	first      int64 // largest timestamp of its first batch: segment.ms counts from here
	newest     int64 // maxTs: its largest timestamp
	oldest     int64 // its smallest timestamp
	lastAppend int64
	entries    indexes

	closed  span
	byCheck bool // the check closed it
	// overLocal, overTotal and overLag are when the data behind it reaches
	// local.retention.bytes, retention.bytes and remote.copy.lag.bytes: never, as long as it has not.
	overLocal, overTotal, overLag int64

	copied span
	remote span // when the remote tier has it no more
}

// empty says that nothing is in it.
func (s *segment) empty() bool { return s.bytes == 0 }

// indexes counts the entries in a segment's two index files (LogSegment.append and
// TimeIndex.maybeAppend, Apache Kafka 4.4): one of each in front of an append that finds more than
// index.interval.bytes written since the last one, but none in the time index while the
// segment's largest timestamp stays the same.
type indexes struct {
	sinceEntry    int64
	offsets       int64
	times         int64
	lastTimestamp int64
}

func (x *indexes) append(bytes, newest, interval int64) {
	if x.sinceEntry > interval {
		x.offsets++
		if x.times == 0 || newest > x.lastTimestamp {
			x.times, x.lastTimestamp = x.times+1, newest
		}
		x.sinceEntry = 0
	}
	x.sinceEntry = plus(x.sinceEntry, bytes)
}

// An entry takes 8 bytes in the offset index and 12 in the time index, which counts as full
// with one entry to go (AbstractIndex, OffsetIndex and TimeIndex.isFull, Apache Kafka 4.4).
func offsetEntries(indexBytes int64) int64 { return indexBytes / 8 }
func timeEntries(indexBytes int64) int64   { return max(0, indexBytes/12-1) }

// full says that either index takes no further entry.
func (x *indexes) full(indexBytes int64) bool {
	return x.offsets >= offsetEntries(indexBytes) || x.times >= timeEntries(indexBytes)
}

// over is a line of segments that wait until the data behind them reaches a limit.
type over struct {
	limit   Limit
	waiting []*segment
	mark    func(s *segment, t int64)
}

// add lines up a segment that has closed.
func (o *over) add(s *segment) {
	if o.limit.bounded {
		o.waiting = append(o.waiting, s)
	}
}

// appended tells the line of n batches of the same size, of which the first is batch k
// of the source. A check at the moment of an append comes before it, so the limit counts as
// reached one millisecond later.
func (o *over) appended(src *source, before, k, n, bytes int64) {
	for len(o.waiting) > 0 {
		front := o.waiting[0]
		missing := plus(front.through, o.limit.amount) - before
		if missing > n*bytes {
			return
		}
		o.waiting = o.waiting[1:]
		at := front.lastAppend
		if missing > 0 {
			at = src.at(k + (missing-1)/bytes)
		}
		o.mark(front, at+1)
	}
}
