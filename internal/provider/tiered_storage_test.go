// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"regexp"
	"strings"
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
			"Local retention is longer than the total",
			[]string{"local.retention.bytes = 1024 (1 KiB, this plan)", "retention.bytes = 512 (this plan", "-2"},
		},
		{
			"unlimited local bytes", `"retention.bytes" = 100`, `"local.retention.bytes" = -1`, `local_retention_bytes = -1`,
			"Local retention must have a limit",
			[]string{"local.retention.bytes = -1 (no limit, this plan)", "retention.bytes = 100 (this plan"},
		},
		{
			"local time above the inherited total", "", `"local.retention.ms" = 604800001`, `local_retention_ms = 604800001`,
			"Local retention is longer than the total",
			[]string{"local.retention.ms = 604800001 (7 d 1 ms, this plan)", "retention.ms = 604800000 (7 d, the cluster's default)", "604800000"},
		},
		{
			"compacted", `"cleanup.policy" = "compact"`, "", "", "Tiered topic cannot be compacted", []string{"cleanup.policy = compact (this plan"},
		},
		{
			"read-only with a local limit of its own", `"retention.bytes" = 1024`, "\"local.retention.bytes\" = 512, \"remote.log.copy.disable\" = true", "local_retention_bytes = 512\n  copy_disabled = true",
			"Local retention must be the total while copying is disabled",
			[]string{"local.retention.bytes = 512", "retention.bytes = 1024", "remote.log.copy.disable = true"},
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

// One setting has one owner. What hands it over is told, and works: the config lets
// go and the tiered resource takes over in one plan without a request; the way back
// needs a removed block, because a delete would switch tiering off.
func TestTieredStorage_OwnersHandOver(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), "")
	byConfig := topic("t", 1, `config = { "retention.ms" = "604800000", "remote.storage.enable" = "true", "local.retention.ms" = "86400000" }`)
	bare := topic("t", 1, `config = { "retention.ms" = "604800000" }`)
	byResource := tiered("kafkastorage_topic.t.name", "local_retention_ms = 86400000")
	w := newWorkspace(t, head+byConfig)
	w.apply(0)
	held := fake.Overrides("t")

	w.write(head + byConfig + byResource)
	w.plan(1).says(t, "Error: Tiered settings have two owners", `"t" has tiered settings in the config`, "remote.storage.enable, local.retention.ms", "destroy = false")
	w.write(head + bare + byResource + strings.ReplaceAll(byResource, `_storage" "t"`, `_storage" "u"`))
	w.plan(1).says(t, "Error: Tiered settings have two owners", "Two kafkastorage_topic_tiered_storage resources")

	fake.ForgetRequests()
	w.write(head + bare + byResource)
	w.apply(0).says(t, "Warning: Tiered settings are no longer managed here")
	if n := fake.Requests()["IncrementalAlterConfigs"]; n != 0 {
		t.Errorf("the hand-over sent %d changes", n)
	}
	w.plan(0)

	w.write(head + byConfig)
	w.plan(1)
	w.write(head + bare + strings.Replace(byResource, "local_", "delete_remote_data_on_disable = true\n  local_", 1))
	w.apply(0)
	w.write(head + byConfig)
	w.plan(1).says(t, "Error: Tiered settings would be lost on their way", "destroy = false")

	w.write(head + byConfig + "removed {\n  from = kafkastorage_topic_tiered_storage.t\n  lifecycle {\n    destroy = false\n  }\n}\n")
	w.apply(0)
	w.plan(0)
	if diff := cmp.Diff(held, fake.Overrides("t")); diff != "" {
		t.Errorf("the settings have changed on their way:\n%s", diff)
	}
}

// Switching off loses data, so it is refused until somebody agrees to that, however
// it is written; what the topic itself owns goes with the topic.
func TestTieredStorage_SwitchingOffNeedsConsent(t *testing.T) {
	t.Parallel()
	const on, off = `"remote.storage.enable" = "true"`, `"remote.storage.enable" = "false"`
	const refused, consent = "Error: Switching tiered storage off deletes remote data", "delete_remote_data_on_disable = true"
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), "")

	w := newWorkspace(t, head+topic("a", 1, "config = { "+on+" }"))
	w.apply(0)
	w.write(head + topic("a", 1, "config = { "+off+" }"))
	w.plan(1).says(t, refused, consent, `"remote.log.copy.disable" = "true"`, "leave its settings out of config")
	w.write(head + topic("a", 1, "config = { "+off+" }\n"+consent))
	w.apply(0).says(t, "Warning: Remote data will be deleted")
	if diff := cmp.Diff(map[string]string{"remote.storage.enable": "false", "remote.log.delete.on.disable": "true"}, fake.Overrides("a")); diff != "" {
		t.Error(diff)
	}
	w.plan(0)
	w.write(head + topic("a", 1, "config = { "+on+" }\n"))
	w.apply(0)
	w.write(head + topic("a", 1, "config = { "+off+", \"remote.log.delete.on.disable\" = \"true\" }"))
	w.apply(0).says(t, "Warning: Remote data will be deleted")
	w.write(head + topic("a", 1, "config = { "+on+" }\n"))
	w.apply(0)
	w.destroy(0)

	fake.CreateTopic(t, "b", 1, nil)
	w = newWorkspace(t, head+tiered(`"b"`, ""))
	w.apply(0)
	w.write(head + tiered(`"b"`, "enabled = false"))
	w.plan(1).says(t, refused, consent, "copy_disabled = true")
	w.write(head)
	w.plan(1).says(t, refused, "apply it, and then destroy", "removed {")
	w.write(head + tiered(`"b"`, ""))
	w.must(0, "taint", "-no-color", "kafkastorage_topic_tiered_storage.t")
	w.apply(1).says(t, refused)
	if diff := cmp.Diff(map[string]string{"remote.storage.enable": "true"}, fake.Overrides("b")); diff != "" {
		t.Errorf("a refused plan has changed the topic:\n%s", diff)
	}
}

// A topic that is replaced loses its tiered settings with its data. The tiered
// resource that refers to it sets them again in the same apply.
func TestTieredStorage_ComesBackWithAReplacedTopic(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+topic("t", 1, "")+tiered("kafkastorage_topic.t.name", "local_retention_ms = 1000000"))
	w.apply(0)
	w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
	w.apply(0)
	if diff := cmp.Diff(map[string]string{"remote.storage.enable": "true", "local.retention.ms": "1000000"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	w.plan(0)
}

// Who charges what: a tiered topic its local tier, whichever resource makes it tiered,
// and beside it stands what the remote tier may hold.
func TestTieredStorage_ChargesTheLocalTier(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	const settings = `"retention.bytes" = 107374182400, "segment.bytes" = 1073741824`
	// Untiered 3 × 110566047744 = 331698143232 bytes; with 4 GiB local 3 × 5473566720 = 16420700160.
	head := providerBlock(fake.Bootstrap(), "storage_quota = { capacity_bytes = 20000000000, limit_percent = 100 }")
	inConfig := topic("t", 1, "config = { "+settings+", \"remote.storage.enable\" = true, \"local.retention.bytes\" = 4294967296 }")
	apart := topic("t", 1, "config = { "+settings+" }") + tiered("kafkastorage_topic.t.name", "local_retention_bytes = 4294967296")
	w := newWorkspace(t, head+apart)
	w.plan(1).says(t, "Error: Storage limit would be exceeded", "331698143232 bytes", "put the tiered settings into its config", "comes after the topic")
	w.write(head + inConfig)
	w.apply(0).says(t, "local.retention.bytes 4294967296", "= 16420700160 bytes (15.2 GiB); remote tier 108447924224 bytes (101.0 GiB), one copy")
	w.plan(0)

	w.write(head + inConfig + dataBlock("") + "output \"all\" {\n  value = data.kafkastorage_reserved_storage.all\n}\n")
	values := w.outputs()
	all, _ := values["all"].(map[string]any)
	if diff := cmp.Diff(map[string]string{"live_bytes": "16420700160", "remote_bytes": "108447924224", "remote_unbounded_topics": "[]"}, pickJSON(all, "live_bytes", "remote_bytes", "remote_unbounded_topics")); diff != "" {
		t.Error(diff)
	}

	// More local is growth, and is refused with the value that fits: by the tiered resource too.
	w.write(head + apart + "")
	w.apply(0)
	w.write(head + strings.ReplaceAll(apart, "4294967296", "8589934592"))
	refused := w.plan(1)
	refused.says(t, "Error: Storage limit would be exceeded", "local.retention.bytes 4294967296 (4 GiB) -> 8589934592 (8 GiB)")
	offered := regexp.MustCompile(`local_retention_bytes = (\d+) #`).FindStringSubmatch(refused.text)
	if offered == nil {
		t.Fatalf("nothing is offered:\n%s", refused.text)
	}
	w.write(head + strings.ReplaceAll(apart, "4294967296", offered[1]))
	w.apply(0)
	w.plan(0)
}

// Consent in one place and a no in the other is no consent: a cluster would be sent
// the no, and refuse. The message says what stands in the way.
func TestTieredStorage_SettingsThatForbidAreNoConsent(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	with := func(enable, more string) string {
		return providerBlock(fake.Bootstrap(), `plan_validation = "offline"`) + topic("t", 1, fmt.Sprintf("config = { \"remote.storage.enable\" = %s%s }\n delete_remote_data_on_disable = true", enable, more))
	}
	w := newWorkspace(t, with("true", ""))
	w.apply(0)
	w.write(with("false", `, "remote.log.delete.on.disable" = false`))
	w.plan(1).says(t, "Error: Switching tiered storage off deletes remote data",
		"remote.log.delete.on.disable = false (this plan) says that what the remote tier holds is to stay", "leave remote.log.delete.on.disable out")
	w.write(with("false", ""))
	w.apply(0).says(t, "Warning: Remote data will be deleted")
	w.plan(0)
}

// A topic's own call comes first and does not know of the tiers yet: what is advised of
// a tiered topic about its own settings is then for the call of the tiers to say.
func TestTieredStorage_AdviceAboutTheTopicsOwnSettingsIsNotLost(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	const settings = `"retention.bytes" = 4294967296, "segment.bytes" = 1048576, "segment.ms" = 3600000`
	for way, configuration := range map[string]string{
		"config":   topic("t", 1, "config = { "+settings+`, "remote.storage.enable" = true, "local.retention.bytes" = 2097152 }`),
		"resource": topic("t", 1, "config = { "+settings+" }") + tiered("kafkastorage_topic.t.name", "local_retention_bytes = 2097152"),
	} {
		got := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+configuration).plan(2)
		if n := got.count("Warning:"); n != 1 || got.count("Warning: Largest message is larger than a segment") != 1 {
			t.Errorf("%s: %d warnings:\n%s", way, n, got.text)
		}
	}
}

// A name that no Kafka takes is no topic that may still come: it is refused before a
// cluster is asked.
func TestTieredStorage_RefusesWhatIsNoTopicsName(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+tiered(`"bad/name"`, ""))
	w.plan(1).says(t, "Error: Topic name cannot be used", "bad/name", "Nothing was changed.")
}
