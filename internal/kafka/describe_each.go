// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// describeBatch reads the settings of a batch of topics in one request. Where that
// request gets no answer while the cluster is there (its metadata was just read),
// one topic may be what holds it up: then each topic is asked for alone, so that
// only the stuck one fails. Half the time is for the batch, so that both attempts
// end well within twice the request timeout.
func (c *Client) describeBatch(ctx context.Context, names []string) (described, error) {
	halved, cancel := context.WithTimeout(ctx, c.config.RequestTimeout/2)
	answer, err := c.describe(halved, names)
	cancel()
	var unreachable *UnreachableError
	if err == nil || ctx.Err() != nil || !errors.As(err, &unreachable) {
		return answer, err
	}
	return c.describeEach(ctx, names, err)
}

// describeEach asks for each topic alone. A broker answers the requests of one
// connection in order, so a request behind a stuck one waits with it: each worker
// therefore has connections of its own. If no topic can be read, the cluster is
// gone, and the batch's error stands.
func (c *Client) describeEach(ctx context.Context, names []string, batchErr error) (described, error) {
	out := described{entries: map[string]map[string]Entry{}, failed: map[string]error{}}
	var (
		mu    sync.Mutex
		group errgroup.Group
		next  = make(chan string, len(names))
	)
	for _, name := range names {
		next <- name
	}
	close(next)
	for range min(describeParallel, len(names)) {
		group.Go(func() error {
			worker, err := New(c.config)
			if err != nil {
				return err
			}
			defer worker.Close()
			for name := range next {
				answer, err := worker.describe(ctx, []string{name})
				mu.Lock()
				if err != nil {
					answer.failed[name] = err
				}
				out.add(answer)
				mu.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return out, err
	}
	if err := ctx.Err(); err != nil || len(out.entries) == 0 {
		return out, errors.Join(batchErr, err)
	}
	return out, nil
}

// add takes another answer in.
func (d described) add(other described) {
	for name, entries := range other.entries {
		d.entries[name] = entries
	}
	for name, err := range other.failed {
		d.failed[name] = err
	}
}
