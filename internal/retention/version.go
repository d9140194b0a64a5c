// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Version is a release of Apache Kafka. The zero value stands for the newest one
// that this room knows, 4.4.
type Version struct {
	Major, Minor, Patch int
}

// VersionError says that a text is no version.
type VersionError struct {
	// Text is what was written.
	Text string
}

// Error quotes the text.
func (e *VersionError) Error() string {
	return fmt.Sprintf("%q is no version of Kafka: want two or three numbers, such as 3.9 or 3.9.1", e.Text)
}

// ParseVersion reads "4.1.0" or "4.1"; what follows a third number, as in
// "3.6.0-IV1" or "2.8.2.tiered", does not count. The error is a [*VersionError].
func ParseVersion(text string) (Version, error) {
	parts := strings.SplitN(strings.TrimSpace(text), ".", 4)
	if len(parts) < 2 {
		return Version{}, &VersionError{text}
	}
	var numbers [3]int
	for i, part := range parts[:min(len(parts), 3)] {
		if i > 0 {
			part, _, _ = strings.Cut(part, "-")
		}
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return Version{}, &VersionError{text}
		}
		numbers[i] = int(n)
	}
	return Version{numbers[0], numbers[1], numbers[2]}, nil
}

// Compare is negative where v is the older one, positive where it is the newer.
func (v Version) Compare(other Version) int {
	return cmp.Or(cmp.Compare(v.Major, other.Major), cmp.Compare(v.Minor, other.Minor), cmp.Compare(v.Patch, other.Patch))
}

// String is the usual spelling; empty for the zero value.
func (v Version) String() string {
	if v == (Version{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// since says that v is a release or a later one.
func (v Version) since(major, minor, patch int) bool {
	return v == (Version{}) || v.Compare(Version{major, minor, patch}) >= 0
}

// rollsIdleTiered says that the retention check closes an idle active segment of
// a tiered topic. It does from 3.7 on (KAFKA-15047, apache/kafka PR 14766).
func (v Version) rollsIdleTiered() bool {
	return v.since(3, 7, 0)
}

// resolvesInherited says that a local limit of -2 stands for the total, as it is
// documented. From 3.6.0 to 3.7.1 and in 3.8.0 the local retention check took -2
// as it is, which is no limit (KAFKA-17360, apache/kafka PR 16932).
func (v Version) resolvesInherited() bool {
	return v.since(3, 7, 2) && v != (Version{3, 8, 0})
}

// knowsCopyLag says that remote.copy.lag.* exist: from 4.4 on (KIP-1241).
func (v Version) knowsCopyLag() bool {
	return v.since(4, 4, 0)
}
