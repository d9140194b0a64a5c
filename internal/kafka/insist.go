// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The pauses before a write is sent again: the first, and the longest.
const (
	firstRetryPause   = 100 * time.Millisecond
	longestRetryPause = 2 * time.Second
)

// insist sends a write again as long as the cluster answers that it may succeed
// later, for as long as one request may take. Only the topic that was refused goes
// again, in the next request of its kind. While the cluster asks to wait because of
// its quota it is well, and the bound is the caller's own: a quota may be far below
// what a plan holds. tried, where it is not nil, is told of every answer, and may know
// better that one is not the last word.
func insist[In, Out any](ctx context.Context, c *Client, g *gatherer[In, Out], in In, tried func(Out, error) (passes bool)) (Out, error) {
	deadline := time.Now().Add(c.config.RequestTimeout)
	within := linger
	var refused struct {
		out Out
		err error
	}
	for pause := firstRetryPause; ; pause = min(2*pause, longestRetryPause) {
		out, err := g.doWithin(ctx, in, within)
		if refused.err != nil && wasNotSent(ctx, err) {
			return refused.out, refused.err // the time ended in the wait that a quota asked for
		}
		passes := maySucceed(err)
		if tried != nil {
			passes = tried(out, err) || passes
		}
		c.avoid.heed(err)
		wait := jittered(pause)
		after, throttled := throttledFor(err)
		switch {
		case throttled:
			// The wait is spent in the next request: a quota lets one through at a time, and
			// requests for one topic each would stand in line for longer than they may take.
			wait, within = 0, max(after, firstRetryPause)
			deadline = time.Now().Add(within + c.config.RequestTimeout)
			refused.out, refused.err = out, err
		case !passes || time.Now().Add(wait).After(deadline):
			return out, err
		default:
			within = linger
		}
		if end, ends := ctx.Deadline(); ends && time.Now().Add(wait).After(end) || !sleep(ctx, wait) {
			return out, err
		}
	}
}

// wasNotSent says that the caller's time ended before a request went out: neither is
// there an answer, nor did a broker owe one.
func wasNotSent(ctx context.Context, err error) bool {
	var (
		answer      *Error
		unreachable *UnreachableError
	)
	return err != nil && ctx.Err() != nil && !errors.As(err, &answer) && !errors.As(err, &unreachable)
}

// maySucceed says that the cluster has answered that the same write may succeed
// later. A topic that it does not know is no such answer: writes are answered by the
// controller, which knows them all.
func maySucceed(err error) bool {
	var answer *Error
	return errors.As(err, &answer) && isRetriable(err) && !IsUnknownTopic(err)
}

// throttledFor says that a quota stands in the way, and for how long (KIP-599).
func throttledFor(err error) (time.Duration, bool) {
	var answer *Error
	if !errors.As(err, &answer) || !errors.Is(err, kerr.ThrottlingQuotaExceeded) {
		return 0, false
	}
	return answer.after, true
}

// waiting puts the wait that an answer asks for into the error of a topic that the
// quota has refused.
func waiting(err error, response kmsg.Response) error {
	var answer *Error
	throttled, ok := response.(kmsg.ThrottleResponse)
	if ok && errors.As(err, &answer) && errors.Is(err, kerr.ThrottlingQuotaExceeded) {
		millis, _ := throttled.Throttle()
		answer.after = time.Duration(millis) * time.Millisecond
	}
	return err
}

// jittered is half to one and a half of a pause, so that many clients do not come together.
func jittered(pause time.Duration) time.Duration {
	return pause/2 + rand.N(pause) //nolint:gosec // no secret
}

// sleep waits; false where the context ended first.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
