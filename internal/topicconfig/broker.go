// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"strconv"
)

// FromBroker translates a broker's own settings into the defaults that its topics
// get, in the topics' names and units. A broker setting that is absent or empty
// supplies nothing, and neither does one that cannot be read; a topic setting that
// no broker setting supplies is left out.
func FromBroker(broker map[string]string) Settings {
	defaults := Settings{}
	for _, spec := range specs {
		for _, from := range spec.BrokerKeys {
			if value, ok := from.read(broker); ok {
				defaults[spec.Key] = value
				break
			}
		}
	}
	return defaults
}

// read returns the broker's value in the topic's unit. Any negative number means
// "no limit", which topics spell -1 (LogConfig.java, Apache Kafka 4.4).
func (k BrokerKey) read(broker map[string]string) (string, bool) {
	value, ok := broker[k.Key]
	if !ok || value == "" || k.Factor == 1 {
		return value, ok && value != ""
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return "", false
	}
	if n < 0 {
		return "-1", true
	}
	return strconv.FormatInt(n*k.Factor, 10), true
}
