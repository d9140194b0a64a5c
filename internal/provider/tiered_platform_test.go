// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Where a service gives its topics no tiers, each way to write one is an error at
// plan that names the topic and the platform, and nothing is created.
func TestTieredPlatform_WithoutTiersNeitherWayIsPlanned(t *testing.T) {
	t.Parallel()
	for platform, service := range map[string]string{"event_streams": "IBM Event Streams", "msk_express": "Express brokers"} {
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
			fake.CreateTopic(t, "theirs", 1, nil)
			head := providerBlock(fake.Bootstrap(), "platform = \""+platform+"\"")
			w := newWorkspace(t, "")
			for _, setting := range []string{
				`"remote.storage.enable" = true`, `"remote.storage.enable" = false`, `"local.retention.ms" = 1000`, `"local.retention.bytes" = -2`,
				`"remote.log.copy.disable" = true`, `"remote.copy.lag.ms" = 0`,
			} {
				w.write(head + topic("t", 1, "config = { "+setting+" }"))
				w.plan(1).says(t, `"t"`, service, "Nothing was changed.")
			}
			w.write(head + tiered(`"theirs"`, ""))
			w.plan(1).says(t, "Error: Platform has no tiered storage", `"theirs"`, `platform "`+platform+`"`, "Nothing was changed.")
			if fake.Has("t") || len(fake.Overrides("theirs")) > 0 {
				t.Error("a refused plan has changed the cluster")
			}
		})
	}
}

// Amazon MSK asks more of a tiered topic than Kafka does. Each of its rules is an
// error at plan with the number that works, and that number is then accepted.
func TestTieredPlatform_MSKHasRulesOfItsOwn(t *testing.T) {
	t.Parallel()
	const good = `"retention.ms" = 604800000, "segment.bytes" = 134217728, "segment.ms" = 604800000`
	for _, c := range []struct {
		name            string
		settings, local string // the topic's own, and the tiered resource's
		title           string
		says            []string
		cure            string
	}{
		{
			"local as long as the total", good, "local_retention_ms = 604800000",
			"Local retention must be shorter than the total",
			[]string{"local.retention.ms = 604800000", "retention.ms = 604800000", "local_retention_ms = 604799999"},
			topicOf(good) + tiered("kafkastorage_topic.t.name", "local_retention_ms = 604799999"),
		},
		{
			"small segments", `"retention.ms" = 604800000, "segment.bytes" = 50331647, "segment.ms" = 604800000`, "local_retention_ms = 86400000",
			"Segment is too small for Amazon MSK",
			[]string{"segment.bytes = 50331647", `"segment.bytes" = "50331648"`},
			topicOf(`"retention.ms" = 604800000, "segment.bytes" = 50331648, "segment.ms" = 604800000`) + tiered("kafkastorage_topic.t.name", "local_retention_ms = 86400000"),
		},
		{
			"short segments", `"retention.ms" = 604800000, "segment.bytes" = 134217728, "segment.ms" = 599999`, "local_retention_ms = 86400000",
			"Segment is too short for Amazon MSK",
			[]string{"segment.ms = 599999", `"segment.ms" = "600000"`},
			topicOf(`"retention.ms" = 604800000, "segment.bytes" = 134217728, "segment.ms" = 600000`) + tiered("kafkastorage_topic.t.name", "local_retention_ms = 86400000"),
		},
		{
			"short total", `"retention.ms" = 259199999, "segment.bytes" = 134217728`, "local_retention_ms = 86400000",
			"Total retention is too short for Amazon MSK",
			[]string{"retention.ms = 259199999", `"retention.ms" = "259200000"`},
			topicOf(`"retention.ms" = 259200000, "segment.bytes" = 134217728`) + tiered("kafkastorage_topic.t.name", "local_retention_ms = 86400000"),
		},
		{
			"inherited total", `"segment.bytes" = 134217728`, "local_retention_ms = 86400000",
			"Tiered topic must set retention.ms itself on Amazon MSK",
			[]string{"retention.ms = 604800000 (7 d, the cluster's default)", `"retention.ms" = "604800000"`},
			topicOf(`"retention.ms" = 604800000, "segment.bytes" = 134217728`) + tiered("kafkastorage_topic.t.name", "local_retention_ms = 86400000"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, tieredFake())
			head := providerBlock(fake.Bootstrap(), `platform = "msk"`)
			w := newWorkspace(t, head+topicOf(c.settings)+tiered("kafkastorage_topic.t.name", c.local))
			got := w.plan(1)
			got.says(t, append(c.says, "Error: "+c.title, `"t": `, "Nothing was changed.")...)
			if n := got.count("Error:"); n != 1 {
				t.Errorf("%d errors:\n%s", n, got.text)
			}
			if fake.Has("t") {
				t.Error("a refused plan has created the topic")
			}
			w.write(head + c.cure)
			w.apply(0)
			w.plan(0)
		})
	}
}

// topicOf is a topic "t" with these settings.
func topicOf(settings string) string {
	return topic("t", 1, "config = { "+settings+" }")
}

// On Amazon MSK one key of its own switches tiers off, once for ever. One consent of
// ours stands for it, and what is off cannot be planned on again.
func TestTieredPlatform_MSKSwitchesOffOnceForEver(t *testing.T) {
	t.Parallel()
	const settings = `"retention.ms" = 604800000, "segment.bytes" = 134217728`
	off := map[string]string{"retention.ms": "604800000", "segment.bytes": "134217728", "remote.storage.enable": "false", "remote.log.msk.disable.policy": "Delete"}
	const consent = "\n  delete_remote_data_on_disable = true"
	for way, configuration := range map[string]func(enabled bool, consent string) string{
		"resource": func(enabled bool, consent string) string {
			body := "enabled = false"
			if enabled {
				body = "local_retention_ms = 86400000"
			}
			return topicOf(settings) + tiered("kafkastorage_topic.t.name", body+consent)
		},
		"config": func(enabled bool, consent string) string {
			more := `, "remote.storage.enable" = false`
			if enabled {
				more = `, "remote.storage.enable" = true, "local.retention.ms" = 86400000`
			}
			return topic("t", 1, "config = { "+settings+more+" }"+consent)
		},
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			for _, version := range []string{"", "3.6"} { // Amazon's key is older than Kafka's
				options := tieredFake()
				options.Version = version
				fake := kafkatest.StartFake(t, options)
				head := providerBlock(fake.Bootstrap(), `platform = "msk"`)
				w := newWorkspace(t, head+configuration(true, ""))
				w.apply(0)
				w.plan(0)
				w.write(head + configuration(false, ""))
				refused := w.plan(1)
				refused.says(t, "Error: Switching tiered storage off deletes remote data", "delete_remote_data_on_disable = true", "Nothing was changed.")
				if version != "" { // there is no read-only mode before 3.9
					refused.silent(t, "copy_disabled", "remote.log.copy.disable")
				}
				w.write(head + configuration(false, consent))
				w.apply(0).says(t, "Warning: Remote data will be deleted")
				if diff := cmp.Diff(off, fake.Overrides("t")); diff != "" {
					t.Errorf("Kafka %s:\n%s", version, diff)
				}
				w.plan(0)
				w.write(head + configuration(true, consent))
				w.plan(1).says(t, "Error: Tiered storage stays off on Amazon MSK", `"t": `, "remote.log.msk.disable.policy", "Nothing was changed.")
			}
		})
	}
}

// cleanup.policy of a tiered topic stays as it is on Amazon MSK.
func TestTieredPlatform_MSKFixesThePolicy(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), `platform = "msk"`)
	const settings = `"retention.ms" = 604800000, "segment.bytes" = 134217728, "remote.storage.enable" = true, "local.retention.ms" = 86400000`
	w := newWorkspace(t, head+topicOf(settings))
	w.apply(0)
	w.write(head + topicOf(settings+`, "cleanup.policy" = "delete"`)) // what it is already
	w.apply(0)
	w.write(head + topicOf(settings+`, "cleanup.policy" = "compact"`))
	w.plan(1).says(t, "Error: Tiered topic cannot be compacted", "cleanup.policy = compact", "Nothing was changed.")
}

// Kafka before 3.9 takes a switch-off and leaves the remote data behind, so that no
// consent helps: the plan refuses each way to write it, once, and does not offer what
// that release does not have either.
func TestTieredPlatform_BeforeKafka39TiersStayOn(t *testing.T) {
	t.Parallel()
	const consent = "\n  delete_remote_data_on_disable = true"
	options := tieredFake()
	options.Version = "3.8"
	fake := kafkatest.StartFake(t, options)
	head := providerBlock(fake.Bootstrap(), "")
	byResource := func(body string) string { return topicOf("") + tiered("kafkastorage_topic.t.name", body) }
	offInConfig := topic("c", 1, `config = { "remote.storage.enable" = false }`+consent)
	onInConfig := topic("c", 1, `config = { "remote.storage.enable" = true, "local.retention.ms" = 86400000 }`)
	on := byResource("local_retention_ms = 86400000" + consent)
	w := newWorkspace(t, head+on+onInConfig)
	w.apply(0)
	w.plan(0)
	for name, configuration := range map[string]string{
		"resource":         byResource("enabled = false"+consent) + onInConfig,
		"resource removed": topicOf("") + onInConfig,
		"config":           on + offInConfig,
	} {
		w.write(head + configuration)
		got := w.plan(1)
		got.says(t, "Error: This version of Kafka cannot switch tiered storage off", "Kafka 3.8", "From Kafka 3.9 on", "To keep tiered storage as it is", "Nothing was changed.")
		got.silent(t, "copy_disabled", "remote.log.copy.disable")
		if n := got.count("Error:"); n != 1 {
			t.Errorf("%s: %d errors:\n%s", name, n, got.text)
		}
	}
	w.write(head + byResource("copy_disabled = true") + onInConfig)
	w.plan(1).says(t, "Error: Tiered setting is too new for this cluster", `"t": `, "remote.log.copy.disable came with Kafka 3.9", "Nothing was changed.")
	for _, name := range []string{"t", "c"} {
		if got := fake.Overrides(name); got["remote.storage.enable"] != "true" {
			t.Errorf("a refused plan has changed %q: %v", name, got)
		}
	}
}
