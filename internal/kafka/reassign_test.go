// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// The keys of a throttle on a topic.
const (
	leaderList   = "leader.replication.throttled.replicas"
	followerList = "follower.replication.throttled.replicas"
)

// movable is a fake cluster with one topic of two partitions, on the brokers 0 and 1.
func movable(t *testing.T) (*kafkatest.Fake, *kafkatest.FakeMoves) {
	t.Helper()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 2, nil)
	moves := fake.Moves(t)
	moves.Place("t", 0, 0)
	moves.Place("t", 1, 1)
	return fake, moves
}

// setFactor is the call without its throttle, which must never be left.
func setFactor(ctx context.Context, t *testing.T, client *kafka.Client, topic string, factor, rate int64) error {
	t.Helper()
	left, err := client.SetReplicationFactor(ctx, topic, factor, rate)
	if left != nil {
		t.Error(left)
	}
	return err
}

// replicas are where the topic of [movable] is.
func replicas(moves *kafkatest.FakeMoves) [][]int32 {
	return [][]int32{moves.Replicas("t", 0), moves.Replicas("t", 1)}
}

// Raising keeps what is there, lowering drops; nothing is sent where nothing is to do.
func TestSetReplicationFactor_MovesAndWaits(t *testing.T) {
	fake, moves := movable(t)
	client := connect(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	for _, step := range []struct {
		factor int64
		want   [][]int32
	}{
		{3, [][]int32{{0, 2, 1}, {1, 2, 0}}},
		{3, [][]int32{{0, 2, 1}, {1, 2, 0}}},
		{2, [][]int32{{0, 2}, {1, 2}}},
	} {
		fake.ForgetRequests()
		before := replicas(moves)
		if err := setFactor(ctx, t, client, "t", step.factor, 0); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.want, replicas(moves)); diff != "" {
			t.Errorf("to %d:\n%s", step.factor, diff)
		}
		if sent := fake.Requests()["AlterPartitionAssignments"]; sent > 0 && cmp.Equal(before, step.want) {
			t.Error("a topic that is as it should be was moved")
		}
	}
	var few *kafka.BrokersError
	if err := setFactor(ctx, t, client, "t", 4, 0); !errors.As(err, &few) || few.Wanted != 4 || few.Brokers != 3 {
		t.Errorf("more replicas than brokers: %v", err)
	}
}

// A move to the wanted number that is under way is joined, and only what does not
// move yet is started; a move to another number is somebody else's and stays as it is.
func TestSetReplicationFactor_JoinsItsOwnAndLeavesOthersAlone(t *testing.T) {
	fake, moves := movable(t)
	client := connect(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	moves.Begin("t", 0, 2, 1) // old and new together are three, until it ends
	if err := setFactor(ctx, t, client, "t", 2, 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int32{{2, 1}, {1, 0}}, replicas(moves)); diff != "" {
		t.Error(diff)
	}
	moves.Last(-1)
	moves.Begin("t", 1, 0, 2)
	fake.ForgetRequests()
	err := setFactor(ctx, t, client, "t", 3, 1000)
	var moving *kafka.MovingError
	if !errors.As(err, &moving) || len(moving.Moves) != 1 {
		t.Fatalf("%v", err)
	}
	if move := moving.Moves[0]; move.String() != "partition 1: adding [2], removing [1]" || !cmp.Equal(move.Target, []int32{0, 2}) {
		t.Errorf("%v to %v", move, move.Target)
	}
	for kind, n := range fake.Requests() {
		if strings.HasPrefix(kind, "Alter") || strings.HasPrefix(kind, "Incremental") {
			t.Errorf("%d %s were sent", n, kind)
		}
	}
}

// The throttle is there while replicas move and gone afterwards, whatever ends the
// call: success, a refusal, the deadline, an interruption.
func TestSetReplicationFactor_RemovesItsThrottleWhateverHappens(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(moves *kafkatest.FakeMoves, cancel func())
		fails   func(error) bool
	}{
		"success": {func(*kafkatest.FakeMoves, func()) {}, func(err error) bool { return err == nil }},
		"refused": {
			func(moves *kafkatest.FakeMoves, _ func()) { moves.Refuse(t, "CLUSTER_AUTHORIZATION_FAILED") },
			func(err error) bool {
				var answer *kafka.Error
				return errors.As(err, &answer) && kafka.IsAuthorization(err) && answer.Request == "AlterPartitionReassignments"
			},
		},
		"deadline": {func(moves *kafkatest.FakeMoves, _ func()) { moves.Last(-1) }, unfinished},
		"interrupted": {
			func(moves *kafkatest.FakeMoves, cancel func()) {
				moves.Last(-1)
				moves.OnMove(cancel)
			}, func(err error) bool { return errors.Is(err, context.Canceled) },
		},
		"cancelled by somebody": {
			func(moves *kafkatest.FakeMoves, _ func()) { moves.OnMove(func() { go moves.Cancel() }) }, unfinished,
		},
	} {
		t.Run(name, func(t *testing.T) {
			fake, moves := movable(t)
			client := connect(t, fake, 2*time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			c.prepare(moves, cancel)
			if err := setFactor(ctx, t, client, "t", 2, 12345); !c.fails(err) {
				t.Errorf("%v", err)
			}
			changes := fake.Requests()["IncrementalAlterConfigs"]
			if changes < 4 { // lists and rates, there and back
				t.Errorf("%d changes of settings: there was no throttle", changes)
			}
			if diff := cmp.Diff(map[string]string{}, fake.Overrides("t")); diff != "" {
				t.Errorf("left on the topic:\n%s", diff)
			}
			if rates := fake.BrokerSettings(t, "replication.throttled.rate"); len(rates) > 0 {
				t.Errorf("left on the brokers: %v", rates)
			}
		})
	}
}

// unfinished says that a wait ended before the move.
func unfinished(err error) bool {
	var unfinished *kafka.UnfinishedError
	return errors.As(err, &unfinished) && unfinished.Error() != ""
}

// What others have set stays, their rate and their list, with the same value; the
// rest of the throttle is set and removed all the same.
func TestSetReplicationFactor_LeavesForeignThrottlesAlone(t *testing.T) {
	fake, _ := movable(t)
	client := connect(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	const rate = "follower.replication.throttled.rate"
	fake.SetBrokers(t, map[string]string{rate: "777"})
	if err := fake.Alter(ctx, "t", map[string]string{leaderList: "0:0"}); err != nil {
		t.Fatal(err)
	}
	if err := setFactor(ctx, t, client, "t", 2, 12345); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{leaderList: "0:0"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{rate: "777"}, fake.BrokerSettings(t, "replication.throttled.rate")); diff != "" {
		t.Error(diff)
	}
}

// A killed run leaves its throttle behind. The next one knows it by its mark,
// takes it over with the rate of its own, and removes it; without a rate it does
// so before it waits.
func TestSetReplicationFactor_TakesOverWhatAKilledRunLeft(t *testing.T) {
	for _, rate := range []int64{0, 999} {
		fake, moves := movable(t)
		client := connect(t, fake, 10*time.Second)
		ctx := deadline(t, 30*time.Second)
		left := map[string]string{
			leaderList:   "0:0,1:1,2147483647:2147483647,2147483647:0,2147483647:1",
			followerList: "0:2,1:0,2147483647:2147483647,2147483647:0,2147483647:2",
		}
		if err := fake.Alter(ctx, "t", left); err != nil {
			t.Fatal(err)
		}
		fake.SetBrokers(t, map[string]string{"leader.replication.throttled.rate": "1", "follower.replication.throttled.rate": "1"})
		moves.Last(-1)
		moves.Begin("t", 0, 0, 2)
		moves.Begin("t", 1, 1, 0)
		ended := make(chan error, 1)
		go func() { ended <- setFactor(ctx, t, client, "t", 2, rate) }()
		want := map[string]string{}
		if rate > 0 {
			want = map[string]string{"leader.replication.throttled.rate": "999", "follower.replication.throttled.rate": "999"}
		}
		for ctx.Err() == nil && !cmp.Equal(want, fake.BrokerSettings(t, "replication.throttled.rate")) {
		}
		moves.Last(0)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if rates := fake.BrokerSettings(t, "replication.throttled.rate"); len(rates) > 0 || len(fake.Overrides("t")) > 0 {
			t.Errorf("left behind: %v, %v", rates, fake.Overrides("t"))
		}
		snapshot, err := client.Snapshot(ctx)
		if err != nil || snapshot.Topics["t"].Throttled() {
			t.Errorf("still marked, or %v", err)
		}
	}
}

// What a finished move left is removed without a move, and nothing else is.
func TestFinishMove_RemovesOnlyWhatIsMarked(t *testing.T) {
	fake, _ := movable(t)
	client := connect(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	if err := fake.Alter(ctx, "t", map[string]string{leaderList: "0:0,2147483647:2147483647,2147483647:0", followerList: "*", "retention.ms": "5"}); err != nil {
		t.Fatal(err)
	}
	fake.SetBrokers(t, map[string]string{"leader.replication.throttled.rate": "1", "follower.replication.throttled.rate": "2"})
	if snapshot, err := client.Snapshot(ctx); err != nil || !snapshot.Topics["t"].Throttled() {
		t.Errorf("not seen as marked, or %v", err)
	}
	for range 2 {
		if left := client.FinishMove(ctx, "t"); left != nil {
			t.Fatal(left)
		}
		if diff := cmp.Diff(map[string]string{followerList: "*", "retention.ms": "5"}, fake.Overrides("t")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]string{"follower.replication.throttled.rate": "2"}, fake.BrokerSettings(t, "replication.throttled.rate")); diff != "" {
			t.Error(diff)
		}
	}
}

// Topics that move at the same time share the brokers' rates: the last one removes them.
func TestSetReplicationFactor_TopicsShareARate(t *testing.T) {
	fake, moves := movable(t)
	fake.CreateTopic(t, "u", 2, nil)
	moves.Place("u", 0, 0) // on the same brokers: the fake keeps their settings together
	moves.Place("u", 1, 1)
	moves.Last(-1)
	client := connect(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	first, cancel := context.WithCancel(ctx)
	ended := make(chan error, 2)
	go func() { ended <- setFactor(first, t, client, "t", 2, 5) }()
	go func() { ended <- setFactor(ctx, t, client, "u", 2, 5) }()
	for ctx.Err() == nil && (len(moves.Replicas("t", 1)) < 2 || len(moves.Replicas("u", 1)) < 2) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; !unfinished(err) {
		t.Errorf("%v", err)
	}
	want := map[string]string{"leader.replication.throttled.rate": "5", "follower.replication.throttled.rate": "5"}
	if diff := cmp.Diff(want, fake.BrokerSettings(t, "replication.throttled.rate")); diff != "" {
		t.Errorf("while the other topic moves:\n%s", diff)
	}
	moves.Last(0)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if rates := fake.BrokerSettings(t, "replication.throttled.rate"); len(rates) > 0 {
		t.Errorf("left: %v", rates)
	}
}
