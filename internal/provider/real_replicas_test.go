// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// rackedCluster is a cluster of three nodes in three racks, and a workspace on it.
type rackedCluster struct {
	*workspace
	real   *kafkatest.Real
	client *kafkatest.RealClient
	ctx    context.Context
	name   string
}

// partitionsMoved is how many partitions the topic of these tests has.
const partitionsMoved = 6

// racked starts with a topic of one replica, as Terraform creates it, and some data.
func racked(t *testing.T, name string, bytes int) *rackedCluster {
	t.Helper()
	real := kafkatest.SharedReal(t, kafkatest.RealOptions{Nodes: 3, Racks: []string{"a", "b", "c"}})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	c := &rackedCluster{real: real, client: real.Client(t), ctx: ctx, name: name}
	c.workspace = newWorkspace(t, c.with(1, 0))
	c.apply(0)
	t.Cleanup(func() { _ = c.client.Delete(context.Background(), name) })
	c.plan(0).silent(t, "Warning")
	if err := real.Fill(ctx, name, partitionsMoved, bytes/partitionsMoved); err != nil {
		t.Fatal(err)
	}
	return c
}

// with is the configuration with a replication factor and a throttle; 0 is none.
func (c *rackedCluster) with(factor, throttle int) string {
	more := ""
	if throttle > 0 {
		more = fmt.Sprintf("replication_throttle_bytes_per_second = %d", throttle)
	}
	return providerBlock(c.real.Bootstrap(), more) + topic(c.name, partitionsMoved, fmt.Sprintf("replication_factor = %d", factor))
}

// replicas are the topic's partitions now.
func (c *rackedCluster) replicas() []kafkatest.RealPartition {
	c.t.Helper()
	partitions, err := c.client.Replicas(c.ctx, c.name)
	if err != nil {
		c.t.Fatal(err)
	}
	return partitions
}

// lists are the brokers of each partition.
func lists(partitions []kafkatest.RealPartition) [][]int32 {
	var lists [][]int32
	for _, partition := range partitions {
		lists = append(lists, partition.Replicas)
	}
	return lists
}

// isPlaced asserts what a finished move promises: the number of replicas, all in
// sync, each in a rack of its own; leaders spread within one; no throttle left.
func (c *rackedCluster) isPlaced(factor int) {
	c.t.Helper()
	c.real.Settle(c.t)
	racks, err := c.client.Racks(c.ctx)
	if err != nil {
		c.t.Fatal(err)
	}
	leaders, preferred := map[int32]int{1: 0, 2: 0, 3: 0}, map[int32]int{1: 0, 2: 0, 3: 0}
	for p, partition := range c.replicas() {
		used := map[string]bool{}
		for _, id := range partition.Replicas {
			used[racks[id]] = true
		}
		if len(partition.Replicas) != factor || len(partition.InSync) != factor || len(used) != factor {
			c.t.Errorf("partition %d: %+v in racks %v", p, partition, used)
		}
		leaders[partition.Leader]++
		preferred[partition.Replicas[0]]++
	}
	for what, counts := range map[string]map[int32]int{"leaders": leaders, "preferred leaders": preferred} {
		values := slices.Sorted(maps.Values(counts))
		if values[len(values)-1]-values[0] > 1 {
			c.t.Errorf("%s: %v", what, counts)
		}
	}
	c.hasNoThrottle()
}

// hasNoThrottle asserts that nothing is left of a throttle.
func (c *rackedCluster) hasNoThrottle() {
	c.t.Helper()
	if rates := c.real.BrokerSettings(c.t, "replication.throttled"); len(rates) > 0 {
		c.t.Errorf("left on brokers: %v", rates)
	}
	overrides, err := c.client.Overrides(c.ctx, c.name)
	if err != nil || len(overrides) > 0 {
		c.t.Errorf("left on the topic: %v, %v", overrides, err)
	}
}

// leadersSpread says that preferred leaders are spread within one: Kafka's own
// placement of a new topic mostly is.
func leadersSpread(partitions []kafkatest.RealPartition) bool {
	counts := map[int32]int{1: 0, 2: 0, 3: 0}
	for _, partition := range partitions {
		counts[partition.Replicas[0]]++
	}
	values := slices.Sorted(maps.Values(counts))
	return values[len(values)-1]-values[0] <= 1
}

// One replica to three and back to two, with data, a producer and a consumer at
// work: no record is lost, and everything stands where it should.
func TestRealTopicReplicas_UpAndDownUnderTraffic(t *testing.T) {
	c := racked(t, "traffic", 6_000_000)
	before := c.replicas()
	traffic := c.real.StartTraffic(t, c.name)
	for _, step := range []struct{ factor, throttle int }{{3, 50_000_000}, {2, 0}, {3, 0}} {
		c.write(c.with(step.factor, step.throttle))
		start := time.Now()
		c.apply(0).says(t, "0 added, 1 changed, 0 destroyed")
		t.Logf("to %d replicas in %v: %v", step.factor, time.Since(start).Round(time.Millisecond), lists(c.replicas()))
		c.isPlaced(step.factor)
		c.plan(0).silent(t, "Warning")
	}
	for p, partition := range c.replicas() {
		if leadersSpread(before) && partition.Replicas[0] != before[p].Replicas[0] {
			t.Errorf("partition %d has changed its preferred leader from %d to %d without need", p, before[p].Replicas[0], partition.Replicas[0])
		}
	}
	acknowledged, lost, err := traffic.Stop()
	t.Logf("%d records were acknowledged while replicas moved", acknowledged)
	if err != nil || len(lost) > 0 || acknowledged < 100 {
		t.Errorf("%d acknowledged, lost %d (%.5q), %v", acknowledged, len(lost), lost, err)
	}
	c.write(c.with(4, 0))
	c.plan(1).says(t, "Error: More replicas than brokers", "replication_factor = 4, and the cluster has 3 available brokers")
}

// A cluster that has grown from one broker leads everything from there. More
// replicas spread the leaders as well, and they lead when the apply returns.
func TestRealTopicReplicas_SpreadTheLeadersOfAGrownCluster(t *testing.T) {
	c := racked(t, "grown", 0)
	for p := range partitionsMoved {
		if err := c.client.Move(c.ctx, c.name, int32(p), 1); err != nil {
			t.Fatal(err)
		}
	}
	c.until("all to be on broker 1", func() bool {
		for _, partition := range c.replicas() {
			if !cmp.Equal(partition.Replicas, []int32{1}) || partition.Leader != 1 {
				return false
			}
		}
		return true
	})
	c.plan(0).silent(t, "Warning")
	c.write(c.with(3, 0))
	c.apply(0)
	c.isPlaced(3)
}

// A provider that is killed while replicas move can clean nothing up. The cluster
// goes on; the next apply joins, ends where the first would have ended, and takes
// away what the first has left. It does so too when the move has ended by itself.
func TestRealTopicReplicas_AKilledProviderIsContinued(t *testing.T) {
	c := racked(t, "killed", 30_000_000)
	for _, name := range []string{"joined", "ended by itself"} {
		byItself := name == "ended by itself"
		c.write(c.with(1, 0))
		c.apply(0)
		c.write(c.with(3, 1000))
		applied := c.start("apply", "-no-color", "-input=false", "-auto-approve")
		var targets map[int32][]int32
		c.until("the throttled move to begin", func() bool {
			var err error
			if targets, err = c.client.Moving(c.ctx, c.name, partitionsMoved); err != nil {
				t.Fatal(err)
			}
			return len(targets) == partitionsMoved && len(c.real.BrokerSettings(t, "replication.throttled")) == 2
		})
		c.kill(applied)
		<-applied.ended
		applied.outcome().says(t, "Error:") // that it did not respond, or was cancelled
		if overrides, err := c.client.Overrides(c.ctx, c.name); err != nil || len(overrides) != 2 || len(c.real.BrokerSettings(t, "replication.throttled")) != 2 {
			t.Fatalf("%s: the kill came too late: %v, %v", name, overrides, err)
		}
		c.plan(2).says(t, "~ replication_factor = 1 -> 3")
		if byItself {
			c.real.ResetBrokers(t, "leader.replication.throttled.rate", "follower.replication.throttled.rate")
			c.until("the move to end", func() bool {
				moving, err := c.client.Moving(c.ctx, c.name, partitionsMoved)
				return err == nil && len(moving) == 0
			})
			c.real.SetBrokers(t, map[string]string{"leader.replication.throttled.rate": "1000", "follower.replication.throttled.rate": "1000"})
			c.write(c.with(3, 0))
			c.plan(2).says(t, "Warning: An interrupted run has left its replication throttle")
		}
		c.write(c.with(3, 0))
		start := time.Now()
		c.apply(0)
		t.Logf("%s: the second apply took %v", name, time.Since(start).Round(time.Millisecond))
		c.isPlaced(3)
		for p, partition := range c.replicas() {
			if diff := cmp.Diff(targets[int32(p)], partition.Replicas); diff != "" {
				t.Errorf("%s: partition %d ended elsewhere:\n%s", name, p, diff)
			}
		}
		c.plan(0).silent(t, "Warning")
	}
}

// Somebody else's move is left alone, with the throttle that they gave it: at plan,
// and in an apply of a plan that was made before.
func TestRealTopicReplicas_SomebodyElsesMoveIsNotStartedOver(t *testing.T) {
	c := racked(t, "foreign", 30_000_000)
	c.write(c.with(2, 5000))
	c.plan(2, "-out=early")
	const rate = "leader.replication.throttled.rate"
	c.real.SetBrokers(t, map[string]string{rate: "1000"})
	t.Cleanup(func() { c.real.ResetBrokers(t, rate) })
	if err := c.client.Alter(c.ctx, c.name, kafkatest.RealChange{Set: map[string]string{"leader.replication.throttled.replicas": "*"}}); err != nil {
		t.Fatal(err)
	}
	at := c.replicas()[0].Replicas[0]
	to := []int32{at, at%3 + 1, (at+1)%3 + 1}
	if err := c.client.Move(c.ctx, c.name, 0, to...); err != nil {
		t.Fatal(err)
	}
	c.must(1, "apply", "-no-color", "-input=false", "early").says(t, "Error: Topic is being reassigned already", "partition 0: to", "kafka-reassign-partitions.sh --list")
	c.plan(1).says(t, "Error: Topic is being reassigned already", "Nothing was changed.")
	c.write(c.with(1, 0))
	c.plan(0).says(t, "Warning: Partitions have different numbers of replicas", "partition 0 has 3 replicas, most have 1", "A reassignment is under way")
	moving, err := c.client.Moving(c.ctx, c.name, partitionsMoved)
	if diff := cmp.Diff(map[int32][]int32{0: to}, moving); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
	if diff := cmp.Diff(map[string]string{rate: "1000"}, c.real.BrokerSettings(t, "replication.throttled")); diff != "" {
		t.Error(diff)
	}
	c.real.ResetBrokers(t, rate)
	c.until("the move to end", func() bool {
		moving, err := c.client.Moving(c.ctx, c.name, partitionsMoved)
		return err == nil && len(moving) == 0
	})
	if diff := cmp.Diff(to, c.replicas()[0].Replicas); diff != "" {
		t.Errorf("somebody else's move did not end where they wanted:\n%s", diff)
	}
	c.write(c.with(2, 0))
	c.apply(0)
	overrides, err := c.client.Overrides(c.ctx, c.name)
	if diff := cmp.Diff(map[string]string{"leader.replication.throttled.replicas": "*"}, overrides); diff != "" || err != nil {
		t.Errorf("somebody else's list: %s%v", diff, err)
	}
}

// until waits for something on the cluster.
func (c *rackedCluster) until(what string, met func() bool) {
	c.t.Helper()
	for !met() {
		select {
		case <-c.ctx.Done():
			c.t.Fatalf("waited in vain for %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// kill kills the provider processes of a command, and nothing else.
func (c *rackedCluster) kill(r *running) {
	c.t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		c.t.Fatal(err)
	}
	killed := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue // it has ended meanwhile
		}
		// "pid (name) state parent …", where the name may hold anything
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 2 || fields[1] != strconv.Itoa(r.command.Process.Pid) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			c.t.Fatal(err)
		}
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			c.t.Fatal(err)
		}
		killed++
	}
	if killed == 0 {
		c.t.Fatal("found no provider to kill")
	}
}
