// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// The campaigns think of topics by chance, and of what those reserve, worked out here a
// third time, beside the provider and the policy.

const (
	mib = 1 << 20
	gib = 1 << 30
)

// modelTopic is a topic that a campaign has thought of.
type modelTopic struct {
	name       string
	partitions int64
	settings   map[string]string // its own
}

// serviceDefaults are what the clusters of the campaigns say themselves.
var serviceDefaults = map[string]string{
	"cleanup.policy": "delete", "retention.bytes": "1073741824", "segment.bytes": "536870912", "segment.index.bytes": "10485760",
}

// clone returns a copy that can be changed.
func (m modelTopic) clone() modelTopic {
	m.settings = maps.Clone(m.settings)
	return m
}

// equal says that two topics are the same.
func (m modelTopic) equal(other modelTopic) bool {
	return m.name == other.name && m.partitions == other.partitions && maps.Equal(m.settings, other.settings)
}

// config is the topic as a configuration has it.
func (m modelTopic) config() fields {
	config := fields{}
	for key, value := range m.settings {
		config[key] = value
	}
	values := fields{"name": m.name, "partitions": m.partitions}
	if len(config) > 0 {
		values["config"] = config
	}
	return values
}

// onCluster is the topic as a plain client creates it.
func (m modelTopic) onCluster() kafkatest.RealTopic {
	return kafkatest.RealTopic{Name: m.name, Partitions: m.partitions, Settings: m.settings}
}

// reserved is what the topic reserves where partitions count, by the published
// rule; ok is false when nothing bounds it.
func (m modelTopic) reserved() (bytes *big.Int, ok bool) {
	effective := func(key string) *big.Int {
		n, _ := new(big.Int).SetString(m.setting(key), 10)
		return n
	}
	perPartition := big.NewInt(gib)
	if m.setting("cleanup.policy") != "compact" {
		retention, segment := effective("retention.bytes"), effective("segment.bytes")
		if retention.Sign() < 0 {
			return nil, false
		}
		segments := new(big.Int).Div(retention, segment)
		segments.Add(segments, big.NewInt(1))
		indexes := new(big.Int).Mul(segments, effective("segment.index.bytes"))
		perPartition = new(big.Int).Add(retention, segment)
		perPartition.Add(perPartition, indexes).Add(perPartition, indexes)
	}
	return perPartition.Mul(perPartition, big.NewInt(m.partitions)), true
}

// counted is what it adds to a total.
func (m modelTopic) counted() *big.Int {
	if bytes, ok := m.reserved(); ok {
		return bytes
	}
	return new(big.Int)
}

// setting is an effective setting.
func (m modelTopic) setting(key string) string {
	if value, own := m.settings[key]; own {
		return value
	}
	return serviceDefaults[key]
}

// unbounded says that nothing bounds the topic.
func (m modelTopic) unbounded() bool {
	_, bounded := m.reserved()
	return !bounded
}

// totalOf sums what topics reserve.
func totalOf(topics map[string]modelTopic) *big.Int {
	total := new(big.Int)
	for _, topic := range topics {
		total.Add(total, topic.counted())
	}
	return total
}

// randomTopic thinks of a topic with few partitions: each becomes three replicas with files.
func randomTopic(chance *rand.Rand, name string) modelTopic {
	topic := modelTopic{name: name, partitions: 1 + chance.Int64N(4), settings: map[string]string{}}
	for _, key := range []string{"retention.bytes", "segment.bytes", "segment.index.bytes", "cleanup.policy", "retention.ms"} {
		if chance.IntN(2) == 0 {
			topic.settings[key] = randomValue(chance, key, topic)
		}
	}
	return topic
}

// leastRetention is the smallest retention.bytes that the service takes, 100 KiB.
const leastRetention = 100 << 10

// randomValue thinks of a value that Kafka and the service take. Sizes of retention often lie at
// the edge of a whole number of segments, where the rule takes its steps.
func randomValue(chance *rand.Rand, key string, topic modelTopic) string {
	switch key {
	case "retention.bytes":
		segment, _ := strconv.ParseInt(topic.setting("segment.bytes"), 10, 64)
		switch chance.IntN(20) {
		case 0:
			return fmt.Sprint(leastRetention)
		case 1:
			return "2199023255551" // the service's largest, less one
		case 2, 3, 4, 5, 6, 7, 8:
			return fmt.Sprint(max(leastRetention, segment*chance.Int64N(12)+chance.Int64N(3)-1))
		case 9, 10:
			return fmt.Sprint(leastRetention + chance.Int64N(64*1024))
		}
		return fmt.Sprint(leastRetention + chance.Int64N(8*gib))
	case "segment.bytes":
		return pick(chance, "1048576", "16777216", "104857600", "536870912", "1073741824", fmt.Sprint(mib+chance.Int64N(1<<31-1-mib)))
	case "segment.index.bytes":
		return pick(chance, "102400", "1048576", "10485760", fmt.Sprint(102400+chance.Int64N(10*mib)))
	case "cleanup.policy":
		return pick(chance, "delete", "compact", "compact", "compact,delete", "delete,compact")
	case "retention.ms":
		return pick(chance, "-1", "1000", "86400000", "604800000")
	}
	panic("no values for " + key)
}

// randomChange changes or drops some of a topic's settings.
func randomChange(chance *rand.Rand, topic modelTopic) modelTopic {
	changed := topic.clone()
	for changed.equal(topic) {
		for range 1 + chance.IntN(3) {
			key := pick(chance, "retention.bytes", "retention.bytes", "segment.bytes", "segment.index.bytes", "cleanup.policy", "retention.ms")
			if _, own := changed.settings[key]; own && chance.IntN(4) == 0 {
				delete(changed.settings, key)
			} else {
				changed.settings[key] = randomValue(chance, key, changed)
			}
		}
	}
	return changed
}

// withoutBound takes a topic's bound away.
func withoutBound(topic modelTopic) modelTopic {
	topic = topic.clone()
	topic.settings["retention.bytes"] = "-1"
	if topic.setting("cleanup.policy") == "compact" {
		topic.settings["cleanup.policy"] = "delete"
	}
	return topic
}

// settingsChange is what turns one topic's own settings into another's.
func settingsChange(from, to modelTopic) (set map[string]string, remove []string) {
	set = map[string]string{}
	for key, value := range to.settings {
		if old, had := from.settings[key]; !had || old != value {
			set[key] = value
		}
	}
	for _, key := range slices.Sorted(maps.Keys(from.settings)) {
		if _, stays := to.settings[key]; !stays {
			remove = append(remove, key)
		}
	}
	return set, remove
}
