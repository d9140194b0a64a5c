// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Delete deletes a topic and waits, until the context ends, that it is gone. A
// topic that does not exist is no error.
func (c *Client) Delete(ctx context.Context, name string) error {
	c.wrote.Store(true)
	if _, err := insist(ctx, c, c.deletes, name, nil); err != nil && !IsUnknownTopic(err) {
		return err
	}
	c.noteDeleted(name)
	return c.awaitGone(ctx, name)
}

// SetPartitions raises the number of partitions to total and waits, until the
// context ends, that all can be read.
func (c *Client) SetPartitions(ctx context.Context, name string, total int64) error {
	c.wrote.Store(true)
	factor := c.factorOf(name)
	_, err := insist(ctx, c, c.partitions, partitionCount{topic: name, total: total}, func(_ none, err error) bool {
		return c.brokersAreAway(factor, err)
	})
	if errors.Is(err, kerr.InvalidPartitions) && c.hasPartitions(ctx, name, total) {
		// Kafka says so too where the topic has that many already: the request may have
		// been sent again after an answer that was lost.
		return nil
	}
	if err != nil {
		return err
	}
	return c.awaitPartitions(ctx, name, total)
}

// factorOf is the replication factor that this process first saw of a topic, at least 1.
func (c *Client) factorOf(name string) int64 {
	if snapshot := c.seen(); snapshot != nil {
		return max(1, snapshot.Topics[name].ReplicationFactor)
	}
	return 1
}

// ProbePartitions asks what [Client.SetPartitions] would be answered, and changes
// nothing. Once this process has begun to write it asks nothing.
func (c *Client) ProbePartitions(ctx context.Context, name string, total int64) error {
	if c.wrote.Load() {
		return nil
	}
	return c.asksWhileAway(ctx, c.factorOf(name), func() error {
		_, err := c.partitionsProbes.do(ctx, partitionCount{topic: name, total: total})
		return err
	})
}

// Change sends the difference of a topic's settings, and nothing else, and reads
// back what the cluster holds. A [*NotKeptError] says that it holds something else,
// an [*UnverifiedError] that it could not be read.
func (c *Client) Change(ctx context.Context, name string, change topicconfig.Change) error {
	c.wrote.Store(true)
	if _, err := insist(ctx, c, c.changes, topicChange{topic: name, change: change}, nil); err != nil {
		return err
	}
	if len(change.Remove) > 0 {
		err := c.verify(ctx, name, change, c.config.RequestTimeout/trailPatience)
		if err == nil {
			return nil
		}
		c.layGhosts(ctx, name, change, err)
	}
	return c.verify(ctx, name, change, c.config.RequestTimeout)
}

// ProbeChange asks what [Client.Change] would be answered, and changes nothing.
// Once this process has begun to write it asks nothing.
func (c *Client) ProbeChange(ctx context.Context, name string, change topicconfig.Change) error {
	if c.wrote.Load() {
		return nil
	}
	_, err := c.changeProbes.do(ctx, topicChange{topic: name, change: change})
	return err
}

// verify reads a topic's settings back until they are as written. A broker learns
// of a change a moment after the controller has made it, so one that still shows
// the old values is asked again, for as long as a request may take.
func (c *Client) verify(ctx context.Context, name string, change topicconfig.Change, timeout time.Duration) error {
	ctx, cancel := c.within(ctx, timeout)
	defer cancel()
	var lost *NotKeptError
	err := rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
		entries, err := c.describes.doWithin(ctx, name, within)
		if err != nil {
			return !mayChange(err), err
		}
		if lost = notKept(name, change, entries); lost != nil {
			return false, lost
		}
		return true, nil
	})
	switch {
	case err == nil:
		return nil
	case lost != nil:
		return lost
	}
	return &UnverifiedError{Topic: name, Cause: err}
}

// notKept compares a topic's settings with what was written; nil where all is kept.
// A sensitive setting is reported without its value and cannot be compared.
func notKept(name string, change topicconfig.Change, entries map[string]Entry) *NotKeptError {
	var lost *NotKeptError
	note := func(key string, wanted *string) {
		if lost != nil {
			lost.More++
			return
		}
		lost = &NotKeptError{Topic: name, Key: key, Wanted: wanted}
		if entry, ok := entries[key]; ok && entry.HasValue {
			lost.Actual = &entry.Value
		}
	}
	for _, key := range slices.Sorted(maps.Keys(change.Set)) {
		wanted, held := change.Set[key], entries[key]
		if slices.Contains(topicconfig.DeleteOnDisableKeys(), key) {
			continue // a flag that goes with one change: not every service shows it afterwards
		}
		if !held.Sensitive && (!held.Override || !topicconfig.Equal(key, wanted, held.Value)) {
			note(key, &wanted)
		}
	}
	for _, key := range change.Remove {
		if entries[key].Override {
			note(key, nil)
		}
	}
	return lost
}

// timeoutMillis is how long a broker may wait for the controller over a write: less
// than an attempt takes, so that its own word comes before the client stops listening.
func (c *Client) timeoutMillis() int32 {
	return int32(max(1, c.config.attemptTimeout().Milliseconds()*3/4))
}

// isRetriable says that the same request may succeed later.
func isRetriable(err error) bool {
	return kerr.IsRetriable(err)
}
