// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Lie makes the cluster acknowledge what is written to a topic's settings, by its
// creation and by changes, and keep nothing of it. Some services do so with what
// they do not support.
func (f *Fake) Lie(topic string) (stop func()) {
	var stopped atomic.Bool
	f.Cluster.ControlKey(int16(kmsg.IncrementalAlterConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		f.Cluster.KeepControl()
		if alter, ok := request.(*kmsg.IncrementalAlterConfigsRequest); ok && !alter.ValidateOnly && !stopped.Load() {
			for i := range alter.Resources {
				if alter.Resources[i].ResourceName == topic {
					alter.Resources[i].Configs = nil
				}
			}
		}
		return nil, nil, false
	})
	f.Cluster.ControlKey(int16(kmsg.CreateTopics), func(request kmsg.Request) (kmsg.Response, error, bool) {
		f.Cluster.KeepControl()
		if create, ok := request.(*kmsg.CreateTopicsRequest); ok && !create.ValidateOnly && !stopped.Load() {
			for i := range create.Topics {
				if create.Topics[i].Topic == topic {
					create.Topics[i].Configs = nil
				}
			}
		}
		return nil, nil, false
	})
	return func() { stopped.Store(true) }
}

// Largest returns how many topics the largest request of a kind has named, and of
// how many partitions at most a creation was, since [Fake.ForgetRequests].
func (f *Fake) Largest(request string) (topics, partitions int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	size := f.largest[request]
	return size.topics, size.partitions
}

// requestSize is how much one request asks for.
type requestSize struct{ topics, partitions int }

// sizeOf measures a request that names topics.
func sizeOf(request kmsg.Request) requestSize {
	switch r := request.(type) {
	case *kmsg.CreateTopicsRequest:
		size := requestSize{topics: len(r.Topics)}
		for _, topic := range r.Topics {
			size.partitions += int(topic.NumPartitions)
		}
		return size
	case *kmsg.CreatePartitionsRequest:
		return requestSize{topics: len(r.Topics)}
	case *kmsg.DeleteTopicsRequest:
		return requestSize{topics: max(len(r.Topics), len(r.TopicNames))}
	case *kmsg.MetadataRequest:
		return requestSize{topics: len(r.Topics)}
	case *kmsg.IncrementalAlterConfigsRequest:
		return requestSize{topics: len(r.Resources)}
	case *kmsg.DescribeConfigsRequest:
		return requestSize{topics: len(r.Resources)}
	}
	return requestSize{}
}
