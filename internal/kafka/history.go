// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// history is what this process has written.
type history struct {
	// wrote says that a write has begun: the snapshot's plan is being applied.
	wrote atomic.Bool

	deletedMu sync.Mutex
	deleted   map[string]bool
}

// noteDeleted remembers that this process has deleted a topic.
func (h *history) noteDeleted(name string) {
	h.deletedMu.Lock()
	defer h.deletedMu.Unlock()
	if h.deleted == nil {
		h.deleted = map[string]bool{}
	}
	h.deleted[name] = true
}

// hasDeleted says whether this process has deleted a topic of that name.
func (h *history) hasDeleted(name string) bool {
	h.deletedMu.Lock()
	defer h.deletedMu.Unlock()
	return h.deleted[name]
}

// seen returns the snapshot where one was taken, and never takes one.
func (c *Client) seen() *Snapshot {
	c.snapshotMu.Lock()
	defer c.snapshotMu.Unlock()
	return c.snapshot
}

// Holds says that a topic of that name was there when this process first read the
// cluster, readable or not, and that this process has not deleted it.
func (c *Client) Holds(name string) bool {
	snapshot := c.seen()
	if snapshot == nil || c.hasDeleted(name) {
		return false
	}
	_, unreadable := snapshot.Unreadable[name]
	_, readable := snapshot.Topics[name]
	return readable || unreadable
}

// lostAnswers notes what makes it possible that the cluster refuses as existing what
// it has just created for us: the creation was done twice. The client library sends
// one again whose connection broke. And a broker that hands it on does so again by
// itself where it loses the controller, which only shows in the time that it takes,
// or in connections that break around it.
type lostAnswers struct {
	creates atomic.Int64 // creations that were written to a broker and got no answer there
	broken  atomic.Int64 // when a connection last broke under a request, in Unix milliseconds
}

// handedOnTwice is less than a broker needs to find another controller, and more than
// most clusters take to create ten topics.
const handedOnTwice = 250 * time.Millisecond

// brokenFor is for how long a connection that broke makes a cluster an unquiet one:
// longer than controllers need to follow one another.
const brokenFor = 30 * time.Second

// OnBrokerE2E is called by the client library after each request to a broker.
func (l *lostAnswers) OnBrokerE2E(_ kgo.BrokerMetadata, key int16, e2e kgo.BrokerE2E) {
	if e2e.BytesWritten > 0 && e2e.Err() != nil {
		l.note(key)
	}
}

// note counts a request without an answer, which a broker may have done.
func (l *lostAnswers) note(key int16) {
	l.broken.Store(time.Now().UnixMilli())
	if key == int16(kmsg.CreateTopics) {
		l.creates.Add(1)
	}
}

// watch begins to watch a creation. The function that it returns says whether that
// may have been done twice.
func (l *lostAnswers) watch() (twice func() bool) {
	lost, began := l.creates.Load(), time.Now()
	return func() bool {
		return l.creates.Load() != lost || time.Since(began) >= handedOnTwice ||
			time.Since(time.UnixMilli(l.broken.Load())) < brokenFor
	}
}
