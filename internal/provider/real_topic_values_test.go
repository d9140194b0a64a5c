// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A value may be written in more than one way. What means the same is no change,
// quotes around a number neither, and what Kafka gets are plain decimal digits.
func TestRealTopic_SpellingIsNoChange(t *testing.T) {
	c := freshReal(t, realKafka)
	const head = "\n  name = \"spelled\"\n  partitions = 1\n  replication_factor = 1\n"
	unquoted := c.kafka() + oneTopic(head+`  config = {
    "min.cleanable.dirty.ratio" = "0.50"
    "retention.ms"              = 604800000
    "segment.bytes"             = 4294967296 / 4
    "retention.bytes"           = 1e12
  }`)
	quoted := c.kafka() + oneTopic(head+`  config = {
    "min.cleanable.dirty.ratio" = 0.5
    "retention.ms"              = "604800000"
    "segment.bytes"             = "1073741824"
    "retention.bytes"           = "1000000000000"
  }`)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config: unquoted,
				Check: func(*terraform.State) error {
					want := map[string]string{
						"min.cleanable.dirty.ratio": "0.5", "retention.ms": "604800000", "segment.bytes": "1073741824", "retention.bytes": "1000000000000",
					}
					got := c.overrides("spelled")
					if ratio := got["min.cleanable.dirty.ratio"]; ratio == "0.50" {
						got["min.cleanable.dirty.ratio"] = "0.5" // Kafka keeps this text as it came
					}
					if diff := cmp.Diff(want, got); diff != "" {
						return fmt.Errorf("the topic's own settings (-want +got):\n%s", diff)
					}
					return nil
				},
			},
			clean(unquoted),
			clean(quoted),
			clean(unquoted),
		},
	})
}

// Settings of Kafka reach to the ends of 64 bits, where a float has long lost the
// last digit: in the state, in a plan's JSON, on the wire, and after the topic has
// left the state and been imported. The reservation is 2^53 + 1, 1 GiB, and 20 MiB
// for each of 8388609 segments.
func TestRealTopic_KeepsEveryDigit(t *testing.T) {
	c := freshReal(t, realKafka)
	settings := map[string]string{
		"max.compaction.lag.ms": "9223372036854775807", "retention.ms": "-1", "retention.bytes": "9007199254740993",
	}
	const reserved = "9183122209898497"
	w := newWorkspace(t, c.kafka()+oneTopic(`
  name               = "extremes"
  partitions         = 1
  replication_factor = 1
  config = {
    "max.compaction.lag.ms" = "9223372036854775807"
    "retention.ms"          = "-1"
    "retention.bytes"       = "9007199254740993"
  }`))
	holds := func(where string, values fields) {
		t.Helper()
		exactly(t, where+": reserved_bytes", values["reserved_bytes"], reserved)
		config, _ := values["config"].(fields)
		for key, want := range settings {
			if config[key] != want {
				t.Errorf("%s: %s = %v, want %s", where, key, config[key], want)
			}
		}
		if len(config) != len(settings) {
			t.Errorf("%s: the settings are %v", where, config)
		}
	}
	w.plan(2, "-out=saved").says(t, reserved)
	holds("plan", planChanges(t, w, "saved")["t"].Change.After)
	w.must(0, "apply", "-no-color", "-input=false", "saved")
	holds("state", stateTopics(t, w)["t"])
	if diff := cmp.Diff(settings, c.overrides("extremes")); diff != "" {
		t.Errorf("on the wire (-want +got):\n%s", diff)
	}
	w.plan(0)
	w.must(0, "state", "rm", "-no-color", topicT)
	w.must(0, "import", "-no-color", "-input=false", topicT, "extremes")
	holds("state after import", stateTopics(t, w)["t"])
	w.plan(0).silent(t, "Warning")
}

// Whoever reviews a change reads the same exact number in the text of the plan, in
// its JSON, in the data source and in an error. One partition reserves
// 134217728 + 1073741824 + 2 × 10485760 × 1 = 1228931072 bytes.
func TestRealTopic_NumbersAreTheSameEverywhere(t *testing.T) {
	c := freshReal(t, realKafka)
	const settings = `{ "retention.bytes" = 134217728 }`
	block := topic("reviewed", 50, "replication_factor = 1\n  config = "+settings)
	w := newWorkspace(t, c.kafka()+block+`
data "kafkastorage_reserved_storage" "all" {
  planned_topics = { reviewed = { partitions = 50, replication_factor = 1, config = `+settings+` } }
}
output "planned" { value = data.kafkastorage_reserved_storage.all.topics["reviewed"].reserved_bytes }
output "peak" { value = data.kafkastorage_reserved_storage.all.peak_bytes }
`)
	w.plan(2, "-out=saved").says(t, "61446553600", "57.2 GiB")
	exactly(t, "reserved_bytes", planChanges(t, w, "saved")["reviewed"].Change.After["reserved_bytes"], "61446553600")
	var plan struct {
		PlannedValues struct {
			Outputs map[string]struct{ Value any }
		} `json:"planned_values"`
	}
	w.show(&plan, "saved")
	for _, name := range []string{"planned", "peak"} {
		exactly(t, name, plan.PlannedValues.Outputs[name].Value, "61446553600")
	}
	w.write(c.provider("platform = \"kafka\"\n  storage_quota = { capacity_bytes = 61446553600, limit_percent = 99, accounting = \"reserved\" }") + block)
	w.plan(1).says(t, "61446553600 bytes")
}

// A line that leaves the map gives the setting back to the cluster, and that one
// alone.
func TestRealTopic_RemovedSettingFallsBack(t *testing.T) {
	c := freshReal(t, realKafka)
	with := topic("t", 1, `config = { "segment.ms" = 20000, "retention.ms" = 86400000 }`)
	without := topic("t", 1, `config = { "retention.ms" = 86400000 }`)
	w := newWorkspace(t, c.provider("")+with)
	w.apply(0)
	w.write(c.provider("") + without)
	planned := w.plan(2)
	planned.says(t, "Plan: 0 to add, 1 to change, 0 to destroy.", `- "segment.ms" = "20000" -> null`)
	planned.silent(t, `~ "retention.ms"`, `- "retention.ms"`, `+ "retention.ms"`)
	w.apply(0)
	c.do(func(ctx context.Context) error {
		settings, err := c.client.Settings(ctx, "t")
		if got, want := settings["segment.ms"], (kafkatest.RealSetting{Value: "604800000"}); got != want {
			t.Errorf("segment.ms is %+v, want the default %+v", got, want)
		}
		if got, want := settings["retention.ms"], (kafkatest.RealSetting{Value: "86400000", Override: true}); got != want {
			t.Errorf("retention.ms is %+v, want %+v", got, want)
		}
		return err
	})
	w.plan(0)
}
