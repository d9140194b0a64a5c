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

// FitRetention returns the key that limits the topic by size ([Reservation.Limit])
// and its largest value with which the topic reserves no more than budget bytes,
// partitions and other settings unchanged. ok is false when no value does, when no
// key limits the topic (a compacted one), when its settings cannot be read, and when
// the total cannot be changed alone, as a local limit beside disabled copying has
// to be equal to it. A local limit is never above a total. The rule grows with the
// limit, so a bisection finds the exact byte.
func FitRetention(platform Platform, topic Topic, budget *big.Int) (key string, bytes int64, ok bool) {
	policy, err := topic.Settings.Policy()
	if err != nil || policy.Compact && !policy.Delete {
		return "", 0, false
	}
	retention, err := topic.Settings.Integer(topicconfig.RetentionBytes)
	if err != nil {
		return "", 0, false
	}
	limit, err := limitOf(platform, policy, topic.Settings, retention)
	if err != nil || limit.key == "" || limit.fixed || !fits(platform, topic, limit.key, 0, budget) {
		return limit.key, 0, false
	}
	low, high := int64(0), int64(math.MaxInt64) // low fits, high does not: no budget holds it
	for high-low > 1 {
		middle := low + (high-low)/2
		if fits(platform, topic, limit.key, middle, budget) {
			low = middle
		} else {
			high = middle
		}
	}
	if limit.key == topicconfig.LocalRetentionBytes && retention >= 0 {
		low = min(low, platform.mostLocal(retention))
	}
	return limit.key, low, low >= 0
}

// fits says whether the topic with this limit by size stays within the budget.
func fits(platform Platform, topic Topic, key string, limit int64, budget *big.Int) bool {
	override := topicconfig.Settings{key: strconv.FormatInt(limit, 10)}
	topic.Settings = override.Over(topic.Settings)
	r, err := Of(platform, topic)
	return err == nil && !r.Unbounded && big.NewInt(r.ReservedBytes).Cmp(budget) <= 0
}
