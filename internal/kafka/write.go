// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

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
// The topic that comes back is as the cluster created it. A [*NotVisibleError]
// comes together with the topic: it exists and must not be forgotten.
func (c *Client) Create(ctx context.Context, topic NewTopic) (Topic, error) {
	created, err := c.createTopic(ctx, topic, false)
	if err != nil {
		return Topic{}, err
	}
	created, err = c.awaitVisible(ctx, created)
	if err != nil {
		return created, &NotVisibleError{Topic: topic.Name, Cause: err}
	}
	return created, nil
}

// createTopic sends CreateTopics for one topic.
func (c *Client) createTopic(ctx context.Context, topic NewTopic, validateOnly bool) (Topic, error) {
	request := kmsg.NewPtrCreateTopicsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	request.ValidateOnly = validateOnly
	wanted := kmsg.NewCreateTopicsRequestTopic()
	wanted.Topic = topic.Name
	wanted.NumPartitions = int32(topic.Partitions)
	wanted.ReplicationFactor = int16(topic.ReplicationFactor)
	for _, key := range topic.Settings.Keys() {
		config := kmsg.NewCreateTopicsRequestTopicConfig()
		config.Name = key
		config.Value = kmsg.StringPtr(topic.Settings[key])
		wanted.Configs = append(wanted.Configs, config)
	}
	request.Topics = append(request.Topics, wanted)
	answer, broker, err := c.send(ctx, request)
	if err != nil {
		return Topic{}, err
	}
	response, ok := answer.(*kmsg.CreateTopicsResponse)
	if !ok || len(response.Topics) != 1 {
		return Topic{}, errors.New("the answer to CreateTopics is of another kind")
	}
	result := response.Topics[0]
	if err := newError("CreateTopics", topic.Name, result.ErrorCode, result.ErrorMessage, broker); err != nil {
		return Topic{}, err
	}
	created := Topic{
		Name: topic.Name, ID: topicID(result.TopicID), Entries: entriesFromCreate(result.Configs),
		Partitions: topic.Partitions, ReplicationFactor: topic.ReplicationFactor,
	}
	if result.NumPartitions > 0 { // version 5 and later
		created.Partitions, created.ReplicationFactor = int64(result.NumPartitions), int64(result.ReplicationFactor)
	}
	return created, nil
}

// Delete deletes a topic and waits, until the context ends, that it is gone. A
// topic that does not exist is no error.
func (c *Client) Delete(ctx context.Context, name string) error {
	request := kmsg.NewPtrDeleteTopicsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	wanted := kmsg.NewDeleteTopicsRequestTopic()
	wanted.Topic = kmsg.StringPtr(name)
	request.Topics = append(request.Topics, wanted)
	request.TopicNames = []string{name}
	answer, broker, err := c.send(ctx, request)
	if err != nil {
		return err
	}
	response, ok := answer.(*kmsg.DeleteTopicsResponse)
	if !ok || len(response.Topics) != 1 {
		return errors.New("the answer to DeleteTopics is of another kind")
	}
	result := response.Topics[0]
	if err := newError("DeleteTopics", name, result.ErrorCode, result.ErrorMessage, broker); err != nil && !IsUnknownTopic(err) {
		return err
	}
	return c.awaitGone(ctx, name)
}

// SetPartitions raises the number of partitions to total and waits, until the
// context ends, that all can be read.
func (c *Client) SetPartitions(ctx context.Context, name string, total int64) error {
	request := kmsg.NewPtrCreatePartitionsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	wanted := kmsg.NewCreatePartitionsRequestTopic()
	wanted.Topic = name
	wanted.Count = int32(total)
	request.Topics = append(request.Topics, wanted)
	answer, broker, err := c.send(ctx, request)
	if err != nil {
		return err
	}
	response, ok := answer.(*kmsg.CreatePartitionsResponse)
	if !ok || len(response.Topics) != 1 {
		return errors.New("the answer to CreatePartitions is of another kind")
	}
	result := response.Topics[0]
	if err := newError("CreatePartitions", name, result.ErrorCode, result.ErrorMessage, broker); err != nil {
		return err
	}
	return c.awaitPartitions(ctx, name, total)
}

// Change sends the difference of a topic's settings, and nothing else, in one
// incremental alter (KIP-339).
func (c *Client) Change(ctx context.Context, name string, change topicconfig.Change) error {
	request := kmsg.NewPtrIncrementalAlterConfigsRequest()
	resource := kmsg.NewIncrementalAlterConfigsRequestResource()
	resource.ResourceType = kmsg.ConfigResourceTypeTopic
	resource.ResourceName = name
	for _, key := range change.Set.Keys() {
		config := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		config.Name = key
		config.Op = kmsg.IncrementalAlterConfigOpSet
		config.Value = kmsg.StringPtr(change.Set[key])
		resource.Configs = append(resource.Configs, config)
	}
	for _, key := range change.Remove {
		config := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		config.Name = key
		config.Op = kmsg.IncrementalAlterConfigOpDelete
		resource.Configs = append(resource.Configs, config)
	}
	request.Resources = append(request.Resources, resource)
	answer, broker, err := c.send(ctx, request)
	if err != nil {
		return err
	}
	response, ok := answer.(*kmsg.IncrementalAlterConfigsResponse)
	if !ok || len(response.Resources) != 1 {
		return errors.New("the answer to IncrementalAlterConfigs is of another kind")
	}
	result := response.Resources[0]
	return newError("IncrementalAlterConfigs", name, result.ErrorCode, result.ErrorMessage, broker)
}

// timeoutMillis is how long the cluster may take over a write.
func (c *Client) timeoutMillis() int32 {
	return int32(c.config.RequestTimeout.Milliseconds())
}

// isRetriable says that the same request may succeed later.
func isRetriable(err error) bool {
	return kerr.IsRetriable(err)
}
