// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The pauses between two attempts to reach a cluster: the first, and the longest.
const (
	firstReachPause   = 100 * time.Millisecond
	longestReachPause = 2 * time.Second
)

// reach is the way to the first answer. A cluster that is still starting is tried
// until the request timeout is over, for all requests of the process together; what
// no time cures ends it at once. The verdict is kept, so that later requests fail
// without trying.
type reach struct {
	answered atomic.Bool
	// met says that a broker has answered at the address that the cluster gives for it.
	met  atomic.Bool
	turn chan struct{} // one request at a time tries; the others wait for it
	// stalled says that an attempt was cut short because a server let it wait, and
	// sidestepped that the others have been asked. Whoever has the turn uses them.
	stalled     atomic.Bool
	sidestepped bool

	mu     sync.Mutex
	began  time.Time // of the first attempt
	failed *ConnectError
}

func newReach() *reach {
	return &reach{turn: make(chan struct{}, 1)}
}

// within is the deadline of a request that begins now. The time for reaching the
// cluster is one for all requests, and a bootstrap server that answers is not all of
// it: where the brokers that it names cannot be reached, nothing else works. Whoever
// comes late has time for one attempt.
func (r *reach) within(now time.Time, config Config) time.Time {
	r.mu.Lock()
	began := r.began
	r.mu.Unlock()
	whole := now.Add(config.RequestTimeout)
	if r.met.Load() || began.IsZero() {
		return whole
	}
	deadline := began.Add(config.RequestTimeout)
	if least := now.Add(config.attemptTimeout()); deadline.Before(least) {
		deadline = least
	}
	return deadline
}

// begin notes when the first attempt begins.
func (r *reach) begin(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began = now
}

// verdict is why the cluster cannot be reached; nil as long as that is open.
func (r *reach) verdict() *ConnectError {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// keep keeps the verdict.
func (r *reach) keep(failed *ConnectError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = failed
}

// first sends a request before any other was answered.
func (c *Client) first(ctx context.Context, request kmsg.Request) (kmsg.Response, string, error) {
	select {
	case c.reach.turn <- struct{}{}:
		defer func() { <-c.reach.turn }()
	case <-ctx.Done():
		return nil, "", c.notSent(ctx, request)
	}
	if c.reach.answered.Load() {
		<-c.reach.turn // so that all who have waited go together
		defer func() { c.reach.turn <- struct{}{} }()
		return c.exchange(ctx, request)
	}
	if failed := c.reach.verdict(); failed != nil {
		return nil, "", c.unreachable(request, failed)
	}
	began := time.Now()
	c.reach.begin(began)
	// The last tenth is for finding out what the failures mean, and for telling it in time.
	deadline := began.Add(c.config.RequestTimeout / 10 * 9)
	verdict := verdict{client: c, began: began}
	for pause := firstReachPause; ; pause = min(2*pause, longestReachPause) {
		response, broker, err := c.attempt(ctx, request, deadline, began.Add(c.config.RequestTimeout))
		if err != nil && !isAnswer(err) && c.sidestep(ctx) {
			response, broker, err = c.attempt(ctx, request, deadline, began.Add(c.config.RequestTimeout))
		}
		if err == nil || isAnswer(err) {
			c.reach.answered.Store(true)
			return response, broker, err
		}
		if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
			return nil, "", c.notSent(ctx, request)
		}
		failed, final := verdict.after(ctx, err)
		wait := jittered(pause)
		if final || time.Now().Add(wait).After(deadline) {
			verdict.complete(failed)
			c.reach.keep(failed)
			return nil, "", c.unreachable(request, failed)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			if errors.Is(ctx.Err(), context.Canceled) {
				return nil, "", c.notSent(ctx, request)
			}
		}
	}
}

// attempt tries each bootstrap server once. A connection has to stand by the first
// deadline, and the answer to be there by the second.
func (c *Client) attempt(ctx context.Context, request kmsg.Request, connected, answered time.Time) (kmsg.Response, string, error) {
	ctx, cancel := context.WithDeadline(ctx, answered)
	defer cancel()
	late := time.AfterFunc(time.Until(connected), func() {
		if !c.dialer.stands() {
			cancel()
		}
	})
	defer late.Stop()
	defer c.loseNoTime(cancel)()
	c.dialer.forget(func() {
		// The client library would go round the servers until its own time is over.
		failures := c.dialer.failures()
		if !slices.ContainsFunc(c.config.Servers, func(server string) bool { _, failed := failures[server]; return !failed }) {
			cancel()
		}
	})
	defer c.dialer.forgetTeller()
	return c.exchange(ctx, request)
}

// isAnswer says that the cluster was reached, whatever it said.
func isAnswer(err error) bool {
	var (
		unsupported *UnsupportedError
		answer      *Error
	)
	return errors.As(err, &unsupported) || errors.As(err, &answer)
}

// verdict finds out what the failures of the attempts come to.
type verdict struct {
	client *Client
	began  time.Time
	tries  int
	looked bool
	known  map[string]*ConnectError
}

// after judges one attempt: why the cluster is not reached, and whether that is final.
func (v *verdict) after(ctx context.Context, err error) (*ConnectError, bool) {
	c := v.client
	v.tries++
	if v.known == nil {
		v.known = map[string]*ConnectError{}
	}
	failures := c.dialer.failures()
	var unreachable *UnreachableError
	switch {
	case len(failures) > 0:
	case errors.As(err, &unreachable) && unreachable.address != "": // the connection stood, and the request failed on it
		failures[unreachable.address] = failure{err: unreachable.Cause}
	case len(v.known) == 0: // cut short before anything was heard
		for _, server := range c.config.Servers {
			failures[server] = c.dialer.cutShort(server)
		}
	}
	for server, failed := range failures {
		v.known[server] = c.classify(server, failed)
	}
	if !v.looked {
		v.looked = v.look(ctx)
	}
	passing, missing := false, false
	for _, server := range c.config.Servers {
		switch known := v.known[server]; {
		case known == nil:
			missing = true
		case known.Kind.forAll() && !known.passes():
			return known, true
		case known.passes() && !v.nameIsFinal(known):
			passing = true
		}
	}
	return v.worst(), !passing && !missing
}

// nameIsFinal says that a name has been unknown for long enough: a name that was made
// in the same run appears late, one that is misspelt never.
func (v *verdict) nameIsFinal(known *ConnectError) bool {
	return known.Kind == NameNotFound && time.Since(v.began) > v.client.config.RequestTimeout/3
}

// look asks the listeners that have closed or said nothing what they are.
func (v *verdict) look(ctx context.Context) (looked bool) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for _, known := range v.known {
		switch known.Kind {
		case Closed, Silent, WrongMechanism:
			v.client.enlighten(ctx, known)
			looked = true
		default:
		}
	}
	return looked
}

// worst is the failure that came furthest: it is the nearest to the answer.
func (v *verdict) worst() *ConnectError {
	order := []ConnectKind{NameNotFound, NoRoute, NoAnswer, Refused, Other, Closed, Silent}
	var worst *ConnectError
	for _, server := range v.servers() {
		known := v.known[server]
		if worst == nil || rank(order, known.Kind) > rank(order, worst.Kind) {
			worst = known
		}
	}
	return worst
}

func rank(order []ConnectKind, kind ConnectKind) int {
	if at := slices.Index(order, kind); at >= 0 {
		return at
	}
	return len(order)
}

// servers are those that failed, the configured ones in their order first.
func (v *verdict) servers() []string {
	var servers []string
	for _, server := range v.client.config.Servers {
		if v.known[server] != nil {
			servers = append(servers, server)
		}
	}
	for _, server := range sortedNames(v.known) {
		if !slices.Contains(servers, server) {
			servers = append(servers, server)
		}
	}
	return servers
}

// complete says in the verdict what the other servers did.
func (v *verdict) complete(failed *ConnectError) {
	failed.Tries, failed.Others = v.tries, nil
	for _, server := range v.servers() {
		if server != failed.Server {
			failed.Others = append(failed.Others, server+" ("+string(v.known[server].Kind)+")")
		}
	}
}

// addressOf is how a broker's address is written.
func addressOf(host string, port int32) string {
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}
