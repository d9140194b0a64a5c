// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

// defaultCheckIntervalMs is log.retention.check.interval.ms where nobody set it
// (ServerLogConfigs.java, Apache Kafka 4.4).
const defaultCheckIntervalMs = 5 * minuteMs

// noLocalLimit: tiering that saves no local disk. Where copying is disabled -2 is
// what has to be there.
func (j *judge) noLocalLimit() {
	ms, bytes, ok := j.numbers(LocalRetentionMs, LocalRetentionBytes)
	if ok && j.copies() && ms == followTotal && bytes == followTotal && j.hears(RemoteStorageEnable, RemoteLogCopyDisable, LocalRetentionMs, LocalRetentionBytes) {
		j.say(Finding{Rule: RuleNoLocalLimit, Key: LocalRetentionMs, Other: LocalRetentionBytes})
	}
}

// defectsOfOldVersions: what tiering could not do at first.
func (j *judge) defectsOfOldVersions() {
	if !j.copies() || !j.Version.AtLeast(3, 6) || !j.Version.Before(3, 9) {
		return
	}
	for _, d := range dimensions {
		local, total, ok := j.numbers(d.local, d.total)
		if ok && local == followTotal && total >= 0 && j.hears(RemoteStorageEnable, d.local) {
			j.say(Finding{Rule: RuleFollowUnresolved, Key: d.local, Other: d.total, Near: text(j.mostLocal(total))})
		}
	}
	if j.Version.Before(3, 7) && j.hears(RemoteStorageEnable) {
		j.say(Finding{Rule: RuleIdleSegmentStays, Key: RemoteStorageEnable})
	}
}

// shortLocal: local limits that cannot do what they say.
func (j *judge) shortLocal() {
	if !j.copies() {
		return
	}
	interval := j.CheckIntervalMs
	if interval == 0 {
		interval = defaultCheckIntervalMs
	}
	rolls := !j.Version.Before(3, 7) // before, nothing but an append closed a segment
	if ms, ok := j.number(LocalRetentionMs); ok && rolls && ms >= 0 && ms < interval && j.hears(RemoteStorageEnable, LocalRetentionMs) {
		j.say(Finding{Rule: RuleLocalBelowCheck, Key: LocalRetentionMs, Near: text(interval), Number: interval})
	}
	local, segment, ok := j.numbers(LocalRetentionBytes, SegmentBytes)
	if !ok || local < 0 {
		return
	}
	near := text(segment)
	if rolls && local == 0 && j.hears(RemoteStorageEnable, LocalRetentionBytes) {
		j.say(Finding{Rule: RuleLocalBelowCheck, Key: LocalRetentionBytes, Other: SegmentBytes, Near: near, Number: segment})
	}
	if local < segment && j.hears(RemoteStorageEnable, LocalRetentionBytes, SegmentBytes) {
		j.say(Finding{Rule: RuleLocalBelowSegment, Key: LocalRetentionBytes, Other: SegmentBytes, Near: near, Number: segment})
	}
}

// unusedLocal: a local limit that lies in wait.
func (j *judge) unusedLocal() {
	for _, d := range dimensions {
		local, total, ok := j.numbers(d.local, d.total)
		above := local == noLimit || local > total || j.MSK && local == total
		if ok && j.untiered() && local != followTotal && total >= 0 && above && j.hears(RemoteStorageEnable, d.local, d.total) {
			j.say(Finding{Rule: RuleLocalUnused, Key: d.local, Other: d.total, Near: text(j.mostLocal(total))})
		}
	}
}

// endlessRemote: a remote tier that only grows.
func (j *judge) endlessRemote() {
	ms, bytes, ok := j.numbers(RetentionMs, RetentionBytes)
	if ok && j.copies() && ms < 0 && bytes < 0 && j.hears(RemoteStorageEnable, RemoteLogCopyDisable, RetentionMs, RetentionBytes) {
		j.say(Finding{Rule: RuleRemoteUnbounded, Key: RetentionMs, Other: RetentionBytes})
	}
}
