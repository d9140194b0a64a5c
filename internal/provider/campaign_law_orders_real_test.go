// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"slices"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// lawRequest is one request of an apply: to the policy's eyes or, for partitions, to its formula.
type lawRequest func(ctx context.Context) error

// lawUnit is what Terraform does one after the other; units come in any order, and mingle.
type lawUnit struct {
	requests []lawRequest
	grows    bool // in the end
}

// unitsOf are the requests that an apply sends for an item, in their order: for an
// update settings before partitions, as the provider does. A rename is two units,
// since a create may come before the delete.
func (l *law) unitsOf(item lawItem) []lawUnit {
	if item.before != nil && item.after != nil && !item.renamed() && !item.tainted {
		return []lawUnit{{l.updateRequests(*item.before, *item.after), outgrows(*item.after, *item.before)}}
	}
	var units []lawUnit
	if item.before != nil {
		units = append(units, lawUnit{requests: []lawRequest{l.deleteRequest(item.before.name)}})
	}
	if item.after != nil {
		units = append(units, lawUnit{[]lawRequest{l.createRequest(*item.after)}, true})
	}
	if item.tainted {
		return []lawUnit{{append(units[0].requests, units[1].requests...), outgrows(*item.after, *item.before)}}
	}
	return units
}

// outgrows says that a topic reserves more than another one, or loses its bound.
func outgrows(after, before modelTopic) bool {
	return after.counted().Cmp(before.counted()) > 0 || after.unbounded() && !before.unbounded()
}

// deleteRequest deletes a topic.
func (l *law) deleteRequest(name string) lawRequest {
	return func(ctx context.Context) error {
		delete(l.now, name)
		return l.client.Delete(ctx, name)
	}
}

// createRequest creates a topic.
func (l *law) createRequest(topic modelTopic) lawRequest {
	return func(ctx context.Context) error {
		err := l.client.Create(ctx, topic.onCluster())
		if err == nil {
			l.now[topic.name] = topic
		}
		return err
	}
}

// updateRequests are those of an update.
func (l *law) updateRequests(before, after modelTopic) (requests []lawRequest) {
	if set, remove := settingsChange(before, after); len(set)+len(remove) > 0 {
		changed := after.clone()
		changed.partitions = before.partitions
		requests = append(requests, func(ctx context.Context) error {
			err := l.client.Alter(ctx, after.name, kafkatest.RealChange{Set: set, Remove: remove})
			if err == nil {
				l.now[after.name] = changed
			}
			return err
		})
	}
	if after.partitions > before.partitions {
		requests = append(requests, func(ctx context.Context) error {
			// On a cluster that is over its limit already a topic may trade retention for partitions and come out no
			// larger. Of the two requests the second is growth when seen alone, but no policy of Kafka sees it.
			if words := l.JudgePartitions(l.t, after.name, after.partitions); words != "" && outgrows(after, before) {
				return kafkatest.RefusedWith(after.name, words)
			}
			err := l.client.SetPartitions(ctx, after.name, after.partitions)
			if err == nil {
				l.now[after.name] = after
			}
			return err
		})
	}
	return requests
}

// applyOrders applies a green set in several orders, of which the service must
// accept every request, and a refused one in the order that it must stop.
func (l *law) applyOrders(set lawSet) {
	var units []lawUnit
	for _, item := range set.items {
		units = append(units, slices.DeleteFunc(l.unitsOf(item), func(unit lawUnit) bool { return len(unit.requests) == 0 })...)
	}
	if set.refused {
		if l.applyOrder(growthFirst(units)) == "" {
			l.t.Errorf("the plan refuses a set that the service accepts in the worst order")
		}
		l.stopped++
		return
	}
	const orders = 6
	for n := range orders {
		order := growthFirst(units)
		if n > 0 {
			order = l.shuffle(units)
			l.arrange(set.base)
			l.SetCapacity(l.t, set.capacity())
		}
		if words := l.applyOrder(order); words != "" {
			l.t.Errorf("order %d of a green set was refused: %s", n, words)
			return
		}
		l.holds(set)
		l.orders++
	}
}

// applyOrder sends requests until the policy refuses one, and returns its words.
func (l *law) applyOrder(order []lawRequest) (refusal string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), realTimeout)
	defer cancel()
	for _, request := range order {
		l.requests++
		err := request(ctx)
		if words, refused := kafkatest.Refused(err); refused {
			return words
		}
		if err != nil {
			l.t.Fatal(err)
		}
	}
	return ""
}

// shuffle merges the units' requests by chance; each unit's own keep their order.
func (l *law) shuffle(units []lawUnit) []lawRequest {
	var rest [][]lawRequest
	for _, unit := range units {
		rest = append(rest, unit.requests)
	}
	var order []lawRequest
	for len(rest) > 0 {
		i := l.chance.IntN(len(rest))
		order = append(order, rest[i][0])
		if rest[i] = rest[i][1:]; len(rest[i]) == 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return order
}

// growthFirst is the order that reaches the peak: all that grows, then the rest.
func growthFirst(units []lawUnit) []lawRequest {
	var growing, rest []lawRequest
	for _, unit := range units {
		if unit.grows {
			growing = append(growing, unit.requests...)
		} else {
			rest = append(rest, unit.requests...)
		}
	}
	return append(growing, rest...)
}
