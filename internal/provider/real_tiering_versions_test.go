// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tierVersions are the releases of the table below.
var tierVersions = []string{"3.6", "3.8", "3.9", "4.0", "4.1", "4.4"}

// tierTable says what each release takes (+) and refuses (-) for a new topic, from
// Kafka's notes on upgrading, KIP-950, KIP-1161 and KIP-1241, and its LogConfig.java.
var tierTable = []struct{ settings, taken string }{
	{"segment.bytes=1048576", "++++++"},
	{"segment.bytes=1048575", "++++--"}, // the notes say since 4.0; 4.1 is the first that does
	{"segment.bytes=14", "++++--"},
	{"segment.bytes=13", "------"},
	{"remote.storage.enable=true", "++++++"},
	{"remote.storage.enable=true cleanup.policy=delete,delete", "++++++"},
	{"remote.storage.enable=true cleanup.policy=compact", "------"},
	{"remote.storage.enable=true cleanup.policy=", "++++-+"},
	{"remote.storage.enable=true local.retention.ms=604800000", "++++++"},
	{"remote.storage.enable=true local.retention.ms=604800001", "------"},
	{"remote.storage.enable=true local.retention.ms=-1", "------"},
	{"remote.storage.enable=true local.retention.bytes=-1", "++++++"},
	{"local.retention.ms=604800001", "++++++"},
	{"remote.log.copy.disable=true", "--++++"},
	{"remote.log.copy.disable=false", "--++++"},
	{"remote.log.delete.on.disable=true", "--++++"},
	{"remote.log.delete.on.disable=false", "--++++"},
	{"remote.storage.enable=true remote.log.copy.disable=true local.retention.ms=604800000", "--++++"},
	{"remote.storage.enable=true remote.log.copy.disable=true local.retention.ms=604799999", "------"},
	{"remote.copy.lag.ms=0", "-----+"},
	{"remote.copy.lag.bytes=-1", "-----+"},
	{"remote.storage.enable=true remote.copy.lag.ms=604800000", "-----+"},
	{"remote.storage.enable=true remote.copy.lag.ms=604800001", "------"},
	{"remote.copy.lag.ms=604800001", "-----+"},
}

// What a plan says of a version has to be what that version does: each is held, with
// its plan, against a table that was written down beforehand. An empty cleanup.policy
// is refused in any map, so there the rule itself is asked.
func TestRealTieredRules_EachVersionTakesWhatTheTableSays(t *testing.T) {
	for _, release := range kafkatest.RealVersions() {
		version, err := topicconfig.ParseVersion(release)
		column := slices.Index(tierVersions, version.String())
		if err != nil || column < 0 {
			t.Fatalf("%s is not in the table: %v", release, err)
		}
		t.Run(release, func(t *testing.T) {
			c := freshReal(t, kafkatest.RealOptions{Version: release, Tiered: true})
			for _, row := range tierTable {
				settings, config := map[string]string{}, fields{}
				for field := range strings.FieldsSeq(row.settings) {
					key, value, _ := strings.Cut(field, "=")
					settings[key], config[key] = value, value
				}
				want := row.taken[column] == '+'
				ctx, cancel := context.WithTimeout(t.Context(), realTimeout)
				err := c.client.ProbeCreate(ctx, kafkatest.RealTopic{Name: "asked", Partitions: 1, Settings: settings})
				cancel()
				if err != nil && !kafkatest.Invalid(err) {
					t.Fatal(err)
				}
				if (err == nil) != want {
					t.Errorf("%s: the broker takes it: %v, the table says %v: %v", row.settings, err == nil, want, err)
				}
				if value, set := settings["cleanup.policy"]; set && value == "" {
					change := topicconfig.TieredChange{After: topicconfig.Settings(settings).Over(topicconfig.KafkaDefaults())}
					if taken := !slices.ContainsFunc(topicconfig.Tiering{Version: version, System: topicconfig.SupportOn}.Judge(change), func(f topicconfig.Finding) bool { return f.Refused }); taken != want {
						t.Errorf("%s: the rule takes it: %v", row.settings, taken)
					}
					continue
				}
				offline := at(c.Bootstrap())
				offline["plan_validation"] = "offline"
				process := c.process(offline)
				planned, err := process.plan(t.Context(), topicKind, nil, fields{"name": "asked", "partitions": 1, "config": config})
				process.end()
				if err != nil || planned.refused() == want {
					t.Errorf("%s: %v, the plan is refused: %v, the table says %v: %s", row.settings, err, planned.refused(), !want, planned.said)
				}
			}
		})
	}
}
