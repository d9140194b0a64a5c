// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"maps"
	"slices"
)

// next thinks of another configuration: topics that come, change, grow and go, and
// in every other run a few whose replicas move. A name does not come twice: a broker
// that restarts may show a topic with settings that another one of its name had
// (seen with Apache Kafka 4.4.0), and then brokers contradict one another.
func (c *fireCampaign) next(n int) {
	moves := 0
	if n%2 == 1 {
		moves = 6
	}
	for i := range c.names {
		name := c.names[i]
		was := c.wanted[name]
		if was == nil {
			if c.chance.IntN(10) > 0 {
				name = fmt.Sprintf("fire-%03d-%02d", i, n)
				c.names[i] = name
				c.wanted[name] = fields{
					"name": name, "partitions": 1 + c.chance.IntN(2), "replication_factor": 2 + c.chance.IntN(2),
					"config": fields{"retention.ms": fmt.Sprint(100_000 + c.chance.IntN(100_000)), "segment.ms": "60000"},
				}
			}
			continue
		}
		topic := maps.Clone(was)
		config := maps.Clone(configOf(was))
		topic["config"] = config
		c.wanted[name] = topic
		partitions, factor := countOf(was, "partitions"), countOf(was, "replication_factor")
		switch draw := c.chance.IntN(100); {
		case draw < 40:
			delete(c.wanted, name)
		case draw < 45:
		case draw < 55 && partitions < 4:
			topic["partitions"] = partitions + 1
		case draw < 65 && partitions < 4:
			topic["partitions"] = partitions + 1
			config["retention.ms"] = fmt.Sprint(100_000 + c.chance.IntN(100_000))
		case draw < 75 && config["max.message.bytes"] != nil:
			delete(config, "max.message.bytes")
		case moves > 0:
			moves--
			topic["replication_factor"] = 5 - factor
		default:
			config["retention.ms"] = fmt.Sprint(100_000 + c.chance.IntN(100_000))
			config["max.message.bytes"] = fmt.Sprint(100_000 + c.chance.IntN(100_000))
		}
	}
}

// configOf and countOf read a configuration of this campaign.
func configOf(topic fields) fields {
	config, _ := topic["config"].(fields)
	return config
}

func countOf(topic fields, key string) int {
	count, _ := topic[key].(int)
	return count
}

// known are the topics that the state or the configuration knows.
func (c *fireCampaign) known() []string {
	known := map[string]bool{}
	for name := range c.state {
		known[name] = true
	}
	for name := range c.wanted {
		known[name] = true
	}
	return slices.Sorted(maps.Keys(known))
}
