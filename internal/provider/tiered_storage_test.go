// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// tieredFake is a cluster of Kafka's defaults that has tiered storage.
func tieredFake() kafkatest.FakeOptions {
	return kafkatest.FakeOptions{
		Config: map[string]string{"log.retention.ms": "604800000"},
		Shown: map[string]string{
			"remote.log.storage.system.enable": "true", "log.retention.check.interval.ms": "300000", "remote.log.manager.task.interval.ms": "30000",
		},
	}
}

// tiered is one resource of tiered storage; body is more of it.
func tiered(topic, body string) string {
	return fmt.Sprintf("resource \"kafkastorage_topic_tiered_storage\" \"t\" {\n  topic = %s\n  %s\n}\n", topic, body)
}

// own are the settings that a topic of a fake sets itself.
func own(fake *kafkatest.Fake, topic string, without ...string) map[string]string {
	settings := fake.Overrides(topic)
	for _, key := range without {
		delete(settings, key)
	}
	return settings
}

// A topic that somebody else owns gets tiers, changes them and gives them up: what
// nobody wrote is never sent, what is left out again goes, and after each apply the
// next plan is empty.
func TestTieredStorage_Lifecycle(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	fake.CreateTopic(t, "orders", 2, map[string]string{"retention.bytes": "107374182400"})
	head := providerBlock(fake.Bootstrap(), "")
	w := newWorkspace(t, "")
	for _, step := range []struct {
		body string
		want map[string]string
	}{
		{`local_retention_ms = 86400000`, map[string]string{"remote.storage.enable": "true", "local.retention.ms": "86400000"}},
		{`local_retention_bytes = -2`, map[string]string{"remote.storage.enable": "true", "local.retention.bytes": "-2"}},
		{`copy_disabled = true`, map[string]string{"remote.storage.enable": "true", "remote.log.copy.disable": "true"}},
		{`copy_disabled = false`, map[string]string{"remote.storage.enable": "true", "remote.log.copy.disable": "false"}},
		{"enabled = false\n  delete_remote_data_on_disable = true", map[string]string{"remote.storage.enable": "false", "remote.log.delete.on.disable": "true"}},
		{"local_retention_bytes = 4294967296\n  delete_remote_data_on_disable = true", map[string]string{"remote.storage.enable": "true", "local.retention.bytes": "4294967296"}},
	} {
		w.write(head + tiered(`"orders"`, step.body))
		before := fake.Requests()["IncrementalAlterConfigs"]
		w.apply(0)
		if diff := cmp.Diff(step.want, own(fake, "orders", "retention.bytes")); diff != "" {
			t.Errorf("%s:\n%s", step.body, diff)
		}
		// The probe of the plan, the probe of the plan in apply, and the one change.
		if sent := fake.Requests()["IncrementalAlterConfigs"] - before; sent > 3 {
			t.Errorf("%s: %d requests", step.body, sent)
		}
		w.plan(0)
	}
	state, _ := w.stateOf("kafkastorage_topic_tiered_storage.t")
	want := map[string]string{"id": `"orders"`, "enabled": "true", "local_retention_ms": "null", "local_retention_bytes": "4294967296", "local_reserved_bytes": "32841400320", "remote_reserved_bytes": "216895848448"}
	if diff := cmp.Diff(want, pickJSON(state, "id", "enabled", "local_retention_ms", "local_retention_bytes", "local_reserved_bytes", "remote_reserved_bytes")); diff != "" {
		t.Error(diff) // 2 partitions × 3 replicas × 5473566720; 2 × (100 GiB + 1 GiB), one copy
	}
	w.write(head)
	w.apply(0).says(t, "Warning: Remote data will be deleted", "1 destroyed")
	if diff := cmp.Diff(map[string]string{"remote.storage.enable": "false", "remote.log.delete.on.disable": "true"}, own(fake, "orders", "retention.bytes")); diff != "" {
		t.Error(diff)
	}
	w.plan(0)
}

// Both ways of writing a topic's tiers are judged by the same rules, at plan, in
// words that name both settings, their values and where each comes from.
func TestTieredStorage_RulesHoldForBothWaysAtPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		total    string // the topic's own settings
		settings string // in its config
		resource string // in the tiered resource
		title    string
		says     []string
	}{
		{
			"local bytes above the total", `"retention.bytes" = 512`, `"local.retention.bytes" = 1024`, `local_retention_bytes = 1024`,
			"Local retention is longer than the total", []string{"local.retention.bytes = 1024 (1 KiB, this plan)", "retention.bytes = 512 (this plan", "-2"},
		},
		{
			"unlimited local bytes", `"retention.bytes" = 100`, `"local.retention.bytes" = -1`, `local_retention_bytes = -1`,
			"Local retention must have a limit", []string{"local.retention.bytes = -1 (no limit, this plan)", "retention.bytes = 100 (this plan"},
		},
		{
			"local time above the inherited total", "", `"local.retention.ms" = 604800001`, `local_retention_ms = 604800001`,
			"Local retention is longer than the total", []string{"local.retention.ms = 604800001 (7 d 1 ms, this plan)", "retention.ms = 604800000 (7 d, the cluster's default)", "604800000"},
		},
		{
			"compacted", `"cleanup.policy" = "compact"`, "", "", "Tiered topic cannot be compacted", []string{"cleanup.policy = compact (this plan"},
		},
		{
			"read-only with a local limit of its own", `"retention.bytes" = 1024`, "\"local.retention.bytes\" = 512, \"remote.log.copy.disable\" = true", "local_retention_bytes = 512\n  copy_disabled = true",
			"Local retention must be the total while copying is disabled", []string{"local.retention.bytes = 512", "retention.bytes = 1024", "remote.log.copy.disable = true"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, tieredFake())
			head := providerBlock(fake.Bootstrap(), "")
			separator := ""
			if c.total != "" && c.settings != "" {
				separator = ", "
			}
			ways := map[string]string{
				"config":   head + topic("t", 1, fmt.Sprintf("config = { %s%s%s\n \"remote.storage.enable\" = true }", c.total, separator, c.settings)),
				"resource": head + topic("t", 1, fmt.Sprintf("config = { %s }", c.total)) + tiered("kafkastorage_topic.t.name", c.resource),
			}
			if c.total == "" && c.settings == "" {
				delete(ways, "config")
			}
			for way, configuration := range ways {
				w := newWorkspace(t, configuration)
				got := w.plan(1)
				got.says(t, append(c.says, "Error: "+c.title, `"t":`, "Nothing was changed.")...)
				if n := got.count("Error:"); n != 1 {
					t.Errorf("%s: %d errors:\n%s", way, n, got.text)
				}
			}
			if fake.Has("t") {
				t.Error("a refused plan has created the topic")
			}
		})
	}
}
