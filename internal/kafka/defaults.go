// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"strconv"

	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Defaults are what a new topic gets for what its creation leaves out.
type Defaults struct {
	// Partitions and ReplicationFactor are num.partitions and
	// default.replication.factor; 0 where nobody could be asked.
	Partitions, ReplicationFactor int64
	// Settings are the topic settings. Empty where nobody could be asked.
	Settings topicconfig.Settings
	// Denied is why Settings are empty, where that is a right that is missing; else nil.
	Denied *Error

	entries map[string]Entry // the controller's own list of settings
}

// probeName is the topic whose creation is asked for and never done. No principal
// needs a right to it: a refusal of any kind only means to ask a broker instead.
const probeName = "kafkastorage-defaults-probe"

// defaults asks the controller what a topic without any settings would get, by a
// validate-only create. Its answer carries the controller's own static values,
// which are the ones that count (in KRaft they may differ from a broker's file)
// and which DescribeConfigs of a broker need not show. Where that is refused (by
// a policy, for want of a right, or because the cluster is too old to answer with
// settings), a broker's settings are the next best. Who may change nothing asks for
// no creation, not even with validate-only: authorizers log and count refusals.
func (c *Client) defaults(ctx context.Context, snapshot *Snapshot) (Defaults, error) {
	if snapshot.ReadOnly {
		return c.defaultsFromBroker(ctx, snapshot, Defaults{})
	}
	defaults, err := c.defaultsFromCreate(ctx)
	if err == nil && len(defaults.Settings) > 0 {
		return defaults, nil
	}
	var answered *Error
	if err != nil && !errors.As(err, &answered) {
		return Defaults{}, err
	}
	return c.defaultsFromBroker(ctx, snapshot, defaults)
}

// defaultsFromCreate sends the validate-only create.
func (c *Client) defaultsFromCreate(ctx context.Context) (Defaults, error) {
	probe := NewTopic{Name: probeName, Partitions: -1, ReplicationFactor: -1}
	answer := c.sendCreates(ctx, []NewTopic{probe}, true)[0]
	if answer.err != nil {
		return Defaults{}, answer.err
	}
	topic := answer.value.topic
	defaults := Defaults{Partitions: topic.Partitions, ReplicationFactor: topic.ReplicationFactor}
	if _, whole := topic.Entries[topicconfig.RetentionBytes]; whole {
		defaults.Settings, defaults.entries = topic.Effective(), topic.Entries
	}
	return defaults, nil
}

// defaultsFromBroker reads a broker's settings and fills what known leaves open.
func (c *Client) defaultsFromBroker(ctx context.Context, snapshot *Snapshot, known Defaults) (Defaults, error) {
	values, err := c.brokerSettings(ctx, snapshot)
	var refused *Error
	switch {
	case errors.As(err, &refused):
		if errors.Is(err, kerr.ClusterAuthorizationFailed) { // a broker's settings are the cluster's
			known.Denied = refused
		}
		return known, nil // whoever needs a default falls back to the platform's constants
	case err != nil:
		return Defaults{}, err
	case values == nil:
		return known, nil
	}
	known.Settings = topicconfig.FromBroker(values)
	known.Partitions = firstNumber(known.Partitions, values[topicconfig.NumPartitions])
	known.ReplicationFactor = firstNumber(known.ReplicationFactor, values[topicconfig.DefaultReplicationFactor])
	return known, nil
}

// firstNumber keeps a known number, else reads the text; 0 where neither is one.
func firstNumber(known int64, text string) int64 {
	if known > 0 {
		return known
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0
	}
	return n
}
