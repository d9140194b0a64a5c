// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"slices"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Ghost makes a setting of a topic one that brokers show and the controller does not know: removing it is acknowledged and
// changes nothing, until it is set again. Brokers come to that when they read the log of a topic that was deleted and
// created anew.
func (f *Fake) Ghost(topic, key string) {
	var laid atomic.Bool
	f.Cluster.ControlKey(int16(kmsg.IncrementalAlterConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		f.Cluster.KeepControl()
		alter, ok := request.(*kmsg.IncrementalAlterConfigsRequest)
		if !ok || alter.ValidateOnly {
			return nil, nil, false
		}
		for i, resource := range alter.Resources {
			if resource.ResourceName != topic {
				continue
			}
			alter.Resources[i].Configs = slices.DeleteFunc(resource.Configs, func(config kmsg.IncrementalAlterConfigsRequestResourceConfig) bool {
				if config.Name == key && config.Op == kmsg.IncrementalAlterConfigOpSet {
					laid.Store(true)
				}
				return config.Name == key && config.Op == kmsg.IncrementalAlterConfigOpDelete && !laid.Load()
			})
		}
		return nil, nil, false
	})
}
