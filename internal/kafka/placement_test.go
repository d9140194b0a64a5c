// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawnCluster is a cluster and a topic on it, all replicas in sync.
type drawnCluster struct {
	brokers    []Broker
	partitions []layout
	factor     int
}

// drawCluster draws brokers in racks, and a topic whose partitions have any replicas.
func drawCluster(t *rapid.T) drawnCluster {
	n := rapid.IntRange(1, 7).Draw(t, "brokers")
	racks := rapid.IntRange(1, 4).Draw(t, "racks")
	var c drawnCluster
	var ids []int32
	for i := range n {
		rack := ""
		if racks > 1 {
			rack = fmt.Sprint("r", rapid.IntRange(0, racks-1).Draw(t, "rack"))
		}
		c.brokers = append(c.brokers, Broker{ID: int64(i*10 + 1), Rack: rack})
		ids = append(ids, int32(i*10+1))
	}
	before := rapid.IntRange(1, n).Draw(t, "before")
	c.factor = rapid.IntRange(1, n).Draw(t, "factor")
	for i := range rapid.IntRange(1, 12).Draw(t, "partitions") {
		list := rapid.Permutation(ids).Draw(t, "replicas")[:before]
		c.partitions = append(c.partitions, layout{partition: int32(i), replicas: list, inSync: list, leader: list[0]})
	}
	return c
}

// spread is the difference between the most and the fewest.
func spread(counts map[int32]int) int {
	values := slices.Collect(maps.Values(counts))
	return slices.Max(values) - slices.Min(values)
}

// countBy counts by live broker, brokers with nothing included.
func (c drawnCluster) countBy(lists [][]int32, take int) map[int32]int {
	counts := map[int32]int{}
	for _, broker := range c.brokers {
		counts[int32(broker.ID)] = 0
	}
	for _, list := range lists {
		for _, id := range list[:min(take, len(list))] {
			counts[id]++
		}
	}
	return counts
}

// lists are the replicas as they are.
func (c drawnCluster) lists() [][]int32 {
	var lists [][]int32
	for _, partition := range c.partitions {
		lists = append(lists, partition.replicas)
	}
	return lists
}

// rackCount counts the racks of a list.
func (c drawnCluster) rackCount(list []int32) int {
	racks := map[string]bool{}
	for _, broker := range c.brokers {
		if slices.Contains(list, int32(broker.ID)) {
			racks[broker.Rack] = true
		}
	}
	return len(racks)
}

// Every list has the wanted length with different brokers; raising keeps all
// replicas and lowering adds none, so nothing moves without need; racks are as
// many as they can be; and the same input gives the same output.
func TestPlace_MovesAsLittleAsPossibleAndUsesAllRacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		got := place(c.partitions, c.brokers, c.factor)
		allRacks := c.rackCount(slices.Collect(maps.Keys(c.countBy(nil, 0))))
		for i, list := range got {
			before := c.partitions[i].replicas
			if different := slices.Compact(slices.Sorted(slices.Values(list))); len(list) != c.factor || len(different) != c.factor {
				t.Fatalf("%v -> %v", before, list)
			}
			kept := 0
			for _, id := range list {
				if slices.Contains(before, id) {
					kept++
				}
			}
			if kept != min(len(before), c.factor) {
				t.Fatalf("%v -> %v moves more than it has to", before, list)
			}
			reach := c.rackCount(before)
			if len(before) < c.factor {
				reach = min(allRacks, reach+c.factor-len(before))
			}
			if want := min(reach, c.factor); c.rackCount(list) != want {
				t.Fatalf("%v -> %v in %d racks, %d are possible (%v)", before, list, c.rackCount(list), want, c.brokers)
			}
			if len(before) == c.factor && !slices.Equal(before, list) {
				t.Fatalf("%v has the right number already and becomes %v", before, list)
			}
		}
		if diff := cmp.Diff(got, place(c.partitions, c.brokers, c.factor)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Preferred leaders that are spread within one stay so, and a raise then keeps the
// order of every list; those that are not become no worse.
func TestPlace_KeepsLeadersSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		if rapid.Bool().Draw(t, "spread") {
			for i := range c.partitions { // seats in a circle, as Kafka itself places them
				list := slices.Clone(c.partitions[i].replicas)
				seat := int32(c.brokers[i%len(c.brokers)].ID)
				if at := slices.Index(list, seat); at >= 0 {
					list[at] = list[0]
				}
				list[0] = seat
				c.partitions[i].replicas, c.partitions[i].inSync, c.partitions[i].leader = list, list, seat
			}
		}
		before := spread(c.countBy(c.lists(), 1))
		got := place(c.partitions, c.brokers, c.factor)
		if after := spread(c.countBy(got, 1)); after > max(1, before) {
			t.Fatalf("leaders are %d apart, were %d: %v -> %v", after, before, c.lists(), got)
		}
		for i, list := range got {
			was := c.partitions[i].replicas
			if before <= 1 && len(was) < c.factor && !slices.Equal(list[:len(was)], was) {
				t.Fatalf("%v -> %v", was, list)
			}
			if before <= 1 && !slices.Contains(list, c.partitions[i].leader) {
				t.Fatalf("%v -> %v drops the leader", was, list)
			}
		}
	})
}

// A cluster that grew from one broker to three: all partitions lie on the first.
// Raising spreads replicas, and leaders too, since no data moves for that.
func TestPlace_SpreadsWhatASingleBrokerHeld(t *testing.T) {
	var c drawnCluster
	for id := range 3 {
		c.brokers = append(c.brokers, Broker{ID: int64(id + 1)})
	}
	for i := range 6 {
		c.partitions = append(c.partitions, layout{partition: int32(i), replicas: []int32{1}, inSync: []int32{1}, leader: 1})
	}
	for factor := 2; factor <= 3; factor++ {
		got := place(c.partitions, c.brokers, factor)
		if leaders := c.countBy(got, 1); spread(leaders) > 0 {
			t.Errorf("factor %d: leaders %v in %v", factor, leaders, got)
		}
	}
}

// Where Kafka's own placement was even, replicas stay even, up and down.
func TestPlace_KeepsReplicasSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c drawnCluster
		n := rapid.IntRange(1, 9).Draw(t, "brokers")
		racked := rapid.Bool().Draw(t, "racked") && n%3 == 0
		for i := range n {
			broker := Broker{ID: int64(i)}
			if racked {
				broker.Rack = fmt.Sprint("r", i%3)
			}
			c.brokers = append(c.brokers, broker)
		}
		from := rapid.IntRange(1, min(n, 3)).Draw(t, "from")
		start := rapid.IntRange(0, n-1).Draw(t, "start")
		c.factor = rapid.IntRange(1, min(n, 3)).Draw(t, "factor")
		for i := range rapid.IntRange(1, 30).Draw(t, "partitions") {
			var list []int32
			for r := range from {
				list = append(list, int32((start+i+r)%n))
			}
			c.partitions = append(c.partitions, layout{partition: int32(i), replicas: list, inSync: list, leader: list[0]})
		}
		before := spread(c.countBy(c.lists(), from))
		got := place(c.partitions, c.brokers, c.factor)
		if load := c.countBy(got, c.factor); spread(load) > max(1, before) {
			t.Fatalf("%v -> %v: %v", c.lists(), got, load)
		}
	})
}

// An even load may need a chain of exchanges: here 1 and 2 go, or 2 and 3, and each
// exchange alone makes nothing better.
func TestPlace_ExchangesInChains(t *testing.T) {
	var c drawnCluster
	for id := range 4 {
		c.brokers = append(c.brokers, Broker{ID: int64(id)})
	}
	for i, list := range [][]int32{{0, 1, 2}, {1, 2, 3}} {
		c.partitions = append(c.partitions, layout{partition: int32(i), replicas: list, inSync: list, leader: list[0]})
	}
	got := place(c.partitions, c.brokers, 2)
	if load := c.countBy(got, 2); spread(load) > 0 {
		t.Errorf("%v: %v", got, load)
	}
}

// What is not in sync, or dead, goes first, even if it is the preferred leader;
// what leads now stays where racks and leaders do not need its place.
func TestPlace_DropsWhatIsNotInSyncAndKeepsTheLeader(t *testing.T) {
	brokers := []Broker{{ID: 1, Rack: "a"}, {ID: 2, Rack: "b"}, {ID: 3, Rack: "b"}}
	for _, c := range []struct {
		law    string
		layout layout
		factor int
		want   []int32
	}{
		{"not in sync goes first", layout{replicas: []int32{1, 2, 3}, inSync: []int32{1, 3}, leader: 1}, 2, []int32{1, 3}},
		{"the preferred leader too", layout{replicas: []int32{1, 2, 3}, inSync: []int32{2, 3}, leader: 2}, 2, []int32{2, 3}},
		{"a dead broker's replica goes", layout{replicas: []int32{9, 1, 2}, inSync: []int32{9, 1, 2}, leader: 1}, 2, []int32{1, 2}},
		{"one replica: the leader's", layout{replicas: []int32{1, 2, 3}, inSync: []int32{1, 2, 3}, leader: 3}, 1, []int32{3}},
		{"the leader stays", layout{replicas: []int32{1, 2, 3}, inSync: []int32{1, 2, 3}, leader: 3}, 2, []int32{1, 3}},
		{"racks before the leader", layout{replicas: []int32{2, 1, 3}, inSync: []int32{1, 2, 3}, leader: 3}, 2, []int32{2, 1}},
		{"nobody is in sync", layout{replicas: []int32{1, 2, 3}, leader: -1}, 1, []int32{1}},
		{"no replicas are known", layout{leader: -1}, 2, []int32{1, 2}},
	} {
		got := place([]layout{c.layout}, brokers, c.factor)
		if diff := cmp.Diff([][]int32{c.want}, got); diff != "" {
			t.Errorf("%s:\n%s", c.law, diff)
		}
	}
}
