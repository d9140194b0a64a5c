// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// FakeMoves gives a fake cluster replicas that can be moved. kfake itself places
// them by a fixed pattern, and accepts a reassignment without doing it.
//
// Its answers to Metadata and to the two requests about reassignments pass by the
// faults of the fake.
type FakeMoves struct {
	fake  *Fake
	relay *kgo.Client

	mu      sync.Mutex
	placed  map[fakePartition]*fakeReplicas
	last    int
	refusal *kerr.Error
	onMove  func()
}

// fakePartition names a partition.
type fakePartition struct {
	topic     string
	partition int32
}

// fakeReplicas are the replicas of a partition as metadata shows them, and, while
// it moves, what comes of them.
type fakeReplicas struct {
	replicas, adding, removing []int32
	moving                     bool
	left                       int // listings that still show the move
}

// relayVersion tells the metadata requests of this room, which go through, from
// those of a client, which uses the newest version.
const relayVersion = 12

// Moves installs movable replicas. A move ends after it has been listed once.
func (f *Fake) Moves(tb testing.TB) *FakeMoves {
	tb.Helper()
	versions := kversion.Stable()
	versions.SetMaxKeyVersion(int16(kmsg.Metadata), relayVersion)
	relay, err := kgo.NewClient(kgo.SeedBrokers(f.Cluster.ListenAddrs()...), kgo.MaxVersions(versions))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(relay.Close)
	m := &FakeMoves{fake: f, relay: relay, placed: map[fakePartition]*fakeReplicas{}, last: 1}
	f.Cluster.ControlKey(int16(kmsg.Metadata), m.metadata)
	f.Cluster.ControlKey(int16(kmsg.AlterPartitionAssignments), m.alter)
	f.Cluster.ControlKey(int16(kmsg.ListPartitionReassignments), m.list)
	return m
}

// Place puts a partition's replicas on brokers. A partition without brokers shows
// an error in metadata, as one does that is not ready.
func (m *FakeMoves) Place(topic string, partition int32, brokers ...int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.placed[fakePartition{topic, partition}] = &fakeReplicas{replicas: brokers}
}

// Begin starts a move behind the provider's back.
func (m *FakeMoves) Begin(topic string, partition int32, target ...int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin(fakePartition{topic, partition}, target)
}

// Last says how many more listings show a move before it ends; a negative number:
// it never ends.
func (m *FakeMoves) Last(listings int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = listings
	for _, partition := range m.placed {
		partition.left = listings
	}
}

// Cancel ends what moves and puts the old replicas back.
func (m *FakeMoves) Cancel() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, partition := range m.placed {
		partition.end(partition.adding)
	}
}

// Refuse answers every start of a move with an error, under Kafka's name; the
// empty name ends that.
func (m *FakeMoves) Refuse(tb testing.TB, code string) {
	tb.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refusal = nil; code != "" {
		m.refusal = errorNamed(tb, code)
	}
}

// OnMove has a function called when a client starts a move.
func (m *FakeMoves) OnMove(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.onMove = do
}

// Replicas returns a partition's replicas as metadata shows them.
func (m *FakeMoves) Replicas(topic string, partition int32) []int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if placed := m.placed[fakePartition{topic, partition}]; placed != nil {
		return slices.Clone(placed.replicas)
	}
	return nil
}

// begin shows the old and the new replicas together. The caller holds the lock.
func (m *FakeMoves) begin(at fakePartition, target []int32) {
	partition := m.placed[at]
	if partition == nil {
		partition = &fakeReplicas{}
		m.placed[at] = partition
	}
	partition.end(partition.adding) // a new move takes the place of one under way
	before := partition.replicas
	partition.adding, partition.removing = except(target, before), except(before, target)
	partition.replicas = append(slices.Clone(target), partition.removing...)
	partition.moving, partition.left = true, m.last
}

// end takes away the replicas that go.
func (r *fakeReplicas) end(going []int32) {
	r.replicas = except(r.replicas, going)
	r.adding, r.removing, r.moving = nil, nil, false
}

// except are the elements of one list that are not in the other.
func except(list, other []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(list), func(id int32) bool { return slices.Contains(other, id) })
}

// metadata answers as the fake does, with the replicas of placed partitions.
func (m *FakeMoves) metadata(request kmsg.Request) (kmsg.Response, error, bool) {
	m.fake.Cluster.KeepControl()
	asked, ok := request.(*kmsg.MetadataRequest)
	if !ok || asked.Version <= relayVersion {
		return nil, nil, false
	}
	m.fake.note(request)
	var relayed kmsg.Response
	var err error
	m.fake.Cluster.SleepControl(func() { // the cluster answers the relayed request meanwhile
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		own := *asked
		relayed, err = m.relay.Request(ctx, &own)
	})
	original, ok := relayed.(*kmsg.MetadataResponse)
	if err != nil || !ok {
		return nil, err, true
	}
	response, _ := asked.ResponseKind().(*kmsg.MetadataResponse)
	version := response.Version
	*response = *original
	response.Version = version
	m.mu.Lock()
	defer m.mu.Unlock()
	for t, topic := range response.Topics {
		for p, partition := range topic.Partitions {
			if topic.Topic == nil {
				continue
			}
			placed := m.placed[fakePartition{*topic.Topic, partition.Partition}]
			if placed == nil {
				continue
			}
			partition.Replicas, partition.ISR, partition.Leader = placed.replicas, except(placed.replicas, placed.adding), -1
			if len(partition.ISR) > 0 {
				partition.Leader = partition.ISR[0]
			} else {
				partition.ErrorCode = kerr.LeaderNotAvailable.Code
			}
			response.Topics[t].Partitions[p] = partition
		}
	}
	return response, nil, true
}

// alter starts moves.
func (m *FakeMoves) alter(request kmsg.Request) (kmsg.Response, error, bool) {
	m.fake.Cluster.KeepControl()
	alter, ok := request.(*kmsg.AlterPartitionAssignmentsRequest)
	if !ok {
		return nil, nil, false
	}
	m.fake.note(request)
	m.mu.Lock()
	defer m.mu.Unlock()
	response, _ := alter.ResponseKind().(*kmsg.AlterPartitionAssignmentsResponse)
	if m.refusal != nil {
		response.ErrorCode = m.refusal.Code
		return response, nil, true
	}
	for _, topic := range alter.Topics {
		answer := kmsg.NewAlterPartitionAssignmentsResponseTopic()
		answer.Topic = topic.Topic
		for _, partition := range topic.Partitions {
			m.begin(fakePartition{topic.Topic, partition.Partition}, partition.Replicas)
			part := kmsg.NewAlterPartitionAssignmentsResponseTopicPartition()
			part.Partition = partition.Partition
			answer.Partitions = append(answer.Partitions, part)
		}
		response.Topics = append(response.Topics, answer)
	}
	if m.onMove != nil {
		m.onMove()
	}
	return response, nil, true
}

// list shows what moves, and ends what has been shown often enough.
func (m *FakeMoves) list(request kmsg.Request) (kmsg.Response, error, bool) {
	m.fake.Cluster.KeepControl()
	list, ok := request.(*kmsg.ListPartitionReassignmentsRequest)
	if !ok {
		return nil, nil, false
	}
	m.fake.note(request)
	m.mu.Lock()
	defer m.mu.Unlock()
	response, _ := list.ResponseKind().(*kmsg.ListPartitionReassignmentsResponse)
	for at, placed := range m.placed {
		if !placed.moving || !lists(list, at) {
			continue
		}
		if placed.left == 0 {
			placed.end(placed.removing)
			continue
		}
		placed.left--
		part := kmsg.NewListPartitionReassignmentsResponseTopicPartition()
		part.Partition, part.Replicas = at.partition, slices.Clone(placed.replicas)
		part.AddingReplicas, part.RemovingReplicas = slices.Clone(placed.adding), slices.Clone(placed.removing)
		topic := kmsg.NewListPartitionReassignmentsResponseTopic()
		topic.Topic = at.topic
		topic.Partitions = append(topic.Partitions, part)
		response.Topics = append(response.Topics, topic)
	}
	return response, nil, true
}

// lists says whether a request asks for a partition; one that names no topics asks for all.
func lists(request *kmsg.ListPartitionReassignmentsRequest, at fakePartition) bool {
	if request.Topics == nil {
		return true
	}
	for _, topic := range request.Topics {
		if topic.Topic == at.topic && slices.Contains(topic.Partitions, at.partition) {
			return true
		}
	}
	return false
}
