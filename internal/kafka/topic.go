// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"cmp"
	"encoding/base64"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Topic is a topic as the cluster describes it.
type Topic struct {
	// Name is the topic's name.
	Name string
	// ID is Kafka's topic id (KIP-516) in its own base64 spelling; empty where the
	// cluster gives none.
	ID string
	// Internal marks the topics that Kafka itself flags as internal.
	Internal bool
	// Partitions is the number of partitions.
	Partitions int64
	// ReplicationFactor is the smallest number of replicas of a partition: while a
	// reassignment adds replicas, the larger number is not reached yet.
	ReplicationFactor int64
	// Assignments say where the replicas are, by partition, ordered by id.
	Assignments []Assignment
	// Entries are the topic's settings, inherited ones included, by key.
	Entries map[string]Entry
	// Rights are what the principal may do with the topic, as the snapshot has it.
	Rights Rights
	// Uneven lists the partitions whose number of replicas is not that of most,
	// UsualReplicas: none, unless replicas are being moved, or were, or a partition
	// shows no replicas.
	Uneven        []PartitionReplicas
	UsualReplicas int64
}

// Assignment is where the replicas of one partition are.
type Assignment struct {
	// Partition is the partition's id.
	Partition int64
	// Replicas are the brokers that hold it, the preferred leader first.
	Replicas []int64
	// InSync are those of them that are in sync.
	InSync []int64
	// Leader is the broker that leads it; -1 while none does.
	Leader int64
}

// PartitionReplicas is how many replicas a partition has.
type PartitionReplicas struct {
	Partition, Replicas int64
}

// Entry is one setting as the broker reports it.
type Entry struct {
	// Value is the effective text; HasValue is false for sensitive entries, which
	// brokers report without one.
	Value    string
	HasValue bool
	// Override says that the topic itself sets it (DYNAMIC_TOPIC_CONFIG); anything
	// else is inherited.
	Override bool
	// Source is Kafka's name of where the value comes from, such as
	// STATIC_BROKER_CONFIG.
	Source string
	// ReadOnly and Sensitive are the broker's own marks.
	ReadOnly, Sensitive bool
	// Type is the type that the broker gives the setting; Text where it names none.
	Type topicconfig.Type
}

// Effective returns the settings that the broker uses for the topic.
func (t Topic) Effective() topicconfig.Settings {
	return t.collect(func(Entry) bool { return true })
}

// Overrides returns the settings that the topic itself sets and that can be
// managed: sensitive and read-only entries are left out.
func (t Topic) Overrides() topicconfig.Settings {
	return t.collect(func(e Entry) bool { return e.Override && !e.ReadOnly && !e.Sensitive })
}

// collect gathers the entries that have a value and pass.
func (t Topic) collect(pass func(Entry) bool) topicconfig.Settings {
	settings := topicconfig.Settings{}
	for key, entry := range t.Entries {
		if entry.HasValue && pass(entry) {
			settings[key] = entry.Value
		}
	}
	return settings
}

// topicID spells an id as Kafka's own tools do; the zero id is none.
func topicID(id [16]byte) string {
	if id == ([16]byte{}) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// topicFromMetadata reads what metadata tells of a topic.
func topicFromMetadata(answer kmsg.MetadataResponseTopic) Topic {
	topic := Topic{ID: topicID(answer.TopicID), Internal: answer.IsInternal, Partitions: int64(len(answer.Partitions)), Rights: rightsFrom(answer.AuthorizedOperations)}
	topic.Uneven, topic.UsualReplicas = uneven(answer.Partitions)
	if answer.Topic != nil {
		topic.Name = *answer.Topic
	}
	for _, partition := range answer.Partitions {
		replicas := int64(len(partition.Replicas))
		if replicas > 0 && (topic.ReplicationFactor == 0 || replicas < topic.ReplicationFactor) {
			topic.ReplicationFactor = replicas
		}
		topic.Assignments = append(topic.Assignments, Assignment{
			Partition: int64(partition.Partition), Replicas: brokers(partition.Replicas), InSync: brokers(partition.ISR), Leader: int64(partition.Leader),
		})
	}
	slices.SortFunc(topic.Assignments, func(a, b Assignment) int { return cmp.Compare(a.Partition, b.Partition) })
	return topic
}

// brokers are node ids in the width that the other rooms use.
func brokers(ids []int32) []int64 {
	wide := make([]int64, 0, len(ids))
	for _, id := range ids {
		wide = append(wide, int64(id))
	}
	return wide
}

// uneven finds the partitions that have another number of replicas than most. Of
// two numbers that are as frequent the smaller is the usual one.
func uneven(partitions []kmsg.MetadataResponseTopicPartition) (others []PartitionReplicas, usual int64) {
	frequency := map[int]int{}
	for _, p := range partitions {
		frequency[len(p.Replicas)]++
	}
	most := 0
	for _, n := range slices.Sorted(maps.Keys(frequency)) {
		if n > 0 && frequency[n] > most {
			usual, most = int64(n), frequency[n]
		}
	}
	if len(frequency) < 2 {
		return nil, usual
	}
	for _, p := range partitions {
		if replicas := int64(len(p.Replicas)); replicas != usual {
			others = append(others, PartitionReplicas{int64(p.Partition), replicas})
		}
	}
	slices.SortFunc(others, func(a, b PartitionReplicas) int { return cmp.Compare(a.Partition, b.Partition) })
	return others, usual
}

// entry reads a setting's value and marks.
func entry(value *string, source kmsg.ConfigSource, readOnly, sensitive bool) Entry {
	e := Entry{
		HasValue:  value != nil && !sensitive,
		Override:  source == kmsg.ConfigSourceDynamicTopicConfig,
		Source:    source.String(),
		ReadOnly:  readOnly,
		Sensitive: sensitive,
	}
	if e.HasValue {
		e.Value = *value
	}
	return e
}

// entriesFromCreate reads the settings that a CreateTopics answer carries (KIP-525).
// It is nil for an answer without them: from a cluster older than 2.4, and where
// entries do not say what sets them.
func entriesFromCreate(answer []kmsg.CreateTopicsResponseTopicConfig) map[string]Entry {
	if len(answer) == 0 {
		return nil
	}
	entries := make(map[string]Entry, len(answer))
	for _, config := range answer {
		if config.Source <= 0 {
			return nil
		}
		entries[config.Name] = entry(config.Value, kmsg.ConfigSource(config.Source), config.ReadOnly, config.IsSensitive)
	}
	return entries
}

// entriesFromDescribe reads a DescribeConfigs answer.
func entriesFromDescribe(answer []kmsg.DescribeConfigsResponseResourceConfig) map[string]Entry {
	entries := make(map[string]Entry, len(answer))
	for _, config := range answer {
		described := entry(config.Value, config.Source, config.ReadOnly, config.IsSensitive)
		described.Type = declaredTypes[config.ConfigType]
		entries[config.Name] = described
	}
	return entries
}

// sortedNames returns a map's keys in order.
func sortedNames[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
