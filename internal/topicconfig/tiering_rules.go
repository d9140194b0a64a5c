// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import "math"

const (
	// LeastSegmentBytes is the least segment.bytes from 4.1 on (LogConfig.java, Apache Kafka 4.1).
	LeastSegmentBytes = 1 << 20
	leastSegmentEver  = 14 // before (LogConfig.java, Apache Kafka 4.0)
	timeEntryBytes    = 12 // TimeIndex.java, Apache Kafka 4.4
	mostIndexBytes    = math.MaxInt32
)

// system: the cluster's own switch.
func (j *judge) system() {
	switch {
	case !j.tiered():
	case j.System == SupportOff && j.hears(TieredKeys()...):
		j.refuse(Finding{Rule: RuleSystemOff, Key: RemoteStorageEnable})
	case j.System == SupportUnknown && j.hears(RemoteStorageEnable) && !j.was():
		j.say(Finding{Rule: RuleSystemUnknown, Key: RemoteStorageEnable})
	}
}

// policy: what is compacted cannot be tiered.
func (j *judge) policy() {
	policy, ok := j.cleanup()
	if !ok || !j.tiered() || !j.hears(RemoteStorageEnable, CleanupPolicy) {
		return
	}
	finding := Finding{Key: CleanupPolicy, Other: RemoteStorageEnable, Near: "delete"}
	switch {
	case policy.Compact:
		finding.Rule = RuleTieredCompact
		j.refuse(finding)
	case !policy.Delete:
		finding.Rule = RuleTieredEmptyPolicy
		finding.Refused = j.Version.AtLeast(4, 1) && j.Version.Before(4, 2)
		j.say(finding)
	}
}

// versions: a key that this version does not know.
func (j *judge) versions() {
	for _, key := range []string{RemoteLogCopyDisable, RemoteLogDeleteOnDisable, RemoteCopyLagMs, RemoteCopyLagBytes} {
		since := KeySince(key)
		if key == RemoteLogDeleteOnDisable && !j.MSK && j.was() && j.untiered() {
			continue // [RuleCannotDisable] speaks, and says what the key is for
		}
		if j.overrides(key) && j.hears(key) && !j.unknown(key) && j.Version.Before(since.Major, since.Minor) {
			j.refuse(Finding{Rule: RuleKeyTooNew, Key: key})
		}
	}
}

// segmentSize: the smallest segment that this version takes. Where Amazon MSK asks
// for more, its own rule speaks.
func (j *judge) segmentSize() {
	segment, ok := j.raw(SegmentBytes)
	if !ok || segment >= LeastSegmentBytes || !j.hears(SegmentBytes) || j.MSK && j.tiered() {
		return
	}
	finding := Finding{Rule: RuleSegmentTooSmall, Key: SegmentBytes, Near: text(LeastSegmentBytes)}
	switch {
	case j.Version.AtLeast(4, 1):
		j.refuse(finding)
	case segment < leastSegmentEver:
		if j.Version.Before(4, 0) {
			finding.Near = text(leastSegmentEver)
		}
		j.refuse(finding)
	case j.Version.AtLeast(4, 0):
		j.say(finding)
	}
}

// indexSize: an index that cannot hold a single entry.
func (j *judge) indexSize() {
	index, ok := j.raw(SegmentIndexBytes)
	if !ok || index >= timeEntryBytes || !j.hears(SegmentIndexBytes) {
		return
	}
	near, ok := j.roomyIndex()
	if !ok {
		near = timeEntryBytes
	}
	j.refuse(Finding{Rule: RuleIndexTooSmall, ByChoice: true, Key: SegmentIndexBytes, Near: text(near)})
}

// localLimits: local retention against the total.
func (j *judge) localLimits() {
	for _, d := range dimensions {
		local, total, ok := j.numbers(d.local, d.total)
		if !ok || !j.tiered() || total < 0 || local == followTotal || !j.hears(RemoteStorageEnable, d.local, d.total) {
			continue
		}
		finding := Finding{Key: d.local, Other: d.total}
		switch {
		case local == noLimit:
			finding.Rule = RuleLocalUnlimited
			finding.Near = text(followTotal)
		case j.MSK && local >= total:
			finding.Rule = RuleLocalNotBelowTotal
			finding.Near = text(j.mostLocal(total))
		case local > total:
			finding.Rule = RuleLocalAboveTotal
			finding.Near = text(total)
		default:
			continue
		}
		if j.blames(d.total, d.local, RemoteStorageEnable, RemoteLogCopyDisable) {
			finding.Key, finding.Other = d.total, d.local
			finding.Near = text(j.leastTotal(d, local))
		}
		j.refuse(finding)
	}
}

// mostLocal is the largest local limit beside a total that is a limit, or -2.
func (j *judge) mostLocal(total int64) int64 {
	switch {
	case !j.MSK:
		return total
	case total == 0 || j.stopped():
		return followTotal
	}
	return total - 1
}

// leastTotal is the smallest total that lets a local limit be; -1 beside one without end.
func (j *judge) leastTotal(d dimension, local int64) int64 {
	switch {
	case local < 0 || j.MSK && local == math.MaxInt64:
		return noLimit
	case j.MSK && d.total == RetentionMs:
		return max(local+1, mskLeastRetentionMs)
	case j.MSK:
		return local + 1
	}
	return local
}

// copyDisabled: local retention of a topic that copies no more is the total, as a
// broker compares it: number by number.
func (j *judge) copyDisabled() {
	if !j.stopped() || j.Version.Before(3, 9) {
		return
	}
	for _, d := range dimensions {
		local, total, ok := j.numbers(d.local, d.total)
		if !ok || local == followTotal || local == total || !j.hears(RemoteStorageEnable, RemoteLogCopyDisable, d.local, d.total) {
			continue
		}
		finding := Finding{Rule: RuleCopyDisabledLocal, Key: d.local, Other: d.total, Near: text(followTotal)}
		if j.blames(d.total, d.local, RemoteStorageEnable, RemoteLogCopyDisable) {
			finding.Key, finding.Other, finding.Near = d.total, d.local, text(local)
		}
		j.refuse(finding)
	}
}

// copyLags: a segment has to be copied before it may go.
func (j *judge) copyLags() {
	if !j.tiered() || j.Version.Before(4, 4) {
		return
	}
	for _, d := range dimensions {
		lag, ok := j.number(d.lag)
		limit, limitKey, okLimit := j.localLimit(d)
		if !ok || !okLimit || limit < 0 || lag <= limit || !j.hears(RemoteStorageEnable, d.lag, d.local, d.total) {
			continue
		}
		j.refuse(Finding{Rule: RuleCopyLagAboveLocal, Key: d.lag, Other: limitKey, Near: text(limit)})
	}
}

// localLimit is the local limit that counts with -2 resolved, and its key; a negative one is none.
func (j *judge) localLimit(d dimension) (limit int64, key string, ok bool) {
	local, total, ok := j.numbers(d.local, d.total)
	if local == followTotal {
		return total, d.total, ok
	}
	return local, d.local, ok
}
