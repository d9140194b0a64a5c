// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// attemptsPerRequest is how many brokers can be silent before a request fails.
const attemptsPerRequest = 3

// attemptTimeout is how long one broker may take over a request. A broker that
// accepts a request and never answers must leave time for another one.
func (c Config) attemptTimeout() time.Duration {
	return max(100*time.Millisecond, c.RequestTimeout/attemptsPerRequest) // the least that the client library takes
}

// exchange sends a request and waits for the answer, under one deadline. The client
// library repeats what fails on its way to a broker; here a broker that says nothing
// is left for another one. Any broker hands a write on to the controller (KIP-590);
// where one does not, the controller alone is asked.
func (c *Client) exchange(ctx context.Context, request kmsg.Request) (kmsg.Response, string, error) {
	deadline := c.reach.within(time.Now(), c.config).Add(c.throttles.remaining())
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		shard := c.once(ctx, request, deadline)
		switch {
		case shard.Err == nil:
			c.avoid.answered(shard.Meta.NodeID, shard.Resp)
			if !isSeed(shard.Meta) {
				c.reach.met.Store(true)
			}
			return shard.Resp, brokerName(shard.Meta), nil
		case isCancelled(shard.Err):
			return nil, "", c.notSent(ctx, request)
		case isUnsupported(shard.Err):
			return nil, "", &UnsupportedError{Request: kmsg.NameForKey(request.Key())}
		}
		if held := c.throttles.remaining(); held > 0 { // somebody else's answer has held this one back
			deadline = time.Now().Add(held + c.config.attemptTimeout())
		}
		wait := jittered(pause)
		if !c.reach.answered.Load() || !mayPass(shard.Err) || time.Now().Add(wait).After(deadline) || !sleep(ctx, wait) {
			return nil, "", c.unanswered(request, shard)
		}
		c.lost.note(request.Key())
		c.avoid.failed(shard.Meta.NodeID, c.config.RequestTimeout, shard.Err)
	}
}

// unanswered is the last attempt's failure.
func (c *Client) unanswered(request kmsg.Request, shard kgo.ResponseShard) error {
	unreachable := c.unreachable(request, nil)
	unreachable.Cause = c.explain(shard.Meta, shard.Err)
	if shard.Meta.Host != "" {
		unreachable.Broker = brokerName(shard.Meta)
		unreachable.address = addressOf(shard.Meta.Host, shard.Meta.Port)
	}
	return unreachable
}

// mayPass says that another attempt may be answered: nobody has said no.
func mayPass(err error) bool {
	var answer *kerr.Error
	return !errors.Is(err, kgo.ErrClientClosed) && (!errors.As(err, &answer) || answer.Retriable)
}

// once is one attempt.
func (c *Client) once(ctx context.Context, request kmsg.Request, deadline time.Time) kgo.ResponseShard {
	ctx, cancelAll := context.WithDeadline(ctx, deadline)
	defer cancelAll()
	if !c.reach.answered.Load() { // the way to the first answer has deadlines of its own
		return c.kgo.RequestSharded(ctx, request)[0]
	}
	ctx, cancel := c.within(ctx, c.config.attemptTimeout())
	defer cancel()
	broker, ok := c.avoid.elsewhere(request)
	if !ok {
		return c.kgo.RequestSharded(ctx, request)[0]
	}
	shard := kgo.ResponseShard{Req: request, Meta: broker}
	shard.Resp, shard.Err = c.kgo.Broker(int(broker.NodeID)).Request(ctx, request)
	return shard
}
