// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"encoding/binary"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// writeKeys are the requests that change something.
var writeKeys = map[kmsg.Key]bool{
	kmsg.CreateTopics: true, kmsg.DeleteTopics: true, kmsg.CreatePartitions: true, kmsg.IncrementalAlterConfigs: true,
	kmsg.AlterPartitionAssignments: true, kmsg.ElectLeaders: true,
}

// writeParts names what a request writes, part by part, so that a part that is sent again is recognised in whatever
// company; nil for a request that changes nothing.
func writeParts(frame []byte) []string {
	if len(frame) < 12 || !writeKeys[kmsg.Key(int16(binary.BigEndian.Uint16(frame[4:])))] {
		return nil
	}
	request := parse(frame)
	if request == nil || validateOnly(request) {
		return nil
	}
	parts := []string{}
	add := func(part any) { parts = append(parts, fmt.Sprintf("%s %+v", kmsg.NameForKey(request.Key()), part)) }
	switch r := request.(type) {
	case *kmsg.CreateTopicsRequest:
		for _, topic := range r.Topics {
			add(topic.Topic)
		}
	case *kmsg.CreatePartitionsRequest:
		for _, topic := range r.Topics {
			add([]any{topic.Topic, topic.Count})
		}
	case *kmsg.DeleteTopicsRequest:
		for _, name := range r.TopicNames {
			add(name)
		}
		for _, topic := range r.Topics {
			if topic.Topic != nil {
				add(*topic.Topic)
			}
		}
	case *kmsg.IncrementalAlterConfigsRequest:
		for _, resource := range r.Resources {
			var changes []any
			for _, config := range resource.Configs {
				value := "-"
				if config.Value != nil {
					value = *config.Value
				}
				changes = append(changes, config.Name, config.Op, value)
			}
			add([]any{resource.ResourceType, resource.ResourceName, changes})
		}
	case *kmsg.AlterPartitionAssignmentsRequest:
		for _, topic := range r.Topics {
			add([]any{topic.Topic, topic.Partitions})
		}
	case *kmsg.ElectLeadersRequest:
		for _, topic := range r.Topics {
			add([]any{topic.Topic, topic.Partitions})
		}
	}
	return parts
}
