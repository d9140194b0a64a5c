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

	MinInsyncReplicas = "min.insync.replicas"

	RemoteStorageEnable      = "remote.storage.enable"
	LocalRetentionMs         = "local.retention.ms"
	LocalRetentionBytes      = "local.retention.bytes"
	RemoteLogCopyDisable     = "remote.log.copy.disable"
	RemoteLogDeleteOnDisable = "remote.log.delete.on.disable"
	RemoteCopyLagMs          = "remote.copy.lag.ms"
	RemoteCopyLagBytes       = "remote.copy.lag.bytes"

	LeaderThrottledReplicas   = "leader.replication.throttled.replicas"
	FollowerThrottledReplicas = "follower.replication.throttled.replicas"
)

// The broker settings that decide what a topic gets when its creation leaves the
// number out (ServerLogConfigs.java and ReplicationConfigs.java, Apache Kafka 4.4).
const (
	NumPartitions            = "num.partitions"
	DefaultReplicationFactor = "default.replication.factor"
)
