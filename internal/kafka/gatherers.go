// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// maxPartitions is the most partitions that one CreateTopics may ask for
// (ReplicationControlManager.MAX_PARTITIONS_PER_BATCH, Apache Kafka 4.4).
const maxPartitions = 10_000

// gatherers are the requests that topics share. Each validate-only form has one of
// its own, because the flag belongs to the whole request.
type gatherers struct {
	creates, createProbes        *gatherer[NewTopic, creation]
	partitions, partitionsProbes *gatherer[partitionCount, none]
	changes, changeProbes        *gatherer[topicChange, none]
	deletes                      *gatherer[string, none]
	lookups                      *gatherer[string, Topic]
	describes                    *gatherer[string, map[string]Entry]
}

// none is an answer without a value.
type none struct{}

// partitionCount asks for a topic's number of partitions.
type partitionCount struct {
	topic string
	total int64
}

// topicChange asks for a change of a topic's settings.
type topicChange struct {
	topic  string
	change topicconfig.Change
}

// newGatherers makes the gatherers of a client.
func newGatherers(c *Client) gatherers {
	const write, probe = false, true
	itself := func(name string) string { return name }
	creates := func(validateOnly bool) *gatherer[NewTopic, creation] {
		return &gatherer[NewTopic, creation]{
			name: "CreateTopics", sure: !validateOnly, most: batchSize,
			key:   func(topic NewTopic) string { return topic.Name },
			weigh: c.partitionsOf, capacity: maxPartitions,
			send: func(ctx context.Context, topics []NewTopic) []answer[creation] {
				return c.sendCreates(ctx, topics, validateOnly)
			},
		}
	}
	partitions := func(validateOnly bool) *gatherer[partitionCount, none] {
		return &gatherer[partitionCount, none]{
			name: "CreatePartitions", sure: !validateOnly, most: batchSize,
			key:   func(count partitionCount) string { return count.topic },
			weigh: func(count partitionCount) int64 { return count.total }, capacity: maxPartitions,
			send: func(ctx context.Context, counts []partitionCount) []answer[none] {
				return c.sendPartitions(ctx, counts, validateOnly)
			},
		}
	}
	changes := func(validateOnly bool) *gatherer[topicChange, none] {
		return &gatherer[topicChange, none]{
			name: "IncrementalAlterConfigs", sure: !validateOnly, most: batchSize,
			key: func(change topicChange) string { return change.topic },
			send: func(ctx context.Context, changes []topicChange) []answer[none] {
				return c.sendChanges(ctx, changes, validateOnly)
			},
		}
	}
	return gatherers{
		creates: creates(write), createProbes: creates(probe),
		partitions: partitions(write), partitionsProbes: partitions(probe),
		changes: changes(write), changeProbes: changes(probe),
		deletes:   &gatherer[string, none]{name: "DeleteTopics", sure: true, most: batchSize, key: itself, send: c.sendDeletes},
		lookups:   &gatherer[string, Topic]{name: "Metadata", most: lookupSize, key: itself, send: c.sendLookups},
		describes: &gatherer[string, map[string]Entry]{name: "DescribeConfigs", most: batchSize, key: itself, send: c.sendDescribes},
	}
}

// partitionsOf is how many partitions a creation asks for. One that leaves the
// number to the cluster counts for the cluster's default, where that is known.
func (c *Client) partitionsOf(topic NewTopic) int64 {
	if topic.Partitions > 0 {
		return topic.Partitions
	}
	if snapshot := c.seen(); snapshot != nil {
		return max(1, snapshot.Defaults.Partitions)
	}
	return 1
}
