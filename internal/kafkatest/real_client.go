// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// RealClient asks the cluster with plain requests. It shares no code with the provider: what the two agree on, they
// agree on by what the cluster does.
type RealClient struct {
	admin *kadm.Client
	kafka *kgo.Client
}

// RealTopic is a topic to create. Counts of 0 are left to the cluster.
type RealTopic struct {
	Name              string
	Partitions        int64
	ReplicationFactor int64
	Settings          map[string]string
}

// RealChange is a change of a topic's own settings.
type RealChange struct {
	Set    map[string]string
	Remove []string
}

// RealSetting is a setting of a topic as the cluster tells it.
type RealSetting struct {
	Value string
	// Override says that the topic itself sets it.
	Override bool
}

// Client returns a plain client, closed when the test ends.
func (r *Real) Client(tb testing.TB) *RealClient {
	tb.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(r.brokers...), kgo.MetadataMinAge(10*time.Millisecond))
	if err != nil {
		tb.Fatalf("kafkatest: client: %v", err)
	}
	tb.Cleanup(client.Close)
	return &RealClient{admin: kadm.NewClient(client), kafka: client}
}

// Refused says that a policy of the cluster refused the request, and returns the policy's words.
func Refused(err error) (words string, refused bool) {
	var answer *refusedError
	if errors.As(err, &answer) {
		return answer.words, true
	}
	return "", false
}

// Invalid says that the cluster itself refused what a request asks for: settings that it does not take, or does not know.
func Invalid(err error) bool {
	return errors.Is(err, kerr.InvalidConfig) || errors.Is(err, kerr.InvalidRequest)
}

// RefusedWith is the error of a policy that was asked apart from Kafka, as [Real.JudgePartitions] does.
func RefusedWith(topic, words string) error { return &refusedError{topic: topic, words: words} }

// refusedError is POLICY_VIOLATION with the policy's own words.
type refusedError struct {
	topic, words string
}

// Error quotes the policy.
func (e *refusedError) Error() string {
	return fmt.Sprintf("%s: POLICY_VIOLATION: %s", e.topic, e.words)
}

// answered turns the parts of an answer into an error that keeps the broker's words.
func answered(topic string, err error, words string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kerr.PolicyViolation):
		return &refusedError{topic: topic, words: words}
	}
	return fmt.Errorf("%s: %w: %s", topic, err, words)
}

// Create creates a topic.
func (c *RealClient) Create(ctx context.Context, topic RealTopic) error {
	return c.create(ctx, topic, c.admin.CreateTopics)
}

// ProbeCreate asks what Create would be answered, and changes nothing.
func (c *RealClient) ProbeCreate(ctx context.Context, topic RealTopic) error {
	return c.create(ctx, topic, c.admin.ValidateCreateTopics)
}

type createRequest func(context.Context, int32, int16, map[string]*string, ...string) (kadm.CreateTopicResponses, error)

func (c *RealClient) create(ctx context.Context, topic RealTopic, send createRequest) error {
	settings := map[string]*string{}
	for key, value := range topic.Settings {
		settings[key] = &value
	}
	answers, err := send(ctx, int32(countOrDefault(topic.Partitions)), int16(countOrDefault(topic.ReplicationFactor)), settings, topic.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", topic.Name, err)
	}
	return answered(topic.Name, answers[topic.Name].Err, answers[topic.Name].ErrMessage)
}

// countOrDefault is the wire's word for a count that is left to the cluster.
func countOrDefault(count int64) int64 {
	if count == 0 {
		return -1
	}
	return count
}

// Alter changes a topic's own settings.
func (c *RealClient) Alter(ctx context.Context, topic string, change RealChange) error {
	return c.alter(ctx, topic, change, c.admin.AlterTopicConfigs)
}

// ProbeAlter asks what Alter would be answered, and changes nothing.
func (c *RealClient) ProbeAlter(ctx context.Context, topic string, change RealChange) error {
	return c.alter(ctx, topic, change, c.admin.ValidateAlterTopicConfigs)
}

type alterRequest func(context.Context, []kadm.AlterConfig, ...string) (kadm.AlterConfigsResponses, error)

func (c *RealClient) alter(ctx context.Context, topic string, change RealChange, send alterRequest) error {
	var alters []kadm.AlterConfig
	for key, value := range change.Set {
		alters = append(alters, kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &value})
	}
	for _, key := range change.Remove {
		alters = append(alters, kadm.AlterConfig{Op: kadm.DeleteConfig, Name: key})
	}
	answers, err := send(ctx, alters, topic)
	if err != nil {
		return fmt.Errorf("%s: %w", topic, err)
	}
	answer, err := answers.On(topic, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", topic, err)
	}
	return answered(topic, answer.Err, answer.ErrMessage)
}

// SetPartitions raises the number of partitions to total. Kafka shows this to no policy: see [Real.JudgePartitions].
func (c *RealClient) SetPartitions(ctx context.Context, topic string, total int64) error {
	answers, err := c.admin.UpdatePartitions(ctx, int(total), topic)
	if err != nil {
		return fmt.Errorf("%s: %w", topic, err)
	}
	return answered(topic, answers[topic].Err, answers[topic].ErrMessage)
}

// Delete deletes topics. One that does not exist is no error.
func (c *RealClient) Delete(ctx context.Context, topics ...string) error {
	if len(topics) == 0 {
		return nil
	}
	answers, err := c.admin.DeleteTopics(ctx, topics...)
	if err != nil {
		return err
	}
	for _, answer := range answers.Sorted() {
		if answer.Err != nil && !errors.Is(answer.Err, kerr.UnknownTopicOrPartition) {
			return answered(answer.Topic, answer.Err, answer.ErrMessage)
		}
	}
	return nil
}

// Settings returns a topic's effective settings; nil where there is no such topic.
func (c *RealClient) Settings(ctx context.Context, topic string) (map[string]RealSetting, error) {
	configs, err := c.admin.DescribeTopicConfigs(ctx, topic)
	if err != nil {
		return nil, err
	}
	answer, err := configs.On(topic, nil)
	switch {
	case err != nil:
		return nil, err
	case errors.Is(answer.Err, kerr.UnknownTopicOrPartition):
		return nil, nil
	case answer.Err != nil:
		return nil, answer.Err
	}
	settings := map[string]RealSetting{}
	for _, config := range answer.Configs {
		settings[config.Key] = RealSetting{Value: config.MaybeValue(), Override: config.Source.String() == "DYNAMIC_TOPIC_CONFIG"}
	}
	return settings, nil
}

// Overrides returns the settings that the topic itself sets; nil where there is no such topic.
func (c *RealClient) Overrides(ctx context.Context, topic string) (map[string]string, error) {
	settings, err := c.Settings(ctx, topic)
	if err != nil || settings == nil {
		return nil, err
	}
	overrides := map[string]string{}
	for key, setting := range settings {
		if setting.Override {
			overrides[key] = setting.Value
		}
	}
	return overrides, nil
}

// Describe returns a topic's number of partitions and its id; no partitions where there is no such topic.
func (c *RealClient) Describe(ctx context.Context, topic string) (partitions int, id string, err error) {
	topics, err := c.admin.ListTopics(ctx, topic)
	if err != nil {
		return 0, "", err
	}
	detail := topics[topic]
	if errors.Is(detail.Err, kerr.UnknownTopicOrPartition) {
		return 0, "", nil
	}
	return len(detail.Partitions), detail.ID.String(), detail.Err
}

// Produce writes records to a topic, one after the other.
func (c *RealClient) Produce(ctx context.Context, topic string, records ...string) error {
	for _, record := range records {
		if err := c.kafka.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: []byte(record)}).FirstErr(); err != nil {
			return fmt.Errorf("producing to %s: %w", topic, err)
		}
	}
	return nil
}

// Consume reads n records of a topic from its beginning.
func (r *Real) Consume(ctx context.Context, topic string, n int) ([]string, error) {
	consumer, err := kgo.NewClient(kgo.SeedBrokers(r.brokers...), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return nil, err
	}
	defer consumer.Close()
	var records []string
	for len(records) < n {
		fetches := consumer.PollFetches(ctx)
		if err := errors.Join(fetches.Err0(), ctx.Err()); err != nil {
			return records, fmt.Errorf("consuming %s: %w", topic, err)
		}
		fetches.EachRecord(func(record *kgo.Record) { records = append(records, string(record.Value)) })
	}
	return records, nil
}
