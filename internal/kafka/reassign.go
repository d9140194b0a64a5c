// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The requests of a reassignment under the names that Kafka's documentation and
// its brokers' logs give them.
const (
	alterReassignments = "AlterPartitionReassignments"
	listReassignments  = "ListPartitionReassignments"
)

// reassignBatch is how many partitions one request moves: far below the 10,000
// records that a controller writes at once (QuorumController.java, Apache Kafka 4.4).
const reassignBatch = 1000

// SetReplicationFactor gives every partition of a topic so many replicas, and
// waits, until the context ends, that they are in sync and the surplus is gone. It
// moves as little as possible. A positive rate bounds the copying, in bytes a
// second and broker; what that needs is set for the time of the move only, and
// only where nobody else has set it.
//
// A reassignment of the topic that is under way and ends at the same number is
// joined, so that a run goes on where an interrupted one stopped; any other is
// somebody else's, and a [*MovingError]. A [*BrokersError] says that there are too
// few brokers, an [*UnfinishedError] that the wait ended before the move did. left
// says, whatever became of the move, that its throttle could not be removed.
func (c *Client) SetReplicationFactor(ctx context.Context, name string, factor, rate int64) (left *ThrottleError, err error) {
	partitions, brokers, err := c.layoutsWith(ctx, name, factor)
	if err != nil {
		return nil, err
	}
	moves, err := c.movesOf(ctx, name, partitions)
	if err != nil {
		return nil, err
	}
	if foreign := moves.endingOtherwise(factor); len(foreign) > 0 {
		return nil, &MovingError{Topic: name, Moves: foreign}
	}
	moves = append(moves, newMoves(partitions, moves, brokers, int(factor))...)
	remove, err := c.throttle(ctx, name, moves, brokers, rate)
	if err == nil {
		err = c.move(ctx, name, moves, partitions, factor)
	}
	if cause := remove(); cause != nil {
		left = &ThrottleError{Topic: name, Cause: cause}
	}
	return left, err
}

// move starts what is not under way yet, waits for all of it, and has the
// preferred leaders elected.
func (c *Client) move(ctx context.Context, name string, moves moves, partitions []layout, factor int64) error {
	var start []Move
	for _, m := range moves {
		if !m.underWay {
			start = append(start, m)
		}
	}
	for batch := range slices.Chunk(start, reassignBatch) {
		if err := c.alterAssignments(ctx, name, batch); err != nil {
			if ctx.Err() != nil { // the request may have arrived before the end
				return &UnfinishedError{Topic: name, Moves: moves, Cause: err}
			}
			return err
		}
	}
	settled, err := c.awaitMoves(ctx, name, partitions, moves, factor)
	if err == nil && len(moves) > 0 {
		c.electPreferred(ctx, name, settled)
	}
	return err
}

// Move is what happens, or is to happen, to the replicas of one partition. The
// replicas are broker ids.
type Move struct {
	// Partition is the partition's number.
	Partition int32
	// Target are the replicas in the end, the preferred leader first.
	Target []int32
	// Adding and Removing are what comes and what goes.
	Adding, Removing []int32

	sources  []int32 // the replicas that the new ones copy from
	underWay bool
}

// String is a move in a line.
func (m Move) String() string {
	return fmt.Sprintf("partition %d: adding %v, removing %v", m.Partition, m.Adding, m.Removing)
}

// moves are a topic's moves, one for each partition that moves.
type moves []Move

// endingOtherwise are the moves that do not end at a replication factor.
func (all moves) endingOtherwise(factor int64) moves {
	return slices.DeleteFunc(slices.Clone(all), func(m Move) bool { return int64(len(m.Target)) == factor })
}

// newMoves places the partitions that do not move yet and do not have the wanted
// number of replicas.
func newMoves(partitions []layout, underWay moves, brokers []Broker, factor int) moves {
	var layouts []layout
	for _, partition := range partitions {
		at := slices.IndexFunc(underWay, func(m Move) bool { return m.Partition == partition.partition })
		if at >= 0 {
			partition.replicas = underWay[at].Target // has the right number, so it stays
		}
		layouts = append(layouts, partition)
	}
	var moves moves
	for i, target := range place(layouts, brokers, factor) {
		before := layouts[i].replicas
		if slices.Equal(before, target) {
			continue
		}
		moves = append(moves, Move{
			Partition: layouts[i].partition, Target: target,
			Adding: without(target, before), Removing: without(before, target), sources: before,
		})
	}
	return moves
}

// without are the elements of one list that are not in the other.
func without(list, other []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(list), func(id int32) bool { return slices.Contains(other, id) })
}

// layouts reads where a topic's replicas are and which brokers there are, fresh.
// It waits until every partition shows its replicas: right after a change some do not.
func (c *Client) layouts(ctx context.Context, name string) (partitions []layout, brokers []Broker, err error) {
	err = poll(ctx, func(ctx context.Context) (bool, error) {
		partitions, brokers, err = c.layoutsNow(ctx, name)
		if err != nil {
			return isFinal(err), err
		}
		for _, partition := range partitions {
			if len(partition.replicas) == 0 {
				return false, fmt.Errorf("topic %q: metadata shows no replicas of partition %d", name, partition.partition)
			}
		}
		return true, nil
	})
	return partitions, brokers, err
}

// layoutsNow is one reading for [Client.layouts].
func (c *Client) layoutsNow(ctx context.Context, name string) ([]layout, []Broker, error) {
	request := kmsg.NewPtrMetadataRequest()
	wanted := kmsg.NewMetadataRequestTopic()
	wanted.Topic = kmsg.StringPtr(name)
	request.Topics = append(request.Topics, wanted)
	answer, broker, err := c.metadata(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	if len(answer.Topics) != 1 {
		return nil, nil, anotherKind(request)
	}
	topic := answer.Topics[0]
	if err := newError("Metadata", name, topic.ErrorCode, nil, broker); err != nil {
		return nil, nil, err
	}
	var partitions []layout
	for _, p := range topic.Partitions {
		partitions = append(partitions, layout{partition: p.Partition, replicas: p.Replicas, inSync: p.ISR, leader: p.Leader})
	}
	slices.SortFunc(partitions, func(a, b layout) int { return cmp.Compare(a.partition, b.partition) })
	return partitions, brokersFromMetadata(answer), nil
}

// brokersFromMetadata are the live brokers.
func brokersFromMetadata(answer *kmsg.MetadataResponse) []Broker {
	var brokers []Broker
	for _, broker := range answer.Brokers {
		b := Broker{ID: int64(broker.NodeID)}
		if broker.Rack != nil {
			b.Rack = *broker.Rack
		}
		brokers = append(brokers, b)
	}
	slices.SortFunc(brokers, func(a, b Broker) int { return cmp.Compare(a.ID, b.ID) })
	return brokers
}

// alterAssignments starts moves. Starting a move that is under way already changes
// nothing, so an answer that asks for patience is asked again.
func (c *Client) alterAssignments(ctx context.Context, name string, batch []Move) error {
	request := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	topic := kmsg.NewAlterPartitionAssignmentsRequestTopic()
	topic.Topic = name
	for _, m := range batch {
		partition := kmsg.NewAlterPartitionAssignmentsRequestTopicPartition()
		partition.Partition, partition.Replicas = m.Partition, m.Target
		topic.Partitions = append(topic.Partitions, partition)
	}
	request.Topics = append(request.Topics, topic)
	return poll(ctx, func(ctx context.Context) (bool, error) {
		response, broker, err := answerTo[*kmsg.AlterPartitionAssignmentsResponse](ctx, c, request)
		if err != nil {
			return true, err
		}
		if err := newError(alterReassignments, name, response.ErrorCode, response.ErrorMessage, broker); err != nil {
			c.avoid.heed(err)
			return isFinal(err), err
		}
		for _, topic := range response.Topics {
			for _, partition := range topic.Partitions {
				if err := newError(alterReassignments, name, partition.ErrorCode, partition.ErrorMessage, broker); err != nil {
					return isFinal(err), fmt.Errorf("partition %d: %w", partition.Partition, err)
				}
			}
		}
		return true, nil
	})
}

// isFinal says that asking again is of no use: the cluster has said no, or the
// caller has given up.
func isFinal(err error) bool {
	var answer *Error
	return errors.As(err, &answer) && !isRetriable(err) || isCancelled(err)
}
