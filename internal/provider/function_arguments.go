// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Arguments of functions are dynamic, so their shape is checked here. Errors name
// the attribute inside the argument; Terraform names the argument.

// readClusterArgument reads platform and defaults.
func readClusterArgument(argument types.Dynamic) (reservation.Platform, topicconfig.Settings, error) {
	attributes, err := attributesOf("cluster", argument)
	if err != nil {
		return "", nil, err
	}
	platform := reservation.Kafka
	if name, given, err := textOf("platform", attributes["platform"]); err != nil {
		return "", nil, err
	} else if given {
		if platform, err = reservation.ParsePlatform(name); err != nil {
			return "", nil, fmt.Errorf("platform: %w", err)
		}
	}
	defaults, err := settingsArgument("defaults", attributes["defaults"])
	if err != nil {
		return "", nil, err
	}
	return platform, defaults.Over(platform.Defaults()), nil
}

// readTopicArgument reads a topic; counts that it leaves out come from defaults.
func readTopicArgument(argument types.Dynamic, platform reservation.Platform, defaults topicconfig.Settings) (reservation.Topic, error) {
	attributes, err := attributesOf("topic", argument)
	if err != nil {
		return reservation.Topic{}, err
	}
	config, err := settingsArgument("config", attributes["config"])
	if err != nil {
		return reservation.Topic{}, err
	}
	if invalid := config.Validate(); len(invalid) > 0 {
		return reservation.Topic{}, fmt.Errorf("config: %w", invalid[0])
	}
	topic := reservation.Topic{Settings: config.Over(defaults)}
	if topic.Partitions, err = countArgument("partitions", attributes, topicconfig.NumPartitions, defaults); err != nil {
		return reservation.Topic{}, err
	}
	if !platform.CountsReplicas() {
		return topic, nil
	}
	topic.ReplicationFactor, err = countArgument("replication_factor", attributes, topicconfig.DefaultReplicationFactor, defaults)
	return topic, err
}

// countArgument reads a count from the topic, else from the defaults.
func countArgument(name string, attributes map[string]attr.Value, defaultKey string, defaults topicconfig.Settings) (int64, error) {
	text, given, err := textOf(name, attributes[name])
	if err != nil {
		return 0, err
	}
	if !given || name == "replication_factor" && text == fmt.Sprint(leftToCluster) {
		if text, given = defaults[defaultKey]; !given {
			return 0, fmt.Errorf("%s is missing: set it in the topic, or %q in the cluster's defaults", name, defaultKey)
		}
	}
	count, err := topicconfig.Settings{name: text}.Integer(name)
	if err != nil || count < 1 {
		return 0, fmt.Errorf("%s must be a whole number of at least 1, got %s", name, text)
	}
	return count, nil
}

// settingsArgument reads a map of settings, or an object with mixed values. Null
// elements count as not written.
func settingsArgument(name string, value attr.Value) (topicconfig.Settings, error) {
	settings := topicconfig.Settings{}
	if isNull(value) {
		return settings, nil
	}
	elements, ok := elementsOf(value)
	if !ok {
		return nil, fmt.Errorf("%s must be a map of settings under Kafka's names, such as { \"retention.bytes\" = 1073741824 }", name)
	}
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		text, given, err := textOf(fmt.Sprintf("%s[%q]", name, key), elements[key])
		if err != nil {
			return nil, err
		}
		if given {
			settings[key] = text
		}
	}
	return settings, nil
}

// attributesOf reads an argument as an object.
func attributesOf(argument string, value types.Dynamic) (map[string]attr.Value, error) {
	if attributes, ok := elementsOf(value); ok {
		return attributes, nil
	}
	return nil, fmt.Errorf("must be an object that describes the %s, such as %s", argument, map[string]string{
		"topic":    "{ partitions = 3, replication_factor = 3, config = { \"retention.bytes\" = 1073741824 } }",
		"cluster":  "{ platform = \"kafka\" }",
		"settings": "{ config = { \"retention.ms\" = 259200000 }, throughput_bytes_per_second = 8192 }",
	}[argument])
}

// elementsOf returns what an object or a map holds.
func elementsOf(value attr.Value) (map[string]attr.Value, bool) {
	switch v := value.(type) {
	case types.Dynamic:
		return elementsOf(v.UnderlyingValue())
	case types.Object:
		return v.Attributes(), !v.IsNull()
	case types.Map:
		return v.Elements(), !v.IsNull()
	}
	return nil, false
}

// textOf reads a string, number or boolean as Kafka would be sent it; given is
// false for what is null or absent.
func textOf(name string, value attr.Value) (text string, given bool, err error) {
	if isNull(value) {
		return "", false, nil
	}
	switch v := value.(type) {
	case types.Dynamic:
		return textOf(name, v.UnderlyingValue())
	case types.String:
		return v.ValueString(), true, nil
	case types.Bool:
		return fmt.Sprint(v.ValueBool()), true, nil
	case types.Int64:
		return fmt.Sprint(v.ValueInt64()), true, nil
	case types.Number:
		return decimalText(v), true, nil
	}
	return "", false, fmt.Errorf("%s must be a text, a number or a boolean", name)
}

// decimalText prints a number in plain decimal digits, never with an exponent.
func decimalText(number types.Number) string {
	n := number.ValueBigFloat()
	if n.IsInt() {
		whole, _ := n.Int(nil)
		return whole.String()
	}
	text := n.Text('f', 20)
	return strings.TrimRight(text, "0")
}

// isNull says that a value is absent.
func isNull(value attr.Value) bool {
	if value == nil || value.IsNull() {
		return true
	}
	dynamic, ok := value.(types.Dynamic)
	return ok && dynamic.IsUnderlyingValueNull()
}
