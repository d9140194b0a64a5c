// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// MovingError says that partitions move to a number of replicas that nobody here
// asked for.
type MovingError struct {
	// Topic is the topic's name.
	Topic string
	// Moves are the partitions that move.
	Moves []Move
}

// Error lists the moves.
func (e *MovingError) Error() string {
	return fmt.Sprintf("topic %q is being reassigned: %s", e.Topic, movesText(e.Moves))
}

// BrokersError says that there are fewer brokers than replicas are wanted.
type BrokersError struct {
	// Topic is the topic's name.
	Topic string
	// Wanted is the number of replicas, Brokers that of brokers.
	Wanted, Brokers int64
}

// Error gives both numbers.
func (e *BrokersError) Error() string {
	return fmt.Sprintf("topic %q: %d replicas need as many brokers, and there are %d", e.Topic, e.Wanted, e.Brokers)
}

// UnfinishedError says that the wait for a reassignment ended before it did. The
// cluster goes on with it.
type UnfinishedError struct {
	// Topic is the topic's name.
	Topic string
	// Moves are the partitions that still moved when last seen.
	Moves []Move
	// Cause is why the wait ended.
	Cause error
}

// Error lists what is still under way.
func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("topic %q: the reassignment has not ended (%s): %v", e.Topic, movesText(e.Moves), e.Cause)
}

// Unwrap returns the cause.
func (e *UnfinishedError) Unwrap() error {
	return e.Cause
}

// movesText joins moves for an error's own text.
func movesText(moves []Move) string {
	var texts []string
	for _, m := range moves {
		texts = append(texts, m.String())
	}
	return strings.Join(texts, "; ")
}

// errStillMoving is what a wait remembers of an answer that is not the end.
var errStillMoving = errors.New("replicas are still being moved")

// awaitMoves waits until nothing of the topic moves and metadata shows every
// partition with the wanted number of replicas. last is what moves now.
func (c *Client) awaitMoves(ctx context.Context, name string, partitions []layout, last moves, factor int64) ([]layout, error) {
	err := poll(ctx, func(ctx context.Context) (bool, error) {
		moves, err := c.movesOf(ctx, name, partitions)
		if err != nil {
			return isFinal(err), err
		}
		last = moves
		if len(moves) == 0 {
			return true, nil
		}
		return false, errStillMoving
	})
	if err != nil {
		return nil, &UnfinishedError{Topic: name, Moves: last, Cause: err}
	}
	// The controller says that nothing moves, and brokers trail it by moments only: a
	// number that stays wrong comes from somebody who has cancelled the move.
	ctx, cancel := c.within(ctx, c.config.RequestTimeout)
	defer cancel()
	var settled []layout
	err = poll(ctx, func(ctx context.Context) (bool, error) {
		var err error
		if settled, _, err = c.layoutsNow(ctx, name); err != nil {
			return isFinal(err), err
		}
		for _, partition := range settled {
			if int64(len(partition.replicas)) != factor {
				return false, fmt.Errorf("nothing moves any more, and partition %d has the replicas %v: the reassignment was cancelled, or somebody changed it", partition.partition, partition.replicas)
			}
		}
		return true, nil
	})
	if err != nil {
		return nil, &UnfinishedError{Topic: name, Cause: err}
	}
	return settled, nil
}

// ReplicationFactor reads the smallest number of replicas of a topic's partitions, fresh.
func (c *Client) ReplicationFactor(ctx context.Context, name string) (int64, error) {
	topic, err := c.lookup(ctx, name)
	return topic.ReplicationFactor, err
}

// movesOf lists what moves of a topic now. It names the partitions, because a
// request that names none asks for the whole cluster.
func (c *Client) movesOf(ctx context.Context, name string, partitions []layout) (moves, error) {
	request := kmsg.NewListPartitionReassignmentsRequestTopic()
	request.Topic = name
	for _, partition := range partitions {
		request.Partitions = append(request.Partitions, partition.partition)
	}
	all, err := c.listMoves(ctx, []kmsg.ListPartitionReassignmentsRequestTopic{request})
	return all[name], err
}

// firstMoves is what moved in the cluster when it was first asked for.
type firstMoves struct {
	sync.Mutex
	read   map[string][]Move
	failed error
}

// Moves lists what moved in the whole cluster when it was first asked for, by
// topic. Like the snapshot it is read once per process; a failure is kept too.
func (c *Client) Moves(ctx context.Context) (map[string][]Move, error) {
	c.moving.Lock()
	defer c.moving.Unlock()
	if c.moving.read != nil || c.moving.failed != nil {
		return c.moving.read, c.moving.failed
	}
	all, err := c.listMoves(ctx, nil)
	if err != nil {
		if !isCancelled(err) {
			c.moving.failed = err
		}
		return nil, err
	}
	c.moving.read = map[string][]Move{}
	for name, moves := range all {
		c.moving.read[name] = moves
	}
	return c.moving.read, nil
}

// listMoves asks for topics; nil asks for all.
func (c *Client) listMoves(ctx context.Context, topics []kmsg.ListPartitionReassignmentsRequestTopic) (map[string]moves, error) {
	request := kmsg.NewPtrListPartitionReassignmentsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	request.Topics = topics
	response, broker, err := answerTo[*kmsg.ListPartitionReassignmentsResponse](ctx, c, request)
	if err != nil {
		return nil, err
	}
	if err := newError(listReassignments, "", response.ErrorCode, response.ErrorMessage, broker); err != nil {
		return nil, err
	}
	all := map[string]moves{}
	for _, topic := range response.Topics {
		for _, p := range topic.Partitions {
			all[topic.Topic] = append(all[topic.Topic], Move{
				Partition: p.Partition, Adding: p.AddingReplicas, Removing: p.RemovingReplicas, underWay: true,
				// While a partition moves, its replicas are the old and the new ones together.
				Target: without(p.Replicas, p.RemovingReplicas), sources: without(p.Replicas, p.AddingReplicas),
			})
		}
		slices.SortFunc(all[topic.Topic], func(a, b Move) int { return cmp.Compare(a.Partition, b.Partition) })
	}
	return all, nil
}

// electPreferred gives the lead to the preferred leaders. The controller decides
// which partitions need it and whether their preferred leader is in sync: what
// metadata shows of leaders right after a move may trail. Kafka does the same
// within minutes, so an election that fails is no failure.
func (c *Client) electPreferred(ctx context.Context, name string, partitions []layout) {
	topic := kmsg.NewElectLeadersRequestTopic()
	topic.Topic = name
	for _, p := range partitions {
		topic.Partitions = append(topic.Partitions, p.partition)
	}
	request := kmsg.NewPtrElectLeadersRequest()
	request.ElectionType = 0 // preferred
	request.TimeoutMillis = c.timeoutMillis()
	request.Topics = append(request.Topics, topic)
	_, _, _ = c.send(ctx, request)
}
