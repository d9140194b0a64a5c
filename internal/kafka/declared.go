// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// everyKafka are settings that every Kafka lists which this client can talk to
// (LogConfig of Apache Kafka 2.3, the first with incremental alters). A list
// without one of them is some service's selection and no proof that a setting
// which it lacks would be refused.
var everyKafka = []string{
	topicconfig.CleanupPolicy, "compression.type", "delete.retention.ms", "file.delete.delay.ms", "flush.messages", "flush.ms",
	"index.interval.bytes", "max.compaction.lag.ms", "max.message.bytes", "message.timestamp.type", "min.cleanable.dirty.ratio",
	"min.compaction.lag.ms", "min.insync.replicas", "preallocate", topicconfig.RetentionBytes, topicconfig.RetentionMs,
	topicconfig.SegmentBytes, topicconfig.SegmentIndexBytes, "segment.jitter.ms", "segment.ms", "unclean.leader.election.enable",
}

// declare gathers the settings that the cluster lists for topics, with the type
// that it gives each: those of any topic, and those of the controller's answer
// about a new one, which can differ while brokers are upgraded. nil where the
// cluster lists none, or not all.
func (s *Snapshot) declare() map[string]topicconfig.Type {
	declared := map[string]topicconfig.Type{}
	for key := range s.Defaults.entries {
		declared[key] = topicconfig.Text
	}
	for _, topic := range s.Topics {
		for key, entry := range topic.Entries {
			if entry.Type != topicconfig.Text || declared[key] == topicconfig.Text {
				declared[key] = entry.Type
			}
		}
	}
	for _, key := range everyKafka {
		if _, listed := declared[key]; !listed {
			return nil
		}
	}
	return declared
}

// declaredTypes are the types that DescribeConfigs names from version 3 on (KIP-569).
// Others, such as PASSWORD and CLASS, are text.
var declaredTypes = map[kmsg.ConfigType]topicconfig.Type{
	kmsg.ConfigTypeBoolean: topicconfig.Bool,
	kmsg.ConfigTypeInt:     topicconfig.Int,
	kmsg.ConfigTypeShort:   topicconfig.Int,
	kmsg.ConfigTypeLong:    topicconfig.Long,
	kmsg.ConfigTypeDouble:  topicconfig.Double,
	kmsg.ConfigTypeList:    topicconfig.List,
}
