// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"slices"
	"sync"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A topic can be planned by two resources: the topic's own, and the one of its
// tiered storage. Terraform plans them by two calls in any order, so each call
// tells here what it plans and gets what has been heard before. The two are one
// step, so that of two calls which come together at least one knows of both.

// topicChange is what a call of the topic resource plans.
type topicChange struct {
	// planned is the whole topic as it is to be.
	planned plannedTopic
	// complete says that every input of it is known.
	complete bool
	// creates says that Terraform does not hold the topic, or holds one that goes before it.
	creates bool
	// adopts says that such a topic is there and is taken over.
	adopts bool
	// change is what is to be sent for the settings of a topic that stays.
	change topicconfig.Change
	// changes says that anything of the topic changes.
	changes bool
	// rates says that the plan says anew what is written to the topic.
	rates bool
	// lists are the tiered keys that the topic's own config has.
	lists []string
	// keepsTiering says that the config keeps tiering switched on.
	keepsTiering bool
	// unknown says of a setting that the plan does not know its value yet.
	unknown func(key string) bool
}

// tieredChange is what a call of the tiered resource plans.
type tieredChange struct {
	// change is what is to be sent.
	change topicconfig.Change
	// complete says that every input of it is known.
	complete bool
	// consent says that remote data may be deleted.
	consent bool
	// deferred says that its rules were not judged for good: what the topic's own
	// plan would cure is no error until that is heard.
	deferred bool
}

// heard is what calls have planned for one topic so far; nil is not heard of.
type heard struct {
	topic  *topicChange
	tiered *tieredChange
	// creates and updates count calls of tiered resources that come or stay, by
	// whether Terraform held them.
	creates, updates int
	// goes says that a tiered resource of the topic is to be deleted.
	goes bool
}

// topicChanges is what calls have planned, by topic. It is safe for concurrent use.
type topicChanges struct {
	mu    sync.Mutex
	heard map[string]heard
}

// hearTopic notes what the topic resource plans and returns all that is heard.
func (c *topicChanges) hearTopic(name string, change topicChange) heard {
	return c.update(name, func(h *heard) { h.topic = &change })
}

// hearTiered notes what a tiered resource plans and returns all that is heard. held
// says that Terraform has the resource already.
func (c *topicChanges) hearTiered(name string, change tieredChange, held bool) heard {
	return c.update(name, func(h *heard) {
		h.tiered = &change
		if held {
			h.updates++
		} else {
			h.creates++
		}
	})
}

// hearTieredGo notes that a tiered resource is to be deleted and returns all that is heard.
func (c *topicChanges) hearTieredGo(name string) heard {
	return c.update(name, func(h *heard) { h.goes = true })
}

// putOff notes that a tiered resource's rules wait for the topic's plan, and
// returns what has been heard meanwhile.
func (c *topicChanges) putOff(name string) heard {
	return c.update(name, func(h *heard) {
		if h.tiered != nil && h.topic == nil {
			deferred := *h.tiered
			deferred.deferred = true
			h.tiered = &deferred
		}
	})
}

// of returns what is heard of a topic.
func (c *topicChanges) of(name string) heard {
	return c.update(name, func(*heard) {})
}

// update changes what is heard of a topic.
func (c *topicChanges) update(name string, with func(*heard)) heard {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.heard == nil {
		c.heard = map[string]heard{}
	}
	h := c.heard[name]
	with(&h)
	c.heard[name] = h
	return h
}

// combinations are the topics that may come about of a topic, in whatever order
// its changes are applied: the live one with every set of changes heard that holds
// the caller's own. With them the ledger books what the topic may come to reserve
// at most, and the rules are held against every state that a broker would see.
type combinations struct {
	view *cluster
	name string
	heard
}

// withTopic are those that hold the topic resource's change, that alone first.
func (c combinations) withTopic() []combination {
	own := combination{topic: c.topic}
	if c.tiered == nil || !c.tiered.complete || c.tiered.change.Empty() {
		return []combination{own}
	}
	return []combination{own, {topic: c.topic, tiered: c.tiered}}
}

// withTiered are those that hold the tiered resource's change, that alone first; it
// has nothing to be alone with where the topic does not exist yet.
func (c combinations) withTiered() []combination {
	var all []combination
	if _, isLive := c.view.snapshot.Topics[c.name]; isLive {
		all = append(all, combination{tiered: c.tiered})
	}
	if c.topic != nil && c.topic.complete && c.topic.changes {
		all = append(all, combination{topic: c.topic, tiered: c.tiered})
	}
	return all
}

// combination is one set of changes.
type combination struct {
	topic  *topicChange
	tiered *tieredChange
}

// planned is the topic that a combination leads to.
func (c combination) planned(name string) plannedTopic {
	planned := plannedTopic{name: name, settings: topicconfig.Settings{}, keeps: func(string) bool { return true }}
	if c.topic != nil {
		planned = c.topic.planned
	}
	if c.tiered == nil {
		return planned
	}
	keeps, change := planned.keeps, c.tiered.change
	planned.settings = change.Set.Over(planned.settings)
	planned.keeps = func(key string) bool {
		return keeps != nil && keeps(key) && !slices.Contains(change.Remove, key)
	}
	return planned
}

// touches says whether one of the changes is about a key. A new topic is about what
// is written for it: what it inherits is nobody's change.
func (c combination) touches(key string) bool {
	if c.tiered != nil && changes(c.tiered.change, key) {
		return true
	}
	switch {
	case c.topic == nil:
		return false
	case key == topicconfig.Throughput:
		return c.topic.rates
	case c.topic.creates && !c.topic.adopts:
		_, written := c.topic.planned.settings[key]
		return written
	}
	return changes(c.topic.change, key)
}

// changes says whether a change is about a key.
func changes(change topicconfig.Change, key string) bool {
	_, sets := change.Set[key]
	return sets || slices.Contains(change.Remove, key)
}
