// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import "slices"

// hop leads to a broker: from another, through a partition. The first of a chain
// goes through none (-1).
type hop struct {
	from      int32
	partition int
}

// shift takes one unit of a load from a broker to one that has at least two fewer,
// directly or along a chain of partitions, each used once. next lists the brokers
// that a partition can hand its unit on to. nil: no such pair is left, so the load
// is as even as these chains make it. Each shift makes it more even, so repeating
// it ends.
func shift(ids []int32, load map[int32]int, on map[int32][]int, next func(partition int, from int32) []int32) (reached map[int32]hop, to int32) {
	fewest := load[ids[0]]
	for _, id := range ids {
		fewest = min(fewest, load[id])
	}
	for _, start := range ids {
		if load[start]-fewest < 2 {
			continue
		}
		reached = map[int32]hop{start: {partition: -1}}
		for queue := []int32{start}; len(queue) > 0; queue = queue[1:] {
			from := queue[0]
			for _, partition := range on[from] {
				if usesAlready(reached, from, partition) {
					continue
				}
				for _, to := range next(partition, from) {
					if _, seen := reached[to]; seen {
						continue
					}
					reached[to] = hop{from, partition}
					if load[start]-load[to] >= 2 {
						return reached, to
					}
					queue = append(queue, to)
				}
			}
		}
	}
	return nil, 0
}

// usesAlready says that the chain to a broker goes through a partition.
func usesAlready(reached map[int32]hop, broker int32, partition int) bool {
	for h := reached[broker]; h.partition >= 0; h = reached[h.from] {
		if h.partition == partition {
			return true
		}
	}
	return false
}

// spreadLeaders seats every partition's preferred leader. It starts from the seats
// as they are, and changes one only where that makes the seats more even.
func (p *placement) spreadLeaders() {
	candidates := make([][]int32, len(p.partitions))
	leads := map[int32]int{}
	for i := range p.partitions {
		candidates[i] = p.mayLead(i)
		p.seats = append(p.seats, p.firstSeat(i, candidates[i]))
		leads[p.seats[i]]++
	}
	for {
		on := map[int32][]int{}
		for i, seat := range p.seats {
			on[seat] = append(on[seat], i)
		}
		reached, to := shift(p.ids, leads, on, func(i int, _ int32) []int32 { return candidates[i] })
		if reached == nil {
			return
		}
		for h := reached[to]; h.partition >= 0; to, h = h.from, reached[h.from] {
			p.seats[h.partition] = to
			leads[to]++
			leads[h.from]--
		}
	}
}

// mayLead lists the replicas that may be a partition's preferred leader. A
// partition whose replicas stay as they are keeps the one it has.
func (p *placement) mayLead(i int) []int32 {
	before := p.partitions[i].replicas
	if len(before) == p.factor {
		return before[:1]
	}
	var able []int32
	for _, id := range p.lists[i] {
		// What is new will be in sync when the move ends.
		if !slices.Contains(before, id) || p.holdsAll(i, id) {
			able = append(able, id)
		}
	}
	if len(able) == 0 {
		return p.lists[i]
	}
	return able
}

// firstSeat is the preferred leader to start from: the present one; where only one
// replica stays, the one that leads now.
func (p *placement) firstSeat(i int, candidates []int32) int32 {
	partition := p.partitions[i]
	wishes := []int32{p.lists[i][0], partition.leader}
	if p.factor == 1 {
		slices.Reverse(wishes)
	}
	for _, id := range wishes {
		if slices.Contains(candidates, id) {
			return id
		}
	}
	return candidates[0]
}

// spreadReplicas exchanges replicas that were free to choose, where that makes the
// brokers' loads more even.
func (p *placement) spreadReplicas() {
	for {
		on := map[int32][]int{}
		for i, list := range p.lists {
			for _, id := range list {
				if p.isFree(i, id) {
					on[id] = append(on[id], i)
				}
			}
		}
		reached, to := shift(p.ids, p.load, on, p.exchanges)
		if reached == nil {
			return
		}
		for h := reached[to]; h.partition >= 0; to, h = h.from, reached[h.from] {
			list := p.lists[h.partition]
			list[slices.Index(list, h.from)] = to
			p.load[to]++
			p.load[h.from]--
		}
	}
}

// isFree says that a replica could as well be another: one that is new, or one of
// those that stay of more.
func (p *placement) isFree(i int, id int32) bool {
	before := p.partitions[i]
	kept := len(before.replicas) <= p.factor && slices.Contains(before.replicas, id)
	return !kept && id != p.seats[i] && id != before.leader
}

// exchanges lists the brokers that may hold a partition's replica instead of one
// that holds it, without more moves and without more replicas in one rack.
func (p *placement) exchanges(i int, from int32) []int32 {
	before := p.partitions[i].replicas
	rest := slices.DeleteFunc(slices.Clone(p.lists[i]), func(id int32) bool { return id == from })
	var able []int32
	for _, to := range p.ids {
		spare := len(before) < p.factor || slices.Contains(before, to) && p.holdsAll(i, to)
		if spare && to != from && !slices.Contains(rest, to) && p.inRackOf(to, rest) <= p.inRackOf(from, rest) {
			able = append(able, to)
		}
	}
	return able
}
