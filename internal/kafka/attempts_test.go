// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// lifeOfWrites is one write of each kind, in an order in which each has its turn.
func lifeOfWrites(ctx context.Context, client *kafka.Client) []struct {
	request string
	call    func() error
} {
	return []struct {
		request string
		call    func() error
	}{
		{"CreateTopics", func() error { _, err := client.Create(ctx, asked("t")); return err }},
		{"CreatePartitions", func() error { return client.SetPartitions(ctx, "t", 5) }},
		{"IncrementalAlterConfigs", func() error {
			return client.Change(ctx, "t", topicconfig.Change{Set: topicconfig.Settings{"segment.ms": "9000"}})
		}},
		{"DeleteTopics", func() error { return client.Delete(ctx, "t") }},
	}
}

// A broker that takes a request and never answers costs one attempt, and not the
// time of the whole request.
func TestWrites_ASilentBrokerLeavesTimeForAnother(t *testing.T) {
	t.Parallel()
	const timeout = 6 * time.Second
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := opened(t, fake, timeout)
	for _, write := range lifeOfWrites(deadline(t, time.Minute), client) {
		remove := fake.Disturb(t, kafkatest.Disturbance{Request: write.request, Writes: true, How: kafkatest.Delay, By: 10 * time.Second, Times: 1})
		start := time.Now()
		err := write.call()
		if took := time.Since(start); err != nil || took >= timeout || remove() != 1 {
			t.Errorf("%s after %v: %v", write.request, took, err)
		}
	}
}

// Whatever Kafka calls retriable is tried again, except that a topic is not known:
// the controller knows them all.
func TestWrites_AreSentAgainWhereKafkaCallsThatOfUse(t *testing.T) {
	t.Parallel()
	for _, code := range kafkatest.RetriableErrors() {
		if slices.Contains([]string{"UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_ID"}, code) {
			continue
		}
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			client := opened(t, fake, 10*time.Second)
			for _, write := range lifeOfWrites(deadline(t, time.Minute), client) {
				remove := fake.Fail(t, kafkatest.Fault{Request: write.request, Code: code, Writes: write.request != "DeleteTopics", Times: 2})
				if err := write.call(); err != nil || remove() != 2 {
					t.Errorf("%s: %v", write.request, err)
				}
			}
		})
	}
}

// Of a request that was answered in part only what failed goes again.
func TestCreate_OnlyTheThrottledTopicGoesAgain(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Topic: "t03", Code: "THROTTLING_QUOTA_EXCEEDED", Times: 2})
	client := opened(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	together(10, func(name string) {
		if _, err := client.Create(ctx, asked(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	sent := map[string]int{}
	for _, request := range fake.Received() {
		if request.Name == "CreateTopics" {
			for _, topic := range request.Topics {
				sent[topic]++
			}
		}
	}
	want := map[string]int{"t00": 1, "t01": 1, "t02": 1, "t03": 3, "t04": 1, "t05": 1, "t06": 1, "t07": 1, "t08": 1, "t09": 1}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("how often each was sent (-want +got):\n%s", diff)
	}
}

// Writes are answered by the controller, which knows all topics. One that it does not
// know is not late, although Kafka calls that answer retriable.
func TestWrites_WhatIsNotThereIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := opened(t, fake, 5*time.Second)
	fake.ForgetRequests()
	ctx := deadline(t, 30*time.Second)
	for request, err := range map[string]error{
		"CreatePartitions":        client.SetPartitions(ctx, "gone", 5),
		"IncrementalAlterConfigs": client.Change(ctx, "gone", topicconfig.Change{Set: topicconfig.Settings{"segment.ms": "9000"}}),
	} {
		if sent := fake.Requests()[request]; !kafka.IsUnknownTopic(err) || sent != 1 {
			t.Errorf("%s was sent %d times: %v", request, sent, err)
		}
	}
}

// A broker that restarts is missing for some seconds. Where there were enough of
// them before, a creation waits for it; where there never were, it does not.
func TestCreate_WaitsForABrokerThatRestarts(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	client := opened(t, fake, 10*time.Second)
	remove := fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Code: "INVALID_REPLICATION_FACTOR", Times: 2})
	if _, err := client.Create(deadline(t, 30*time.Second), asked("t")); err != nil || remove() != 2 {
		t.Error(err)
	}
	remove = fake.Fail(t, kafkatest.Fault{Request: "CreatePartitions", Code: "INVALID_REPLICATION_FACTOR", Times: 2})
	if err := client.SetPartitions(deadline(t, 30*time.Second), "t", 5); err != nil || remove() != 2 {
		t.Error(err)
	}
	remove = fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Code: "INVALID_REPLICATION_FACTOR"})
	topic := asked("u")
	topic.ReplicationFactor = 4
	if _, err := client.Create(deadline(t, 30*time.Second), topic); err == nil || remove() != 1 {
		t.Error(err)
	}
}

// A broker that goes between the snapshot and the question is no reason to refuse a
// plan: the write would wait for it. Where all are there, the cluster means it.
func TestProbes_ABrokerThatRestartsRefusesNothing(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "there", 2, nil)
	client := opened(t, fake, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	remove := fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Code: "INVALID_REPLICATION_FACTOR"})
	if err := client.ProbeCreate(ctx, asked("t")); err == nil || remove() != 3 {
		t.Errorf("with all brokers there: %v", err)
	}
	remove = fake.Fail(t, kafkatest.Fault{Request: "CreatePartitions", Code: "INVALID_REPLICATION_FACTOR"})
	fake.Leave(t, 1)
	four := asked("u")
	four.ReplicationFactor = 4
	byDefault := asked("v")
	byDefault.ReplicationFactor = -1
	if err := errors.Join(client.ProbeCreate(ctx, asked("t")), client.ProbeCreate(ctx, byDefault), client.ProbePartitions(ctx, "there", 5)); err != nil || remove() != 1 {
		t.Errorf("with one of three away: %v", err)
	}
	if err := client.ProbeCreate(ctx, four); err == nil {
		t.Error("a factor that there never were brokers for was not refused")
	}
}

// What a client has sent over a connection that it gives up must not be done later,
// behind what it sends elsewhere: the connection is reset, and the broker's buffers
// with it.
func TestClient_ResetsWhatItGivesUp(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Brokers: 1})
	ended := make(chan error, 10)
	client, err := kafka.New(kafka.Config{
		Servers: []string{fake.Bootstrap()}, ClientID: "test", Version: "1.0.0",
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			return relayed(ctx, t, network, address, ended)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Snapshot(deadline(t, 20*time.Second)); err != nil {
		t.Fatal(err)
	}
	client.Close()
	if err := <-ended; !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the connection ended with %v", err)
	}
}

// relayed is a connection with somebody in between, who says how it ended.
func relayed(ctx context.Context, t *testing.T, network, address string, ended chan<- error) (net.Conn, error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = listener.Close() }()
	conn, err := (&net.Dialer{}).DialContext(ctx, network, listener.Addr().String())
	if err != nil {
		return nil, err
	}
	client, err := listener.Accept()
	if err != nil {
		return nil, err
	}
	broker, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	go func() { _, _ = io.Copy(client, broker) }()
	go func() {
		_, err := io.Copy(broker, client)
		ended <- err
		_ = broker.Close()
		_ = client.Close()
	}()
	return conn, nil
}

// While a broker is avoided, what is told to a broker for itself still goes to that
// one: any other refuses it, and a throttle would stay behind.
func TestThrottle_OfABrokerIsToldToThatBroker(t *testing.T) {
	t.Parallel()
	fake, _ := movable(t)
	var elsewhere atomic.Int64
	fake.Cluster.ControlKey(int16(kmsg.IncrementalAlterConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.Cluster.KeepControl()
		if alter, ok := request.(*kmsg.IncrementalAlterConfigsRequest); ok {
			for _, resource := range alter.Resources {
				if resource.ResourceType == kmsg.ConfigResourceTypeBroker && resource.ResourceName != strconv.Itoa(int(fake.Cluster.CurrentNode())) {
					elsewhere.Add(1)
				}
			}
		}
		return nil, nil, false
	})
	client := opened(t, fake, 6*time.Second)
	remove := fake.Disturb(t, kafkatest.Disturbance{Request: "AlterPartitionAssignments", How: kafkatest.Delay, By: 10 * time.Second, Times: 1})
	if err := setFactor(deadline(t, time.Minute), t, client, "t", 3, 1000); err != nil || remove() != 1 {
		t.Error(err)
	}
	if n := elsewhere.Load(); n > 0 {
		t.Errorf("%d changes of a broker's settings went to another one", n)
	}
}
