// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a release line of Apache Kafka. The zero value is an unknown one.
type Version struct {
	Major, Minor int
}

// Known says whether there is a version.
func (v Version) Known() bool { return v != Version{} }

// AtLeast says whether the version is known to be that one or later.
func (v Version) AtLeast(major, minor int) bool {
	return v.Known() && !v.Before(major, minor)
}

// Before says whether the version is known to be earlier than that one.
func (v Version) Before(major, minor int) bool {
	return v.Known() && (v.Major < major || v.Major == major && v.Minor < minor)
}

// String returns the version as releases are named, and "unknown" for none.
func (v Version) String() string {
	if !v.Known() {
		return "unknown"
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// ParseVersion reads the first two numbers of a release's name, such as 3.9.2.
func ParseVersion(text string) (Version, bool) {
	first, rest, dotted := strings.Cut(text, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err := strconv.Atoi(first)
	minor, err2 := strconv.Atoi(second)
	if !dotted || err != nil || err2 != nil || major < 0 || minor < 0 {
		return Version{}, false
	}
	return Version{Major: major, Minor: minor}, true
}
