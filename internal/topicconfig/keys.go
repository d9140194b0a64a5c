// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

// The names of the settings that the provider computes with, as Kafka spells
// them (TopicConfig.java, Apache Kafka 4.4).
const (
	CleanupPolicy     = "cleanup.policy"
	RetentionBytes    = "retention.bytes"
	RetentionMs       = "retention.ms"
	SegmentBytes      = "segment.bytes"
	SegmentIndexBytes = "segment.index.bytes"

	SegmentMs          = "segment.ms"
	SegmentJitterMs    = "segment.jitter.ms"
	IndexIntervalBytes = "index.interval.bytes"
	MaxMessageBytes    = "max.message.bytes"
	FileDeleteDelayMs  = "file.delete.delay.ms"

	MessageTimestampType       = "message.timestamp.type"
	MessageTimestampAfterMaxMs = "message.timestamp.after.max.ms"

	MinInsyncReplicas = "min.insync.replicas"

	RemoteStorageEnable      = "remote.storage.enable"
	LocalRetentionMs         = "local.retention.ms"
	LocalRetentionBytes      = "local.retention.bytes"
	RemoteLogCopyDisable     = "remote.log.copy.disable"
	RemoteLogDeleteOnDisable = "remote.log.delete.on.disable"
	RemoteCopyLagMs          = "remote.copy.lag.ms"
	RemoteCopyLagBytes       = "remote.copy.lag.bytes"

	// MSKDisablePolicy is Amazon MSK's own key: it goes with remote.storage.enable =
	// false and is Delete there (MSK Developer Guide, disabling tiered storage on a topic).
	MSKDisablePolicy = "remote.log.msk.disable.policy"

	LeaderThrottledReplicas   = "leader.replication.throttled.replicas"
	FollowerThrottledReplicas = "follower.replication.throttled.replicas"
)

// The broker settings that decide what a topic gets when its creation leaves the
// number out (ServerLogConfigs.java and ReplicationConfigs.java, Apache Kafka 4.4).
const (
	NumPartitions            = "num.partitions"
	DefaultReplicationFactor = "default.replication.factor"
)

// Throughput stands for the rate of a topic where rules ask what a change is about; it
// is no setting of Kafka's.
const Throughput = "throughput_bytes_per_second"

// TieredKeys returns the settings that decide whether and how a topic is tiered;
// the totals that they are held against are not among them.
func TieredKeys() []string {
	return []string{
		RemoteStorageEnable, LocalRetentionMs, LocalRetentionBytes,
		RemoteLogCopyDisable, RemoteCopyLagMs, RemoteCopyLagBytes,
	}
}

// DeleteOnDisableKeys returns the settings that say, in the change that switches
// tiering off, that the remote data may go: Kafka's own and that of Amazon MSK.
func DeleteOnDisableKeys() []string {
	return []string{RemoteLogDeleteOnDisable, MSKDisablePolicy}
}

// KeySince returns the first version of Kafka that knows a tiered key; the zero
// Version where every Kafka that tiers does (KIP-950 came with 3.9, KIP-1241 with 4.4).
func KeySince(key string) Version {
	switch key {
	case RemoteLogCopyDisable, RemoteLogDeleteOnDisable:
		return Version{3, 9}
	case RemoteCopyLagMs, RemoteCopyLagBytes:
		return Version{4, 4}
	}
	return Version{}
}
