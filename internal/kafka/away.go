// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// A broker that restarts is missing for some seconds, and what needs as many brokers
// as there are is refused meanwhile. What this process saw when it first read the
// cluster tells that from a cluster that is too small.

// hadBrokers says that there were enough brokers for so many replicas; a factor below
// 1 is the cluster's default.
func (c *Client) hadBrokers(factor int64) bool {
	snapshot := c.seen()
	return snapshot != nil && int64(len(snapshot.Brokers)) >= c.orDefault(factor)
}

// orDefault is a factor, or the cluster's default where it is below 1.
func (c *Client) orDefault(factor int64) int64 {
	if snapshot := c.seen(); factor < 1 && snapshot != nil {
		return snapshot.Defaults.ReplicationFactor
	}
	return factor
}

// brokersAreAway says that a write was refused for want of brokers that were there.
func (c *Client) brokersAreAway(factor int64, err error) bool {
	return errors.Is(err, kerr.InvalidReplicationFactor) && c.hadBrokers(factor)
}

// asksWhileAway asks with validate-only what a write would be answered. The write itself
// would wait for brokers that are away, so their want alone is no refusal; one that
// comes while all are there is. Metadata trails the controller, so it is looked at a few
// times; once this process has begun to write, the write itself tells.
func (c *Client) asksWhileAway(ctx context.Context, factor int64, ask func() error) error {
	var refused error
	for pause := firstRetryPause; pause <= 4*firstRetryPause; pause *= 2 {
		if refused = ask(); !c.brokersAreAway(factor, refused) {
			return refused
		}
		if c.wrote.Load() {
			return nil
		}
		request := kmsg.NewPtrMetadataRequest()
		request.Topics = []kmsg.MetadataRequestTopic{} // none: brokers only
		answer, _, err := c.metadata(ctx, request)
		if err == nil && int64(len(answer.Brokers)) < c.orDefault(factor) {
			return nil
		}
		if !sleep(ctx, jittered(pause)) {
			break
		}
	}
	return refused
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
