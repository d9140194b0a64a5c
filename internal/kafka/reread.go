// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"time"
)

// Reread reads one topic anew, by two requests that it shares with others who read
// at the same time. It is for what the snapshot cannot
// show: a topic that this process has written. Nothing planned may come from it,
// because Terraform holds the numbers of a plan and of its apply together. A topic
// that is not there is an [*Error] that [IsUnknownTopic] recognises.
func (c *Client) Reread(ctx context.Context, name string) (Topic, error) {
	topic, err := c.lookup(ctx, name)
	if err != nil {
		return Topic{}, err
	}
	ctx, cancel := c.within(ctx, c.config.RequestTimeout)
	defer cancel()
	err = rounds(ctx, func(ctx context.Context, within time.Duration) (bool, error) {
		entries, err := c.describes.doWithin(ctx, name, within)
		topic.Entries = entries
		return !IsUnknownTopic(err), err // metadata shows it, so that broker trails its creation
	})
	if err != nil {
		return Topic{}, err
	}
	return topic, nil
}
