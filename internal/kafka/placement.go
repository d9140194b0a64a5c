// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"cmp"
	"slices"
)

// layout is where a partition's replicas are.
type layout struct {
	partition int32
	// replicas are broker ids in Kafka's order: the first is the preferred leader.
	replicas []int32
	// inSync are the replicas that hold every acknowledged record.
	inSync []int32
	// leader is the broker that leads now; -1 for none.
	leader int32
}

// place computes the replicas that give every partition factor replicas, and moves
// as little as possible: a partition that has too few keeps all of its own, one
// that has too many gets none, and one that has the right number stays as it is.
// There must be at least factor brokers.
//
// Within that, in this order: replicas that are not in sync go first; a partition's
// replicas stand in different racks as far as there are racks; preferred leaders
// spread over the brokers as evenly as the replicas allow; the replica that leads
// now stays; and replicas spread over the brokers. The order of a partition's
// replicas changes only where that spreads the leaders, which moves no data. The
// same input gives the same output.
func place(partitions []layout, brokers []Broker, factor int) [][]int32 {
	p := newPlacement(partitions, brokers, factor)
	p.raise()
	p.spreadLeaders()
	p.lower()
	p.spreadReplicas()
	return p.inOrder()
}

// placement is a placement under construction.
type placement struct {
	partitions []layout
	factor     int
	// ids are the live brokers in order; position is a broker's place among them.
	ids      []int32
	position map[int32]int
	racks    map[int32]string
	// lists are the replicas so far, and seats the preferred leaders.
	lists [][]int32
	seats []int32
	// load counts replicas by broker.
	load map[int32]int
}

// newPlacement starts from the replicas as they are.
func newPlacement(partitions []layout, brokers []Broker, factor int) *placement {
	p := &placement{
		partitions: partitions, factor: factor,
		position: map[int32]int{}, racks: map[int32]string{}, load: map[int32]int{},
	}
	for _, broker := range brokers {
		p.ids = append(p.ids, int32(broker.ID))
		p.racks[int32(broker.ID)] = broker.Rack
	}
	slices.Sort(p.ids)
	for i, id := range p.ids {
		p.position[id] = i
	}
	for _, partition := range partitions {
		p.lists = append(p.lists, slices.Clone(partition.replicas))
		for _, id := range partition.replicas {
			p.load[id]++
		}
	}
	return p
}

// raise appends replicas where there are too few, one to each partition at a time,
// so that late partitions find the same choice as early ones.
func (p *placement) raise() {
	for added := true; added; {
		added = false
		for i, list := range p.lists {
			if len(list) < p.factor {
				p.lists[i] = append(list, p.newcomer(i))
				p.load[p.lists[i][len(list)]]++
				added = true
			}
		}
	}
}

// newcomer picks the broker for one more replica: from the rack that the partition
// uses least, then the one with the fewest replicas, then the next in the circle
// after the partition's first, which differs from topic to topic.
func (p *placement) newcomer(i int) int32 {
	list := p.lists[i]
	start := 0
	if len(list) > 0 {
		start = p.position[list[0]]
	}
	var candidates []int32
	for _, id := range p.ids {
		if !slices.Contains(list, id) {
			candidates = append(candidates, id)
		}
	}
	distance := func(id int32) int { return (p.position[id] - start + len(p.ids)) % len(p.ids) }
	return slices.MinFunc(candidates, func(a, b int32) int {
		return cmp.Or(
			cmp.Compare(p.inRackOf(a, list), p.inRackOf(b, list)),
			cmp.Compare(p.load[a], p.load[b]),
			cmp.Compare(distance(a), distance(b)),
		)
	})
}

// lower drops replicas where there are too many.
func (p *placement) lower() {
	for i := range p.lists {
		for len(p.lists[i]) > p.factor {
			leaver := p.leaver(i)
			p.lists[i] = slices.DeleteFunc(p.lists[i], func(id int32) bool { return id == leaver })
			p.load[leaver]--
		}
	}
}

// leaver picks the replica to drop: never the preferred leader, first what is not
// in sync, then from the rack that the partition uses most, the leader last, then
// from the broker with the most replicas.
func (p *placement) leaver(i int) int32 {
	list := p.lists[i]
	first := func(yes bool) int {
		if yes {
			return 0
		}
		return 1
	}
	candidates := slices.DeleteFunc(slices.Clone(list), func(id int32) bool { return id == p.seats[i] })
	slices.Reverse(candidates) // among equals the last goes
	return slices.MinFunc(candidates, func(a, b int32) int {
		return cmp.Or(
			cmp.Compare(first(!p.holdsAll(i, a)), first(!p.holdsAll(i, b))),
			cmp.Compare(p.inRackOf(b, list), p.inRackOf(a, list)),
			cmp.Compare(first(a != p.partitions[i].leader), first(b != p.partitions[i].leader)),
			cmp.Compare(p.load[b], p.load[a]),
		)
	})
}

// inOrder puts each changed partition's preferred leader first; the others keep
// their order.
func (p *placement) inOrder() [][]int32 {
	for i, list := range p.lists {
		at := slices.Index(list, p.seats[i])
		p.lists[i] = slices.Insert(slices.Delete(list, at, at+1), 0, p.seats[i])
	}
	return p.lists
}

// inRackOf counts the replicas of a list that share a broker's rack. A broker
// without a rack shares that with all others without one.
func (p *placement) inRackOf(id int32, list []int32) int {
	n := 0
	for _, other := range list {
		if p.racks[other] == p.racks[id] {
			n++
		}
	}
	return n
}

// holdsAll says that a replica is alive and in sync.
func (p *placement) holdsAll(i int, id int32) bool {
	_, alive := p.position[id]
	return alive && slices.Contains(p.partitions[i].inSync, id)
}
