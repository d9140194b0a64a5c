// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"sync"
	"sync/atomic"

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

// lostAnswers counts the creations that were written to a broker and got no answer
// there. The client library sends such a request again, and the cluster may then
// refuse as existing what it has just created.
type lostAnswers struct {
	creates atomic.Int64
}

// OnBrokerE2E is called by the client library after each request to a broker.
func (l *lostAnswers) OnBrokerE2E(_ kgo.BrokerMetadata, key int16, e2e kgo.BrokerE2E) {
	if key == int16(kmsg.CreateTopics) && e2e.BytesWritten > 0 && e2e.Err() != nil {
		l.creates.Add(1)
	}
}

// note counts a request that was given up, which a broker may have done.
func (l *lostAnswers) note(request kmsg.Request) {
	if request.Key() == int16(kmsg.CreateTopics) {
		l.creates.Add(1)
	}
}
