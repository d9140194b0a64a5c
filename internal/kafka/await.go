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

// awaitVisible waits until a new topic can be read, and reads its settings where
// the answer to its creation had none.
func (c *Client) awaitVisible(ctx context.Context, created Topic) (Topic, error) {
	err := c.awaitPartitions(ctx, created.Name, created.Partitions)
	if err != nil || len(created.Entries) > 0 {
		return created, err
	}
	err = poll(ctx, func(ctx context.Context) (bool, error) {
		answer, err := c.describe(ctx, []string{created.Name})
		if err != nil {
			return isCancelled(err), err
		}
		if failed := answer.failed[created.Name]; failed != nil {
			return !isRetriable(failed), failed
		}
		created.Entries = answer.entries[created.Name]
		return true, nil
	})
	return created, err
}

// awaitPartitions waits until metadata shows the topic with so many partitions.
func (c *Client) awaitPartitions(ctx context.Context, name string, partitions int64) error {
	return poll(ctx, func(ctx context.Context) (bool, error) {
		topic, err := c.lookup(ctx, name)
		switch {
		case err != nil:
			var answer *Error
			retriable := !errors.As(err, &answer) || isRetriable(err)
			return !retriable || isCancelled(err), err
		case topic.Partitions < partitions:
			return false, fmt.Errorf("metadata shows %d of %d partitions", topic.Partitions, partitions)
		}
		return true, nil
	})
}

// awaitGone waits until metadata no longer shows the topic.
func (c *Client) awaitGone(ctx context.Context, name string) error {
	return poll(ctx, func(ctx context.Context) (bool, error) {
		err := c.Lookup(ctx, name)
		switch {
		case IsUnknownTopic(err):
			return true, nil
		case err == nil:
			return false, errors.New("metadata still shows the topic")
		}
		var answer *Error
		retriable := !errors.As(err, &answer) || isRetriable(err)
		return !retriable || isCancelled(err), err
	})
}
