// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A topic read anew is what a snapshot taken now would hold, assignments and sources
// included, although the process's own snapshot stays as it was.
func TestReread_IsWhatANewSnapshotHolds(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "t", 5, map[string]string{"retention.ms": "5"})
	client := connect(t, fake, 30*time.Second)
	ctx := deadline(t, time.Minute)
	before, err := client.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := fake.Alter(ctx, "t", map[string]string{"retention.ms": "6"}); err != nil {
		t.Fatal(err)
	}
	got, err := client.Reread(ctx, "t")
	if err != nil {
		t.Fatal(err)
	}
	now, err := connect(t, fake, 30*time.Second).Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := now.Topics["t"]
	want.Rights = got.Rights // only a snapshot asks for rights
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-snapshot +reread):\n%s", diff)
	}
	if entry := got.Entries["retention.ms"]; entry.Source != "DYNAMIC_TOPIC_CONFIG" || entry.Value != "6" || got.Entries["segment.bytes"].Source != "STATIC_BROKER_CONFIG" {
		t.Errorf("%+v, %+v", entry, got.Entries["segment.bytes"])
	}
	if before.Topics["t"].Entries["retention.ms"].Value != "5" {
		t.Error("the first snapshot has changed")
	}
	for i, assignment := range got.Assignments {
		if assignment.Partition != int64(i) || len(assignment.Replicas) != 3 || assignment.Leader != assignment.Replicas[0] || !cmp.Equal(assignment.InSync, assignment.Replicas) {
			t.Errorf("partition %d: %+v", i, assignment)
		}
	}
	if len(got.Assignments) != 5 {
		t.Errorf("%d assignments", len(got.Assignments))
	}
	if _, err := client.Reread(ctx, "none"); !kafka.IsUnknownTopic(err) {
		t.Errorf("a topic that is not there: %v", err)
	}
}

// Metadata may know a topic that the broker which is asked for its settings does
// not know yet: that is no "gone".
func TestReread_WaitsForABrokerThatTrails(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.ms": "5"})
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 2})
	got, err := connect(t, fake, 30*time.Second).Reread(deadline(t, time.Minute), "t")
	if err != nil || got.Entries["retention.ms"].Value != "5" {
		t.Errorf("%+v, %v", got, err)
	}
}
