// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"fmt"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The settings that only this room computes with, as Kafka spells them
// (TopicConfig.java, Apache Kafka 4.4).
const (
	segmentMs          = "segment.ms"
	segmentJitterMs    = "segment.jitter.ms"
	indexIntervalBytes = "index.interval.bytes"
	fileDeleteDelayMs  = "file.delete.delay.ms"
	maxCompactionLagMs = "max.compaction.lag.ms"
	timestampType      = "message.timestamp.type"
)

// inherit is how Kafka writes "the same as the total" for a local limit.
const inherit = -2

// Rules are the settings of a topic that decide how long its segments live.
type Rules struct {
	// RetentionMs and RetentionBytes bound a topic's data over both tiers.
	RetentionMs, RetentionBytes Limit
	// LocalMs and LocalBytes bound what a tiered topic keeps on the brokers.
	LocalMs, LocalBytes Local
	// Tiered is remote.storage.enable, CopyDisabled remote.log.copy.disable.
	Tiered, CopyDisabled bool
	// CopyLagMs and CopyLagBytes hold copying back (Kafka 4.4 and later); 0 is at
	// once, and a Local that is not Own follows the local limit, which Kafka
	// writes as -1.
	CopyLagMs, CopyLagBytes Local
	// SegmentBytes and SegmentMs close a segment by size and time.
	SegmentBytes, SegmentMs int64
	// SegmentJitterMs is the bound below which Kafka draws, for each segment, how much sooner
	// it closes by time.
	SegmentJitterMs int64
	// SegmentIndexBytes and IndexIntervalBytes decide when a segment's indexes are full.
	SegmentIndexBytes, IndexIntervalBytes int64
	// LogAppendTime says that a record's time is that of its append, whatever its
	// producer says.
	LogAppendTime bool
	// FileDeleteDelayMs is how long a deleted segment's files stay on the disk.
	FileDeleteDelayMs int64
}

// NotTimeBoundError says that a topic is compacted: its records go when newer ones
// of their keys arrive, and no clock tells when.
type NotTimeBoundError struct{}

// Error says it in a sentence.
func (*NotTimeBoundError) Error() string {
	return "not time-bound: with cleanup.policy = compact a record stays until a newer one of its key replaces it"
}

// NotTierableError says that the settings of a tiered topic exclude each other.
type NotTierableError struct {
	// Key is the setting that does not go with remote.storage.enable = true.
	Key string
	// Value is what it is set to.
	Value string
}

// Error names the setting.
func (e *NotTierableError) Error() string {
	return fmt.Sprintf("%s = %q does not go with remote.storage.enable = true", e.Key, e.Value)
}

// ReadRules reads a topic's effective settings; what is absent has Kafka's own
// default. The errors are [*topicconfig.InvalidError] for a text that cannot be
// read or is out of Kafka's range, [*NotTimeBoundError] and [*NotTierableError].
//
// A negative retention.bytes or retention.ms is no limit (LogConfig.java, Apache
// Kafka 4.4), and so is an empty cleanup.policy (KIP-1161, from 4.2 on), which
// leaves the local limits in force. A topic that is compacted and deletes closes its
// segments at max.compaction.lag.ms at the latest (LogConfig.maxSegmentMs).
func ReadRules(settings topicconfig.Settings) (Rules, error) {
	r := reader{settings: settings.Over(topicconfig.KafkaDefaults())}
	policy, err := r.settings.Policy()
	if err != nil {
		return Rules{}, err
	}
	rules := Rules{
		RetentionMs:        r.limit(topicconfig.RetentionMs),
		RetentionBytes:     r.limit(topicconfig.RetentionBytes),
		LocalMs:            r.local(topicconfig.LocalRetentionMs, inherit),
		LocalBytes:         r.local(topicconfig.LocalRetentionBytes, inherit),
		Tiered:             r.boolean(topicconfig.RemoteStorageEnable),
		CopyDisabled:       r.boolean(topicconfig.RemoteLogCopyDisable),
		CopyLagMs:          r.local(topicconfig.RemoteCopyLagMs, -1),
		CopyLagBytes:       r.local(topicconfig.RemoteCopyLagBytes, -1),
		SegmentBytes:       r.integer(topicconfig.SegmentBytes),
		SegmentMs:          r.integer(segmentMs),
		SegmentJitterMs:    r.integer(segmentJitterMs),
		SegmentIndexBytes:  r.integer(topicconfig.SegmentIndexBytes),
		IndexIntervalBytes: r.integer(indexIntervalBytes),
		FileDeleteDelayMs:  r.integer(fileDeleteDelayMs),
		LogAppendTime:      topicconfig.Equal(timestampType, r.settings[timestampType], "LogAppendTime"),
	}
	if policy.Compact {
		rules.SegmentMs = min(rules.SegmentMs, r.integer(maxCompactionLagMs))
	}
	switch {
	case r.err != nil:
		return Rules{}, r.err
	case policy.Compact && rules.Tiered:
		return Rules{}, &NotTierableError{topicconfig.CleanupPolicy, settings[topicconfig.CleanupPolicy]}
	case policy.Compact && !policy.Delete:
		return Rules{}, &NotTimeBoundError{}
	case !policy.Delete:
		rules.RetentionMs, rules.RetentionBytes = Unlimited, Unlimited
	}
	return rules, nil
}

// reader reads one setting after the other and keeps the first error.
type reader struct {
	settings topicconfig.Settings
	err      error
}

func (r *reader) integer(key string) int64 {
	n, err := r.settings.Integer(key)
	if err == nil {
		if invalid := (topicconfig.Settings{key: r.settings[key]}).Validate(); len(invalid) > 0 {
			err = invalid[0]
		}
	}
	if err != nil && r.err == nil {
		r.err = err
	}
	return n
}

func (r *reader) limit(key string) Limit {
	n := r.integer(key)
	if n < 0 {
		return Unlimited
	}
	return AtMost(n)
}

// local reads a limit for which one negative number means that another limit rules.
func (r *reader) local(key string, follows int64) Local {
	if r.integer(key) == follows {
		return Local{}
	}
	return Local{Own: true, Limit: r.limit(key)}
}

func (r *reader) boolean(key string) bool {
	text, err := topicconfig.Normalize(key, r.settings[key])
	if err != nil && r.err == nil {
		r.err = err
	}
	return strings.EqualFold(text, "true")
}
