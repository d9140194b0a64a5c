// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Snapshot is the process's first reading of the cluster. It never changes.
type Snapshot struct {
	// ClusterID is Kafka's id of the cluster.
	ClusterID string
	// Brokers are the brokers, ordered by id.
	Brokers []Broker
	// Topics are all topics that could be read whole, by name.
	Topics map[string]Topic
	// Unreadable are the topics whose settings could not be read, with the reason.
	Unreadable map[string]error
	// Defaults are what a new topic would get.
	Defaults Defaults
	// ReadOnly says that the principal may change nothing that the cluster shows.
	ReadOnly bool
	// Declared are the settings that the cluster lists for topics, with their types;
	// empty where it lists none, or not all of them.
	Declared map[string]topicconfig.Type
}

// Broker is a member of the cluster.
type Broker struct {
	// ID is the node id.
	ID int64
	// Rack is broker.rack; empty where none is set.
	Rack string
}

// TopicNames lists the topics in order.
func (s *Snapshot) TopicNames() []string {
	return sortedNames(s.Topics)
}

// UnreadableNames lists the unreadable topics in order.
func (s *Snapshot) UnreadableNames() []string {
	return sortedNames(s.Unreadable)
}

const (
	// describeSize is how many topics one DescribeConfigs asks for: about 350 kB of answer.
	describeSize = 250
	// describeParallel is how many of those are under way at once.
	describeParallel = 4
)

// Snapshot returns the process's first reading of the cluster and takes it if
// nobody has. Callers that come together share one reading. A failure is kept
// too, so that an unreachable cluster costs one timeout and not one per topic;
// only the caller's own cancellation is forgotten.
func (c *Client) Snapshot(ctx context.Context) (*Snapshot, error) {
	c.snapshotMu.Lock()
	defer c.snapshotMu.Unlock()
	if c.snapshot != nil || c.snapshotOf != nil {
		return c.snapshot, c.snapshotOf
	}
	snapshot, err := c.read(ctx)
	if err != nil && isCancelled(err) {
		return nil, err
	}
	c.snapshot, c.snapshotOf = snapshot, err
	return snapshot, err
}

// read takes a reading: one metadata request, one DescribeConfigs for each few
// hundred topics, and what the defaults need.
func (c *Client) read(ctx context.Context) (*Snapshot, error) {
	request := kmsg.NewPtrMetadataRequest()
	request.Topics = nil // all topics
	request.IncludeTopicAuthorizedOperations = true
	answer, name, err := c.metadata(ctx, request)
	if err != nil {
		return nil, err
	}
	snapshot := &Snapshot{Topics: map[string]Topic{}, Unreadable: map[string]error{}}
	if answer.ClusterID != nil {
		snapshot.ClusterID = *answer.ClusterID
	}
	snapshot.Brokers = brokersFromMetadata(answer)
	for _, topic := range answer.Topics {
		read := topicFromMetadata(topic)
		if err := newError("Metadata", read.Name, topic.ErrorCode, nil, name); err != nil {
			if !IsUnknownTopic(err) {
				snapshot.Unreadable[read.Name] = err
			}
			continue
		}
		snapshot.Topics[read.Name] = read
	}
	snapshot.ReadOnly = c.readsOnly(ctx, snapshot.Topics)
	if err := c.describeAll(ctx, snapshot); err != nil {
		return nil, err
	}
	if snapshot.Defaults, err = c.defaults(ctx, snapshot); err != nil {
		return nil, err
	}
	snapshot.Declared = snapshot.declare()
	return snapshot, nil
}

// metadata sends a metadata request, which never creates a topic. It bypasses the
// client's cache, because the answer has to be newer than the last write.
func (c *Client) metadata(ctx context.Context, request *kmsg.MetadataRequest) (*kmsg.MetadataResponse, string, error) {
	request.AllowAutoTopicCreation = false
	return answerTo[*kmsg.MetadataResponse](ctx, c, request)
}

// describeAll fills the settings of every topic of the snapshot.
func (c *Client) describeAll(ctx context.Context, snapshot *Snapshot) error {
	names := sortedNames(snapshot.Topics)
	batches := make([]described, (len(names)+describeSize-1)/describeSize)
	var group errgroup.Group
	group.SetLimit(describeParallel)
	for i, batch := range slices.Collect(slices.Chunk(names, describeSize)) {
		group.Go(func() (err error) {
			batches[i], err = c.describeBatch(ctx, batch)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	late := map[string]error{}
	for _, batch := range batches {
		snapshot.add(batch, late)
	}
	return c.describeLate(ctx, snapshot, late)
}

// add takes the answer to one DescribeConfigs in. Topics that the answering broker
// did not know go to late.
func (s *Snapshot) add(answer described, late map[string]error) {
	for name, entries := range answer.entries {
		topic := s.Topics[name]
		topic.Entries = entries
		s.Topics[name] = topic
		delete(late, name)
	}
	for name, err := range answer.failed {
		delete(late, name)
		if IsUnknownTopic(err) {
			late[name] = err
			continue
		}
		delete(s.Topics, name)
		s.Unreadable[name] = err
	}
}

// describeLate asks again for topics that metadata lists and a broker did not
// know: either they were deleted in between, or that broker trails a creation.
func (c *Client) describeLate(ctx context.Context, snapshot *Snapshot, late map[string]error) error {
	if len(late) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.RequestTimeout)
	defer cancel()
	err := poll(ctx, func(ctx context.Context) (bool, error) {
		names := sortedNames(late)
		for i, answer := range c.sendLookups(ctx, names) {
			if IsUnknownTopic(answer.err) {
				delete(late, names[i])
				delete(snapshot.Topics, names[i])
			}
		}
		if len(late) == 0 {
			return true, nil
		}
		answer, err := c.describe(ctx, sortedNames(late))
		if err != nil {
			return true, err
		}
		snapshot.add(answer, late)
		return len(late) == 0, nil
	})
	if err == nil || isCancelled(err) || len(late) == 0 {
		return err
	}
	for name, unknown := range late { // the deadline passed: they exist and cannot be read
		delete(snapshot.Topics, name)
		snapshot.Unreadable[name] = unknown
	}
	return nil
}

// described is the answer to one DescribeConfigs.
type described struct {
	entries map[string]map[string]Entry
	failed  map[string]error
}

// describe reads the settings of some topics in one request. A topic that cannot
// be read is a value in failed; the error is for the request as a whole. A topic
// that the answer leaves out counts as failed: nothing is taken for "no settings".
func (c *Client) describe(ctx context.Context, names []string) (described, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	for _, name := range names {
		resource := kmsg.NewDescribeConfigsRequestResource()
		resource.ResourceType = kmsg.ConfigResourceTypeTopic
		resource.ResourceName = name
		request.Resources = append(request.Resources, resource)
	}
	out := described{entries: map[string]map[string]Entry{}, failed: map[string]error{}}
	response, broker, err := answerTo[*kmsg.DescribeConfigsResponse](ctx, c, request)
	if err != nil {
		return out, err
	}
	for _, resource := range response.Resources {
		if err := newError("DescribeConfigs", resource.ResourceName, resource.ErrorCode, resource.ErrorMessage, broker); err != nil {
			out.failed[resource.ResourceName] = err
			continue
		}
		out.entries[resource.ResourceName] = entriesFromDescribe(resource.Configs)
	}
	for _, name := range names {
		if out.entries[name] == nil && out.failed[name] == nil {
			message := "the answer left the topic out"
			out.failed[name] = newError("DescribeConfigs", name, kerr.UnknownServerError.Code, &message, broker)
		}
	}
	return out, nil
}

// Lookup asks for one topic by name. It exists to tell "gone" from "may not be
// seen", which a listing of all topics cannot: the error is an [*Error] that
// [IsUnknownTopic] or [IsAuthorization] recognises.
func (c *Client) Lookup(ctx context.Context, name string) error {
	_, err := c.lookup(ctx, name)
	return err
}

// lookup reads one topic's metadata, fresh, together with others who ask.
func (c *Client) lookup(ctx context.Context, name string) (Topic, error) {
	return c.lookups.do(ctx, name)
}
