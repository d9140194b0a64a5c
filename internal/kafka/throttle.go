// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A throttle of a reassignment has two sides, and each has two parts: a list on
// the topic says which replicas are held back, a rate on each broker says how much
// they may copy together (KIP-73).
//
// Others set the same keys, and a process can be killed at any moment. So the list
// of the topic says whose it is: it holds an entry for a partition that cannot
// exist, and one more such entry for each broker whose rate belongs to it. Kafka
// ignores them, and the next run knows what it may remove. A list without the mark
// is somebody else's, and so is a rate that is set and that neither a mark nor this
// process claims; both stay as they are.
//
// One limit remains: two processes that move at the same time see each other's
// rates as somebody else's, so the one that ends later goes on without.

// markPartition is a partition that cannot exist: numbers end at 2^31-2, because
// there are at most 2^31-1 partitions.
const markPartition = 1<<31 - 1

// side is one side of a throttle.
type side struct {
	list string // the key on the topic
	rate string // the key on a broker
	// held are the replicas of a move that this side holds back.
	held func(Move) []int32
}

// sides are the leaders' and the followers' side (QuotaConfig.java, Apache Kafka 4.4).
var sides = []side{
	{topicconfig.LeaderThrottledReplicas, "leader.replication.throttled.rate", func(m Move) []int32 { return m.sources }},
	{topicconfig.FollowerThrottledReplicas, "follower.replication.throttled.rate", func(m Move) []int32 { return m.Adding }},
}

// rateKey is one rate on one broker.
type rateKey struct {
	broker int32
	rate   string
}

// rateUsers counts the topics that move under a rate of this process: the last one
// removes it.
type rateUsers struct {
	sync.Mutex
	count map[rateKey]int
}

// ThrottleError says that a throttle could not be removed.
type ThrottleError struct {
	// Topic is the topic's name.
	Topic string
	// Cause is why.
	Cause error
}

// Error says what is left.
func (e *ThrottleError) Error() string {
	return fmt.Sprintf("topic %q: the replication throttle could not be removed: %v", e.Topic, e.Cause)
}

// Unwrap returns the cause.
func (e *ThrottleError) Unwrap() error {
	return e.Cause
}

// Throttled says that the topic bears the mark of a throttle of this provider: a
// move is under way, or a run ended without removing it.
func (t Topic) Throttled() bool {
	for _, side := range sides {
		if _, marked := readMark(t.Entries[side.list]); marked {
			return true
		}
	}
	return false
}

// readMark returns the brokers whose rates belong to a list; false for a list that
// is not this provider's.
func readMark(entry Entry) (brokers []int32, marked bool) {
	if !entry.Override {
		return nil, false
	}
	for _, item := range strings.Split(entry.Value, ",") {
		partition, broker, _ := strings.Cut(strings.TrimSpace(item), ":")
		if partition != strconv.Itoa(markPartition) {
			continue
		}
		marked = true
		if id, err := strconv.ParseInt(broker, 10, 32); err == nil && id != markPartition {
			brokers = append(brokers, int32(id))
		}
	}
	return brokers, marked
}

// throttledList is a topic's list: the replicas that are held back, and the mark.
func throttledList(held func(Move) []int32, moves []Move, owned []int32) string {
	var items []string
	for _, m := range moves {
		for _, id := range held(m) {
			items = append(items, fmt.Sprintf("%d:%d", m.Partition, id))
		}
	}
	items = append(items, fmt.Sprintf("%d:%d", markPartition, markPartition))
	for _, id := range owned {
		items = append(items, fmt.Sprintf("%d:%d", markPartition, id))
	}
	return strings.Join(items, ",")
}
