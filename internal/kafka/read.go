// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
)

// Read reads one topic whole, fresh: metadata and settings. The snapshot serves
// all numbers of a plan; this serves a write that has to know what it meets.
func (c *Client) Read(ctx context.Context, name string) (Topic, error) {
	topic, err := c.lookup(ctx, name)
	if err != nil {
		return Topic{}, err
	}
	answer, err := c.describe(ctx, []string{name})
	if err != nil {
		return Topic{}, err
	}
	if err := answer.failed[name]; err != nil {
		return Topic{}, err
	}
	topic.Entries = answer.entries[name]
	return topic, nil
}
