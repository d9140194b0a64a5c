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
