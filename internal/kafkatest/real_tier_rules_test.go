// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// verdict says which releases refuse.
type verdict func(topicconfig.Version) bool

func always(topicconfig.Version) bool { return true }
func never(topicconfig.Version) bool  { return false }
func from(major, minor int) verdict {
	return func(v topicconfig.Version) bool { return v.AtLeast(major, minor) }
}

func until(major, minor int) verdict {
	return func(v topicconfig.Version) bool { return v.Before(major, minor) }
}

func in41(v topicconfig.Version) bool { return v == topicconfig.Version{Major: 4, Minor: 1} }

// tierRule is a question to a tiered cluster: may a topic be made so, or, where there are live settings, be changed so?
// Settings are written "key=value", and "key" takes one away.
type tierRule struct {
	what    string
	live    string
	change  string
	refused verdict
}

const (
	on   = "remote.storage.enable=true "
	off  = "remote.storage.enable=false "
	drop = "remote.log.delete.on.disable=true "
	read = "remote.log.copy.disable=true "
)

// What brokers say is the ground that the plan-time rules stand on.
var tierRules = []tierRule{
	{"local beyond total, time", "", on + "retention.ms=1000 local.retention.ms=2000", always},
	{"local beyond total, size", "", on + "retention.bytes=1000 local.retention.bytes=2000", always},
	{"local beyond total, inherited", "", on + "local.retention.ms=604800001", always},
	{"local beyond total, untiered", "", "retention.ms=1000 local.retention.ms=2000", never},
	{"local equal to total", "", on + "retention.ms=1000 local.retention.ms=1000 retention.bytes=5 local.retention.bytes=5", never},
	{"local nothing", "", on + "local.retention.ms=0 local.retention.bytes=0", never},
	{"local unlimited, total limited, time", "", on + "retention.ms=1000 local.retention.ms=-1", always},
	{"local unlimited, total limited, size", "", on + "retention.bytes=1000 local.retention.bytes=-1", always},
	{"total unlimited", "", on + "retention.ms=-1 local.retention.ms=5000 local.retention.bytes=5000", never},
	{"total unlimited, local too", "", on + "retention.ms=-1 local.retention.ms=-1 local.retention.bytes=-1", never},
	{"local below the range, time", "", "local.retention.ms=-3", always},
	{"local below the range, size", "", "local.retention.bytes=-3", always},
	{"total below the range, time", "", "retention.ms=-2", always},
	{"total below the range, size", "", "retention.bytes=-5", never},
	{"compact", "", on + "cleanup.policy=compact", always},
	{"compact and delete", "", on + "cleanup.policy=compact,delete", always},
	{"no policy", "", on + "cleanup.policy=", in41},
	{"segment of 1 MiB less one", "", on + "segment.bytes=1048575", from(4, 1)},
	{"segment of 13", "", on + "segment.bytes=13", always},
	{"index of 4", "", on + "segment.index.bytes=4", never},
	{"index of 3", "", on + "segment.index.bytes=3", always},
	{"read-only, local as total", "", on + read + "local.retention.ms=-2", until(3, 9)},
	{"read-only, local equal to total", "", on + read + "retention.ms=1000 local.retention.ms=1000", until(3, 9)},
	{"read-only, local of its own", "", on + read + "local.retention.ms=1000", always},
	{"read-only, local size of its own", "", on + read + "retention.bytes=5000 local.retention.bytes=1000", always},
	{"read-only, untiered", "", read, until(3, 9)},
	{"lag within local", "", on + "local.retention.ms=2000 remote.copy.lag.ms=2000", until(4, 4)},
	{"lag as local", "", on + "local.retention.ms=2000 remote.copy.lag.ms=-1", until(4, 4)},
	{"lag beyond local", "", on + "local.retention.ms=2000 remote.copy.lag.ms=2001", always},
	{"lag beyond local, size", "", on + "local.retention.bytes=2000 retention.bytes=3000 remote.copy.lag.bytes=2001", always},
	{"lag beyond local, untiered", "", "local.retention.ms=2000 remote.copy.lag.ms=2001", until(4, 4)},
	{"lag below the range", "", on + "remote.copy.lag.ms=-2", always},
	{"total lowered below local", on + "local.retention.ms=1000", "retention.ms=500", always},
	{"total and local lowered", on + "local.retention.ms=1000", "retention.ms=500 local.retention.ms=500", never},
	{"compact for a tiered topic", on, "cleanup.policy=compact", always},
	{"tier for a compact topic", "cleanup.policy=compact", on, always},
	{"tier and delete for a compact topic", "cleanup.policy=compact", on + "cleanup.policy=delete", never},
	{"tier with local beyond total", "retention.ms=1000 local.retention.ms=2000", on, always},
	{"tier with local put right", "retention.ms=1000 local.retention.ms=2000", on + "local.retention.ms=500", never},
	{"off", on, off, from(3, 9)},
	{"off by taking the key away", on, "remote.storage.enable", from(3, 9)},
	{"off with consent", on, off + drop, until(3, 9)},
	{"off by taking the key away with consent", on, "remote.storage.enable " + drop, until(3, 9)},
	{"read-only for a topic with local of its own", on + "local.retention.ms=1000", read, always},
	{"read-only with local put right", on + "local.retention.ms=1000", read + "local.retention.ms=-2", until(3, 9)},
}

// ask puts the question with validate-only.
func (r tierRule) ask(c realCluster, client *RealClient, topic string) error {
	change := RealChange{Set: map[string]string{}}
	for _, word := range strings.Fields(r.change) {
		if key, value, set := strings.Cut(word, "="); set {
			change.Set[key] = value
		} else {
			change.Remove = append(change.Remove, key)
		}
	}
	if r.live == "" {
		return client.ProbeCreate(c.ctx, RealTopic{Name: topic, Partitions: 1, ReplicationFactor: 1, Settings: change.Set})
	}
	return client.ProbeAlter(c.ctx, topic, change)
}

// unknownTo says whether the question has a key that came with a later release.
func (r tierRule) unknownTo(version topicconfig.Version) bool {
	return version.Before(4, 4) && strings.Contains(r.change, "remote.copy.lag") ||
		version.Before(3, 9) && (strings.Contains(r.change, read) || strings.Contains(r.change, drop))
}

// makeLive creates the topics that are to be changed.
func makeLive(c realCluster, client *RealClient) {
	c.Helper()
	for i, rule := range tierRules {
		settings := map[string]string{}
		for _, word := range strings.Fields(rule.live) {
			key, value, _ := strings.Cut(word, "=")
			settings[key] = value
		}
		if rule.live != "" {
			c.accepted(client.Create(c.ctx, RealTopic{Name: fmt.Sprintf("rule-%d", i), Partitions: 1, ReplicationFactor: 1, Settings: settings}))
		}
	}
	c.Settle(c.T)
}

// A refusal is always INVALID_CONFIG. One for a key that the release does not know yet proves no rule.
func TestRealTieredRules_EachReleaseRefusesWhatTheTableSays(t *testing.T) {
	for _, release := range RealVersions() {
		t.Run(release, func(t *testing.T) {
			version, _ := topicconfig.ParseVersion(release)
			c := tieredCluster(t, release)
			client := c.Client(t)
			makeLive(c, client)
			refusals := 0
			for i, rule := range tierRules {
				err := rule.ask(c, client, fmt.Sprintf("rule-%d", i))
				if err != nil && !errors.Is(err, kerr.InvalidConfig) || (err != nil) != rule.refused(version) {
					t.Errorf("%s (%q, then %q): %v", rule.what, rule.live, rule.change, err)
				}
				if err != nil && strings.Contains(err.Error(), "Unknown topic config name") != rule.unknownTo(version) {
					t.Errorf("%s (%q, then %q) was refused for another reason: %v", rule.what, rule.live, rule.change, err)
				}
				if err != nil {
					refusals++
				}
			}
			t.Logf("%d of %d refused", refusals, len(tierRules))
		})
	}
}
