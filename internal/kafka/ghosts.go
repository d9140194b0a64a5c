// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A topic that was deleted and created again can show a setting of its former self
// once its brokers have restarted: they read both lives from one log and mix them up,
// the controller does not (seen with Apache Kafka 4.4.0). To the controller such a
// setting is not there, so that removing it is acknowledged and changes nothing, for
// ever. Setting it to what the brokers show makes it real, and it can be removed.

// layGhosts lays what a removal has not taken away, as a first look at it found. No
// value changes on the way: each is set as it is shown. It keeps its failures to
// itself, because the topic is read back after it. What belongs to the remote tier is
// left alone: to make that real would begin to copy.
func (c *Client) layGhosts(ctx context.Context, name string, change topicconfig.Change, found error) {
	var lost *NotKeptError
	if !errors.As(found, &lost) {
		return
	}
	entries, err := c.describes.do(ctx, name)
	if err != nil {
		return
	}
	made, gone := topicconfig.Change{Set: topicconfig.Settings{}}, topicconfig.Change{}
	for _, key := range change.Remove {
		if entry := entries[key]; entry.Override && entry.HasValue && !strings.HasPrefix(key, "remote.") {
			made.Set[key] = entry.Value
			gone.Remove = append(gone.Remove, key)
		}
	}
	if gone.Empty() {
		return
	}
	if _, err := insist(ctx, c, c.changes, topicChange{topic: name, change: made}, nil); err == nil {
		_, _ = insist(ctx, c, c.changes, topicChange{topic: name, change: gone}, nil)
	}
}
