// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// linger is how long the last call of a batch waits for another. Terraform hands
	// out at most -parallelism calls at once, and those come within milliseconds of
	// each other.
	linger = 10 * time.Millisecond
	// maxLinger is how long the first one waits at most, while others keep coming: on
	// a busy machine ten calls take that long to arrive.
	maxLinger = 50 * time.Millisecond
	// batchSize is how many calls one request carries at most.
	batchSize = 50
	// lookupSize is the same for looking at topics, which costs a cluster next to nothing.
	lookupSize = 250
)

// gatherer lets calls that come together travel together: the first opens a batch,
// those that come while it lingers join it, and all go in one request. Each call
// gets an answer of its own. A request is detached from the contexts of its calls,
// so one that gives up fails no other. Between batches there is nothing: no
// goroutine, no timer.
type gatherer[In, Out any] struct {
	// name is Kafka's name of the request, for errors.
	name string
	// send sends one request for calls that no two share a key of, and returns one
	// answer for each, in order. It keeps the deadline.
	send func(ctx context.Context, calls []In) []answer[Out]
	// key names what a request may hold once only.
	key func(In) string
	// most is how many calls one request takes.
	most int
	// weigh and capacity cut a batch by a sum of Kafka's own; nil weighs nothing. A
	// call heavier than the capacity goes alone: the cluster says what it thinks.
	weigh    func(In) int64
	capacity int64
	// sure keeps a call waiting once its request is on its way, whatever becomes of
	// its context: what a write has done must not be lost. The request's own deadline
	// bounds that. A call of any other kind leaves at once, and the last one to leave
	// ends the request.
	sure bool

	mu   sync.Mutex
	open *batch[In, Out]
}

// answer is what a call gets. A value may come beside an error.
type answer[Out any] struct {
	value Out
	err   error
}

// batch is one request in the making, then on its way.
type batch[In, Out any] struct {
	calls  []*call[In, Out]
	weight int64
	due    time.Time // when it goes
	latest time.Time // how far lingering may put that off; zero while nobody lingers
	timer  *time.Timer
	sent   bool
	left   int                // calls that gave up after it was sent
	cancel context.CancelFunc // set when it is sent
}

// call is one caller's part.
type call[In, Out any] struct {
	in   In
	done chan struct{} // closed when answer is set
	answer[Out]
}

// do sends a call with those that come together.
func (g *gatherer[In, Out]) do(ctx context.Context, in In) (Out, error) {
	return g.doWithin(ctx, in, linger)
}

// doWithin sends a call with the next request, which goes out within the given
// time: when the most impatient of its calls wants it to. Whoever waits for the
// cluster thus asks together with everybody else who does.
func (g *gatherer[In, Out]) doWithin(ctx context.Context, in In, within time.Duration) (Out, error) {
	var nothing Out
	if ctx.Err() != nil {
		return nothing, g.gaveUp(ctx, "was not sent")
	}
	mine := &call[In, Out]{in: in, done: make(chan struct{})}
	b := g.join(ctx, mine, within)
	select {
	case <-mine.done:
		return mine.value, mine.err
	case <-ctx.Done():
	}
	switch sent := g.leave(b, mine); {
	case !sent:
		return nothing, g.gaveUp(ctx, "was not sent")
	case !g.sure:
		return nothing, g.gaveUp(ctx, "was not waited for")
	}
	<-mine.done
	return mine.value, mine.err
}

// gaveUp is the answer to a call whose context ended.
func (g *gatherer[In, Out]) gaveUp(ctx context.Context, what string) error {
	return fmt.Errorf("%s %s: %w", g.name, what, context.Cause(ctx))
}

// join puts a call into the open batch, or opens one.
func (g *gatherer[In, Out]) join(ctx context.Context, mine *call[In, Out], within time.Duration) *batch[In, Out] {
	g.mu.Lock()
	defer g.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	if g.open != nil && !g.takes(g.open, mine.in) {
		full := g.open
		g.close(full)
		go g.run(ctx, full)
	}
	b := g.open
	if b == nil {
		b = &batch[In, Out]{}
		b.timer = time.AfterFunc(within, func() { g.dispatch(ctx, b) })
		g.open = b
	}
	b.schedule(within)
	b.calls = append(b.calls, mine)
	b.weight += g.weightOf(mine.in)
	if len(b.calls) >= g.most {
		g.close(b)
		go g.run(ctx, b)
	}
	return b
}

// schedule decides when a batch goes, now that a call has come which wants it within
// a time: as the most impatient of its calls wants, but one that lingers makes way
// for those that follow it closely.
func (b *batch[In, Out]) schedule(within time.Duration) {
	due := time.Now().Add(within)
	switch {
	case within > linger && !b.due.IsZero() && !due.Before(b.due):
		return
	case within <= linger && b.latest.IsZero():
		b.latest = due.Add(maxLinger - linger)
	case within <= linger && due.After(b.latest):
		due = b.latest
	}
	b.due = due
	b.timer.Reset(time.Until(due))
}

// takes says whether a batch has room for a call and does not hold its key yet.
func (g *gatherer[In, Out]) takes(b *batch[In, Out], in In) bool {
	if g.weigh != nil && b.weight+g.weightOf(in) > g.capacity {
		return false
	}
	key := g.key(in)
	for _, other := range b.calls {
		if g.key(other.in) == key {
			return false
		}
	}
	return true
}

// weightOf weighs a call.
func (g *gatherer[In, Out]) weightOf(in In) int64 {
	if g.weigh == nil {
		return 0
	}
	return g.weigh(in)
}

// close ends the gathering; nobody joins or silently leaves from here on.
func (g *gatherer[In, Out]) close(b *batch[In, Out]) {
	b.sent = true
	b.timer.Stop()
	g.open = nil
}

// dispatch sends a batch whose time has come, unless it is under way.
func (g *gatherer[In, Out]) dispatch(ctx context.Context, b *batch[In, Out]) {
	g.mu.Lock()
	if b.sent {
		g.mu.Unlock()
		return
	}
	g.close(b)
	g.mu.Unlock()
	g.run(ctx, b)
}

// leave takes a call out of its batch, and says whether that was sent before.
func (g *gatherer[In, Out]) leave(b *batch[In, Out], mine *call[In, Out]) (sent bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b.sent {
		if b.left++; b.left == len(b.calls) && !g.sure && b.cancel != nil {
			b.cancel()
		}
		return true
	}
	for i, other := range b.calls {
		if other == mine {
			b.calls = append(b.calls[:i], b.calls[i+1:]...)
			b.weight -= g.weightOf(mine.in)
			break
		}
	}
	if len(b.calls) == 0 {
		g.close(b)
	}
	return false
}

// run sends a batch and hands its answers out.
func (g *gatherer[In, Out]) run(ctx context.Context, b *batch[In, Out]) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g.mu.Lock()
	b.cancel = cancel
	if b.left == len(b.calls) && !g.sure { // all left before it got here
		cancel()
	}
	g.mu.Unlock()
	ins := make([]In, len(b.calls))
	for i, each := range b.calls {
		ins[i] = each.in
	}
	answers := g.send(ctx, ins)
	for i, each := range b.calls {
		each.answer = answers[i]
		close(each.done)
	}
}
