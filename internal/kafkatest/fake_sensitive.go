// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

// MarkSensitive makes the fake mark a topic setting as sensitive. Unlike a broker it
// reports the value all the same, so that a leak shows. It is for a fake without
// settings of its own, and answers requests for topics alone.
func (f *Fake) MarkSensitive(setting string) {
	f.Cluster.ControlKey(int16(kmsg.DescribeConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		answer, err, handled := f.describeConfigs(request)
		if described, ok := answer.(*kmsg.DescribeConfigsResponse); ok {
			for _, resource := range described.Resources {
				for i := range resource.Configs {
					config := &resource.Configs[i]
					config.IsSensitive = config.IsSensitive || config.Name == setting
				}
			}
		}
		return answer, err, handled
	})
}
