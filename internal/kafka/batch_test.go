// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// recorder is a cluster that notes what it is sent and answers with what it was asked.
type recorder struct {
	mu       sync.Mutex
	requests [][]string
	takes    time.Duration
	refuse   map[string]bool
	ended    error // why the context of the last request ended before its answer
}

var errRefused = errors.New("refused")

func (r *recorder) send(ctx context.Context, calls []string) []answer[string] {
	timer := time.NewTimer(r.takes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, slices.Clone(calls))
	r.ended = ctx.Err()
	answers := make([]answer[string], len(calls))
	for i, each := range calls {
		answers[i].value = each
		if r.refuse[each] {
			answers[i].err = errRefused
		}
	}
	return answers
}

func (r *recorder) gatherer() *gatherer[string, string] {
	return &gatherer[string, string]{name: "Test", send: r.send, key: func(s string) string { return s }, most: 10}
}

// Calls that come together are one request, and each gets its own answer: one that
// is refused fails nobody else.
func TestGatherer_CallsThatComeTogetherTravelTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := &recorder{refuse: map[string]bool{"c3": true}}
		g := cluster.gatherer()
		for i := range 7 {
			go func() {
				name := fmt.Sprintf("c%d", i)
				got, err := g.do(t.Context(), name)
				if got != name || errors.Is(err, errRefused) != (name == "c3") {
					t.Errorf("%s was answered %q, %v", name, got, err)
				}
			}()
		}
		begin := time.Now()
		synctest.Wait()
		time.Sleep(linger)
		synctest.Wait()
		if len(cluster.requests) != 1 || len(cluster.requests[0]) != 7 || time.Since(begin) != linger {
			t.Errorf("%v after %s", cluster.requests, time.Since(begin))
		}
		if g.open != nil {
			t.Error("a batch stays behind")
		}
	})
}

// A batch that is full goes at once, and no request holds one name twice or weighs
// more than it may; what is too heavy alone goes alone.
func TestGatherer_KeepsTheLimits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		most := rapid.IntRange(1, 8).Draw(rt, "most")
		capacity := rapid.Int64Range(1, 30).Draw(rt, "capacity")
		type each struct {
			name   string
			weight int64
			after  time.Duration
		}
		calls := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) each {
			return each{
				name:   rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g"}).Draw(rt, "name"),
				weight: rapid.Int64Range(1, 40).Draw(rt, "weight"),
				after:  rapid.SampledFrom([]time.Duration{0, time.Millisecond, linger, 40 * time.Millisecond}).Draw(rt, "after"),
			}
		}), 1, 60).Draw(rt, "calls")
		synctest.Test(t, func(t *testing.T) {
			var (
				mu       sync.Mutex
				answered = map[int]int{}
				sent     = map[int]int{}
			)
			g := &gatherer[int, int]{
				name: "Test", most: most, capacity: capacity,
				key:   func(i int) string { return calls[i].name },
				weigh: func(i int) int64 { return calls[i].weight },
			}
			g.send = func(_ context.Context, in []int) []answer[int] {
				mu.Lock()
				defer mu.Unlock()
				names, weight := map[string]bool{}, int64(0)
				out := make([]answer[int], len(in))
				for i, each := range in {
					names[calls[each].name] = true
					weight += calls[each].weight
					sent[each]++
					out[i].value = each
				}
				if len(in) > most || len(names) != len(in) || weight > capacity && len(in) > 1 {
					rt.Errorf("one request of %d calls with %d names and weight %d", len(in), len(names), weight)
				}
				return out
			}
			var group sync.WaitGroup
			for i, each := range calls {
				time.Sleep(each.after / 10)
				group.Go(func() {
					got, err := g.do(t.Context(), i)
					mu.Lock()
					defer mu.Unlock()
					if answered[i]++; err != nil || got != i {
						rt.Errorf("call %d was answered %d, %v", i, got, err)
					}
				})
			}
			group.Wait()
			for i := range calls {
				if answered[i] != 1 || sent[i] != 1 {
					rt.Errorf("call %d was sent %d times and answered %d times", i, sent[i], answered[i])
				}
			}
		})
	})
}

// A caller that gives up fails nobody else; one that gives up before the request
// has gone is not in it.
func TestGatherer_OneCallersCancellationIsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := &recorder{}
		g := cluster.gatherer()
		cancelled, cancel := context.WithCancel(t.Context())
		go func() {
			if _, err := g.do(cancelled, "gone"); !errors.Is(err, context.Canceled) {
				t.Errorf("gone: %v", err)
			}
		}()
		synctest.Wait()
		go func() {
			if got, err := g.do(t.Context(), "stays"); got != "stays" || err != nil {
				t.Errorf("stays: %q, %v", got, err)
			}
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		time.Sleep(linger)
		synctest.Wait()
		if len(cluster.requests) != 1 || !slices.Equal(cluster.requests[0], []string{"stays"}) {
			t.Errorf("sent: %v", cluster.requests)
		}
		if _, err := g.do(cancelled, "late"); !errors.Is(err, context.Canceled) || len(cluster.requests) != 1 {
			t.Errorf("a caller that had given up before: %v, %v", err, cluster.requests)
		}
		alone, cancel := context.WithCancel(t.Context())
		go func() { _, _ = g.do(alone, "alone") }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if g.open != nil {
			t.Error("a batch without calls stays open")
		}
	})
}

// What a write has done must not be lost: once it is on its way its caller waits
// for the answer. A question that nobody waits for any more is ended.
func TestGatherer_WritesAreWaitedForAndQuestionsAreNot(t *testing.T) {
	for _, sure := range []bool{true, false} {
		t.Run(fmt.Sprintf("write %t", sure), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cluster := &recorder{takes: time.Minute}
				g := cluster.gatherer()
				g.sure = sure
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				begin := time.Now()
				got, err := g.do(ctx, "call")
				took := time.Since(begin)
				synctest.Wait()
				switch {
				case sure && (got != "call" || err != nil || took != time.Minute+linger || cluster.ended != nil):
					t.Errorf("%q, %v after %s; the request ended with %v", got, err, took, cluster.ended)
				case !sure && (!errors.Is(err, context.DeadlineExceeded) || took != time.Second || cluster.ended == nil):
					t.Errorf("%v after %s; the request ended with %v", err, took, cluster.ended)
				}
			})
		})
	}
}

// All who wait ask in one request a round, also when they have begun at different
// times: the most impatient says when.
func TestGatherer_WhoWaitsAsksTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := &recorder{}
		g := cluster.gatherer()
		visible := time.Now().Add(3 * time.Second)
		var group sync.WaitGroup
		for i := range 9 {
			time.Sleep(130 * time.Millisecond)
			group.Go(func() {
				err := rounds(t.Context(), func(ctx context.Context, within time.Duration) (bool, error) {
					_, err := g.doWithin(ctx, fmt.Sprintf("t%d", i), within)
					return time.Now().After(visible), err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		last := cluster.requests[len(cluster.requests)-1]
		// Alone each would ask 7 times in its 1.9 to 2.9 seconds: 63 requests.
		if len(last) != 9 || len(cluster.requests) > 40 {
			t.Errorf("%d requests, the last for %v", len(cluster.requests), last)
		}
	})
}

// Whoever has waited for long is patient; whoever comes now is not held up by that,
// and takes the patient one along.
func TestGatherer_TheMostImpatientSaysWhen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cluster := &recorder{}
		g := cluster.gatherer()
		go func() { _, _ = g.doWithin(t.Context(), "patient", longestPause) }()
		synctest.Wait()
		begin := time.Now()
		if _, err := g.do(t.Context(), "now"); err != nil || time.Since(begin) > linger {
			t.Errorf("%v after %s", err, time.Since(begin))
		}
		if len(cluster.requests) != 1 || len(cluster.requests[0]) != 2 {
			t.Errorf("%v", cluster.requests)
		}
	})
}

// A wait that ends with its context tells the last answer, not only the deadline.
func TestRounds_EndWithTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		asked := 0
		err := rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
			asked++
			timer := time.NewTimer(within)
			defer timer.Stop()
			select {
			case <-timer.C:
				return false, errRefused
			case <-ctx.Done():
				return false, ctx.Err()
			}
		})
		if !errors.Is(err, errRefused) || !errors.Is(err, context.DeadlineExceeded) || asked > 10 {
			t.Errorf("%v after %d questions", err, asked)
		}
	})
}
