// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// replicated is a topic of two partitions with a replication factor.
func replicated(factor int, more string) string {
	return topic("t", 2, fmt.Sprintf("replication_factor = %d\n  %s", factor, more))
}

// movable applies that topic with one replica on a fake cluster whose replicas can
// be moved: partition 0 on broker 0, partition 1 on broker 1.
func movable(t *testing.T, head func(*kafkatest.Fake) string) (*workspace, *kafkatest.Fake, *kafkatest.FakeMoves) {
	t.Helper()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	moves := fake.Moves(t)
	w := newWorkspace(t, head(fake)+replicated(1, ""))
	w.apply(0)
	moves.Place("t", 0, 0)
	moves.Place("t", 1, 1)
	return w, fake, moves
}

// factorOf is the replication factor in the state.
func (w *workspace) factorOf(address string) string {
	w.t.Helper()
	values, _ := w.stateOf(address)
	return fmt.Sprint(values["replication_factor"])
}

// The number of replicas changes in place, up and down: the same topic, and a
// clean plan afterwards.
func TestTopicReplicas_ChangeInPlace(t *testing.T) {
	t.Parallel()
	w, fake, moves := movable(t, plainKafka)
	before, _ := w.stateOf("kafkastorage_topic.t")
	for _, step := range []struct {
		factor int
		want   [][]int32
	}{{3, [][]int32{{0, 2, 1}, {1, 2, 0}}}, {2, [][]int32{{0, 2}, {1, 2}}}} {
		w.write(plainKafka(fake) + replicated(step.factor, ""))
		w.plan(2).says(t, "0 to add, 1 to change, 0 to destroy")
		w.apply(0)
		w.plan(0).silent(t, "Warning")
		if diff := cmp.Diff(step.want, [][]int32{moves.Replicas("t", 0), moves.Replicas("t", 1)}); diff != "" {
			t.Errorf("to %d:\n%s", step.factor, diff)
		}
	}
	after, _ := w.stateOf("kafkastorage_topic.t")
	if before["topic_id"] != after["topic_id"] || fmt.Sprint(after["replication_factor"]) != "2" {
		t.Errorf("before %v, after %v", before, after)
	}
}

// What the brokers cannot hold is an error at plan, for a new topic and for one
// that exists, with both numbers.
func TestTopicReplicas_MoreThanBrokersIsAPlanError(t *testing.T) {
	t.Parallel()
	w, fake, _ := movable(t, plainKafka)
	says := []string{"Error: More replicas than brokers", `"t": replication_factor = 4, and the cluster has 3 available brokers`, "at most 3", "Nothing was changed."}
	w.write(plainKafka(fake) + replicated(4, ""))
	w.plan(1).says(t, says...)
	w.write(plainKafka(fake) + strings.ReplaceAll(replicated(4, ""), `"t"`, `"new"`))
	w.plan(1).says(t, strings.ReplaceAll(says[1], `"t"`, `"new"`))
}

// -1 is a way to write "left to the cluster": it stays as written and plans
// nothing, and what counts is the real number.
func TestTopicReplicas_MinusOneStaysAndTheRealNumberCounts(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := providerBlock(fake.Bootstrap(), "")
	w := newWorkspace(t, head+replicated(-1, gibibyte))
	w.plan(2).says(t, "+ replication_factor = -1", "+ reserved_bytes = 10041163776") // 1673527296 × 2 partitions × 3 replicas
	w.apply(0)
	w.plan(0)
	values, _ := w.stateOf("kafkastorage_topic.t")
	if got := fmt.Sprint(values["replication_factor"], " ", values["reserved_bytes"]); got != "-1 10041163776" {
		t.Errorf("state: %s", got)
	}
	fake.ForgetRequests()
	for _, same := range []int{3, -1} {
		w.write(head + replicated(same, gibibyte))
		w.apply(0).says(t, "0 added, 1 changed, 0 destroyed")
		w.plan(0)
	}
	if n := fake.Requests()["AlterPartitionAssignments"]; n > 0 {
		t.Errorf("%d moves for another way of writing the same", n)
	}
	w.write(head + replicated(-2, ""))
	w.plan(1)
	w.write(head + fmt.Sprintf("data \"kafkastorage_reserved_storage\" \"all\" {\n  planned_topics = { n = { partitions = 1, replication_factor = -1, config = { \"retention.bytes\" = 1073741824 } } }\n}\n"+
		"output \"n\" {\n  value = data.kafkastorage_reserved_storage.all.topics[\"n\"].reserved_bytes\n}\n"))
	w.plan(2).says(t, "+ n = 5020581888")
	w.write(head + "output \"n\" {\n  value = provider::kafkastorage::reserved_bytes({ partitions = 1, replication_factor = -1, config = { \"retention.bytes\" = 1073741824 } }, " +
		"{ platform = \"kafka\", defaults = { \"default.replication.factor\" = 3, \"segment.bytes\" = 1073741824 } })\n}\n")
	w.plan(2).says(t, "+ n = 6568280064") // 2189426688 × 3
}

// Partitions with different numbers of replicas are a warning with the partition
// and both numbers, and no change, while somebody moves them and afterwards.
func TestTopicReplicas_DifferentCountsAreAWarningAndNoChange(t *testing.T) {
	t.Parallel()
	w, _, moves := movable(t, plainKafka)
	moves.Last(-1)
	moves.Begin("t", 1, 2)
	w.plan(0).says(t, "Warning: Partitions have different numbers of replicas", `"t"`, "partition 1 has 2 replicas, most have 1",
		"partition 1: to 2 (adding 2; removing 1)", "A reassignment is under way")
	moves.Place("t", 0, 0, 2)
	moves.Place("t", 1, 1)
	w.plan(0).says(t, "partition 0 has 2 replicas, most have 1", "No reassignment is under way")
	// An error of one partition, and none left at all, is never zero replicas.
	moves.Place("t", 0, 0)
	moves.Place("t", 1)
	w.plan(0).says(t, "partition 1 shows no replicas, most have 1")
	moves.Place("t", 0)
	w.plan(0)
	w.apply(0)
	if got := w.factorOf("kafkastorage_topic.t"); got != "1" {
		t.Errorf("replication_factor %s in the state", got)
	}
	moves.Place("t", 0, 0)
	moves.Place("t", 1, 1)
	w.plan(0).silent(t, "Warning")
	// Also where no partition has the number that the state holds.
	moves.Place("t", 0, 0, 1, 2)
	moves.Place("t", 1, 1, 2)
	w.plan(0).says(t, "partition 0 has 3 replicas, most have 2")
}

// A move of all partitions makes the numbers equal and wrong: old and new replicas
// are shown together. That is no drift either. Real drift is.
func TestTopicReplicas_AMoveOfAllPartitionsIsNoDrift(t *testing.T) {
	t.Parallel()
	w, fake, moves := movable(t, plainKafka)
	moves.Last(-1)
	moves.Begin("t", 0, 2)
	moves.Begin("t", 1, 2)
	w.plan(0).says(t, "Warning: Partitions have different numbers of replicas", "partition 0: to 2 (adding 2; removing 0)")
	fake.ForgetRequests()
	w.write(plainKafka(fake) + replicated(3, ""))
	w.plan(1).says(t, "Error: Topic is being reassigned already", "not to replication_factor = 3", "partition 1: to 2 (adding 2; removing 1)", "Nothing was changed.")
	w.apply(1)
	if n := fake.Requests()["AlterPartitionAssignments"]; n > 0 {
		t.Error("somebody else's move was started over")
	}
	moves.Place("t", 0, 0, 1)
	moves.Place("t", 1, 1, 2)
	w.write(plainKafka(fake) + replicated(1, ""))
	drifted := w.plan(2)
	drifted.says(t, "~ replication_factor = 2 -> 1")
	drifted.silent(t, "Warning")
}

// A run that ends before the move leaves the old number in the state, so the next
// plan shows the change again and the next apply joins the move.
func TestTopicReplicas_AnInterruptedRunIsContinued(t *testing.T) {
	t.Parallel()
	w, fake, moves := movable(t, plainKafka)
	moves.Last(-1)
	wanted := plainKafka(fake) + replicated(2, `timeouts = { update = "2s" }`)
	w.write(wanted)
	w.apply(1).says(t, "Error: Replicas are still being moved", `"t", to replication_factor = 2`, "partition 0: to 0, 2 (adding 2; removing none)", "Apply again", "timeouts.update")
	if got := w.factorOf("kafkastorage_topic.t"); got != "1" {
		t.Errorf("replication_factor %s in the state", got)
	}
	w.plan(2).says(t, "~ replication_factor = 1 -> 2")
	moves.Last(1)
	fake.ForgetRequests()
	w.apply(0)
	if n := fake.Requests()["AlterPartitionAssignments"]; n > 0 {
		t.Error("the move was started anew")
	}
	w.plan(0).silent(t, "Warning")
	// Had it ended by itself, there is nothing left to do.
	moves.Last(-1)
	w.write(strings.Replace(wanted, "replication_factor = 2", "replication_factor = 3", 1))
	w.apply(1)
	moves.Last(0)
	w.apply(0)
	w.plan(0).silent(t, "Warning")
}

// A killed run whose move ended by itself has left its throttle: the next plan says
// so, and its apply removes it, although nothing else changes.
func TestTopicReplicas_ALeftThrottleIsPlannedAway(t *testing.T) {
	t.Parallel()
	w, fake, moves := movable(t, plainKafka)
	const mark = "2147483647:2147483647,2147483647:0"
	lists := map[string]string{"leader.replication.throttled.replicas": "0:0," + mark, "follower.replication.throttled.replicas": "0:2," + mark}
	if err := fake.Alter(t.Context(), "t", lists); err != nil {
		t.Fatal(err)
	}
	fake.SetBrokers(t, map[string]string{"leader.replication.throttled.rate": "10", "follower.replication.throttled.rate": "10"})
	moves.Last(-1)
	moves.Begin("t", 1, 2)
	w.plan(0).silent(t, "left its replication throttle") // another run may be at it
	moves.Place("t", 1, 1)
	w.plan(2).says(t, "Warning: An interrupted run has left its replication throttle", `"t"`, "1 to change")
	w.apply(0)
	if rates := fake.BrokerSettings(t, "throttled.rate"); len(rates) > 0 || len(fake.Overrides("t")) > 0 {
		t.Errorf("left: %v, %v", rates, fake.Overrides("t"))
	}
	w.plan(0).silent(t, "Warning")
}

// Ctrl-C ends the wait, not the move: the throttle is removed, the state keeps the
// old number, and the next apply goes on.
func TestTopicReplicas_CtrlCRemovesTheThrottle(t *testing.T) {
	t.Parallel()
	w, fake, moves := movable(t, plainKafka)
	head := providerBlock(fake.Bootstrap(), "replication_throttle_bytes_per_second = 1000")
	moves.Last(-1)
	begun := make(chan struct{})
	moves.OnMove(sync.OnceFunc(func() { close(begun) }))
	w.write(head + replicated(3, ""))
	applied := w.start("apply", "-no-color", "-input=false", "-auto-approve")
	select {
	case <-begun:
	case <-applied.ended:
		t.Fatal(applied.outcome().text)
	}
	if rates := fake.BrokerSettings(t, "throttled.rate"); len(rates) != 2 || len(fake.Overrides("t")) != 2 {
		t.Errorf("while replicas move: %v, %v", rates, fake.Overrides("t"))
	}
	if err := applied.command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-applied.ended
	applied.outcome().says(t, "Error: Replicas are still being moved", "partition 0: to 0, 2, 1")
	if rates := fake.BrokerSettings(t, "throttled.rate"); len(rates) > 0 || len(fake.Overrides("t")) > 0 {
		t.Errorf("left: %v, %v", rates, fake.Overrides("t"))
	}
	moves.Last(1)
	w.apply(0)
	w.plan(0).silent(t, "Warning")
}

// A missing right is named with the operation and the resource, and nothing stays behind.
func TestTopicReplicas_NamesTheMissingRight(t *testing.T) {
	t.Parallel()
	w, fake, moves := movable(t, func(fake *kafkatest.Fake) string {
		return providerBlock(fake.Bootstrap(), "replication_throttle_bytes_per_second = 1000")
	})
	moves.Refuse(t, "CLUSTER_AUTHORIZATION_FAILED")
	w.write(providerBlock(fake.Bootstrap(), "replication_throttle_bytes_per_second = 1000") + replicated(2, `config = { "retention.ms" = 5 }`))
	w.apply(1).says(t, "Error: Not authorized to move replicas", "CLUSTER_AUTHORIZATION_FAILED to AlterPartitionReassignments",
		"needs Alter on the cluster", "--operation Alter --cluster", `This run has already changed "t"`)
	if diff := cmp.Diff(map[string]string{"retention.ms": "5"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	moves.Refuse(t, "")
	removeFault := fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "1", Code: "CLUSTER_AUTHORIZATION_FAILED"})
	w.apply(1).says(t, "needs DescribeConfigs on the cluster", "replication_throttle_bytes_per_second")
	removeFault()
	w.apply(0)
	w.plan(0)
}

// Replicas are growth on a platform that counts them, and only growth is refused.
func TestTopicReplicas_AreJudgedAsGrowth(t *testing.T) {
	t.Parallel()
	// 1 GiB of retention, 1 GiB of segment, 2 × 10 MiB × 2 segments of index, twice for
	// two partitions: 4378853376 a replica.
	const kept = `config = { "retention.bytes" = 1073741824, "segment.bytes" = 1073741824 }`
	roomFor := func(replicas int64) func(*kafkatest.Fake) string {
		return func(fake *kafkatest.Fake) string {
			return providerBlock(fake.Bootstrap(), fmt.Sprintf("storage_quota = { capacity_bytes = %d, limit_percent = 100 }", 4378853376*replicas))
		}
	}
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	moves := fake.Moves(t)
	w := newWorkspace(t, roomFor(2)(fake)+replicated(1, kept))
	w.apply(0)
	moves.Place("t", 0, 0)
	moves.Place("t", 1, 1)
	w.write(roomFor(2)(fake) + replicated(3, kept))
	w.plan(1).says(t, "Error: Storage limit would be exceeded", "replication_factor 1 -> 3")
	w.write(roomFor(3)(fake) + replicated(3, kept))
	w.apply(0)
	w.write(roomFor(1)(fake) + replicated(2, kept))
	w.plan(2).silent(t, "Error", "Warning")
}

// More partitions are said to part the records of a key, once a run.
func TestTopicPartitions_MoreOfThemWarnOnceThatKeysMove(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("a", 2, "")+topic("b", 2, ""))
	w.apply(0).silent(t, "Warning")
	w.write(plainKafka(fake) + topic("a", 3, "") + topic("b", 3, ""))
	got := w.plan(2)
	got.says(t, "Warning: Records of one key may go to another partition", "partitions 2 -> 3", "cannot be seen from here")
	got.silent(t, "similar warning") // Terraform folds equal titles into one
	w.apply(0)
	w.plan(0).silent(t, "Warning")
}
