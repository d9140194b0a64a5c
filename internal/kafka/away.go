// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
)

// A broker that restarts is missing for some seconds, and what needs as many brokers
// as there are is refused meanwhile. What this process saw when it first read the
// cluster tells that from a cluster that is too small.

// hadBrokers says that there were enough brokers for so many replicas; a factor below
// 1 is the cluster's default.
func (c *Client) hadBrokers(factor int64) bool {
	snapshot := c.seen()
	if snapshot == nil {
		return false
	}
	if factor < 1 {
		factor = snapshot.Defaults.ReplicationFactor
	}
	return int64(len(snapshot.Brokers)) >= factor
}

// brokersAreAway says that a write was refused for want of brokers that were there.
func (c *Client) brokersAreAway(factor int64, err error) bool {
	return errors.Is(err, kerr.InvalidReplicationFactor) && c.hadBrokers(factor)
}

// layoutsWith reads a topic's layouts once there are brokers enough for so many
// replicas. Those that were there are waited for, for as long as a request may take.
func (c *Client) layoutsWith(ctx context.Context, name string, factor int64) (partitions []layout, brokers []Broker, err error) {
	bounded, cancel := c.within(ctx, c.config.RequestTimeout)
	defer cancel()
	var missing *BrokersError
	err = poll(bounded, func(ctx context.Context) (bool, error) {
		missing = nil
		if partitions, brokers, err = c.layouts(ctx, name); err != nil {
			return true, err
		}
		if int64(len(brokers)) >= factor {
			return true, nil
		}
		missing = &BrokersError{Topic: name, Wanted: factor, Brokers: int64(len(brokers))}
		return !c.hadBrokers(factor), missing
	})
	if missing != nil && ctx.Err() == nil {
		err = missing
	}
	return partitions, brokers, err
}
