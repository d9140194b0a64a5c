// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package reservation

import (
	"math"
	"math/big"
	"strconv"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// FitPartitions returns the largest number of partitions with which the topic
// reserves no more than budget bytes, all its settings unchanged. It is 0 when
// not even one partition fits, when the topic is unbounded, or when its settings
// cannot be read.
func FitPartitions(platform Platform, topic Topic, budget *big.Int) int64 {
	topic.Partitions = 1
	one, err := Of(platform, topic)
	if err != nil || one.Unbounded || one.ReservedBytes < 1 || budget.Sign() < 0 {
		return 0
	}
	most := new(big.Int).Quo(budget, big.NewInt(one.ReservedBytes))
	if most.Cmp(big.NewInt(math.MaxInt32)) > 0 {
		return math.MaxInt32 // Kafka counts partitions in 32 bits
	}
	return most.Int64()
}

// FitRetentionBytes returns the largest retention.bytes with which the topic
// reserves no more than budget bytes, its partitions and other settings
// unchanged; ok is false when no retention.bytes does, or when it plays no part
// (a compacted topic) or the settings cannot be read. The rule grows with
// retention.bytes, so a bisection finds the exact byte.
func FitRetentionBytes(platform Platform, topic Topic, budget *big.Int) (retention int64, ok bool) {
	policy, err := topic.Settings.Policy()
	if err != nil || !policy.Delete {
		return 0, false
	}
	if !fits(platform, topic, 0, budget) {
		return 0, false
	}
	low, high := int64(0), int64(math.MaxInt64) // low fits, high does not: no budget holds it
	for high-low > 1 {
		middle := low + (high-low)/2
		if fits(platform, topic, middle, budget) {
			low = middle
		} else {
			high = middle
		}
	}
	return low, true
}

// fits says whether the topic with this retention.bytes stays within the budget.
func fits(platform Platform, topic Topic, retention int64, budget *big.Int) bool {
	override := topicconfig.Settings{topicconfig.RetentionBytes: strconv.FormatInt(retention, 10)}
	topic.Settings = override.Over(topic.Settings)
	r, err := Of(platform, topic)
	return err == nil && !r.Unbounded && big.NewInt(r.ReservedBytes).Cmp(budget) <= 0
}
