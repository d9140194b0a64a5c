// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Idle must cost nothing, and a closed client must leave nothing behind.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(kafkatest.M{M: m})
	os.Exit(0)
}

// connect makes a client of a fake cluster.
func connect(t *testing.T, fake *kafkatest.Fake, timeout time.Duration) *kafka.Client {
	t.Helper()
	client, err := kafka.New(kafka.Config{Servers: strings.Split(fake.Bootstrap(), ","), ClientID: "test", Version: "1.0.0", RequestTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// deadline bounds one call.
func deadline(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// Making a client must not touch the network: configurations that only use
// functions have no broker.
func TestNew_DoesNoIO(t *testing.T) {
	client, err := kafka.New(kafka.Config{
		Servers: []string{"127.0.0.1:1"},
		Dial: func(context.Context, string, string) (net.Conn, error) {
			t.Error("dialled")
			return nil, errors.New("not here")
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	client.Close()
}

// Reading costs a fixed number of requests plus one for each few hundred topics,
// however many callers come together.
func TestSnapshot_CostsAFewRequestsForAllCallers(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	const topics = 600
	for i := range topics {
		fake.CreateTopic(t, fmt.Sprintf("t%03d", i), 2, map[string]string{"retention.ms": "5"})
	}
	client := connect(t, fake, 30*time.Second)
	ctx := deadline(t, time.Minute)
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			snapshot, err := client.Snapshot(ctx)
			if err != nil || len(snapshot.Topics) != topics {
				t.Errorf("%v", err)
			}
		})
	}
	group.Wait()
	got := fake.Requests()
	// Three batches of 250 topics, and one for the broker's settings: the fake's
	// answer to the validate-only create has none.
	want := map[string]int{"Metadata": got["Metadata"], "DescribeConfigs": 4, "CreateTopics": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got["Metadata"] > 3 { // all topics; the client's own search for the controller
		t.Errorf("%d metadata requests", got["Metadata"])
	}
	if fake.Has("kafkastorage-defaults-probe") {
		t.Error("asking for defaults has created a topic")
	}
}

// What a snapshot holds: overrides apart from what is inherited, internal marks,
// and what a new topic would get.
func TestSnapshot_TellsOverridesFromDefaults(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "a", 4, map[string]string{"cleanup.policy": "compact"})
	snapshot, err := connect(t, fake, 10*time.Second).Snapshot(deadline(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	topic := snapshot.Topics["a"]
	if topic.Partitions != 4 || topic.ReplicationFactor != 3 || len(topic.ID) != 22 {
		t.Errorf("%+v", topic)
	}
	if diff := cmp.Diff(topicconfig.Settings{"cleanup.policy": "compact"}, topic.Overrides()); diff != "" {
		t.Error(diff)
	}
	effective := topic.Effective()
	if effective["cleanup.policy"] != "compact" || effective["segment.bytes"] != "536870912" || effective["segment.index.bytes"] != "10485760" {
		t.Errorf("effective: %v", effective)
	}
	if d := snapshot.Defaults; d.Partitions != 1 || d.ReplicationFactor != 3 || d.Settings["retention.bytes"] != "1073741824" || d.Settings["cleanup.policy"] == "compact" {
		t.Errorf("defaults: %+v", d)
	}
	if snapshot.ClusterID != "kfake" || len(snapshot.Brokers) != 3 || snapshot.Brokers[0].Rack == "" {
		t.Errorf("cluster: %+v", snapshot)
	}
}

// Topics that may not be read are counted in the open, never taken for empty; a
// topic that goes between two requests is simply not there.
func TestSnapshot_UnreadableIsNotEmpty(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	for _, name := range []string{"read", "denied", "vanished", "trailing"} {
		fake.CreateTopic(t, name, 1, nil)
	}
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "denied", Code: "TOPIC_AUTHORIZATION_FAILED"})
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "vanished", Code: "UNKNOWN_TOPIC_OR_PARTITION"})
	fake.Fail(t, kafkatest.Fault{Request: "Metadata", Topic: "vanished", Code: "UNKNOWN_TOPIC_OR_PARTITION"})
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "trailing", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 2})
	client := connect(t, fake, 10*time.Second)
	snapshot, err := client.Snapshot(deadline(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"denied"}, snapshot.UnreadableNames()); diff != "" || len(snapshot.Topics) != 2 {
		t.Errorf("%s\n%v", diff, snapshot.Topics)
	}
	if len(snapshot.Topics["trailing"].Entries) == 0 {
		t.Error("a broker that trails was taken at its word")
	}
	reason := snapshot.Unreadable["denied"]
	var answer *kafka.Error
	if !errors.As(reason, &answer) || !kafka.IsAuthorization(reason) || answer.Code != "TOPIC_AUTHORIZATION_FAILED" || answer.Request != "DescribeConfigs" || answer.Message == "" {
		t.Errorf("%v", reason)
	}
	if !strings.HasPrefix(answer.Broker, "broker ") {
		t.Errorf("who answered: %q", answer.Broker)
	}
	if err := client.Lookup(deadline(t, 10*time.Second), "nobody"); !kafka.IsUnknownTopic(err) {
		t.Errorf("a topic that does not exist: %v", err)
	}
}

// An unreachable cluster costs one timeout for the process; the caller's own
// cancellation is forgotten.
func TestSnapshot_FailureIsKeptAndCancellationForgotten(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := connect(t, fake, 2*time.Second)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Snapshot(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	fake.Close()
	_, err := client.Snapshot(deadline(t, 20*time.Second))
	var unreachable *kafka.UnreachableError
	if !errors.As(err, &unreachable) || unreachable.Request != "Metadata" || !strings.Contains(err.Error(), "refused") {
		t.Fatalf("closed: %v", err)
	}
	start := time.Now()
	for range 100 {
		if _, again := client.Snapshot(t.Context()); !errors.Is(again, err) {
			t.Fatalf("again: %v", again)
		}
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("a hundred later callers waited %s", took)
	}
}

// A new topic may be invisible for a while, from every broker: the create waits
// with growing pauses and then has the whole topic.
func TestCreate_WaitsUntilTheTopicCanBeRead(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := connect(t, fake, 10*time.Second)
	fake.Fail(t, kafkatest.Fault{Request: "Metadata", Topic: "late", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 3})
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "late", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 2})
	topic, err := client.Create(deadline(t, 20*time.Second), kafka.NewTopic{Name: "late", Partitions: 3, ReplicationFactor: -1})
	if err != nil {
		t.Fatal(err)
	}
	if topic.Partitions != 3 || topic.ReplicationFactor != 3 || topic.ID == "" || topic.Effective()["retention.ms"] != "604800000" {
		t.Errorf("%+v", topic)
	}
	if err := client.Lookup(deadline(t, 10*time.Second), "late"); err != nil {
		t.Errorf("the create did not wait: %v", err)
	}
}

// A topic that never shows exists all the same: it comes back with the error.
func TestCreate_ReturnsTheTopicWithTheErrorWhenItNeverShows(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := connect(t, fake, 10*time.Second)
	fake.Fail(t, kafkatest.Fault{Request: "Metadata", Topic: "never", Code: "UNKNOWN_TOPIC_OR_PARTITION"})
	topic, err := client.Create(deadline(t, time.Second), kafka.NewTopic{Name: "never", Partitions: 1, ReplicationFactor: 1})
	var invisible *kafka.NotVisibleError
	if !errors.As(err, &invisible) || topic.Name != "never" || topic.ID == "" {
		t.Errorf("%+v, %v", topic, err)
	}
	if !fake.Has("never") {
		t.Error("the topic is not there")
	}
}

// The broker's own words come through with its code, its address and the request.
func TestErrors_CarryTheBrokersOwnWords(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "there", 1, nil)
	client := connect(t, fake, 10*time.Second)
	fake.Cluster.ControlKey(int16(kmsg.CreateTopics), func(request kmsg.Request) (kmsg.Response, error, bool) {
		create, ok := request.(*kmsg.CreateTopicsRequest)
		if !ok || create.Topics[0].Topic != "refused" {
			fake.Cluster.KeepControl()
			return nil, nil, false
		}
		response, _ := create.ResponseKind().(*kmsg.CreateTopicsResponse)
		topic := kmsg.NewCreateTopicsResponseTopic()
		topic.Topic, topic.ErrorCode, topic.ErrorMessage = "refused", kerr.PolicyViolation.Code, kmsg.StringPtr("not on a Sunday")
		response.Topics = append(response.Topics, topic)
		return response, nil, true
	})
	_, err := client.Create(deadline(t, 10*time.Second), kafka.NewTopic{Name: "refused", Partitions: 1, ReplicationFactor: 1})
	var answer *kafka.Error
	if !errors.As(err, &answer) || !kafka.IsPolicyViolation(err) || answer.Message != "not on a Sunday" || answer.Request != "CreateTopics" || answer.Code != "POLICY_VIOLATION" {
		t.Errorf("%v", err)
	}
	_, err = client.Create(deadline(t, 10*time.Second), kafka.NewTopic{Name: "there", Partitions: 1, ReplicationFactor: 1})
	if !kafka.IsTopicExists(err) || !errors.As(err, &answer) || answer.Message == "" {
		t.Errorf("without a text of the broker's there must still be words: %v", err)
	}
}

// Changes send the difference only, and what is deleted is gone before the call
// returns.
func TestChange_SetsAndRemovesOneByOne(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.ms": "1", "segment.ms": "2", "flush.ms": "3"})
	client := connect(t, fake, 10*time.Second)
	ctx := deadline(t, 20*time.Second)
	if err := client.Change(ctx, "t", topicconfig.Change{Set: topicconfig.Settings{"retention.ms": "4"}, Remove: []string{"segment.ms"}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"retention.ms": "4", "flush.ms": "3"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	if err := client.SetPartitions(ctx, "t", 5); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to delete
		if err := client.Delete(ctx, "t"); err != nil {
			t.Fatal(err)
		}
	}
	if fake.Has("t") {
		t.Error("still there")
	}
	if err := client.Change(ctx, "t", topicconfig.Change{Remove: []string{"flush.ms"}}); !kafka.IsUnknownTopic(err) {
		t.Errorf("a topic that is gone: %v", err)
	}
}
