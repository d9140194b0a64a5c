// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Request is a request that a fake cluster has received.
type Request struct {
	// Name is Kafka's name of it.
	Name string
	// ValidateOnly says that it was to change nothing.
	ValidateOnly bool
	// Topics are the topics that it names, other resources included.
	Topics []string
	// Partitions is how many partitions a creation asks for.
	Partitions int
	// Settings are the names of the settings that a creation gives.
	Settings []string
}

// note takes a request down.
func (f *Fake) note(request kmsg.Request) {
	noted := Request{Name: kmsg.NameForKey(request.Key()), ValidateOnly: validateOnly(request)}
	switch r := request.(type) {
	case *kmsg.CreateTopicsRequest:
		for _, topic := range r.Topics {
			noted.Topics = append(noted.Topics, topic.Topic)
			noted.Partitions += int(topic.NumPartitions)
			for _, config := range topic.Configs {
				noted.Settings = append(noted.Settings, config.Name)
			}
		}
	case *kmsg.CreatePartitionsRequest:
		for _, topic := range r.Topics {
			noted.Topics = append(noted.Topics, topic.Topic)
		}
	case *kmsg.DeleteTopicsRequest:
		noted.Topics = slices.Clone(r.TopicNames)
		for _, topic := range r.Topics {
			if topic.Topic != nil {
				noted.Topics = append(noted.Topics, *topic.Topic)
			}
		}
	case *kmsg.MetadataRequest:
		for _, topic := range r.Topics {
			if topic.Topic != nil {
				noted.Topics = append(noted.Topics, *topic.Topic)
			}
		}
	case *kmsg.IncrementalAlterConfigsRequest:
		for _, resource := range r.Resources {
			noted.Topics = append(noted.Topics, resource.ResourceName)
		}
	case *kmsg.DescribeConfigsRequest:
		for _, resource := range r.Resources {
			noted.Topics = append(noted.Topics, resource.ResourceName)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, noted)
}

// Received returns the requests since the last [Fake.ForgetRequests], in order.
// ApiVersions, which opens every connection, is left out.
func (f *Fake) Received() []Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.requests), func(request Request) bool { return request.Name == "ApiVersions" })
}

// Requests returns how many requests of each kind have come since the last
// [Fake.ForgetRequests].
func (f *Fake) Requests() map[string]int {
	counts := map[string]int{}
	for _, request := range f.Received() {
		counts[request.Name]++
	}
	return counts
}

// ForgetRequests starts counting anew.
func (f *Fake) ForgetRequests() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = nil
}
