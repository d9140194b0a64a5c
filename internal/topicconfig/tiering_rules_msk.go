// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

// What tiered topics of Amazon MSK have at least (MSK Developer Guide, topic-level
// configuration of tiered storage): 48 MiB, 10 minutes, 3 days.
const (
	mskLeastSegmentBytes = 48 << 20
	mskLeastSegmentMs    = 10 * minuteMs
	mskLeastRetentionMs  = 3 * 24 * hourMs
)

// mskSizes: segments that are worth a remote object.
func (j *judge) mskSizes() {
	if !j.MSK || !j.tiered() {
		return
	}
	for _, least := range []struct {
		rule Rule
		key  string
		n    int64
	}{
		{RuleMSKSegmentTooSmall, SegmentBytes, mskLeastSegmentBytes},
		{RuleMSKSegmentTooShort, SegmentMs, mskLeastSegmentMs},
	} {
		if n, ok := j.raw(least.key); ok && n < least.n && j.hears(RemoteStorageEnable, least.key) {
			j.refuse(Finding{Rule: least.rule, Key: least.key, Near: text(least.n)})
		}
	}
}

// mskRetention: retention.ms stands on the topic itself and is long enough.
func (j *judge) mskRetention() {
	if !j.MSK || !j.tiered() || j.unknown(RetentionMs) || !j.hears(RemoteStorageEnable, RetentionMs) {
		return
	}
	total, ok := j.number(RetentionMs)
	short := ok && total >= 0 && total < mskLeastRetentionMs
	finding := Finding{Key: RetentionMs}
	switch {
	case short:
		finding.Near = text(mskLeastRetentionMs)
	case ok:
		finding.Near = text(total)
	}
	switch {
	case !j.overrides(RetentionMs):
		finding.Rule = RuleMSKRetentionInherited
		j.refuse(finding)
	case short:
		finding.Rule = RuleMSKRetentionTooShort
		j.refuse(finding)
	}
}

// mskPolicy: cleanup.policy stays as it was. That a tiered topic cannot be compacted is
// another rule, which is the one to speak then.
func (j *judge) mskPolicy() {
	policy, ok := j.cleanup()
	before, had := j.change.Before[CleanupPolicy]
	if !j.MSK || !ok || !had || !j.was() || policy.Compact && j.tiered() || !j.hears(CleanupPolicy) {
		return
	}
	if !Equal(CleanupPolicy, before, j.change.After[CleanupPolicy]) {
		j.refuse(Finding{Rule: RuleMSKPolicyFixed, Key: CleanupPolicy, Near: before})
	}
}

// mskAgain: off once is off for ever.
func (j *judge) mskAgain() {
	if j.MSK && j.change.WasDisabled && j.tiered() && !j.was() && j.hears(RemoteStorageEnable) {
		j.refuse(Finding{Rule: RuleMSKDisabledForEver, Key: RemoteStorageEnable, Other: MSKDisablePolicy, Near: "false"})
	}
}
