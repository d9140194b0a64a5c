// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"os"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// realKafkaVersion is the version that the pom asks for.
const realKafkaVersion = "4.4.0"

// RealVersions are the releases that tests of differences between versions run on, the newest first. There are few of
// them because each costs a download of 40 MB and 90 MB of cache; a campaign at full size has more.
func RealVersions() []string {
	if os.Getenv("KAFKASTORAGE_CAMPAIGN") == "full" {
		return []string{realKafkaVersion, "4.1.1", "4.0.2", "3.9.2", "3.8.1", "3.6.2"}
	}
	return []string{realKafkaVersion, "4.1.1", "3.9.2"}
}

// version is the release, with its default.
func (o RealOptions) version() string {
	if o.Version == "" {
		return realKafkaVersion
	}
	return o.Version
}

// pomOf makes the pom ask for another version. The jar with the remote tier in a folder has another classifier before 4.4.
func pomOf(pom []byte, version string) []byte {
	classifier := "test-fixtures"
	if release, err := topicconfig.ParseVersion(version); err == nil && release.Before(4, 4) {
		classifier = "test"
	}
	return []byte(strings.NewReplacer(
		"<kafka.version>"+realKafkaVersion+"<", "<kafka.version>"+version+"<",
		"<classifier>test-fixtures<", "<classifier>"+classifier+"<",
	).Replace(string(pom)))
}
