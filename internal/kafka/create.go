// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// NewTopic is a topic to create.
type NewTopic struct {
	// Name is the topic's name.
	Name string
	// Partitions and ReplicationFactor are counts; -1 leaves them to the cluster.
	Partitions, ReplicationFactor int64
	// Settings are the topic's overrides.
	Settings topicconfig.Settings
}

// Create creates a topic and waits, until the context ends, that it can be read.
// Where this process has seen a topic of that name, nothing is sent: the error is
// an [*ExistsError].
//
// The topic that comes back is as the cluster created it. A topic comes back
// together with an error where the cluster has created it all the same, and must
// then not be forgotten: a [*NotVisibleError] says that it cannot be read yet, a
// [*NotKeptError] that it is not as it was asked for.
func (c *Client) Create(ctx context.Context, topic NewTopic) (Topic, error) {
	if c.Holds(topic.Name) {
		return Topic{}, &ExistsError{Topic: topic.Name}
	}
	c.wrote.Store(true)
	created, err := c.createOrRecognise(ctx, topic)
	if err != nil {
		return Topic{}, err
	}
	if created, err = c.awaitVisible(ctx, created); err != nil {
		return created, &NotVisibleError{Topic: topic.Name, Cause: err}
	}
	return created, createdAsAsked(topic, created)
}

// ProbeCreate asks what [Client.Create] would be answered, and changes nothing.
// Once this process has begun to write it asks nothing: the write itself tells.
func (c *Client) ProbeCreate(ctx context.Context, topic NewTopic) error {
	if c.wrote.Load() {
		return nil
	}
	return c.asksWhileAway(ctx, topic.ReplicationFactor, func() error {
		_, err := c.createProbes.do(ctx, topic)
		return err
	})
}

// createOrRecognise sends the creation. Where its answer was lost, the topic may be
// there: asked once more, the cluster says so, and a topic that has come since the
// snapshot and is exactly what was asked for is taken as the one just created.
func (c *Client) createOrRecognise(ctx context.Context, topic NewTopic) (Topic, error) {
	unsure := false
	created, err := insist(ctx, c, c.creates, topic, func(tried creation, err error) bool {
		unsure = unsure || tried.repeated || leavesOpen(err)
		return c.brokersAreAway(topic.ReplicationFactor, err)
	})
	if unsure && err != nil && !IsTopicExists(err) && ctx.Err() == nil {
		if again, second := c.creates.do(ctx, topic); second == nil || IsTopicExists(second) {
			created, err = again, second
		}
	}
	if unsure && err != nil {
		if found, ok := c.recognise(ctx, topic, IsTopicExists(err)); ok {
			return found, nil
		}
	}
	return created.topic, err
}

// leavesOpen says that an error leaves open whether the cluster has done it: it gave
// no answer in time, or says that it stopped waiting for itself. A broker that could
// not be connected to has done nothing.
func leavesOpen(err error) bool {
	var unreachable *UnreachableError
	return errors.As(err, &unreachable) && errors.Is(err, context.DeadlineExceeded) || IsUndecided(err)
}

// recognise finds the topic that a creation without an answer has made. It has to
// be new since the snapshot, and to have the partitions, the replicas and the
// overrides that were asked for, no fewer and no more: whatever differs was made by
// somebody else, and is theirs. It takes time of its own, because it also runs when
// the caller's has ended. exists says that the cluster has it, so that a broker
// which does not show it yet is only late.
func (c *Client) recognise(ctx context.Context, asked NewTopic, exists bool) (Topic, bool) {
	snapshot := c.seen()
	if snapshot == nil || c.Holds(asked.Name) {
		return Topic{}, false
	}
	ctx, cancel := c.within(context.WithoutCancel(ctx), c.config.RequestTimeout)
	defer cancel()
	var found Topic
	err := rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
		topic, err := c.lookups.doWithin(ctx, asked.Name, within)
		if err != nil {
			return !exists && IsUnknownTopic(err) || !mayChange(err), err
		}
		topic.Entries, err = c.describes.do(ctx, asked.Name)
		found = topic
		return err == nil || !mayChange(err), err
	})
	if old := snapshot.Topics[asked.Name].ID; err != nil || old != "" && old == found.ID {
		return Topic{}, false
	}
	if asked.Partitions < 0 {
		asked.Partitions = snapshot.Defaults.Partitions
	}
	if asked.ReplicationFactor < 0 {
		asked.ReplicationFactor = snapshot.Defaults.ReplicationFactor
	}
	return found, createdAsAsked(asked, found) == nil && topicconfig.Diff(asked.Settings, found.Overrides()).Empty()
}

// createdAsAsked compares a new topic with what was asked for; what was left to the
// cluster may be anything.
func createdAsAsked(asked NewTopic, created Topic) error {
	for _, count := range []struct {
		what         string
		asked, found int64
	}{
		{"partitions", asked.Partitions, created.Partitions},
		{"replication factor", asked.ReplicationFactor, created.ReplicationFactor},
	} {
		if count.asked > 0 && count.asked != count.found {
			wanted, actual := strconv.FormatInt(count.asked, 10), strconv.FormatInt(count.found, 10)
			return &NotKeptError{Topic: asked.Name, Key: count.what, Wanted: &wanted, Actual: &actual}
		}
	}
	if lost := notKept(asked.Name, topicconfig.Change{Set: asked.Settings}, created.Entries); lost != nil {
		return lost
	}
	return nil
}
