// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// answerTo sends a request and returns the answer, which is of the request's own kind, with
// the broker that gave it.
func answerTo[Response kmsg.Response](ctx context.Context, c *Client, request kmsg.Request) (Response, string, error) {
	var none Response
	answer, broker, err := c.send(ctx, request)
	if err != nil {
		return none, "", err
	}
	response, ok := answer.(Response)
	if !ok {
		return none, "", anotherKind(request)
	}
	return response, broker, nil
}

// anotherKind says that an answer cannot be one to the request.
func anotherKind(request kmsg.Request) error {
	return fmt.Errorf("the answer to %s is of another kind", kmsg.NameForKey(request.Key()))
}

// exchange sends one request for many topics and takes the answer apart. read hands
// each topic's part to found; a topic that the answer leaves out has failed: nothing
// is taken for success. An answer of another kind fails them all.
func exchange[In, Out any](ctx context.Context, c *Client, request kmsg.Request, calls []In, key func(In) string,
	read func(response kmsg.Response, broker string, found func(topic string, part answer[Out])) bool,
) []answer[Out] {
	name := kmsg.NameForKey(request.Key())
	response, broker, err := c.send(ctx, request)
	parts := map[string]answer[Out]{}
	if err == nil && !read(response, broker, func(topic string, part answer[Out]) { parts[topic] = part }) {
		err = anotherKind(request)
	}
	answers := make([]answer[Out], len(calls))
	for i, call := range calls {
		part, ok := parts[key(call)]
		switch {
		case err != nil:
			part.err = err
		case !ok:
			message := "the answer left the topic out"
			part.err = newError(name, key(call), kerr.UnknownServerError.Code, &message, broker)
		}
		part.err = waiting(part.err, response)
		answers[i] = part
	}
	return answers
}

// creation is the answer to one topic's creation.
type creation struct {
	topic Topic
	// repeated says that this creation may have been done before it was refused.
	repeated bool
}

// sendCreates sends CreateTopics.
func (c *Client) sendCreates(ctx context.Context, topics []NewTopic, validateOnly bool) []answer[creation] {
	request := kmsg.NewPtrCreateTopicsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	request.ValidateOnly = validateOnly
	asked := map[string]NewTopic{}
	for _, topic := range topics {
		asked[topic.Name] = topic
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
	}
	twice := c.lost.watch()
	answers := exchange(ctx, c, request, topics, func(topic NewTopic) string { return topic.Name },
		func(response kmsg.Response, broker string, found func(string, answer[creation])) bool {
			create, ok := response.(*kmsg.CreateTopicsResponse)
			if !ok {
				return false
			}
			for _, part := range create.Topics {
				found(part.Topic, answer[creation]{
					value: creation{topic: topicFromCreate(asked[part.Topic], part)},
					err:   newError("CreateTopics", part.Topic, part.ErrorCode, part.ErrorMessage, broker),
				})
			}
			return true
		})
	repeated := twice()
	for i := range answers {
		answers[i].value.repeated = repeated
	}
	return answers
}

// topicFromCreate reads what the answer to a creation tells (KIP-525).
func topicFromCreate(asked NewTopic, part kmsg.CreateTopicsResponseTopic) Topic {
	created := Topic{
		Name: part.Topic, ID: topicID(part.TopicID), Entries: entriesFromCreate(part.Configs),
		Partitions: asked.Partitions, ReplicationFactor: asked.ReplicationFactor,
	}
	if part.NumPartitions > 0 { // version 5 and later
		created.Partitions, created.ReplicationFactor = int64(part.NumPartitions), int64(part.ReplicationFactor)
	}
	return created
}

// sendPartitions sends CreatePartitions.
func (c *Client) sendPartitions(ctx context.Context, counts []partitionCount, validateOnly bool) []answer[none] {
	request := kmsg.NewPtrCreatePartitionsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	request.ValidateOnly = validateOnly
	for _, count := range counts {
		wanted := kmsg.NewCreatePartitionsRequestTopic()
		wanted.Topic = count.topic
		wanted.Count = int32(count.total)
		request.Topics = append(request.Topics, wanted)
	}
	return exchange(ctx, c, request, counts, func(count partitionCount) string { return count.topic },
		func(response kmsg.Response, broker string, found func(string, answer[none])) bool {
			partitions, ok := response.(*kmsg.CreatePartitionsResponse)
			if !ok {
				return false
			}
			for _, part := range partitions.Topics {
				found(part.Topic, answer[none]{err: newError("CreatePartitions", part.Topic, part.ErrorCode, part.ErrorMessage, broker)})
			}
			return true
		})
}

// sendChanges sends IncrementalAlterConfigs (KIP-339): the differences only.
func (c *Client) sendChanges(ctx context.Context, changes []topicChange, validateOnly bool) []answer[none] {
	request := kmsg.NewPtrIncrementalAlterConfigsRequest()
	request.ValidateOnly = validateOnly
	for _, each := range changes {
		resource := kmsg.NewIncrementalAlterConfigsRequestResource()
		resource.ResourceType = kmsg.ConfigResourceTypeTopic
		resource.ResourceName = each.topic
		resource.Configs = alterations(each.change)
		request.Resources = append(request.Resources, resource)
	}
	return exchange(ctx, c, request, changes, func(change topicChange) string { return change.topic },
		func(response kmsg.Response, broker string, found func(string, answer[none])) bool {
			alter, ok := response.(*kmsg.IncrementalAlterConfigsResponse)
			if !ok {
				return false
			}
			for _, part := range alter.Resources {
				found(part.ResourceName, answer[none]{err: newError("IncrementalAlterConfigs", part.ResourceName, part.ErrorCode, part.ErrorMessage, broker)})
			}
			return true
		})
}

// alterations are a change as IncrementalAlterConfigs takes it.
func alterations(change topicconfig.Change) []kmsg.IncrementalAlterConfigsRequestResourceConfig {
	var configs []kmsg.IncrementalAlterConfigsRequestResourceConfig
	for _, key := range change.Set.Keys() {
		config := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		config.Name, config.Op, config.Value = key, kmsg.IncrementalAlterConfigOpSet, kmsg.StringPtr(change.Set[key])
		configs = append(configs, config)
	}
	for _, key := range change.Remove {
		config := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		config.Name, config.Op = key, kmsg.IncrementalAlterConfigOpDelete
		configs = append(configs, config)
	}
	return configs
}

// sendDeletes sends DeleteTopics.
func (c *Client) sendDeletes(ctx context.Context, names []string) []answer[none] {
	request := kmsg.NewPtrDeleteTopicsRequest()
	request.TimeoutMillis = c.timeoutMillis()
	request.TopicNames = names
	for _, name := range names {
		wanted := kmsg.NewDeleteTopicsRequestTopic()
		wanted.Topic = kmsg.StringPtr(name)
		request.Topics = append(request.Topics, wanted)
	}
	return exchange(ctx, c, request, names, func(name string) string { return name },
		func(response kmsg.Response, broker string, found func(string, answer[none])) bool {
			deleted, ok := response.(*kmsg.DeleteTopicsResponse)
			if !ok {
				return false
			}
			for _, part := range deleted.Topics {
				if part.Topic != nil {
					found(*part.Topic, answer[none]{err: newError("DeleteTopics", *part.Topic, part.ErrorCode, part.ErrorMessage, broker)})
				}
			}
			return true
		})
}

// sendLookups reads topics' metadata, fresh.
func (c *Client) sendLookups(ctx context.Context, names []string) []answer[Topic] {
	request := kmsg.NewPtrMetadataRequest()
	request.AllowAutoTopicCreation = false
	for _, name := range names {
		wanted := kmsg.NewMetadataRequestTopic()
		wanted.Topic = kmsg.StringPtr(name)
		request.Topics = append(request.Topics, wanted)
	}
	return exchange(ctx, c, request, names, func(name string) string { return name },
		func(response kmsg.Response, broker string, found func(string, answer[Topic])) bool {
			metadata, ok := response.(*kmsg.MetadataResponse)
			if !ok {
				return false
			}
			for _, name := range names { // a topic that metadata leaves out is not there
				found(name, answer[Topic]{err: newError("Metadata", name, kerr.UnknownTopicOrPartition.Code, nil, broker)})
			}
			for _, part := range metadata.Topics {
				topic := topicFromMetadata(part)
				found(topic.Name, answer[Topic]{value: topic, err: newError("Metadata", topic.Name, part.ErrorCode, nil, broker)})
			}
			return true
		})
}

// sendDescribes reads topics' settings, fresh.
func (c *Client) sendDescribes(ctx context.Context, names []string) []answer[map[string]Entry] {
	described, err := c.describe(ctx, names)
	answers := make([]answer[map[string]Entry], len(names))
	for i, name := range names {
		answers[i] = answer[map[string]Entry]{value: described.entries[name], err: err}
		if err == nil {
			answers[i].err = described.failed[name]
		}
	}
	return answers
}
