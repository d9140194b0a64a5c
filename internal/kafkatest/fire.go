// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// The disturbances of a proxy.
const (
	// FireDrop swallows a request and all that follows on its connection, which stays open.
	FireDrop = "drop"
	// FireDelay holds a request back.
	FireDelay = "delay"
	// FireCutBefore ends a connection before a request has reached the broker.
	FireCutBefore = "cut before"
	// FireCutAfter hands a request on and ends the connection before the answer comes back.
	FireCutAfter = "cut after"
)

// Fire disturbs what goes through a cluster's proxies, at random from a seed, and counts. It knows a request by the
// frame that the protocol puts around it, and a write by its kind.
type Fire struct {
	proxies []*proxy

	mu     sync.Mutex
	chance *rand.Rand
	kinds  map[string]*burning
	flying map[flight]bool // writes that a broker has and has not answered
	traps  []*trap
	counts FireCounts
	tried  map[string]int // how often each part of a write was sent
}

// burning is a disturbance that is on.
type burning struct {
	surely int // the write that is struck without fail, counted from 0
	writes int // writes seen
	left   int // how many it may still strike
}

// FireCounts are what has happened since the last Arm.
type FireCounts struct {
	// Injected are disturbances by kind, Writes those of them that struck a write in flight.
	Injected, Writes map[string]int
	// Sent are the requests that write, Retries the parts of them that were sent before.
	Sent, Retries int
}

// flight is a write on its way.
type flight struct {
	node int
	conn *proxied
	id   uint32
}

// trap waits for a write in flight.
type trap struct {
	node   int // 0 is any
	sprung chan int
}

func newFire() *Fire {
	f := &Fire{flying: map[flight]bool{}}
	f.Arm(0)
	return f
}

// Arm begins anew, with a seed and the kinds that are to strike; none lets everything pass.
func (f *Fire) Arm(seed uint64, kinds ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.chance = rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a campaign has to be repeatable
	f.kinds, f.tried = map[string]*burning{}, map[string]int{}
	f.counts = FireCounts{Injected: map[string]int{}, Writes: map[string]int{}}
	for _, kind := range kinds {
		// What costs a client a whole timeout is rare, or nothing would ever be done.
		left := map[string]int{FireDrop: 2, FireDelay: 20, FireCutBefore: 8, FireCutAfter: 8}[kind]
		f.kinds[kind] = &burning{surely: f.chance.IntN(6), left: left}
	}
}

// Quench lets everything pass, and returns what was counted.
func (f *Fire) Quench() FireCounts {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kinds = map[string]*burning{}
	for _, waiting := range f.traps {
		close(waiting.sprung)
	}
	f.traps = nil
	return f.counts
}

// strike decides what happens to a request; "" lets it pass.
func (f *Fire) strike(write bool) (kind string, by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, candidate := range []string{FireDrop, FireCutBefore, FireCutAfter, FireDelay} {
		fire := f.kinds[candidate]
		if fire == nil || fire.left == 0 {
			continue
		}
		likely := 0.02
		if write {
			likely = 0.1
			fire.writes++
		}
		if kind == "" && (write && fire.writes-1 == fire.surely || f.chance.Float64() < likely) {
			kind = candidate
			fire.left--
		}
	}
	if kind == "" {
		return "", 0
	}
	f.counts.Injected[kind]++
	if write {
		f.counts.Writes[kind]++
	}
	return kind, time.Duration(100+f.chance.IntN(1900)) * time.Millisecond
}

// flies notes a write that is handed to a broker, and springs the traps that wait for one.
func (f *Fire) flies(write flight, parts []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flying[write] = true
	f.counts.Sent++
	for _, part := range parts {
		if f.tried[part]++; f.tried[part] > 1 {
			f.counts.Retries++
		}
	}
	kept := f.traps[:0]
	for _, waiting := range f.traps {
		if waiting.node != 0 && waiting.node != write.node {
			kept = append(kept, waiting)
			continue
		}
		waiting.sprung <- write.node
	}
	f.traps = kept
}

// lands notes that a write was answered, or that nobody waits for it any more.
func (f *Fire) lands(write flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.flying, write)
}

// AwaitWrite waits until a write is handed to a node (0 is any), and returns the node; 0 where none came in time.
func (f *Fire) AwaitWrite(ctx context.Context, node int, patience time.Duration) int {
	waiting := &trap{node: node, sprung: make(chan int, 1)}
	f.mu.Lock()
	f.traps = append(f.traps, waiting)
	f.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case at := <-waiting.sprung:
		return at
	case <-timer.C:
	case <-ctx.Done():
	}
	return 0
}

// InFlight returns how many writes a node has and has not answered; 0 is all nodes.
func (f *Fire) InFlight(node int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for write := range f.flying {
		if node == 0 || write.node == node {
			n++
		}
	}
	return n
}

// before opens the proxy of a node and returns its address.
func (f *Fire) before(node int, broker string) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	p := &proxy{fire: f, node: node, broker: broker, listener: listener, conns: map[*proxied]bool{}}
	f.proxies = append(f.proxies, p)
	p.running.Go(p.accept)
	return listener.Addr().String(), nil
}

// addresses are the proxies'.
func (f *Fire) addresses() []string {
	var addresses []string
	for _, p := range f.proxies {
		addresses = append(addresses, p.listener.Addr().String())
	}
	return addresses
}

// close ends the proxies.
func (f *Fire) close() {
	for _, p := range f.proxies {
		p.close()
	}
}
