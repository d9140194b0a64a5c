// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Contents returns every topic that is not internal, by name, in the form of [Fake.Contents].
func (c *RealClient) Contents(ctx context.Context) (map[string]FakeTopic, error) {
	listed, err := c.admin.ListTopics(ctx)
	if err != nil {
		return nil, err
	}
	contents := map[string]FakeTopic{}
	for name, topic := range listed {
		if topic.Err != nil {
			return nil, fmt.Errorf("%s: %w", name, topic.Err)
		}
		contents[name] = FakeTopic{
			ID: base64.RawURLEncoding.EncodeToString(topic.ID[:]), Partitions: len(topic.Partitions), ReplicationFactor: topic.Partitions.NumReplicas(),
			Overrides: map[string]string{},
		}
	}
	if len(contents) == 0 {
		return contents, nil
	}
	configs, err := c.admin.DescribeTopicConfigs(ctx, listed.Names()...)
	if err != nil {
		return nil, err
	}
	for _, answer := range configs {
		if answer.Err != nil {
			return nil, fmt.Errorf("%s: %w", answer.Name, answer.Err)
		}
		for _, config := range answer.Configs {
			if config.Source.String() == "DYNAMIC_TOPIC_CONFIG" {
				contents[answer.Name].Overrides[config.Key] = config.MaybeValue()
			}
		}
	}
	return contents, nil
}

// Stale compares what each broker shows of the topics' settings with what is wanted, and says which broker shows what else.
func (c *RealClient) Stale(ctx context.Context, wanted map[string]FakeTopic) map[int32]int {
	stale := map[int32]int{}
	brokers, err := c.admin.ListBrokers(ctx)
	if err != nil {
		return nil
	}
	for _, broker := range brokers {
		request := kmsg.NewPtrDescribeConfigsRequest()
		for name := range wanted {
			resource := kmsg.NewDescribeConfigsRequestResource()
			resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeTopic, name
			request.Resources = append(request.Resources, resource)
		}
		answer, err := c.kafka.Broker(int(broker.NodeID)).Request(ctx, request)
		described, ok := answer.(*kmsg.DescribeConfigsResponse)
		if err != nil || !ok {
			stale[broker.NodeID] = -1
			continue
		}
		for _, resource := range described.Resources {
			shown := map[string]string{}
			for _, config := range resource.Configs {
				if config.Source == kmsg.ConfigSourceDynamicTopicConfig && config.Value != nil {
					shown[config.Name] = *config.Value
				}
			}
			if !maps.Equal(shown, wanted[resource.ResourceName].Overrides) {
				stale[broker.NodeID]++
			}
		}
	}
	return stale
}

// Underway returns what is being moved, of all topics, one line for each partition.
func (c *RealClient) Underway(ctx context.Context) ([]string, error) {
	listed, err := c.admin.ListTopics(ctx)
	if err != nil {
		return nil, err
	}
	answers, err := c.admin.ListPartitionReassignments(ctx, listed.TopicsSet())
	if err != nil {
		return nil, err
	}
	var moving []string
	for _, answer := range answers.Sorted() {
		moving = append(moving, fmt.Sprintf("%s[%d]: adding %v, removing %v", answer.Topic, answer.Partition, answer.AddingReplicas, answer.RemovingReplicas))
	}
	return moving, nil
}
