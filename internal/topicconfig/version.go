// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a release of Apache Kafka as far as rules depend on it. The zero
// Version is one that is not known: it is neither before nor after any other.
type Version struct{ Major, Minor int }

// ParseVersion reads "4.1", "v3.9.1" or "3.9.x": a major and a minor number, a leading
// v or not, and anything after a second dot. Empty text is the Version that is
// not known. The error quotes text that is no version.
func ParseVersion(text string) (Version, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return Version{}, nil
	}
	parts := strings.SplitN(strings.TrimPrefix(trimmed, "v"), ".", 3)
	if len(parts) < 2 || !isDigits(parts[0]) || !isDigits(parts[1]) || len(parts) == 3 && parts[2] == "" {
		return Version{}, notAVersion(text)
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	if errMajor != nil || errMinor != nil || major == 0 {
		return Version{}, notAVersion(text)
	}
	return Version{major, minor}, nil
}

// notAVersion words a text that is no version.
func notAVersion(text string) error {
	return fmt.Errorf("%q is not a version of Kafka: write major and minor number, such as 4.1", text)
}

// Known says that the version is known.
func (v Version) Known() bool {
	return v != Version{}
}

// AtLeast says that the version is known and not older than another.
func (v Version) AtLeast(major, minor int) bool {
	return v.Known() && !v.older(major, minor)
}

// Before says that the version is known and older than another.
func (v Version) Before(major, minor int) bool {
	return v.Known() && v.older(major, minor)
}

// older compares the numbers.
func (v Version) older(major, minor int) bool {
	return v.Major < major || v.Major == major && v.Minor < minor
}

// String prints "4.1", or "unknown".
func (v Version) String() string {
	if !v.Known() {
		return "unknown"
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}
