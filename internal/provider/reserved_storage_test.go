// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// outputs applies and returns what the outputs hold.
func (w *workspace) outputs() map[string]any {
	w.t.Helper()
	w.apply(0)
	return w.outputsOf()
}

// reading applies a configuration whose output is the data source, and returns it.
func reading(t *testing.T, head, body string) map[string]any {
	t.Helper()
	w := newWorkspace(t, head+dataBlock(body)+"output \"all\" {\n  value = data.kafkastorage_reserved_storage.all\n}\n")
	values, ok := w.outputs()["all"].(map[string]any)
	if !ok {
		t.Fatal("no output")
	}
	return values
}

// pickJSON keeps some keys, as text.
func pickJSON(values map[string]any, keys ...string) map[string]string {
	picked := map[string]string{}
	for _, key := range keys {
		text, err := json.Marshal(values[key])
		if err != nil {
			text = []byte(err.Error())
		}
		picked[key] = string(text)
	}
	return picked
}

// Every total by hand: live topics of 1673527296 bytes a partition, one unbounded,
// one compacted, one of a name that is not counted; planned ones over them.
func TestReservedStorage_TotalsByHand(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "kept", 2, nil)                                                 // 3347054592
	fake.CreateTopic(t, "gone", 1, nil)                                                 // 1673527296
	fake.CreateTopic(t, "compacted", 3, map[string]string{"cleanup.policy": "compact"}) // 3221225472
	fake.CreateTopic(t, "free", 1, map[string]string{"retention.bytes": "-1"})          // unbounded
	fake.CreateTopic(t, "__offsets", 5, map[string]string{"cleanup.policy": "compact"}) // 5368709120, apart
	head := eventStreams(fake, 10737418240, "")
	totals := []string{"live_bytes", "final_bytes", "peak_bytes", "limit_bytes", "capacity_bytes", "available_bytes", "reserved_percent", "limit_exceeded", "internal_bytes", "unbounded_topics", "unreadable_topics"}

	got := pickJSON(reading(t, head, ""), totals...)
	want := map[string]string{
		"live_bytes": "8241807360", "final_bytes": "8241807360", "peak_bytes": "8241807360", "limit_bytes": "9663676416", "capacity_bytes": "10737418240",
		"available_bytes": "1421869056", "reserved_percent": "76.75", "limit_exceeded": "false", "internal_bytes": "5368709120",
		"unbounded_topics": `["free"]`, "unreadable_topics": "[]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("without a plan:\n%s", diff)
	}

	values := reading(t, head, `
  planned_topics = {
    kept = { partitions = 3 }
    new  = { config = { "retention.bytes" = -1 } }
    more = { partitions = 1, config = { "retention.bytes" = 1073741824, "segment.bytes" = null }, note = "ignored" }
  }
  planned_bytes   = { elsewhere = 1000, also = null }
  released_topics = ["gone", "never"]`)
	got = pickJSON(values, totals...)
	want["final_bytes"] = "9915335656"      // 8241807360 + 1673527296 (kept) + 1673527296 (more) + 1000 - 1673527296 (gone)
	want["peak_bytes"] = "11588862952"      // the same with gone still there
	want["available_bytes"] = "-1925186536" // 9663676416 - 11588862952
	want["limit_exceeded"] = "true"
	want["unbounded_topics"] = `["also","free","new"]`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with a plan:\n%s", diff)
	}
	topics, _ := values["topics"].(map[string]any)
	for name, line := range map[string]string{
		"kept":      `{"partitions":3,"per_partition_bytes":1673527296,"remote_bytes":0,"replication_factor":3,"reserved_bytes":5020581888,"tiered":false,"unbounded":false}`,
		"new":       `{"partitions":1,"per_partition_bytes":null,"remote_bytes":0,"replication_factor":3,"reserved_bytes":null,"tiered":false,"unbounded":true}`,
		"elsewhere": `{"partitions":null,"per_partition_bytes":null,"remote_bytes":null,"replication_factor":null,"reserved_bytes":1000,"tiered":null,"unbounded":false}`,
		"also":      `{"partitions":null,"per_partition_bytes":null,"remote_bytes":null,"replication_factor":null,"reserved_bytes":null,"tiered":null,"unbounded":true}`,
		"gone":      `{"partitions":1,"per_partition_bytes":1673527296,"remote_bytes":0,"replication_factor":3,"reserved_bytes":1673527296,"tiered":false,"unbounded":false}`,
	} {
		if got := pickJSON(topics, name)[name]; got != line {
			t.Errorf("topics[%q] = %s, want %s", name, got, line)
		}
	}
	if _, shown := topics["__offsets"]; shown {
		t.Error("a topic that is not counted is listed")
	}
}

// Unasked, only the planned topics and the ten largest are listed.
func TestReservedStorage_ListsTheLargestUnlessAsked(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	for i := range 15 {
		fake.CreateTopic(t, fmt.Sprintf("t%02d", i), int32(i+1), nil)
	}
	head := eventStreams(fake, 1<<50, "")
	for body, want := range map[string]int{"": 10, "planned_topics = { t00 = {}, new = null }": 12, "include_topics = true": 15} {
		topics, _ := reading(t, head, body)["topics"].(map[string]any)
		if len(topics) != want {
			t.Errorf("%q lists %d topics, want %d", body, len(topics), want)
		}
		if _, smallest := topics["t01"]; smallest && want != 15 {
			t.Errorf("%q lists one of the smallest", body)
		}
	}
}

// enforce fails on growth over the limit only: a cluster over its limit must not
// block plans that do not grow. The environment is the one switch over it.
func TestReservedStorage_EnforceFailsOnGrowthOnly(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "big", 3, nil)
	over := eventStreams(fake, 1073741824, ", enforcement = \"off\"")
	for _, c := range []struct {
		body, env string
		code      int
		says      string
	}{
		{"enforce = true", "", 0, ""},
		{"enforce = true\n  planned_topics = { big = { partitions = 3 } }", "", 0, ""},
		{"enforce = true\n  planned_topics = { big = { config = { \"retention.bytes\" = 1 } } }", "", 0, ""},
		{"planned_topics = { big = { partitions = 4 } }", "", 0, ""},
		{"enforce = true\n  planned_topics = { big = { partitions = 4 } }", "", 1, "Error: Storage limit would be exceeded"},
		{"enforce = true\n  planned_topics = { new = { config = { \"retention.bytes\" = -1 } } }", "", 1, "Error: Topic would have no bound"},
		{"enforce = true\n  planned_topics = { big = { partitions = 4 } }", "warn", 0, "Warning: Storage limit would be exceeded"},
		{"enforce = true\n  planned_topics = { big = { partitions = 4 } }", "warn", 0, "beats enforce = true of data.kafkastorage_reserved_storage"},
		{"enforce = true\n  planned_topics = { big = { partitions = 4 } }", "off", 0, ""},
	} {
		w := newWorkspace(t, over+dataBlock(c.body))
		w.env["KAFKASTORAGE_ENFORCEMENT"] = c.env
		got := w.plan(c.code)
		if c.says != "" {
			got.says(t, c.says)
		} else {
			got.silent(t, "Storage limit")
		}
	}
}

// A name can be planned once, and cannot stay and go.
func TestReservedStorage_RefusesContradictions(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := eventStreams(fake, 1<<40, "")
	for body, want := range map[string]string{
		"planned_topics = { a = {} }\n  planned_bytes = { a = 1 }":              "Topic is planned twice",
		"planned_topics = { a = {} }\n  released_topics = [\"a\"]":              "Topic is planned and released",
		"planned_bytes = { a = -1 }":                                            "at least 0",
		"planned_topics = { a = { partitions = 0 } }":                           "at least 1",
		"planned_topics = { a = { config = { \"retention.bytes\" = \"x\" } } }": "Topic setting cannot be used",
	} {
		newWorkspace(t, head+dataBlock(body)).plan(1).says(t, want)
	}
}

// The cluster's own answers feed the functions, so that both give one number.
func TestClusterDataSource_FeedsTheFunctions(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, eventStreams(fake, 10737418240, ", enforcement = \"warn\"")+`
data "kafkastorage_cluster" "c" {}
output "bytes" {
  value = provider::kafkastorage::reserved_bytes({ partitions = 3 }, data.kafkastorage_cluster.c)
}
output "c" {
  value = data.kafkastorage_cluster.c
}
`)
	values := w.outputs()
	if fmt.Sprint(values["bytes"]) != "5020581888" {
		t.Errorf("reserved_bytes = %v", values["bytes"])
	}
	c, _ := values["c"].(map[string]any)
	got := pickJSON(c, "platform", "capacity_bytes", "limit_bytes", "enforcement", "enforcement_source", "brokers")
	want := map[string]string{
		"platform": `"event_streams"`, "capacity_bytes": "10737418240", "limit_bytes": "9663676416", "enforcement": `"warn"`, "enforcement_source": `"configuration"`,
		"brokers": `[{"id":0,"rack":"krack"},{"id":1,"rack":"krack"},{"id":2,"rack":"krack"}]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	defaults, _ := c["defaults"].(map[string]any)
	for key, value := range map[string]string{"retention.bytes": "1073741824", "segment.bytes": "536870912", "num.partitions": "1", "default.replication.factor": "3"} {
		if defaults[key] != value {
			t.Errorf("defaults[%q] = %v, want %s", key, defaults[key], value)
		}
	}
}
