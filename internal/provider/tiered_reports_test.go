// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// What a plan says about a kind of trouble.
const (
	warnsIdle      = "Warning: Newest segment of an idle partition never expires on this version"
	warnsFollow    = "Warning: Local retention of -2 may mean no limit on this version"
	warnsSlow      = "Warning: Data outlives its limit until its segment closes"
	warnsSmall     = "Warning: Local retention is smaller than a segment"
	warnsTotal     = "Warning: Total retention is smaller than a segment"
	warnsUnbounded = "Warning: Remote tier grows without end"
	refusesSystem  = "Error: Cluster has no tiered storage"
)

// Sixteen public reports of trouble with tiers, each with its configuration. Where a
// setting was at fault the plan refuses it or warns of it, with the numbers; where
// the broker was, or the remote store, no setting could have told, and the plan makes
// no noise about one.
func TestTieredReports_ThePlanSaysWhatTheSettingsTell(t *testing.T) {
	t.Parallel()
	const on = `"remote.storage.enable" = true`
	for _, c := range []struct {
		report   string
		version  string // of the broker
		untiered bool   // the cluster has no tiers
		settings string // beside on
		body     string // of the topic
		says     []string
		// why says, of a report that the plan has nothing to say about, what was at fault.
		why string
	}{
		{
			report: "KAFKA-15047: on 3.6 the active segment of a quiet topic stays for ever", version: "3.6",
			settings: `"retention.ms" = 604800000, "local.retention.ms" = 86400000`,
			says:     []string{warnsIdle, "Kafka 3.6", "KAFKA-15047"},
		},
		{
			report: "KAFKA-17360: -2 is taken as it stands, and nothing expires locally", version: "3.8",
			settings: `"retention.ms" = 604800000, "local.retention.ms" = -2`,
			says:     []string{warnsFollow, "local.retention.ms = -2", "Kafka 3.8", "KAFKA-17360"},
		},
		{
			report: "KAFKA-19952: the store is down for an hour, and an hour of data stays local", version: "4.1",
			settings: `"local.retention.ms" = 600000, "retention.ms" = 1200000, "segment.ms" = 600000`,
			why:      "what is not copied never expires locally: the length of an outage is no setting",
		},
		{
			report: "KAFKA-17062: failing uploads count as data, and good data goes early", version: "3.8",
			settings: `"retention.bytes" = 107374182400, "local.retention.bytes" = 10737418240, "local.retention.ms" = 604800000`,
			why:      "the broker counted copies that had failed; it was mended in 3.8.1",
		},
		{
			report: "KAFKA-20732: after a change of leader local data counts twice", version: "4.1",
			settings: `"retention.bytes" = 107374182400, "local.retention.bytes" = 10737418240`,
			why:      "the broker counted what both tiers hold twice",
		},
		{
			// The owner expected 24 × 4 GiB; open segments and indexes come on top of that:
			// 24 × (4294967296 + 1073741824 + 2 × 10485760 × 5) = 131365601280.
			report: "tiered-storage-for-apache-kafka 560: more local data than the limits add up to", version: "4.1",
			settings: `"local.retention.bytes" = 4294967296, "segment.bytes" = 1073741824`, body: "replication_factor = 2",
			says: []string{"131365601280"},
		},
		{
			report: "tiered-storage-for-apache-kafka 547: nothing is copied, and retention deletes it", version: "3.9", untiered: true,
			settings: `"retention.ms" = 86400000, "local.retention.bytes" = 500000000, "segment.bytes" = 100000000`,
			says:     []string{refusesSystem, "remote.log.storage.system.enable is false"},
		},
		{
			report: "tiered-storage-for-apache-kafka 550: the remote tier keeps more than a day", version: "3.9",
			settings: `"retention.ms" = 86400000, "local.retention.bytes" = 500000000, "segment.bytes" = 100000000`,
			says:     []string{warnsSlow, "segment.ms = 604800000 (7 d, the cluster's default) is longer than retention.ms = 86400000 (1 d, this plan) by 6 d"},
		},
		{
			report: "tiered-storage-for-apache-kafka 596: partitions grow until the leader restarts", version: "3.7",
			settings: `"retention.ms" = 10800000, "local.retention.ms" = 2160000`,
			// The copying had stalled, which no setting tells; what these tell is that a slow
			// partition keeps data for a week.
			says: []string{warnsSlow, "local.retention.ms = 2160000 (36 min, this plan) by 6 d"},
		},
		{
			report: "tiered-storage-for-apache-kafka 820: a copy hangs, and the partition stops tiering", version: "4.1",
			settings: `"local.retention.ms" = 7200000, "local.retention.bytes" = -1`,
			// A hanging store is no setting. That only time limits the local tier is one, and
			// is what an unbounded reservation means.
			says: []string{warnsSlow, "local.retention.ms = 7200000 (2 h, this plan) by 6 d 22 h", `"local.retention.bytes" = "-1"`},
		},
		{
			report: "tiered-storage-for-apache-kafka 699: some old segments of an old topic are never copied", version: "3.8",
			settings: `"retention.ms" = -1, "retention.bytes" = -1, "local.retention.ms" = 2592000000`,
			// Segments from before 2.8 cannot be copied, which is nothing that a cluster shows.
			says: []string{warnsUnbounded, "retention.ms = -1 (no limit, this plan) and retention.bytes = -1 (no limit, this plan)"},
		},
		{
			report: "strimzi-kafka-operator 10892: remote data goes after 3 h of 200", version: "3.8",
			settings: `"local.retention.ms" = 3600000, "retention.ms" = 720000000`,
			// What deleted it was never found: the total rules by these settings.
			says: []string{warnsSlow, "local.retention.ms = 3600000 (1 h, this plan) by 6 d 23 h"},
		},
		{
			report: "a local limit of 100 MiB, and 12 GB of local data", version: "3.6",
			settings: `"local.retention.bytes" = 104857600, "segment.bytes" = 1073741824`,
			says:     []string{warnsSmall, "local.retention.bytes = 104857600 (100 MiB, this plan) is below segment.bytes = 1073741824"},
		},
		{
			report: "KAFKA-16414: the total by time closes an open segment, that by size does not", version: "3.9",
			settings: `"retention.bytes" = 104857600, "local.retention.bytes" = -2, "segment.bytes" = 1073741824`,
			// 104857600 + 1073741824 - 1
			says: []string{warnsTotal, "1178599423 bytes"},
		},
	} {
		t.Run(c.report, func(t *testing.T) {
			t.Parallel()
			options := tieredFake()
			options.Version = c.version
			if c.untiered {
				options.Shown["remote.log.storage.system.enable"] = "false"
			}
			fake := kafkatest.StartFake(t, options)
			w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+topic("t", 12, c.body+"\n  config = { "+on+", "+c.settings+" }"))
			got := w.run("plan", "-no-color", "-input=false", "-detailed-exitcode")
			got.says(t, c.says...)
			refused := slices.Contains(c.says, refusesSystem)
			if (got.code == 1) != refused || !refused && got.code != 2 {
				t.Errorf("exit %d:\n%s", got.code, got.text)
			}
			if c.why != "" {
				got.silent(t, "Warning", "Error")
			}
		})
	}
}

// Two reports are about other tools, which sent what nobody wrote, or compared text
// where values were meant. Nothing is sent that nobody wrote, and a value that the
// cluster reports for what nobody wrote is no change.
func TestTieredReports_NothingIsSentThatNobodyWrote(t *testing.T) {
	t.Parallel()
	t.Run("terraform-provider-aiven 1672: an unset local limit is refused where there are no tiers", func(t *testing.T) {
		t.Parallel()
		options := tieredFake()
		options.Shown["remote.log.storage.system.enable"] = "false"
		fake := kafkatest.StartFake(t, options)
		w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+topic("t", 1, `config = { "retention.ms" = 86400000 }`))
		w.apply(0)
		w.plan(0)
		if diff := cmp.Diff(map[string]string{"retention.ms": "86400000"}, fake.Overrides("t")); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("terraform-provider-aws 29478: -1 and -2 are values, and no change", func(t *testing.T) {
		t.Parallel()
		options := tieredFake()
		options.Config["log.retention.ms"] = "-1"
		fake := kafkatest.StartFake(t, options)
		w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+
			topic("inherits", 1, "")+
			topic("t", 1, `config = { "retention.ms" = -1, "retention.bytes" = -1, "remote.storage.enable" = true, "local.retention.ms" = -2 }`)+
			tiered("kafkastorage_topic.inherits.name", ""))
		w.apply(0)
		w.plan(0)
		if diff := cmp.Diff(map[string]string{"remote.storage.enable": "true"}, fake.Overrides("inherits")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]string{"retention.ms": "-1", "retention.bytes": "-1", "remote.storage.enable": "true", "local.retention.ms": "-2"}, fake.Overrides("t")); diff != "" {
			t.Error(diff)
		}
	})
}
