// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"fmt"
	"slices"
	"strings"
)

// MaxName is the longest name that Kafka gives a topic (Topic.java, Apache Kafka 4.4).
const MaxName = 249

// nameCharacters says what a name may hold.
const nameCharacters = "ASCII letters, digits, dots, underscores and dashes"

// NameError says why a text is no name of a topic.
type NameError struct {
	// Name is what was written.
	Name string
	// Reason is a sentence without its first word, the name.
	Reason string
}

// Error names the text and the reason.
func (e *NameError) Error() string {
	return fmt.Sprintf("%q %s", e.Name, e.Reason)
}

// CheckName checks a topic's name by the rules of Topic.java, Apache Kafka 4.4; the
// error is a [*NameError].
func CheckName(name string) error {
	bad := strings.IndexFunc(name, func(r rune) bool { return !isNameCharacter(r) })
	switch {
	case name == "":
		return &NameError{name, "is empty: a topic's name has at least one character"}
	case name == "." || name == "..":
		return &NameError{name, "is no name for a topic: it would name a folder of the broker"}
	case bad >= 0:
		character := []rune(name[bad:])[0]
		return &NameError{name, fmt.Sprintf("holds %q, and a topic's name consists of %s", character, nameCharacters)}
	case len(name) > MaxName:
		return &NameError{name, fmt.Sprintf("has %d characters, and a topic's name has at most %d", len(name), MaxName)}
	}
	return nil
}

// isNameCharacter says whether a name may hold a character.
func isNameCharacter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-'
}

// MetricName is what a name becomes in Kafka's metrics, where a dot and an
// underscore are the same. Kafka refuses a second topic of one metric name
// (Topic.unifyCollisionChars, Apache Kafka 4.4).
func MetricName(name string) string {
	return strings.ReplaceAll(name, ".", "_")
}

// Collide says that two different names have the same metric name.
func Collide(a, b string) bool {
	return a != b && MetricName(a) == MetricName(b)
}

// internalNames are the topics that Kafka makes and reads itself: the
// internal topics of Topic.java, the metadata log of KRaft, and the metadata of
// tiered storage (TopicBasedRemoteLogMetadataManagerConfig.java), which brokers do
// not flag; Apache Kafka 4.4.
var internalNames = []string{
	"__consumer_offsets", "__transaction_state", "__share_group_state", "__cluster_metadata", "__remote_log_metadata",
}

// IsInternal says that a name belongs to a topic of Kafka's own.
func IsInternal(name string) bool {
	return slices.Contains(internalNames, name)
}
