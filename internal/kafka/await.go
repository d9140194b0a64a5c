// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	firstPause   = 20 * time.Millisecond
	longestPause = time.Second
)

// trailPatience is the part of a request's time that brokers get to learn of what the
// controller has done, before what they still show is believed.
const trailPatience = 6

// poll asks until done, with growing pauses, until the context ends. The error is
// the last answer where there was one: it says more than the deadline does.
func poll(ctx context.Context, ask func(context.Context) (done bool, err error)) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var last error
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		select {
		case <-ctx.Done():
			return errors.Join(last, fmt.Errorf("gave up waiting: %w", context.Cause(ctx)))
		case <-timer.C:
		}
		done, err := ask(ctx)
		if done {
			return err
		}
		last = err
		timer.Reset(pause)
	}
}

// rounds asks until done, until the context ends. The pauses are spent in the next
// request of a gatherer, so that all who wait ask in one request a round.
func rounds(ctx context.Context, ask func(ctx context.Context, within time.Duration) (done bool, err error)) error {
	var last error
	for within := linger; ; within = min(max(2*within, firstPause), longestPause) {
		done, err := ask(ctx, within)
		if done {
			return err
		}
		if ctx.Err() != nil {
			return errors.Join(last, fmt.Errorf("gave up waiting: %w", context.Cause(ctx)))
		}
		last = err
	}
}

// awaitVisible waits until a new topic can be read. Where the answer to its
// creation had no settings, it reads those: whoever answers with them knows the
// topic, and one request serves both.
func (c *Client) awaitVisible(ctx context.Context, created Topic) (Topic, error) {
	if created.Entries != nil {
		return created, c.awaitPartitions(ctx, created.Name, created.Partitions)
	}
	err := rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
		entries, err := c.describes.doWithin(ctx, created.Name, within)
		created.Entries = entries
		return err == nil || !mayChange(err), err
	})
	return created, err
}

// awaitPartitions waits until metadata shows the topic with so many partitions.
func (c *Client) awaitPartitions(ctx context.Context, name string, partitions int64) error {
	return rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
		topic, err := c.lookups.doWithin(ctx, name, within)
		switch {
		case err != nil:
			return !mayChange(err), err
		case topic.Partitions < partitions:
			return false, fmt.Errorf("metadata shows %d of %d partitions", topic.Partitions, partitions)
		}
		return true, nil
	})
}

// hasPartitions says whether a topic has exactly so many partitions. A broker that
// shows fewer may only trail, and is asked again.
func (c *Client) hasPartitions(ctx context.Context, name string, total int64) bool {
	ctx, cancel := c.within(ctx, c.config.RequestTimeout/trailPatience)
	defer cancel()
	var shown int64
	err := rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
		topic, err := c.lookups.doWithin(ctx, name, within)
		if err != nil {
			return !mayChange(err), err
		}
		shown = topic.Partitions
		return shown >= total, nil
	})
	return err == nil && shown == total
}

// awaitGone waits until metadata no longer shows the topic.
func (c *Client) awaitGone(ctx context.Context, name string) error {
	return rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
		_, err := c.lookups.doWithin(ctx, name, within)
		switch {
		case IsUnknownTopic(err):
			return true, nil
		case err == nil:
			return false, errors.New("metadata still shows the topic")
		}
		return !mayChange(err), err
	})
}

// mayChange says that asking again may be answered otherwise: no answer came, or
// one that Kafka calls retriable.
func mayChange(err error) bool {
	var answered *Error
	return !errors.As(err, &answered) || isRetriable(err)
}
