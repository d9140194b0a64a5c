// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
)

// Error is an answer of the cluster that is not success.
type Error struct {
	// Request is Kafka's name of the request, such as CreateTopics.
	Request string
	// Topic is the topic that was asked for; empty where the request names none.
	Topic string
	// Code is Kafka's name of the error, such as POLICY_VIOLATION.
	Code string
	// Message is the broker's own text, or Kafka's general description of the code
	// where the broker sent none. Never empty.
	Message string
	// Broker says who answered: "broker 2 (10.0.0.2:9092)".
	Broker string

	kafka *kerr.Error
}

// Error puts the whole answer into one line.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s answered %s to %s: %s", e.Broker, e.Code, e.Request, e.Message)
	if e.Topic != "" {
		text = fmt.Sprintf("topic %q: %s", e.Topic, text)
	}
	return text
}

// Unwrap returns franz-go's own error of the same code.
func (e *Error) Unwrap() error {
	return e.kafka
}

// newError builds an Error from a code; nil for success.
func newError(request, topic string, code int16, message *string, broker string) error {
	err := kerr.TypedErrorForCode(code)
	if err == nil {
		return nil
	}
	text := err.Description
	if message != nil && strings.TrimSpace(*message) != "" {
		text = *message
	}
	return &Error{Request: request, Topic: topic, Code: err.Message, Message: text, Broker: broker, kafka: err}
}

// UnreachableError says that the cluster gave no answer in time.
type UnreachableError struct {
	// Request is Kafka's name of the request.
	Request string
	// Servers are the bootstrap servers that were tried.
	Servers []string
	// Broker is who was asked last, where a broker was reached at all.
	Broker string
	// Cause is why the last connection or request failed.
	Cause error
}

// Error names the servers and the cause.
func (e *UnreachableError) Error() string {
	if e.Broker != "" {
		return fmt.Sprintf("no answer to %s from %s: %v", e.Request, e.Broker, e.Cause)
	}
	return fmt.Sprintf("no answer to %s from %s: %v", e.Request, strings.Join(e.Servers, ", "), e.Cause)
}

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error {
	return e.Cause
}

// NotVisibleError says that a topic was created and cannot be read yet.
type NotVisibleError struct {
	// Topic is the topic's name.
	Topic string
	// Cause is the last answer, or the deadline.
	Cause error
}

// Error says that the topic exists.
func (e *NotVisibleError) Error() string {
	return fmt.Sprintf("topic %q was created and cannot be read yet: %v", e.Topic, e.Cause)
}

// Unwrap returns the cause.
func (e *NotVisibleError) Unwrap() error {
	return e.Cause
}

// IsUnknownTopic says that the cluster does not know the topic.
func IsUnknownTopic(err error) bool {
	return errors.Is(err, kerr.UnknownTopicOrPartition) || errors.Is(err, kerr.UnknownTopicID)
}

// IsTopicExists says that a topic of this name exists already.
func IsTopicExists(err error) bool {
	return errors.Is(err, kerr.TopicAlreadyExists)
}

// IsPolicyViolation says that a policy of the cluster refused the request.
func IsPolicyViolation(err error) bool {
	return errors.Is(err, kerr.PolicyViolation)
}

// IsAuthorization says that the principal lacks a right.
func IsAuthorization(err error) bool {
	return errors.Is(err, kerr.TopicAuthorizationFailed) || errors.Is(err, kerr.ClusterAuthorizationFailed)
}

// isCancelled says that the caller gave up, so the failure says nothing about the cluster.
func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled)
}
