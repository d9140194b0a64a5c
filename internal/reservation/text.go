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
	return r.local() + r.remote()
}

// local is what is charged.
func (r Reservation) local() string {
	switch {
	case r.Unbounded && r.Limit == "":
		return "unbounded: an empty cleanup.policy deletes nothing"
	case r.Unbounded:
		return fmt.Sprintf("unbounded: %s = -1 sets no bound by size", r.Limit)
	}
	return fmt.Sprintf("%s%s = %s", r.counts(), r.partition(), exact(r.ReservedBytes))
}

// remote is what stands beside it: "; remote tier 1024 bytes (1.0 KiB), one copy".
func (r Reservation) remote() string {
	bytes, bounded := r.Remote.Bounded()
	switch {
	case !r.Tiered:
		return ""
	case !bounded:
		return "; remote tier unbounded"
	}
	return fmt.Sprintf("; remote tier %s, one copy", exact(bytes))
}

// exact prints bytes with a readable unit beside them.
func exact(bytes int64) string {
	return fmt.Sprintf("%d bytes (%s)", bytes, units.Readable(big.NewInt(bytes)))
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
	return fmt.Sprintf("(%s %d + segment.bytes %d + 2 × segment.index.bytes %d × %s)",
		r.Limit, r.RetentionBytes, r.SegmentBytes, r.indexSize, plural(r.Segments, "segment"))
}

// plural counts things in words.
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
