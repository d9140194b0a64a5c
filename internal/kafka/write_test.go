// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// opened is a client that has taken its snapshot, with the requests of that forgotten.
func opened(t *testing.T, fake *kafkatest.Fake, timeout time.Duration) *kafka.Client {
	t.Helper()
	client := connect(t, fake, timeout)
	if _, err := client.Snapshot(deadline(t, 20*time.Second)); err != nil {
		t.Fatal(err)
	}
	fake.ForgetRequests()
	return client
}

// asked is a topic as the tests of creation ask for it.
func asked(name string) kafka.NewTopic {
	return kafka.NewTopic{Name: name, Partitions: 3, ReplicationFactor: 3, Settings: topicconfig.Settings{"retention.ms": "60000"}}
}

// together runs a call for each of n topics at once.
func together(n int, call func(name string)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { call(fmt.Sprintf("t%02d", i)) })
	}
	group.Wait()
}

// Terraform calls for ten topics at once, and the cluster hears of them in one
// request of each kind: creating, reading back, changing, adding partitions, deleting.
func TestWrites_ThatComeTogetherAreOneRequest(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := opened(t, fake, 10*time.Second)
	ctx := deadline(t, 60*time.Second)
	for _, step := range []struct {
		what string
		call func(name string) error
		want map[string]int
	}{
		{"create", func(name string) error { _, err := client.Create(ctx, asked(name)); return err }, map[string]int{"CreateTopics": 1, "Metadata": 1}},
		{"change", func(name string) error {
			return client.Change(ctx, name, topicconfig.Change{Set: topicconfig.Settings{"segment.ms": "9000"}, Remove: []string{"retention.ms"}})
		}, map[string]int{"IncrementalAlterConfigs": 1, "DescribeConfigs": 1}},
		{"partitions", func(name string) error { return client.SetPartitions(ctx, name, 5) }, map[string]int{"CreatePartitions": 1, "Metadata": 1}},
		{"delete", func(name string) error { return client.Delete(ctx, name) }, map[string]int{"DeleteTopics": 1, "Metadata": 1}},
	} {
		fake.ForgetRequests()
		together(10, func(name string) {
			if err := step.call(name); err != nil {
				t.Errorf("%s: %v", step.what, err)
			}
		})
		for kind, n := range fake.Requests() {
			// A machine under load may need a second batch; ten requests would be none.
			if want := step.want[kind]; want == 0 || n > 3*want {
				t.Errorf("%s: %d of %s", step.what, n, kind)
			}
		}
	}
}

// A refusal is its topic's own; the others of the request are created.
func TestCreate_PartialFailureIsPerTopic(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Topic: "t03", Code: "POLICY_VIOLATION"})
	client := opened(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	together(10, func(name string) {
		_, err := client.Create(ctx, asked(name))
		if kafka.IsPolicyViolation(err) != (name == "t03") || fake.Has(name) == (name == "t03") {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// Kafka refuses a request for more than 10,000 partitions as a whole.
func TestCreate_AsksForNoMorePartitionsThanKafkaTakes(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Brokers: 1})
	client := opened(t, fake, 30*time.Second)
	ctx := deadline(t, 60*time.Second)
	together(8, func(name string) {
		topic := kafka.NewTopic{Name: name, Partitions: 4000, ReplicationFactor: 1}
		if err := client.ProbeCreate(ctx, topic); err != nil {
			t.Error(err)
		}
	})
	most, sum := 0, 0
	for _, request := range fake.Received() {
		if request.Name == "CreateTopics" {
			most, sum = max(most, request.Partitions), sum+request.Partitions
		}
	}
	if most > 10_000 || sum != 32_000 {
		t.Errorf("the largest request asks for %d partitions, all for %d", most, sum)
	}
}

// Probes change nothing, hear what the write would hear, and end with the first write.
func TestProbes_ChangeNothingAndEndWithTheFirstWrite(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "there", 2, map[string]string{"retention.ms": "1"})
	client := opened(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	change := topicconfig.Change{Set: topicconfig.Settings{"retention.ms": "2"}}
	if err := client.ProbeCreate(ctx, asked("new")); err != nil || fake.Has("new") {
		t.Errorf("create: %v", err)
	}
	if err := client.ProbeCreate(ctx, asked("there")); !kafka.IsTopicExists(err) {
		t.Errorf("create of what exists: %v", err)
	}
	if err := client.ProbeChange(ctx, "there", change); err != nil || fake.Overrides("there")["retention.ms"] != "1" {
		t.Errorf("change: %v", err)
	}
	if err := client.ProbePartitions(ctx, "there", 5); err != nil || fake.Partitions("there") != 2 {
		t.Errorf("partitions: %v", err)
	}
	if err := client.ProbeChange(ctx, "gone", change); !kafka.IsUnknownTopic(err) {
		t.Errorf("change of what does not exist: %v", err)
	}
	if err := client.Delete(ctx, "there"); err != nil {
		t.Fatal(err)
	}
	fake.ForgetRequests()
	if err := errors.Join(client.ProbeCreate(ctx, asked("new")), client.ProbeChange(ctx, "there", change), client.ProbePartitions(ctx, "there", 5)); err != nil || len(fake.Requests()) != 0 {
		t.Errorf("after a write: %v, %v", err, fake.Requests())
	}
}

// A create whose answer is lost is sent again by the client library, and refused as
// existing. The topic is new since the snapshot and as it was asked for: it is ours.
func TestCreate_IsRecognisedWhenItsAnswerWasLost(t *testing.T) {
	for name, d := range map[string]kafkatest.Disturbance{
		"the connection is cut after the answer":         {Request: "CreateTopics", Writes: true, How: kafkatest.CutAfter, Times: 1},
		"it is cut before the answer":                    {Request: "CreateTopics", Writes: true, How: kafkatest.CutBefore, Times: 1},
		"it is cut again and again":                      {Request: "CreateTopics", Writes: true, How: kafkatest.CutAfter, Times: 3},
		"the answer takes longer than the client's time": {Request: "CreateTopics", Writes: true, How: kafkatest.Delay, By: 3 * time.Second, Times: 1},
	} {
		t.Run(name, func(t *testing.T) {
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			client := opened(t, fake, 2*time.Second)
			remove := fake.Disturb(t, d)
			topic, err := client.Create(deadline(t, 30*time.Second), asked("t"))
			if struck := remove(); err != nil || topic.Partitions != 3 || topic.ID == "" || topic.Overrides()["retention.ms"] != "60000" || struck == 0 {
				t.Errorf("struck %d times: %+v, %v", struck, topic, err)
			}
		})
	}
}

// The answers of clusters before 2.4 have no settings: those are read, and reading
// them shows that the topic is there.
func TestCreate_ReadsTheSettingsThatOldClustersLeaveOut(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{BareCreations: true})
	client := opened(t, fake, 5*time.Second)
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 2})
	topic, err := client.Create(deadline(t, 30*time.Second), asked("t"))
	if err != nil || topic.Overrides()["retention.ms"] != "60000" || topic.Effective()["cleanup.policy"] != "delete" {
		t.Errorf("%+v, %v", topic, err)
	}
	if diff := cmp.Diff(map[string]int{"CreateTopics": 1, "DescribeConfigs": 3}, fake.Requests()); diff != "" {
		t.Error(diff)
	}
}

// So is one that the controller says it has stopped waiting for.
func TestCreate_IsRecognisedAfterATimeoutOfTheCluster(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := opened(t, fake, 5*time.Second)
	fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "REQUEST_TIMED_OUT", Times: 1}) // the fake creates it all the same
	if topic, err := client.Create(deadline(t, 30*time.Second), asked("t")); err != nil || topic.ID == "" {
		t.Errorf("%+v, %v", topic, err)
	}
}

// A broker that loses the controller over a creation hands it on to the next one,
// which refuses what the first has done. The client has lost nothing; it has waited.
func TestCreate_IsRecognisedWhenTheBrokerHasHandedItOnTwice(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := opened(t, fake, 10*time.Second)
	fake.CreateTopic(t, "t", 3, map[string]string{"retention.ms": "60000"})
	fake.Disturb(t, kafkatest.Disturbance{Request: "CreateTopics", Writes: true, How: kafkatest.Delay, By: 300 * time.Millisecond, Times: 1})
	if topic, err := client.Create(deadline(t, 30*time.Second), asked("t")); err != nil || topic.ID == "" {
		t.Errorf("%+v, %v", topic, err)
	}
}

// A topic that somebody else has created meanwhile is theirs: on a cluster that is well
// always, and after a lost answer if anything differs from what was asked for.
func TestCreate_DoesNotTakeAStrangersTopic(t *testing.T) {
	lost := &kafkatest.Disturbance{Request: "CreateTopics", Writes: true, How: kafkatest.CutBefore, Times: 1}
	for name, c := range map[string]struct {
		partitions int32
		settings   map[string]string
		lost       *kafkatest.Disturbance
	}{
		"no answer was lost": {3, map[string]string{"retention.ms": "60000"}, nil},
		"other partitions":   {4, map[string]string{"retention.ms": "60000"}, lost},
		"another value":      {3, map[string]string{"retention.ms": "60001"}, lost},
		"a setting less":     {3, nil, lost},
		"a setting more":     {3, map[string]string{"retention.ms": "60000", "segment.ms": "1"}, lost},
	} {
		t.Run(name, func(t *testing.T) {
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			client := opened(t, fake, 5*time.Second)
			fake.CreateTopic(t, "t", c.partitions, c.settings)
			if c.lost != nil {
				fake.Disturb(t, *c.lost)
			}
			topic, err := client.Create(deadline(t, 30*time.Second), asked("t"))
			if !kafka.IsTopicExists(err) || topic.Name != "" {
				t.Errorf("%+v, %v", topic, err)
			}
		})
	}
}

// What was there when the process first looked is not created over: nothing is
// sent. Once this process has deleted it, the name is free.
func TestCreate_OfWhatTheSnapshotShowsSendsNothing(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 1, nil)
	client := opened(t, fake, 5*time.Second)
	ctx := deadline(t, 30*time.Second)
	if _, err := client.Create(ctx, asked("t")); !kafka.IsTopicExists(err) || len(fake.Requests()) != 0 {
		t.Errorf("%v, %v", err, fake.Requests())
	}
	if err := client.Delete(ctx, "t"); err != nil {
		t.Fatal(err)
	}
	fake.Disturb(t, kafkatest.Disturbance{Request: "CreateTopics", Writes: true, How: kafkatest.CutAfter, Times: 1})
	if topic, err := client.Create(ctx, asked("t")); err != nil || topic.Partitions != 3 {
		t.Errorf("after the delete: %+v, %v", topic, err)
	}
}

// Whoever gives up while the cluster creates must not lose the topic: the call waits
// for the answer and returns it with the error.
func TestCreate_ThatIsInterruptedReturnsWhatItHasCreated(t *testing.T) {
	for name, d := range map[string]kafkatest.Disturbance{
		"the answer is slow":            {Request: "CreateTopics", Writes: true, How: kafkatest.Delay, By: time.Second},
		"the topic's metadata are slow": {Request: "Metadata", How: kafkatest.Delay, By: time.Second},
		"the answer is lost meanwhile":  {Request: "CreateTopics", Writes: true, How: kafkatest.Delay, By: 4 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			client := opened(t, fake, 3*time.Second)
			fake.Disturb(t, d)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			topic, err := client.Create(ctx, asked("t"))
			var invisible *kafka.NotVisibleError
			if topic.Name != "t" || topic.ID == "" || err != nil && !errors.As(err, &invisible) {
				t.Errorf("%+v, %v", topic, err)
			}
		})
	}
}

// A cluster that acknowledges a write and keeps the old value is found out, by name,
// wanted and actual value.
func TestWrites_ThatAreNotKeptAreErrors(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.ms": "1"})
	client := opened(t, fake, time.Second)
	ctx := deadline(t, 30*time.Second)
	fake.Lie("t")
	fake.Lie("new")
	for _, c := range []struct {
		write func() error
		want  string
	}{
		{func() error {
			return client.Change(ctx, "t", topicconfig.Change{Set: topicconfig.Settings{"retention.ms": "2"}})
		}, `topic "t": retention.ms is "1" and was written as "2"`},
		{func() error {
			return client.Change(ctx, "t", topicconfig.Change{Remove: []string{"retention.ms"}})
		}, `topic "t": retention.ms is "1" and was written as not set`},
		{func() error {
			topic, err := client.Create(ctx, asked("new"))
			if topic.ID == "" {
				t.Error("the new topic did not come back with the error")
			}
			return err
		}, `topic "new": retention.ms is "604800000" and was written as "60000"`},
	} {
		var lost *kafka.NotKeptError
		if err := c.write(); !errors.As(err, &lost) || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// What brokers show of a topic's former life is no refusal: it is set as it is shown,
// and then it can be removed.
func TestChange_RemovesAGhost(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.ms": "1", "segment.ms": "9000"})
	client := opened(t, fake, 3*time.Second)
	fake.Ghost("t", "retention.ms")
	if err := client.Change(deadline(t, 30*time.Second), "t", topicconfig.Change{Remove: []string{"retention.ms", "segment.ms"}}); err != nil {
		t.Error(err)
	}
	if topic, err := client.Reread(deadline(t, 30*time.Second), "t"); err != nil || len(topic.Overrides()) > 0 {
		t.Errorf("%v, %v", topic.Overrides(), err)
	}
}

// A broker that is slow to learn of a change is no liar.
func TestChange_WaitsForABrokerThatTrails(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 1, nil)
	client := opened(t, fake, 10*time.Second)
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 3})
	if err := client.Change(deadline(t, 20*time.Second), "t", topicconfig.Change{Set: topicconfig.Settings{"retention.ms": "2"}}); err != nil {
		t.Error(err)
	}
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "t", Code: "TOPIC_AUTHORIZATION_FAILED"})
	err := client.Change(deadline(t, 20*time.Second), "t", topicconfig.Change{Set: topicconfig.Settings{"retention.ms": "3"}})
	var unverified *kafka.UnverifiedError
	if !errors.As(err, &unverified) || fake.Overrides("t")["retention.ms"] != "3" {
		t.Errorf("a change that may not be read back: %v", err)
	}
}

// Kafka refuses to add partitions that are there, as it is asked to when the first
// answer was lost. The goal is reached all the same; short of it the refusal stands.
func TestSetPartitions_ReachesItsGoalWhenTheAnswerWasLost(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 3, nil) // as the request without an answer has left it
	client := opened(t, fake, 5*time.Second)
	fake.Fail(t, kafkatest.Fault{Request: "CreatePartitions", Topic: "t", Code: "INVALID_PARTITIONS"})
	fake.Fail(t, kafkatest.Fault{Request: "Metadata", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 2}) // brokers trail
	if err := client.SetPartitions(deadline(t, 20*time.Second), "t", 3); err != nil {
		t.Error(err)
	}
	var answer *kafka.Error
	if err := client.SetPartitions(deadline(t, 20*time.Second), "t", 4); !errors.As(err, &answer) || answer.Code != "INVALID_PARTITIONS" {
		t.Errorf("a refusal short of the goal: %v", err)
	}
}

// The rights come with the metadata, and only credentials that can write nothing at
// all count as read-only. Those are not used to ask for a creation, not even for what
// it would come to.
func TestSnapshot_KnowsTheRights(t *testing.T) {
	reads := append(kafkatest.RightsOn("*", "Describe", "DescribeConfigs"), kafkatest.Right{Operation: "Describe"})
	for name, c := range map[string]struct {
		rights   []kafkatest.Right
		readOnly bool
		denied   []kafka.Operation
		extra    int
	}{
		"no access control": {nil, false, nil, 0},
		"reads":             {reads, true, []kafka.Operation{kafka.OperationCreate, kafka.OperationAlter, kafka.OperationAlterConfigs, kafka.OperationDelete}, 1},
		"creates":           {slices.Concat(reads, []kafkatest.Right{{Operation: "Create"}}), false, []kafka.Operation{kafka.OperationAlter}, 1},
		"alters one topic":  {slices.Concat(reads, kafkatest.RightsOn("t", "Alter")), false, []kafka.Operation{kafka.OperationDelete, kafka.OperationAlterConfigs}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Rights: c.rights})
			fake.CreateTopic(t, "t", 1, nil)
			snapshot, err := connect(t, fake, 10*time.Second).Snapshot(deadline(t, 20*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			rights := snapshot.Topics["t"].Rights
			if snapshot.ReadOnly != c.readOnly || !rights.Grants(kafka.OperationDescribe) {
				t.Errorf("read-only %t, rights %b", snapshot.ReadOnly, rights)
			}
			for _, operation := range c.denied {
				if !rights.Denies(operation) || rights.Grants(operation) {
					t.Errorf("%s is granted", operation)
				}
			}
			if diff := cmp.Diff(c.extra, fake.Requests()["DescribeCluster"]); diff != "" {
				t.Error(diff)
			}
			if n := fake.Requests()["CreateTopics"]; c.readOnly != (n == 0) {
				t.Errorf("%d creations were asked about", n)
			}
		})
	}
}

// Who only reads learns the defaults from a broker's own settings, which that broker
// alone can tell. One that hangs is left for the next.
func TestSnapshot_DefaultsComeFromABrokerThatAnswers(t *testing.T) {
	rights := append(kafkatest.RightsOn("*", "Describe", "DescribeConfigs"), kafkatest.Right{Operation: "DescribeConfigs"})
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Rights: rights})
	fake.CreateTopic(t, "t", 1, nil)
	remove := fake.Disturb(t, kafkatest.Disturbance{Request: "DescribeConfigs", Topic: "0", How: kafkatest.Delay, By: time.Minute})
	start := time.Now()
	snapshot, err := connect(t, fake, 6*time.Second).Snapshot(deadline(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 4*time.Second || len(snapshot.Defaults.Settings) == 0 || remove() == 0 {
		t.Errorf("after %s: %v", took, snapshot.Defaults)
	}
}
