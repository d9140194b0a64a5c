// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

// Rule names one rule of [Tiering.Judge].
type Rule string

// Rules whose findings refuse a change, with one exception each where it says so.
// Where no other source is named it is the topic validation of LogConfig.java, Apache
// Kafka 4.4, which controllers run over their own defaults and the topic's overrides.
const (
	// RuleSystemOff: no topic can be tiered where remote.log.storage.system.enable is off.
	RuleSystemOff Rule = "system_off"
	// RuleSystemUnknown is advice: whether the cluster tiers at all could not be read.
	RuleSystemUnknown Rule = "system_unknown"
	// RuleTieredCompact: a tiered topic cannot be compacted, not even beside delete.
	RuleTieredCompact Rule = "tiered_compact"
	// RuleTieredEmptyPolicy: 4.1 refuses an empty cleanup.policy on a tiered topic.
	// For other versions it is advice: from 4.2 on such a topic keeps its remote
	// data for ever (KIP-1161), before 4.1 the meaning is not documented.
	RuleTieredEmptyPolicy Rule = "tiered_empty_policy"
	// RuleSegmentTooSmall: segment.bytes is at least 1048576 from 4.1 on and at least
	// 14 before. For 4.0 it is advice from 1048576 down, as its upgrade notes announce
	// the bound and its brokers do not keep it. Untiered topics too.
	RuleSegmentTooSmall Rule = "segment_too_small"
	// RuleLocalUnlimited: local retention cannot be unlimited (-1) where the total is limited.
	RuleLocalUnlimited Rule = "local_unlimited"
	// RuleLocalAboveTotal: local retention cannot be above the total; equal is allowed.
	RuleLocalAboveTotal Rule = "local_above_total"
	// RuleLocalNotBelowTotal: on Amazon MSK local retention that is set must be below
	// the total (MSK Developer Guide, topic-level configuration of tiered storage).
	RuleLocalNotBelowTotal Rule = "local_not_below_total"
	// RuleCopyDisabledLocal: while copying is disabled, local retention is the total:
	// the same number, or -2. From 3.9 on (KIP-950).
	RuleCopyDisabledLocal Rule = "copy_disabled_local"
	// RuleKeyTooNew: the key came with a later version; [KeySince] says with which.
	RuleKeyTooNew Rule = "key_too_new"
	// RuleCopyLagAboveLocal: a positive copy lag cannot be above the local limit that
	// holds (KIP-1241). From 4.4 on.
	RuleCopyLagAboveLocal Rule = "copy_lag_above_local"
	// RuleDisableKeepsRemote: tiering cannot be switched off while its data is to stay.
	// Kafka before 3.9 takes it and leaves the data behind, so there it is our choice;
	// so it is where the flag that deletes stands on the topic from before.
	// Number is the span in milliseconds, and Bytes the bytes of a partition, that
	// only the remote tier holds by the settings before the change.
	RuleDisableKeepsRemote Rule = "disable_keeps_remote"
	// RuleCannotDisable: Kafka before 3.9 has no way to switch tiering off and delete
	// what is remote (KIP-950). By our choice; Number and Bytes as in [RuleDisableKeepsRemote].
	RuleCannotDisable Rule = "cannot_disable"
	// RuleMSKSegmentTooSmall: segment.bytes is at least 50331648 on tiered topics of
	// Amazon MSK. This and the next four: MSK Developer Guide, tiered storage and its
	// topic-level configuration.
	RuleMSKSegmentTooSmall Rule = "msk_segment_too_small"
	// RuleMSKSegmentTooShort: segment.ms is at least 600000 there.
	RuleMSKSegmentTooShort Rule = "msk_segment_too_short"
	// RuleMSKRetentionTooShort: retention.ms is at least 259200000 there, or -1.
	RuleMSKRetentionTooShort Rule = "msk_retention_too_short"
	// RuleMSKRetentionInherited: retention.ms has to stand on the topic itself there.
	RuleMSKRetentionInherited Rule = "msk_retention_inherited"
	// RuleMSKPolicyFixed: cleanup.policy cannot be changed there.
	RuleMSKPolicyFixed Rule = "msk_policy_fixed"
	// RuleMSKDisabledForEver: where tiering was switched off once, it stays off (MSK
	// Developer Guide, disabling tiered storage on a topic).
	RuleMSKDisabledForEver Rule = "msk_disabled_for_ever"
	// RuleIndexTooSmall: segment.index.bytes below 12 cannot hold one entry of a time
	// index, though Kafka takes 4 (TimeIndex.java, Apache Kafka 4.4). By our choice.
	// Untiered topics too.
	RuleIndexTooSmall Rule = "index_too_small"
)

// Rules whose findings are advice. Where no other source is named it is
// UnifiedLog.java and RemoteLogManager.java, Apache Kafka 4.4.
const (
	// RuleRemoteDataLost: switching off with consent deletes what only the remote
	// tier holds. Number is that span in milliseconds, Bytes the bytes of a partition,
	// by the settings before the change.
	RuleRemoteDataLost Rule = "remote_data_lost"
	// RuleNoLocalLimit: both local limits are -2, so that brokers keep as much as
	// without tiers.
	RuleNoLocalLimit Rule = "no_local_limit"
	// RuleFollowUnresolved: versions from 3.6 to 3.8 may take -2 for no limit, and free
	// local disk only as the remote tier expires (KAFKA-17360).
	RuleFollowUnresolved Rule = "follow_unresolved"
	// RuleIdleSegmentStays: on 3.6 the newest segment of an idle partition never
	// leaves (KAFKA-15047).
	RuleIdleSegmentStays Rule = "idle_segment_stays"
	// RuleLocalBelowCheck: a local limit that is over before the next retention check
	// makes every pause close a small segment. From 3.7 on. Number is the check
	// interval in milliseconds for local.retention.ms, and segment.bytes for
	// local.retention.bytes, of which only 0 does that.
	RuleLocalBelowCheck Rule = "local_below_check"
	// RuleLocalBelowSegment: the open segment stays local, whatever
	// local.retention.bytes says. Number is segment.bytes.
	RuleLocalBelowSegment Rule = "local_below_segment"
	// RuleSegmentOutlivesLimit: records stay until their segment closes, which takes
	// up to segment.ms, or as long as filling it where the rate is told and that is
	// sooner. Number is by how many milliseconds that is above the time limit
	// that holds. Untiered topics too.
	RuleSegmentOutlivesLimit Rule = "segment_outlives_limit"
	// RuleSegmentNeverFills: at the rate that is told a segment is not full before
	// segment.ms has passed, so that only time closes it, and only when a record
	// comes after that. Number is how long filling one takes, in milliseconds. Untiered topics too.
	RuleSegmentNeverFills Rule = "segment_never_fills"
	// RuleMessageAboveSegment: a batch above segment.bytes is refused when it is
	// produced, whatever max.message.bytes says. Number is segment.bytes. Untiered topics too.
	RuleMessageAboveSegment Rule = "message_above_segment"
	// RuleLocalUnused: a local limit counts for nothing while the topic is not
	// tiered, and this one, above the total, will stop it from being tiered.
	RuleLocalUnused Rule = "local_unused"
	// RuleTotalBelowSegment: the open segment alone may be above retention.bytes.
	// Number is the bytes that a partition may hold after a check:
	// retention.bytes + segment.bytes - 1. Untiered topics too.
	RuleTotalBelowSegment Rule = "total_below_segment"
	// RuleRemoteUnbounded: neither time nor size ends the remote tier.
	RuleRemoteUnbounded Rule = "remote_unbounded"
	// RuleFutureTimestamps: the producer's clock rules retention, and timestamps far in
	// the future, which keep a segment until then, are taken. Number is
	// message.timestamp.after.max.ms. Untiered topics with a limit by time too.
	RuleFutureTimestamps Rule = "future_timestamps"
	// RuleIndexEndsSegment: a full time index closes segments before segment.bytes
	// does. Number is the bytes after which it may (LogSegment.java and TimeIndex.java,
	// Apache Kafka 4.4). Untiered topics too.
	RuleIndexEndsSegment Rule = "index_ends_segment"
)
