// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// lawItem is one resource of a set: what it holds and what it is to hold.
type lawItem struct {
	before, after *modelTopic // nil: created, deleted
	tainted       bool        // replaced under the same name
}

// String is for the report of a failure.
func (i lawItem) String() string {
	text := func(topic *modelTopic) string {
		if topic == nil {
			return "-"
		}
		return fmt.Sprint(*topic)
	}
	return fmt.Sprintf("%s -> %s tainted %v", text(i.before), text(i.after), i.tainted)
}

// renamed says that the resource is replaced by a topic of another name.
func (i lawItem) renamed() bool {
	return i.before != nil && i.after != nil && i.before.name != i.after.name
}

// lawSet is a set of changes over a cluster.
type lawSet struct {
	base  map[string]modelTopic
	items []lawItem
	limit *big.Int
	// refused is the law's verdict, worked out here; netTurns says that the end
	// state would fit all the same.
	refused, netTurns bool
}

// capacity is the one that has the set's limit.
func (s lawSet) capacity() int64 { return capacityFor(s.limit.Int64()) }

// sums are what the set comes to: now, at the worst, and at the end. freed says
// that something creates a topic without a bound, or takes one away.
func (s lawSet) sums() (now, peak, final *big.Int, grows, freed bool) {
	now, peak = totalOf(s.base), totalOf(s.base)
	end := maps.Clone(s.base)
	for _, item := range s.items {
		if item.before != nil {
			delete(end, item.before.name)
		}
	}
	for _, item := range s.items {
		if item.after == nil {
			continue
		}
		end[item.after.name] = *item.after
		before, lives := s.base[item.after.name]
		losesBound := item.after.unbounded() && (!lives || !before.unbounded())
		freed = freed || losesBound
		if growth := new(big.Int).Sub(item.after.counted(), before.counted()); growth.Sign() > 0 {
			peak.Add(peak, growth)
			grows = true
		}
	}
	return now, peak, totalOf(end), grows, freed
}

// end is what the cluster holds when the set is applied.
func (s lawSet) end() map[string]modelTopic {
	end := maps.Clone(s.base)
	for _, item := range s.items {
		if item.before != nil {
			delete(end, item.before.name)
		}
	}
	for _, item := range s.items {
		if item.after != nil {
			end[item.after.name] = *item.after
		}
	}
	return end
}

// replaces says that a topic goes and comes again under its name. That is no growth,
// but on a cluster that is over its limit already a service refuses the second half,
// because to it that is a create: such sets are outside of what is promised.
func (s lawSet) replaces() bool {
	return slices.ContainsFunc(s.items, func(item lawItem) bool { return item.tainted })
}

// think thinks of the n-th set. The classes take turns: of twenty sets eight are
// green, six would fit at the end only, six do not fit at all.
func (l *law) think(n int) lawSet {
	for {
		set := l.thinkChanges(n)
		now, peak, final, grows, freed := set.sums()
		one := big.NewInt(1)
		least := new(big.Int).Set(now)
		if final.Cmp(now) > 0 {
			least.Set(final)
		}
		switch class := n % 20; {
		case class < 8:
			switch {
			case freed:
				continue
			case class == 7: // over the limit, and nothing grows
				if grows || now.Sign() == 0 || set.replaces() {
					continue
				}
				set.limit = between(l.chance, one, new(big.Int).Sub(now, one))
			case !grows:
				continue
			case class < 3:
				set.limit = peak
			default:
				set.limit = pick(l.chance, new(big.Int).Add(peak, one), new(big.Int).Mul(peak, big.NewInt(2)))
			}
		case class < 14:
			if freed || peak.Cmp(least) <= 0 || least.Sign() == 0 {
				continue
			}
			set.refused, set.netTurns = true, true
			set.limit = pick(l.chance, least, new(big.Int).Sub(peak, one), between(l.chance, least, new(big.Int).Sub(peak, one)))
		case class == 14:
			if !freed {
				continue
			}
			set.refused = true
			set.limit = new(big.Int).Mul(peak, big.NewInt(2))
		default:
			if freed || !grows || final.Sign() == 0 {
				continue
			}
			set.refused = true
			set.limit = pick(l.chance, new(big.Int).Sub(final, one), between(l.chance, one, new(big.Int).Sub(final, one)))
		}
		if set.limit.Sign() > 0 && set.limit.BitLen() < 62 {
			return set
		}
	}
}

// thinkChanges thinks of a base and of what happens to it. A base serves a few sets.
func (l *law) thinkChanges(n int) lawSet {
	set := lawSet{base: map[string]modelTopic{}}
	for range 3 + l.chance.IntN(3) {
		topic := l.think1()
		if l.chance.IntN(12) == 0 {
			topic = withoutBound(topic)
		}
		set.base[topic.name] = topic
	}
	free := n%20 == 14
	for _, name := range slices.Sorted(maps.Keys(set.base)) {
		before := set.base[name]
		item := lawItem{before: &before}
		after := before.clone()
		switch chance := l.chance.IntN(12); {
		case chance < 2: // stays
		case chance < 4:
			item.after = nil
			set.items = append(set.items, item)
			continue
		case before.unbounded():
			after.settings["retention.ms"] = fmt.Sprint(1000 + n)
		case chance < 7:
			after = randomChange(l.chance, before)
		case chance < 9:
			after.partitions += 1 + l.chance.Int64N(2)
		case chance < 10:
			after = randomChange(l.chance, before)
			after.partitions += 1 + l.chance.Int64N(2)
		case chance < 11:
			after = l.think1() // under another name
		default:
			item.tainted = true
			after = l.think1()
			after.name = name
		}
		item.after = &after
		set.items = append(set.items, item)
	}
	for range l.chance.IntN(4) {
		after := l.think1()
		if free {
			after = withoutBound(after)
			free = false
		}
		set.items = append(set.items, lawItem{after: &after})
	}
	return set
}

// think1 thinks of one small topic under a fresh name.
func (l *law) think1() modelTopic {
	l.names++
	topic := randomTopic(l.chance, fmt.Sprintf("law-%d", l.names))
	topic.partitions = 1 + l.chance.Int64N(2)
	return topic
}
