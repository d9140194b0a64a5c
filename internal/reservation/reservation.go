// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package reservation

import (
	"fmt"
	"math/big"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// CompactPartitionBytes is what one partition of a compacted topic reserves: 1 GiB.
const CompactPartitionBytes int64 = 1 << 30

// Topic is what the rule looks at.
type Topic struct {
	// Partitions is the number of partitions, 1 or more.
	Partitions int64
	// ReplicationFactor is the number of replicas of each partition, 1 or more. It
	// is not looked at where the platform does not count replicas.
	ReplicationFactor int64
	// Settings are the effective settings: planned values over the topic's own
	// over the broker's defaults. Needed are cleanup.policy, retention.bytes,
	// segment.bytes and segment.index.bytes. Of the tiered settings
	// remote.storage.enable, local.retention.bytes and remote.log.copy.disable are
	// looked at, and Kafka's defaults stand in for those that are absent.
	Settings topicconfig.Settings
}

// Reservation is the outcome of the rule with all its parts. Sizes are bytes; the
// three parts are those of one partition and add up to PerPartitionBytes.
type Reservation struct {
	// Policy is cleanup.policy as it was read.
	Policy topicconfig.Policy
	// Partitions is the number of partitions.
	Partitions int64
	// Copies is how many replicas of a partition count: the replication factor, or 1.
	Copies int64
	// Segments is how many segments a partition may hold, the active one included.
	// It is 0 for a compacted and for an unbounded topic.
	Segments int64
	// Tiered says that closed segments move to a remote tier: what is charged is then
	// the local tier alone.
	Tiered bool
	// Limit is the key whose value limits the topic by size: retention.bytes, or
	// local.retention.bytes of a tiered topic. It is empty where no key does, because
	// the topic is compacted or its policy deletes nothing.
	Limit string
	// RetentionBytes is the part for data that retention keeps, on a tiered topic
	// locally. For a compacted topic it is the flat 1 GiB, for an unbounded one 0.
	RetentionBytes int64
	// SegmentBytes is the part for the active segment.
	SegmentBytes int64
	// IndexBytes is the part for the two index files of each segment.
	IndexBytes int64
	// PerPartitionBytes is the reservation of one replica of one partition.
	PerPartitionBytes int64
	// ReservedBytes is what the topic charges.
	ReservedBytes int64
	// Unbounded says that no finite reservation exists; the byte counts are then 0
	// and mean nothing, except Remote.
	Unbounded bool
	// Remote is what the remote tier may come to hold, one copy whatever the
	// replication factor; no bytes for a topic that is not tiered. It is no part of
	// what the topic charges.
	Remote Amount

	indexSize int64
}

// Amount returns what the topic charges.
func (r Reservation) Amount() Amount {
	if r.Unbounded {
		return Unbounded
	}
	return Bytes(r.ReservedBytes)
}

// TooLargeError says that a reservation is beyond 2^63-1 bytes, the most that
// Kafka can count.
type TooLargeError struct {
	// Bytes is the exact reservation.
	Bytes *big.Int
}

// Error gives the exact number.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the topic would reserve %s bytes (%s), which is more than 9223372036854775807, the most that can be counted",
		e.Bytes, units.Readable(e.Bytes))
}

// CountError says that a number of partitions or replicas is below 1.
type CountError struct {
	// Name is "partitions" or "replication_factor".
	Name string
	// Value is the number that was given.
	Value int64
}

// Error names the count and its value.
func (e *CountError) Error() string {
	return fmt.Sprintf("%s must be at least 1, got %d", e.Name, e.Value)
}

// Of computes a topic's reservation on a platform. Errors: [*CountError] for
// fewer than one partition or counted replica, [*topicconfig.InvalidError] for a
// setting that cannot be read, and [*TooLargeError].
//
// A topic whose cleanup.policy is empty keeps its data for ever (KIP-1161, Apache
// Kafka 4.2 and later), so it is unbounded whatever retention.bytes says; so is
// one with a negative retention.bytes, of which -1 is the usual spelling
// (UnifiedLog.java, Apache Kafka 4.4). A tiered topic charges its local tier, and
// the rule reads the local limit in place of retention.bytes.
func Of(platform Platform, topic Topic) (Reservation, error) {
	if topic.Partitions < 1 {
		return Reservation{}, &CountError{"partitions", topic.Partitions}
	}
	copies := int64(1)
	if platform.CountsReplicas() {
		if copies = topic.ReplicationFactor; copies < 1 {
			return Reservation{}, &CountError{"replication_factor", copies}
		}
	}
	policy, err := topic.Settings.Policy()
	if err != nil {
		return Reservation{}, fmt.Errorf("reading the settings: %w", err)
	}
	r := Reservation{Policy: policy, Partitions: topic.Partitions, Copies: copies}
	if policy.Compact && !policy.Delete {
		r.RetentionBytes = CompactPartitionBytes
		r.PerPartitionBytes = CompactPartitionBytes
		return r.charge(big.NewInt(CompactPartitionBytes))
	}
	retention, segment, index, err := sizes(topic.Settings)
	if err != nil {
		return Reservation{}, fmt.Errorf("reading the settings: %w", err)
	}
	limit, err := limitOf(platform, policy, topic.Settings, retention)
	if err != nil {
		return Reservation{}, fmt.Errorf("reading the settings: %w", err)
	}
	r.Tiered, r.Limit = limit.tiered, limit.key
	if limit.tiered {
		if r.Remote, err = remote(policy, topic.Partitions, retention, segment); err != nil {
			return Reservation{}, err
		}
	}
	if limit.key == "" || limit.bytes < 0 {
		r.Unbounded = true
		return r, nil
	}
	return r.perPartition(limit.bytes, segment, index)
}

// SegmentCount is how many segments a partition may hold: the closed ones that
// retention keeps, and the active one. retention is 0 or more, segment 1 or more.
func SegmentCount(retention, segment int64) int64 {
	return retention/segment + 1
}

// perPartition fills the parts of one partition by the rule, then charges them.
func (r Reservation) perPartition(retention, segment, index int64) (Reservation, error) {
	segments := SegmentCount(retention, segment)
	indexes := new(big.Int).Mul(big.NewInt(2*index), big.NewInt(segments))
	sum := new(big.Int).Add(big.NewInt(retention), big.NewInt(segment))
	sum.Add(sum, indexes)
	if !sum.IsInt64() {
		return r.charge(sum)
	}
	r.Segments = segments
	r.RetentionBytes = retention
	r.SegmentBytes = segment
	r.IndexBytes = indexes.Int64()
	r.indexSize = index
	r.PerPartitionBytes = sum.Int64()
	return r.charge(sum)
}

// charge multiplies the bytes of one partition by what counts.
func (r Reservation) charge(perPartition *big.Int) (Reservation, error) {
	total := new(big.Int).Mul(perPartition, big.NewInt(r.Partitions))
	total.Mul(total, big.NewInt(r.Copies))
	if !total.IsInt64() {
		return Reservation{}, &TooLargeError{Bytes: total}
	}
	r.ReservedBytes = total.Int64()
	return r, nil
}

// sizes reads the three sizes that the rule needs.
func sizes(settings topicconfig.Settings) (retention, segment, index int64, err error) {
	if retention, err = settings.Integer(topicconfig.RetentionBytes); err != nil {
		return 0, 0, 0, err
	}
	if segment, err = atLeast(settings, topicconfig.SegmentBytes, 1); err != nil {
		return 0, 0, 0, err
	}
	if index, err = atLeast(settings, topicconfig.SegmentIndexBytes, 0); err != nil {
		return 0, 0, 0, err
	}
	return retention, segment, index, nil
}

// atLeast reads an integer and holds it to its least value, below which the rule
// would divide by zero or count backwards.
func atLeast(settings topicconfig.Settings, key string, least int64) (int64, error) {
	n, err := settings.Integer(key)
	if err == nil && n < least {
		err = &topicconfig.InvalidError{Key: key, Value: settings[key], Want: fmt.Sprintf("at least %d", least)}
	}
	return n, err
}
