// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Every size of the guide to tiered storage is computed anew.
func TestDocsTieredSizes(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join(docsFolder, "guides", "tiered-storage.md"))
	size := func(text string) string {
		if text == "-2" {
			return text
		}
		return strconv.FormatInt(parsed(t, text), 10)
	}
	count := func(text string) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, row := range tableRows(t, page, "`retention.bytes`", "`local.retention.bytes`", "`segment.bytes`", "partitions", "replicas", "untiered", "local tier", "remote tier") {
		topic := reservation.Topic{Partitions: count(row[3]), ReplicationFactor: count(row[4]), Settings: topicconfig.Settings{
			topicconfig.RetentionBytes: size(row[0]), topicconfig.LocalRetentionBytes: size(row[1]), topicconfig.SegmentBytes: size(row[2]),
		}.Over(topicconfig.KafkaDefaults())}
		untiered, err := reservation.Of(reservation.Kafka, topic)
		if err != nil {
			t.Fatal(err)
		}
		topic.Settings[topicconfig.RemoteStorageEnable] = "true"
		tiered, err := reservation.Of(reservation.Kafka, topic)
		if err != nil {
			t.Fatal(err)
		}
		remote, _ := tiered.Remote.Bounded()
		if want := []string{grouped(untiered.ReservedBytes), grouped(tiered.ReservedBytes), grouped(remote)}; !slices.Equal(row[5:8], want) {
			t.Errorf("%v: computed %v", row, want)
		}
	}
}

// The guide lists every rule under the title that a reader meets in a message, and no
// other.
func TestDocsTieredRulesAreComplete(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join(docsFolder, "guides", "tiered-storage.md"))
	var listed []string
	for _, row := range append(tableRows(t, page, "message", "the rule", "from Kafka", "on"), tableRows(t, page, "message", "why")...) {
		listed = append(listed, row[0])
	}
	want := provider.TieringTitles()
	slices.Sort(listed)
	slices.Sort(want)
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("(-rules +page):\n%s", diff)
	}
}

// What the guide's table says about versions and platforms is what the rules do: each
// is broken on the version before the one that it names, on that one, and on the
// other platform.
func TestDocsTieredRulesByVersionAndPlatform(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join(docsFolder, "guides", "tiered-storage.md"))
	const tiered = "remote.storage.enable"
	for _, row := range tableRows(t, page, "message", "the rule", "from Kafka", "on") {
		broken, ok := brokenRules[row[0]]
		if !ok {
			t.Errorf("no change breaks %q", row[0])
			continue
		}
		from, err := topicconfig.ParseVersion(row[2])
		if err != nil {
			t.Fatal(err)
		}
		refused := func(minor int, msk bool) bool {
			version := topicconfig.Version{Major: from.Major, Minor: minor}
			tiering := topicconfig.Tiering{Version: version, MSK: msk, System: broken.system}
			sound := topicconfig.Settings{tiered: "true", "retention.ms": "864000000", "local.retention.ms": "86400000", "retention.bytes": "107374182400", "local.retention.bytes": "4294967296"}.Over(topicconfig.KafkaDefaults())
			change := topicconfig.TieredChange{
				After: broken.after.Over(sound), WasDisabled: broken.wasDisabled,
				Overrides: func(key string) bool { return key != broken.inherited },
			}
			if broken.was {
				change.Before = sound
			}
			findings := tiering.Judge(change)
			return slices.ContainsFunc(findings, func(f topicconfig.Finding) bool {
				return f.Refused && provider.TieringTitle(f.Rule) == row[0]
			})
		}
		onKafka, onMSK := row[3] != "`msk`", row[3] != "`kafka`"
		if refused(from.Minor, false) != onKafka || refused(from.Minor, true) != onMSK {
			t.Errorf("%s on %s: kafka %v, msk %v", row[0], row[2], refused(from.Minor, false), refused(from.Minor, true))
		}
		if row[2] != "3.6" && refused(from.Minor-1, false) {
			t.Errorf("%s is refused before %s", row[0], row[2])
		}
	}
}

// brokenRule is a change that one rule refuses, made of a sound tiered topic.
type brokenRule struct {
	after       topicconfig.Settings
	was         bool // the topic is there, and sound
	wasDisabled bool
	inherited   string
	system      topicconfig.Support
}

// brokenRules are such changes by the title of the rule.
var brokenRules = map[string]brokenRule{
	"Cluster has no tiered storage":                               {system: topicconfig.SupportOff},
	"Tiered topic cannot be compacted":                            {after: topicconfig.Settings{"cleanup.policy": "compact,delete"}},
	"Tiered topic has an empty cleanup.policy":                    {after: topicconfig.Settings{"cleanup.policy": ""}},
	"Local retention must have a limit":                           {after: topicconfig.Settings{"local.retention.bytes": "-1"}},
	"Local retention is longer than the total":                    {after: topicconfig.Settings{"local.retention.ms": "864000001"}},
	"Local retention must be shorter than the total":              {after: topicconfig.Settings{"local.retention.ms": "864000000"}},
	"Local retention must be the total while copying is disabled": {after: topicconfig.Settings{"remote.log.copy.disable": "true"}},
	"Copy lag is longer than local retention":                     {after: topicconfig.Settings{"remote.copy.lag.ms": "86400001"}},
	"Tiered setting is too new for this cluster":                  {after: topicconfig.Settings{"remote.copy.lag.ms": "1"}},
	"Switching tiered storage off deletes remote data":            {was: true, after: topicconfig.Settings{"remote.storage.enable": "false"}},
	"This version of Kafka cannot switch tiered storage off":      {was: true, after: topicconfig.Settings{"remote.storage.enable": "false"}},
	"Segment is too small":                                        {after: topicconfig.Settings{"remote.storage.enable": "false", "segment.bytes": "13"}},
	"Index is too small for one entry":                            {after: topicconfig.Settings{"segment.index.bytes": "11"}},
	"Segment is too small for Amazon MSK":                         {after: topicconfig.Settings{"segment.bytes": "50331647"}},
	"Segment is too short for Amazon MSK":                         {after: topicconfig.Settings{"segment.ms": "599999"}},
	"Total retention is too short for Amazon MSK":                 {after: topicconfig.Settings{"retention.ms": "259199999"}},
	"Tiered topic must set retention.ms itself on Amazon MSK":     {inherited: "retention.ms"},
	"Cleanup policy of a tiered topic is fixed on Amazon MSK":     {was: true, after: topicconfig.Settings{"cleanup.policy": ""}},
	"Tiered storage stays off on Amazon MSK":                      {wasDisabled: true},
}
