// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// cluster is the first snapshot seen through a platform's rule: what every topic
// reserves, and what a planned topic would. It never changes.
type cluster struct {
	platform reservation.Platform
	snapshot *kafka.Snapshot
	// defaults are what a new topic gets: the live cluster's own, and the
	// platform's constants for what the cluster does not say.
	defaults topicconfig.Settings
	// live is what the counted topics reserve now, of tiered ones the local tier, and
	// remote what the remote tier of tiered ones may hold beside it.
	live   quota.Live
	remote map[string]reservation.Amount
	// internalBytes is what the topics reserve that are shown apart: internal ones
	// and names that start with "__".
	internalBytes *big.Int
	// metricNames are the live topics by what they are called in Kafka's metrics.
	metricNames map[string][]string
}

// newCluster computes the reservation of every live topic once.
func newCluster(platform reservation.Platform, snapshot *kafka.Snapshot) *cluster {
	c := &cluster{
		platform:      platform,
		snapshot:      snapshot,
		defaults:      snapshot.Defaults.Settings.Over(platform.Defaults()),
		live:          quota.Live{},
		remote:        map[string]reservation.Amount{},
		internalBytes: new(big.Int),
		metricNames:   metricNamesOf(snapshot),
	}
	for name, topic := range snapshot.Topics {
		computed := c.shownReservation(topic)
		amount := computed.Amount()
		if c.counts(name) {
			c.live[name] = amount
			if computed.Tiered {
				c.remote[name] = computed.Remote
			}
		} else if bytes, bounded := amount.Bounded(); bounded {
			c.internalBytes.Add(c.internalBytes, big.NewInt(bytes))
		}
	}
	return c
}

// defaultsWithCounts are the defaults together with the counts that a new topic
// gets, under the brokers' names for them.
func (c *cluster) defaultsWithCounts() topicconfig.Settings {
	counts := topicconfig.Settings{}
	if n := c.snapshot.Defaults.Partitions; n > 0 {
		counts[topicconfig.NumPartitions] = strconv.FormatInt(n, 10)
	}
	if n := c.snapshot.Defaults.ReplicationFactor; n > 0 {
		counts[topicconfig.DefaultReplicationFactor] = strconv.FormatInt(n, 10)
	}
	return counts.Over(c.defaults)
}

// counts says whether a topic is part of the totals: internal topics and names
// that start with "__" are not.
func (c *cluster) counts(name string) bool {
	return !strings.HasPrefix(name, "__") && !c.snapshot.Topics[name].Internal
}

// reservationOf computes what a live topic reserves.
func (c *cluster) reservationOf(topic kafka.Topic) (reservation.Reservation, error) {
	return reservation.Of(c.platform, reservation.Topic{
		Partitions:        topic.Partitions,
		ReplicationFactor: max(topic.ReplicationFactor, 1), // a topic that shows no replicas at all has one at least
		Settings:          topic.Effective().Over(c.defaults),
	})
}

// plannedTopic is what a configuration asks for. A count of 0 is left to the
// cluster: what the topic has, or the default of a new one.
type plannedTopic struct {
	name                          string
	partitions, replicationFactor int64
	settings                      topicconfig.Settings
	// keeps lists live overrides that stay although settings does not name them,
	// by key: everything except what the plan removes. nil keeps none, which is
	// right for a new topic and for one whose configuration is authoritative.
	keeps func(key string) bool
}

// resolve lays a planned topic over the cluster: planned values over what stays
// of the topic's own over the defaults.
func (c *cluster) resolve(planned plannedTopic) reservation.Topic {
	live, isLive := c.snapshot.Topics[planned.name]
	topic := reservation.Topic{
		Partitions:        planned.partitions,
		ReplicationFactor: planned.replicationFactor,
	}
	if topic.Partitions == 0 {
		topic.Partitions = c.snapshot.Defaults.Partitions
		if isLive {
			topic.Partitions = live.Partitions
		}
	}
	if topic.ReplicationFactor == 0 {
		topic.ReplicationFactor = c.snapshot.Defaults.ReplicationFactor
		if isLive {
			topic.ReplicationFactor = live.ReplicationFactor
		}
	}
	topic.Settings = c.laidOver(live, planned)
	return topic
}

// changed is a live topic after a change of its settings.
func (c *cluster) changed(live kafka.Topic, change topicconfig.Change) reservation.Topic {
	return reservation.Topic{
		Partitions:        live.Partitions,
		ReplicationFactor: max(live.ReplicationFactor, 1),
		Settings: c.laidOver(live, plannedTopic{
			settings: change.Set,
			keeps:    func(key string) bool { return !slices.Contains(change.Remove, key) },
		}),
	}
}

// laidOver are the effective settings of a live topic with planned ones laid over.
func (c *cluster) laidOver(live kafka.Topic, planned plannedTopic) topicconfig.Settings {
	stays := topicconfig.Settings{}
	for key, entry := range live.Entries {
		inherited := !entry.Override
		if entry.HasValue && (inherited || planned.keeps != nil && planned.keeps(key)) {
			stays[key] = entry.Value
		}
	}
	return planned.settings.Over(stays.Over(c.defaults))
}

// shown is what a topic reserves. One that cannot be counted (beyond 63 bits, or with
// settings that no rule can read) is unbounded.
func (c *cluster) shown(topic reservation.Topic) reservation.Reservation {
	computed, err := reservation.Of(c.platform, topic)
	if err == nil {
		return computed
	}
	unbounded := reservation.Reservation{Unbounded: true, Remote: reservation.Unbounded, Partitions: topic.Partitions, Copies: 1}
	if c.platform.CountsReplicas() {
		unbounded.Copies = topic.ReplicationFactor
	}
	return unbounded
}

// gains says whether a topic would have more partitions or replicas than it has.
func (c *cluster) gains(name string, topic reservation.Topic) bool {
	live, isLive := c.snapshot.Topics[name]
	return !isLive || topic.Partitions > live.Partitions || topic.ReplicationFactor > live.ReplicationFactor
}

// unbounded lists the counted live topics without a bound, in order.
func (c *cluster) unbounded() []string {
	var unbounded []string
	for _, name := range slices.Sorted(maps.Keys(c.live)) {
		if c.live[name].IsUnbounded() {
			unbounded = append(unbounded, name)
		}
	}
	return unbounded
}
