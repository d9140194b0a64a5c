// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"maps"
	"slices"
)

// Settings maps Kafka's setting names to their text. A key that is absent is not
// set; there is no other way to say so.
type Settings map[string]string

// KafkaDefaults returns what a topic gets where neither it nor its broker says
// anything: the defaults of Apache Kafka itself, in normal form.
func KafkaDefaults() Settings {
	defaults := make(Settings, len(specs))
	for _, spec := range specs {
		defaults[spec.Key] = spec.Default
	}
	return defaults
}

// Over returns a new map: s laid over base, so that a key of s wins.
func (s Settings) Over(base Settings) Settings {
	merged := make(Settings, len(base)+len(s))
	maps.Copy(merged, base)
	maps.Copy(merged, s)
	return merged
}

// Keys returns the keys in order.
func (s Settings) Keys() []string {
	return slices.Sorted(maps.Keys(s))
}

// Change is what turns one map of overrides into another, by meaning.
type Change struct {
	// Set holds the keys that are new or really differ, with their new text.
	Set Settings
	// Remove lists the keys that fall back to the broker's default, in order.
	Remove []string
}

// Empty says that the two maps mean the same.
func (c Change) Empty() bool {
	return len(c.Set) == 0 && len(c.Remove) == 0
}

// Diff returns the change from one map of overrides to another. Values that are
// equal by meaning ([Equal]) are no change, however they are written.
func Diff(from, to Settings) Change {
	change := Change{Set: Settings{}}
	for key, value := range to {
		if old, had := from[key]; !had || !Equal(key, old, value) {
			change.Set[key] = value
		}
	}
	for _, key := range from.Keys() {
		if _, keeps := to[key]; !keeps {
			change.Remove = append(change.Remove, key)
		}
	}
	return change
}
