// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

// Type is how Kafka reads a setting's text (ConfigDef.Type, Apache Kafka 4.4).
type Type int

// The types that topic settings have. Text is the fallback for keys that Kafka
// itself does not define.
const (
	Text Type = iota
	Bool
	Int
	Long
	Double
	List
)

// Spec describes one topic setting.
type Spec struct {
	// Key is the topic's name for the setting.
	Key string
	// BrokerKeys are the broker settings that supply its default, in the order in
	// which Kafka looks (first one set wins). Empty: none does.
	BrokerKeys []BrokerKey
	// Type is how the text is read.
	Type Type
	// Default is Kafka's own default in normal form.
	Default string
}

// BrokerKey is a broker setting that supplies a topic setting's default.
type BrokerKey struct {
	// Key is the broker's name for the setting.
	Key string
	// Factor turns the broker's unit into the topic's: 3600000 for hours where the
	// topic counts milliseconds, else 1.
	Factor int64
}

const (
	minuteMs = 60 * 1000
	hourMs   = 60 * minuteMs
)

// same is a broker setting that counts in the topic's own unit.
func same(key string) []BrokerKey {
	return []BrokerKey{{key, 1}}
}

const maxLong = "9223372036854775807"

// specs follows LogConfig.java and ServerTopicConfigSynonyms.java of Apache Kafka
// 4.4, plus the two keys that 4.0 removed and older brokers still know.
var specs = []Spec{
	{CleanupPolicy, same("log.cleanup.policy"), List, "delete"},
	{"compression.gzip.level", same("compression.gzip.level"), Int, "-1"},
	{"compression.lz4.level", same("compression.lz4.level"), Int, "9"},
	{"compression.type", same("compression.type"), Text, "producer"},
	{"compression.zstd.level", same("compression.zstd.level"), Int, "3"},
	{"delete.retention.ms", same("log.cleaner.delete.retention.ms"), Long, "86400000"},
	{"errors.deadletterqueue.group.enable", nil, Bool, "false"},
	{FileDeleteDelayMs, same("log.segment.delete.delay.ms"), Long, "60000"},
	{"flush.messages", same("log.flush.interval.messages"), Long, maxLong},
	{"flush.ms", []BrokerKey{{"log.flush.interval.ms", 1}, {"log.flush.scheduler.interval.ms", 1}}, Long, maxLong},
	{FollowerThrottledReplicas, nil, List, ""},
	{IndexIntervalBytes, same("log.index.interval.bytes"), Int, "4096"},
	{LeaderThrottledReplicas, nil, List, ""},
	{LocalRetentionBytes, same("log.local.retention.bytes"), Long, "-2"},
	{LocalRetentionMs, same("log.local.retention.ms"), Long, "-2"},
	{"max.compaction.lag.ms", same("log.cleaner.max.compaction.lag.ms"), Long, maxLong},
	{"max.decompressed.message.bytes", same("max.decompressed.message.bytes"), Int, "2147483639"},
	{MaxMessageBytes, same("message.max.bytes"), Int, "1048588"},
	{"message.downconversion.enable", same("log.message.downconversion.enable"), Bool, "true"},
	{"message.format.version", same("log.message.format.version"), Text, "3.0-IV1"},
	{MessageTimestampAfterMaxMs, same("log.message.timestamp.after.max.ms"), Long, "3600000"},
	{"message.timestamp.before.max.ms", same("log.message.timestamp.before.max.ms"), Long, maxLong},
	{MessageTimestampType, same("log.message.timestamp.type"), Text, "CreateTime"},
	{"min.cleanable.dirty.ratio", same("log.cleaner.min.cleanable.ratio"), Double, "0.5"},
	{"min.compaction.lag.ms", same("log.cleaner.min.compaction.lag.ms"), Long, "0"},
	{"min.insync.replicas", same("min.insync.replicas"), Int, "1"},
	{"preallocate", same("log.preallocate"), Bool, "false"},
	{RemoteCopyLagBytes, same("log.remote.copy.lag.bytes"), Long, "-1"},
	{RemoteCopyLagMs, same("log.remote.copy.lag.ms"), Long, "0"},
	{RemoteLogCopyDisable, nil, Bool, "false"},
	{RemoteLogDeleteOnDisable, nil, Bool, "false"},
	{RemoteStorageEnable, nil, Bool, "false"},
	{RetentionBytes, same("log.retention.bytes"), Long, "-1"},
	{RetentionMs, []BrokerKey{{"log.retention.ms", 1}, {"log.retention.minutes", minuteMs}, {"log.retention.hours", hourMs}}, Long, "604800000"},
	{SegmentBytes, same("log.segment.bytes"), Int, "1073741824"},
	{SegmentIndexBytes, same("log.index.size.max.bytes"), Int, "10485760"},
	{SegmentJitterMs, []BrokerKey{{"log.roll.jitter.ms", 1}, {"log.roll.jitter.hours", hourMs}}, Long, "0"},
	{SegmentMs, []BrokerKey{{"log.roll.ms", 1}, {"log.roll.hours", hourMs}}, Long, "604800000"},
	{"unclean.leader.election.enable", same("unclean.leader.election.enable"), Bool, "false"},
}

var specsByKey = func() map[string]Spec {
	byKey := make(map[string]Spec, len(specs))
	for _, spec := range specs {
		byKey[spec.Key] = spec
	}
	return byKey
}()

// Specs returns every setting that Kafka defines for topics, ordered by key.
func Specs() []Spec {
	return append([]Spec(nil), specs...)
}

// SpecOf returns the description of a key. An unknown key is a [Text] setting
// without a default, and known is false.
func SpecOf(key string) (spec Spec, known bool) {
	if spec, known = specsByKey[key]; known {
		return spec, true
	}
	return Spec{Key: key, Type: Text}, false
}
