// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// version asks a broker for its version. The highest level of metadata.version that it
// supports belongs to one release line. Brokers before 3.3 name none; they are known
// by the requests that they serve, unless those are some service's own selection. That,
// and what several versions share, is settled by what the cluster declares: a topic
// setting is no older than the release that brought it.
func (c *Client) version(ctx context.Context, declared map[string]topicconfig.Type) (topicconfig.Version, error) {
	floor := versionFromSettings(declared)
	answer, _, err := c.send(ctx, kmsg.NewPtrApiVersionsRequest())
	if err != nil {
		return floor, err
	}
	response, ok := answer.(*kmsg.ApiVersionsResponse)
	if !ok || response.ErrorCode != 0 {
		return floor, errors.New("the answer to ApiVersions tells nothing")
	}
	for _, feature := range response.SupportedFeatures {
		if feature.Name == "metadata.version" {
			if version := versionFromLevel(feature.MaxVersion); version.Known() {
				return version, nil
			}
		}
	}
	guess := versionFromGuess(kversion.FromApiVersionsResponse(response).VersionGuess())
	if guess.AtLeast(floor.Major, floor.Minor) {
		return guess, nil
	}
	return floor, nil
}

// firstLevels are the first levels of metadata.version that each release brought
// (MetadataVersion.java, Apache Kafka 4.4, where each level bears its release). A
// broker supports the levels up to its own release's last one.
var firstLevels = []struct {
	level   int16
	version topicconfig.Version
}{
	{31, topicconfig.Version{Major: 4, Minor: 4}},
	{30, topicconfig.Version{Major: 4, Minor: 3}},
	{28, topicconfig.Version{Major: 4, Minor: 2}},
	{26, topicconfig.Version{Major: 4, Minor: 1}},
	{22, topicconfig.Version{Major: 4, Minor: 0}},
	{21, topicconfig.Version{Major: 3, Minor: 9}},
	{20, topicconfig.Version{Major: 3, Minor: 8}},
	{15, topicconfig.Version{Major: 3, Minor: 7}},
	{12, topicconfig.Version{Major: 3, Minor: 6}},
	{9, topicconfig.Version{Major: 3, Minor: 5}},
	{8, topicconfig.Version{Major: 3, Minor: 4}},
	{4, topicconfig.Version{Major: 3, Minor: 3}},
}

// versionFromLevel is the release of a level; of one beyond the table the last that
// the table knows.
func versionFromLevel(level int16) topicconfig.Version {
	for _, first := range firstLevels {
		if level >= first.level {
			return first.version
		}
	}
	return topicconfig.Version{}
}

// versionFromGuess reads the client library's guess from the requests that a broker
// serves: "v3.2", or "at least v4.4". All other wordings stand for a selection of
// requests that no release serves, and the release that they name may be far off.
func versionFromGuess(guess string) topicconfig.Version {
	number, ok := strings.CutPrefix(strings.TrimPrefix(guess, "at least "), "v")
	if !ok {
		return topicconfig.Version{}
	}
	version, _ := topicconfig.ParseVersion(number)
	return version
}

// versionFromSettings is the release that brought the newest of the declared topic
// settings which tell one (TopicConfig.java of Apache Kafka 3.6, 3.9 and 4.4).
func versionFromSettings(declared map[string]topicconfig.Type) topicconfig.Version {
	for _, since := range []struct {
		key     string
		version topicconfig.Version
	}{
		{topicconfig.RemoteCopyLagMs, topicconfig.Version{Major: 4, Minor: 4}},
		{topicconfig.RemoteLogCopyDisable, topicconfig.Version{Major: 3, Minor: 9}},
		{topicconfig.LocalRetentionMs, topicconfig.Version{Major: 3, Minor: 6}},
	} {
		if _, ok := declared[since.key]; ok {
			return since.version
		}
	}
	return topicconfig.Version{}
}
