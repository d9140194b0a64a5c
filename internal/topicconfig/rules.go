// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"maps"
	"slices"
)

// Rules are what a service allows its topics, which is less than Kafka does.
type Rules struct {
	// MaxName is the longest name.
	MaxName int
	// ReplicationFactor is the only one there is.
	ReplicationFactor int64

	keys map[string]serviceKey
}

// serviceKey is a setting that a service lets its topics have.
type serviceKey struct {
	as     Type
	limits Limits
}

const (
	kib = 1 << 10
	gib = 1 << 30
	tib = 1 << 40
)

// EventStreamsRules are those of IBM Event Streams. Keys: the admin REST API,
// and message.audit.enable of IBM's own Terraform provider. Ranges: the service's
// FAQ on topic settings, in binary units; where it differs from Kafka or from itself,
// the wider range that Kafka can hold (segment.bytes is an int, and indexes
// end at 1 GiB). No range holds -1, so retention.bytes has to be set or left out.
// The replication factor is fixed, and a name has at most 200 characters.
func EventStreamsRules() Rules {
	return Rules{
		MaxName:           200,
		ReplicationFactor: 3,
		keys: map[string]serviceKey{
			CleanupPolicy:          {List, limits[CleanupPolicy]},
			RetentionMs:            {Long, limits[RetentionMs]},
			RetentionBytes:         {Long, between(100*kib, 2*tib)},
			SegmentBytes:           {Int, between(100*kib, 1<<31-1)},
			SegmentIndexBytes:      {Int, between(100*kib, gib)},
			SegmentMs:              {Long, between(5*minuteMs, 30*24*hourMs)},
			"message.audit.enable": {as: Bool},
		},
	}
}

// MSKExpressRules are those of Amazon MSK's Express brokers (MSK Developer Guide,
// read and write configurations of Express brokers): no setting for segments, indexes or
// tiers, a replication factor of 3, compaction within no less than 7 days. Names are
// Kafka's own length.
func MSKExpressRules() Rules {
	rules := Rules{MaxName: MaxName, ReplicationFactor: 3, keys: map[string]serviceKey{}}
	for _, key := range []string{
		CleanupPolicy, "compression.type", "delete.retention.ms", MaxMessageBytes,
		MessageTimestampAfterMaxMs, "message.timestamp.before.max.ms", MessageTimestampType,
		"min.compaction.lag.ms", RetentionBytes, RetentionMs,
	} {
		spec, _ := SpecOf(key)
		rules.keys[key] = serviceKey{spec.Type, limits[key]}
	}
	rules.keys["max.compaction.lag.ms"] = serviceKey{Long, from(7 * 24 * hourMs)}
	return rules
}

// Keys lists the settings that a topic may have, in order.
func (r Rules) Keys() []string {
	return slices.Sorted(maps.Keys(r.keys))
}

// Allows says whether a topic may have a setting.
func (r Rules) Allows(key string) bool {
	_, ok := r.keys[key]
	return ok
}

// Fit returns the largest number, up to n, that an allowed setting takes; false
// where the range begins above n.
func (r Rules) Fit(key string, n int64) (int64, bool) {
	held := r.keys[key].limits
	if !held.bounded() {
		return n, r.Allows(key)
	}
	return min(n, held.Most), n >= held.Least
}

// Check holds the value of an allowed setting against the service's range.
func (r Rules) Check(key, value string) *InvalidError {
	rule := r.keys[key]
	return Spec{Key: key, Type: rule.as}.check(rule.limits, value)
}
