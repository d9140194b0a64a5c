// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// RealPartition is where a partition is: brokers by id, the preferred leader first.
type RealPartition struct {
	Replicas, InSync []int32
	Leader           int32
}

// Replicas returns where a topic's partitions are, in order.
func (c *RealClient) Replicas(ctx context.Context, topic string) ([]RealPartition, error) {
	topics, err := c.admin.ListTopics(ctx, topic)
	if err != nil {
		return nil, err
	}
	if err := topics[topic].Err; err != nil {
		return nil, fmt.Errorf("%s: %w", topic, err)
	}
	var partitions []RealPartition
	for _, p := range topics[topic].Partitions.Sorted() {
		partitions = append(partitions, RealPartition{Replicas: p.Replicas, InSync: p.ISR, Leader: p.Leader})
	}
	return partitions, nil
}

// Racks returns the brokers' racks.
func (c *RealClient) Racks(ctx context.Context) (map[int32]string, error) {
	brokers, err := c.admin.ListBrokers(ctx)
	if err != nil {
		return nil, err
	}
	racks := map[int32]string{}
	for _, broker := range brokers {
		racks[broker.NodeID] = ""
		if broker.Rack != nil {
			racks[broker.NodeID] = *broker.Rack
		}
	}
	return racks, nil
}

// Move starts a reassignment of one partition, as an operator would.
func (c *RealClient) Move(ctx context.Context, topic string, partition int32, brokers ...int32) error {
	var request kadm.AlterPartitionAssignmentsReq
	request.Assign(topic, partition, brokers)
	answers, err := c.admin.AlterPartitionAssignments(ctx, request)
	if err == nil {
		err = answers.Error()
	}
	if err != nil {
		return fmt.Errorf("moving %s[%d]: %w", topic, partition, err)
	}
	return nil
}

// Moving returns the targets of what is being moved of a topic, by partition.
func (c *RealClient) Moving(ctx context.Context, topic string, partitions int) (map[int32][]int32, error) {
	set := kadm.TopicsSet{}
	for p := range partitions {
		set.Add(topic, int32(p))
	}
	answers, err := c.admin.ListPartitionReassignments(ctx, set)
	if err != nil {
		return nil, err
	}
	targets := map[int32][]int32{}
	for _, answer := range answers.Sorted() {
		targets[answer.Partition] = except(answer.Replicas, answer.RemovingReplicas)
	}
	return targets, nil
}

// SetBrokers sets the same dynamic settings on every broker.
func (r *Real) SetBrokers(tb testing.TB, settings map[string]string) {
	tb.Helper()
	if err := setBrokers(r.brokers, settings); err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
}

// ResetBrokers takes dynamic settings of every broker back.
func (r *Real) ResetBrokers(tb testing.TB, keys ...string) {
	tb.Helper()
	if err := resetBrokers(r.brokers, keys); err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
}

// BrokerSettings returns the dynamic settings of any broker whose names hold a text.
func (r *Real) BrokerSettings(tb testing.TB, text string) map[string]string {
	tb.Helper()
	settings, err := brokerSettings(r.brokers, text)
	if err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
	return settings
}

// Fill writes bytes into each partition of a topic.
func (r *Real) Fill(ctx context.Context, topic string, partitions, bytes int) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(r.brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		return err
	}
	defer client.Close()
	const size = 100_000
	var records []*kgo.Record
	for p := range partitions {
		for range bytes / size {
			records = append(records, &kgo.Record{Topic: topic, Partition: int32(p), Value: make([]byte, size)})
		}
	}
	return client.ProduceSync(ctx, records...).FirstErr()
}

// Traffic is a producer and a consumer of one topic that run side by side.
type Traffic struct {
	stop     chan struct{}
	producer sync.WaitGroup
	sent     []string
	failed   error

	mu   sync.Mutex
	read map[string]bool
}

// StartTraffic begins to write numbered records, each acknowledged by all replicas
// in sync before the next, and to read them as they come.
func (r *Real) StartTraffic(tb testing.TB, topic string) *Traffic {
	tb.Helper()
	t := &Traffic{stop: make(chan struct{}), read: map[string]bool{}}
	producer, err := kgo.NewClient(kgo.SeedBrokers(r.brokers...), kgo.RequiredAcks(kgo.AllISRAcks()), kgo.RecordPartitioner(kgo.RoundRobinPartitioner()))
	if err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
	consumer, err := kgo.NewClient(kgo.SeedBrokers(r.brokers...), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var reader sync.WaitGroup
	tb.Cleanup(func() {
		cancel()
		t.producer.Wait()
		reader.Wait()
		producer.Close()
		consumer.Close()
	})
	t.producer.Go(func() { t.produce(ctx, producer, topic) })
	reader.Go(func() {
		for ctx.Err() == nil {
			consumer.PollFetches(ctx).EachRecord(func(record *kgo.Record) {
				t.mu.Lock()
				defer t.mu.Unlock()
				t.read[string(record.Value)] = true
			})
		}
	})
	return t
}

// produce writes until it is stopped.
func (t *Traffic) produce(ctx context.Context, producer *kgo.Client, topic string) {
	for n := 0; ; n++ {
		select {
		case <-t.stop:
			return
		case <-ctx.Done():
			return
		default:
		}
		value := fmt.Sprint("record ", n)
		if t.failed = producer.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: []byte(value)}).FirstErr(); t.failed != nil {
			return
		}
		t.sent = append(t.sent, value)
	}
}

// Stop ends the producer, gives the consumer some time to read on, and returns how
// many records were acknowledged and which of them it has not read.
func (t *Traffic) Stop() (acknowledged int, lost []string, err error) {
	close(t.stop)
	t.producer.Wait()
	_ = realPoll(realRequestPatience, func() (bool, error) { // what is missing then is what is returned
		t.mu.Lock()
		defer t.mu.Unlock()
		lost = slices.DeleteFunc(slices.Clone(t.sent), func(value string) bool { return t.read[value] })
		return len(lost) == 0, nil
	})
	return len(t.sent), lost, t.failed
}
