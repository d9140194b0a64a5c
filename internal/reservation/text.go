// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package reservation

import (
	"fmt"
	"math/big"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// String is the rule with this topic's numbers, on one line, for the reader of a
// plan. Sizes are exact bytes; the total is also given in a readable unit.
func (r Reservation) String() string {
	if r.Unbounded {
		if !r.Policy.Delete {
			return "unbounded: an empty cleanup.policy deletes nothing"
		}
		return "unbounded: retention.bytes = -1 sets no bound by size"
	}
	return fmt.Sprintf("%s%s = %d bytes (%s)", r.counts(), r.partition(), r.ReservedBytes, units.Readable(big.NewInt(r.ReservedBytes)))
}

// counts is the multiplier: "3 partitions × 2 replicas × ".
func (r Reservation) counts() string {
	text := plural(r.Partitions, "partition") + " × "
	if r.Copies > 1 {
		text += plural(r.Copies, "replica") + " × "
	}
	return text
}

// partition is the sum of one partition.
func (r Reservation) partition() string {
	if r.Policy.Compact && !r.Policy.Delete {
		return fmt.Sprintf("%d (cleanup.policy compact)", CompactPartitionBytes)
	}
	return fmt.Sprintf("(retention.bytes %d + segment.bytes %d + 2 × segment.index.bytes %d × %s)",
		r.RetentionBytes, r.SegmentBytes, r.indexSize, plural(r.Segments, "segment"))
}

// plural counts things in words.
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
