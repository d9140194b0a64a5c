// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import "math"

// yearMs is what a clock is never wrong by.
const yearMs = 365 * 24 * hourMs

// slowSegments: segments that stay open for longer than records are to live.
func (j *judge) slowSegments() {
	policy, ok := j.cleanup()
	span, okSpan := j.number(SegmentMs)
	if !ok || !okSpan || !policy.Delete && !j.tiered() || !j.hears(RemoteStorageEnable, RemoteLogCopyDisable, SegmentMs, SegmentBytes, LocalRetentionMs, RetentionMs, CleanupPolicy, Throughput) {
		return
	}
	limit, key, ok := j.timeLimit()
	if !ok || limit < 0 {
		return
	}
	if fill, known := j.fillMs(); known && fill < span {
		if fill > limit { // it closes by size first, and that is late as well
			j.say(Finding{Rule: RuleSegmentOutlivesLimit, Key: SegmentBytes, Other: key, Near: j.filledWithin(limit), Number: fill - limit})
		}
		return
	}
	if span <= limit {
		return
	}
	finding := Finding{Rule: RuleSegmentOutlivesLimit, Key: SegmentMs, Other: key, Number: span - limit}
	if limit >= limits[SegmentMs].Least {
		finding.Near = text(limit)
	}
	j.say(finding)
}

// unfilledSegments: segments that a slow partition never fills, so that only
// segment.ms closes them, and only when one more record comes.
func (j *judge) unfilledSegments() {
	fill, known := j.fillMs()
	span, ok := j.number(SegmentMs)
	if known && ok && fill > span && j.hears(SegmentBytes, SegmentMs, Throughput) {
		j.say(Finding{Rule: RuleSegmentNeverFills, Key: SegmentBytes, Other: SegmentMs, Near: j.filledWithin(span), Number: fill})
	}
}

// fillMs is how long a partition takes to fill a segment, in milliseconds, rounded
// up; false where its rate is not known.
func (j *judge) fillMs() (int64, bool) {
	segment, ok := j.number(SegmentBytes)
	rate := j.change.BytesPerSecond
	if !ok || rate < 1 {
		return 0, false
	}
	return (segment*1000 + rate - 1) / rate, true // segment.bytes is an int, so this is below 2^43
}

// filledWithin is the segment.bytes that a partition fills within a time; empty where
// that would be smaller than every version takes.
func (j *judge) filledWithin(ms int64) string {
	if ms > math.MaxInt64/j.change.BytesPerSecond {
		return ""
	}
	if bytes := ms * j.change.BytesPerSecond / 1000; bytes >= LeastSegmentBytes && bytes <= math.MaxInt32 {
		return text(bytes)
	}
	return ""
}

// timeLimit is the limit by time that local data has, and its key.
func (j *judge) timeLimit() (limit int64, key string, ok bool) {
	switch {
	case j.copies():
		return j.localLimit(dimensions[0])
	case j.untiered() || j.stopped():
		limit, ok = j.number(RetentionMs)
		return limit, RetentionMs, ok
	}
	return 0, "", false
}

// largeMessages: batches that fit no segment.
func (j *judge) largeMessages() {
	message, segment, ok := j.numbers(MaxMessageBytes, SegmentBytes)
	if ok && message > segment && j.hears(MaxMessageBytes, SegmentBytes) {
		j.say(Finding{Rule: RuleMessageAboveSegment, Key: MaxMessageBytes, Other: SegmentBytes, Near: text(segment), Number: segment})
	}
}

// smallTotal: a limit that one open segment is above.
func (j *judge) smallTotal() {
	policy, ok := j.cleanup()
	total, segment, okSizes := j.numbers(RetentionBytes, SegmentBytes)
	if ok && okSizes && policy.Delete && total >= 0 && total < segment && j.hears(RetentionBytes, SegmentBytes, CleanupPolicy) {
		j.say(Finding{Rule: RuleTotalBelowSegment, Key: RetentionBytes, Other: SegmentBytes, Near: text(segment), Number: total + segment - 1})
	}
}

// futureTimestamps: producers that may date records into the far future. A topic
// on a broker before 4.0 has no bound here unless somebody sets one.
func (j *judge) futureTimestamps() {
	ahead, ok := j.number(MessageTimestampAfterMaxMs)
	stamp, has := j.change.After[MessageTimestampType]
	if !ok || !has || ahead <= yearMs || j.unknown(MessageTimestampType) || !Equal(MessageTimestampType, stamp, "CreateTime") {
		return
	}
	policy, okPolicy := j.cleanup()
	total, okTotal := j.number(RetentionMs)
	bounded := okPolicy && okTotal && policy.Delete && total >= 0
	if (j.tiered() || bounded) && j.hears(RemoteStorageEnable, MessageTimestampAfterMaxMs, MessageTimestampType) {
		spec, _ := SpecOf(MessageTimestampAfterMaxMs)
		j.say(Finding{Rule: RuleFutureTimestamps, Key: MessageTimestampAfterMaxMs, Other: MessageTimestampType, Near: spec.Default, Number: ahead})
	}
}

// fullIndex: segments that close because their time index is full. It takes one
// entry for more than index.interval.bytes and keeps one slot back.
func (j *judge) fullIndex() {
	index, ok := j.number(SegmentIndexBytes)
	segment, interval, okSizes := j.numbers(SegmentBytes, IndexIntervalBytes)
	if !ok || !okSizes || index < timeEntryBytes || interval < 0 || !j.hears(SegmentIndexBytes, IndexIntervalBytes, SegmentBytes) {
		return
	}
	holds := (index/timeEntryBytes - 1) * (interval + 1) // below 2^59: both are ints
	if holds >= segment {
		return
	}
	finding := Finding{Rule: RuleIndexEndsSegment, Key: SegmentIndexBytes, Other: SegmentBytes, Number: holds}
	if near, ok := j.roomyIndex(); ok {
		finding.Near = text(near)
	}
	j.say(finding)
}

// roomyIndex is the smallest index that does not close a segment early; false where
// no index is large enough, or the sizes cannot be read.
func (j *judge) roomyIndex() (int64, bool) {
	segment, interval, ok := j.numbers(SegmentBytes, IndexIntervalBytes)
	if !ok || segment < 1 || interval < 0 {
		return 0, false
	}
	entries := (segment + interval) / (interval + 1) // rounded up
	index := timeEntryBytes * (entries + 1)
	return index, index <= mostIndexBytes
}
