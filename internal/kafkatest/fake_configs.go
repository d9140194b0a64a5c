// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// FakeSetting is how a broker reports a topic setting.
type FakeSetting struct {
	// Type is Kafka's name of the type, such as BOOLEAN; empty names none.
	Type string
	// Default is the value where no topic sets another.
	Default string
	// Sensitive settings are reported without a value.
	Sensitive, ReadOnly bool
	// Own says that every topic has it as if the topic itself had set it, which is how some
	// services show what they manage.
	Own bool
	// Absent says that the broker does not know the setting, though Kafka 4.4 does.
	Absent bool
}

// removed are settings of the table that Kafka 4.4 no longer has.
var removed = []string{"message.downconversion.enable", "message.format.version"}

// describeConfigs answers DescribeConfigs of topics as Kafka 4.4 does: every
// setting under its topic name, with the broker's value as its default. kfake
// itself reports a changed broker setting under the broker's name only, beside an
// unchanged default, so that topics would not follow their brokers. Requests that
// also ask for brokers are kfake's to answer.
//
// It is installed only where the fake has settings of its own, because an
// answer given here passes by kfake's faults and ACLs.
func (f *Fake) describeConfigs(request kmsg.Request) (kmsg.Response, error, bool) {
	f.Cluster.KeepControl()
	describe, ok := request.(*kmsg.DescribeConfigsRequest)
	if !ok {
		return nil, nil, false
	}
	for _, resource := range describe.Resources {
		if resource.ResourceType != kmsg.ConfigResourceTypeTopic {
			return nil, nil, false
		}
	}
	f.note(request)
	infos := map[string]*kfake.TopicInfo{}
	f.Cluster.SleepControl(func() { // the cluster answers no questions while it runs a control
		for _, resource := range describe.Resources {
			infos[resource.ResourceName] = f.Cluster.TopicInfo(resource.ResourceName)
		}
	})
	response, ok := describe.ResponseKind().(*kmsg.DescribeConfigsResponse)
	if !ok {
		return nil, nil, false
	}
	for _, resource := range describe.Resources {
		answer := kmsg.NewDescribeConfigsResponseResource()
		answer.ResourceType, answer.ResourceName = resource.ResourceType, resource.ResourceName
		if info := infos[resource.ResourceName]; info == nil {
			answer.ErrorCode = kerr.UnknownTopicOrPartition.Code
		} else {
			answer.Configs = f.topicConfigs(info)
		}
		response.Resources = append(response.Resources, answer)
	}
	return response, nil, true
}

// configTypes are Kafka's names of our types.
var configTypes = map[topicconfig.Type]kmsg.ConfigType{
	topicconfig.Text: kmsg.ConfigTypeString, topicconfig.Bool: kmsg.ConfigTypeBoolean, topicconfig.Int: kmsg.ConfigTypeInt,
	topicconfig.Long: kmsg.ConfigTypeLong, topicconfig.Double: kmsg.ConfigTypeDouble, topicconfig.List: kmsg.ConfigTypeList,
}

// topicConfigs lists a topic's settings with their sources.
func (f *Fake) topicConfigs(info *kfake.TopicInfo) []kmsg.DescribeConfigsResponseResourceConfig {
	static := topicconfig.FromBroker(f.brokerConfig)
	values := static.Over(topicconfig.KafkaDefaults())
	sources := map[string]kmsg.ConfigSource{}
	for _, key := range removed {
		delete(values, key)
	}
	for key, setting := range f.topicSettings {
		values[key] = setting.Default
		if setting.Own {
			sources[key] = kmsg.ConfigSourceDynamicTopicConfig
		}
	}
	for key := range static {
		sources[key] = kmsg.ConfigSourceStaticBrokerConfig
	}
	for key, value := range info.Configs {
		if value != nil {
			values[key] = *value
			sources[key] = kmsg.ConfigSourceDynamicTopicConfig
		}
	}
	var configs []kmsg.DescribeConfigsResponseResourceConfig
	for _, key := range values.Keys() {
		config := kmsg.NewDescribeConfigsResponseResourceConfig()
		config.Name, config.Value, config.Source = key, kmsg.StringPtr(values[key]), sources[key]
		if config.Source == 0 {
			config.Source = kmsg.ConfigSourceDefaultConfig
		}
		if spec, known := topicconfig.SpecOf(key); known {
			config.ConfigType = configTypes[spec.Type]
		}
		if setting, ours := f.topicSettings[key]; ours {
			if setting.Absent {
				continue
			}
			config.ConfigType, _ = kmsg.ParseConfigType(setting.Type)
			config.ReadOnly, config.IsSensitive = setting.ReadOnly, setting.Sensitive
			if setting.Sensitive {
				config.Value = nil
			}
		}
		configs = append(configs, config)
	}
	return configs
}

// completeCreate puts the settings of new topics, with their sources, into the
// answer to a creation, as Kafka has done since 2.4 (KIP-525); kfake answers with the
// topic's own settings only. Validate-only creations stay bare: without broker
// settings of its own the fake's topics have kfake's defaults, which are not Kafka's.
func (f *Fake) completeCreate(request kmsg.Request, response kmsg.Response) bool {
	create, ok := response.(*kmsg.CreateTopicsResponse)
	if !ok || create.Version < 5 || validateOnly(request) {
		return false
	}
	for i := range create.Topics {
		topic := &create.Topics[i]
		if topic.ErrorCode != 0 {
			continue
		}
		info := &kfake.TopicInfo{Configs: map[string]*string{}}
		for _, own := range topic.Configs {
			info.Configs[own.Name] = own.Value
		}
		topic.Configs = nil
		for _, config := range f.topicConfigs(info) {
			whole := kmsg.NewCreateTopicsResponseTopicConfig()
			whole.Name, whole.Value, whole.Source = config.Name, config.Value, int8(config.Source)
			whole.ReadOnly, whole.IsSensitive = config.ReadOnly, config.IsSensitive
			topic.Configs = append(topic.Configs, whole)
		}
	}
	return true
}

// completeDescribe puts further settings into an answer about a broker, as far as they
// were asked for.
func completeDescribe(shown map[string]string, request kmsg.Request, response kmsg.Response) (changed bool) {
	describe, asked := request.(*kmsg.DescribeConfigsRequest)
	answer, ok := response.(*kmsg.DescribeConfigsResponse)
	if !ok || !asked || len(shown) == 0 {
		return false
	}
	names := map[string][]string{}
	for _, resource := range describe.Resources {
		names[resource.ResourceName] = resource.ConfigNames
	}
	for i := range answer.Resources {
		resource := &answer.Resources[i]
		if resource.ResourceType != kmsg.ConfigResourceTypeBroker || resource.ErrorCode != 0 {
			continue
		}
		for name, value := range shown {
			if wanted := names[resource.ResourceName]; wanted == nil || slices.Contains(wanted, name) {
				config := kmsg.NewDescribeConfigsResponseResourceConfig()
				config.Name, config.Value, config.Source = name, kmsg.StringPtr(value), kmsg.ConfigSourceStaticBrokerConfig
				resource.Configs = append(resource.Configs, config)
				changed = true
			}
		}
	}
	return changed
}
