// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// noteKind is a kind of warning. Nothing tells which call of a run is the last, so
// the first call of a kind carries the warning for all.
type noteKind string

// The kinds of notes.
const (
	noteWeakened     noteKind = "the gate is weakened"
	noteOverLimit    noteKind = "the limit would be exceeded"
	noteMayNotReturn noteKind = "a replaced topic may not come back"
	noteNotJudged    noteKind = "topics were not judged"
	notePolicy       noteKind = "the cluster's policy refuses"
	noteDefaults     noteKind = "the cluster's defaults may not be read"

	noteUnreadable   noteKind = "topics may not be read"
	noteBounded      noteKind = "a topic gets a bound"
	noteExists       noteKind = "a topic to create exists"
	noteAdoption     noteKind = "a topic is taken over"
	noteNameCollides noteKind = "a name collides with a live topic"
	noteReplicas     noteKind = "replica counts differ"
	noteThrottle     noteKind = "a throttle was left"
	noteKeysMove     noteKind = "records of one key may move"
	noteReleased     noteKind = "tiered settings are let go of"
	noteRemoteLost            = noteKind(topicconfig.RuleRemoteDataLost)
)

// weighty are the kinds that nothing crowds out: an opened gate, data at risk, and
// what was not judged, or by numbers that may be others.
var weighty = map[noteKind]bool{noteWeakened: true, noteOverLimit: true, noteMayNotReturn: true, noteNotJudged: true, notePolicy: true, noteDefaults: true, noteRemoteLost: true}

// maxNotes is how many kinds of notes a run gives before the rest become one line.
const maxNotes = 3

// once lets each key through once. It is safe for concurrent use.
type once struct {
	mu   sync.Mutex
	seen map[string]bool
}

// first says whether a key has not been seen yet.
func (o *once) first(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.seen == nil {
		o.seen = map[string]bool{}
	}
	if o.seen[key] {
		return false
	}
	o.seen[key] = true
	return true
}

// notes gives each kind of note once per process, and no more than a reader takes in.
type notes struct {
	once  once
	mu    sync.Mutex
	kinds int
}

// say gives a note of a kind that has not been given yet: as it is while few kinds
// have been given, or when it is a weighty one; the first beyond that becomes one
// line for all others.
func (n *notes) say(kind noteKind, note diag.Diagnostic) diag.Diagnostics {
	if !n.once.first(string(kind)) {
		return nil
	}
	n.mu.Lock()
	n.kinds++
	kinds := n.kinds
	n.mu.Unlock()
	switch {
	case kinds <= maxNotes || weighty[kind]:
		return diag.Diagnostics{note}
	case n.once.first("the rest"):
		return diag.Diagnostics{furtherNotes(kind)}
	}
	return nil
}
