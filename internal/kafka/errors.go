// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

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
	// after is how long the cluster asks to wait before the next try (KIP-599).
	after time.Duration
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
	// Cause is why the last connection or request failed; a [*ConnectError] where that is known.
	Cause error

	address string // of Broker
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

// UnsupportedError says that the cluster is too old to know a request.
type UnsupportedError struct {
	// Request is Kafka's name of the request.
	Request string
}

// Error names the request.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the cluster does not know the request %s", e.Request)
}

// isUnsupported recognises the client library's refusals to send what the broker
// has said it does not know; they are not exported (franz-go v1.22, kgo/errors.go).
func isUnsupported(err error) bool {
	return strings.Contains(err.Error(), "broker is too old") || strings.Contains(err.Error(), "request key is unknown")
}

// ExistsError says that a create was not sent, because this process has seen a
// topic of that name and has not deleted it.
type ExistsError struct {
	// Topic is the topic's name.
	Topic string
}

// Error names the topic.
func (e *ExistsError) Error() string {
	return fmt.Sprintf("topic %q exists already", e.Topic)
}

// Unwrap makes [IsTopicExists] recognise it.
func (e *ExistsError) Unwrap() error {
	return kerr.TopicAlreadyExists
}

// NotKeptError says that the cluster has acknowledged a write and does not hold
// what was written.
type NotKeptError struct {
	// Topic is the topic's name.
	Topic string
	// Key is the setting, or "partitions" or "replication factor".
	Key string
	// Wanted and Actual are the values; nil where the topic sets none itself.
	Wanted, Actual *string
	// More is how many further keys are not as they were written.
	More int
}

// Error names key and values.
func (e *NotKeptError) Error() string {
	text := func(value *string) string {
		if value == nil {
			return "not set"
		}
		return fmt.Sprintf("%q", *value)
	}
	return fmt.Sprintf("topic %q: %s is %s and was written as %s", e.Topic, e.Key, text(e.Actual), text(e.Wanted))
}

// UnverifiedError says that a write was acknowledged and could not be read back.
type UnverifiedError struct {
	// Topic is the topic's name.
	Topic string
	// Cause is why it could not be read.
	Cause error
}

// Error says that the change was made.
func (e *UnverifiedError) Error() string {
	return fmt.Sprintf("topic %q was changed and could not be read back: %v", e.Topic, e.Cause)
}

// Unwrap returns the cause.
func (e *UnverifiedError) Unwrap() error {
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

// IsUnanswered says that a question got no verdict: the cluster does not know the
// request, or answered that it cannot tell now.
func IsUnanswered(err error) bool {
	var unsupported *UnsupportedError
	return errors.As(err, &unsupported) || errors.Is(err, kerr.UnsupportedVersion) || isRetriable(err)
}

// IsUndecided says that the cluster answered without knowing whether it has done, or
// will do, what it was asked for.
func IsUndecided(err error) bool {
	return errors.Is(err, kerr.RequestTimedOut) || errors.Is(err, kerr.NetworkException)
}

// isCancelled says that the caller gave up, so the failure says nothing about the cluster.
func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled)
}
