// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// throttles knows until when brokers want no more requests. The client library keeps
// all requests of a connection back for that time (KIP-219), reads too; a deadline
// that did not know of it would end while a request has not even been sent.
type throttles struct {
	until atomic.Int64 // Unix milliseconds
}

// OnBrokerThrottle is called by the client library after an answer that asks to wait.
func (t *throttles) OnBrokerThrottle(_ kgo.BrokerMetadata, interval time.Duration, afterResponse bool) {
	if !afterResponse {
		return // the broker has waited itself
	}
	until := time.Now().Add(interval).UnixMilli()
	for {
		known := t.until.Load()
		if known >= until || t.until.CompareAndSwap(known, until) {
			return
		}
	}
}

// remaining is how long requests are still kept back.
func (t *throttles) remaining() time.Duration {
	return max(0, time.Until(time.UnixMilli(t.until.Load())))
}

// within bounds a context by the time that a request may take, not counting what a
// quota holds it back.
func (c *Client) within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, timeout+c.throttles.remaining())
}
