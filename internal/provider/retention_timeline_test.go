// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// pickedOf reads one output object's attributes as JSON.
func pickedOf(t *testing.T, values map[string]any, name string, keys ...string) map[string]string {
	t.Helper()
	object, ok := values[name].(map[string]any)
	if !ok {
		t.Fatalf("%s is %v", name, values[name])
	}
	return pickJSON(object, keys...)
}

// A topic of ApsaraMQ set to keep 72 hours at 8192 bytes per second: its first segment
// of 1 GiB is full after 131072 s, due 72 h later at 390272 s, and goes in the next
// daily run at 04:00 (446400 s), or, when the disk is 75 % full, within a poll of 300 s after that (390572 s and the
// millisecond by which it has to be older than 72 h). The
// first message is 124 h old by then.
func TestRetentionTimeline_TellsWhenTheFirstMessageReallyGoes(t *testing.T) {
	t.Parallel()
	const call = `
output "t" {
  value = provider::kafkastorage::retention_timeline({
    platform                    = "apsaramq"
    config                      = { "retention.ms" = provider::kafkastorage::parse_duration_ms("72h") }
    throughput_bytes_per_second = 8192
    batch_bytes                 = 8192
    horizon                     = "10d"
    apsaramq                    = { daily_run = "04:00", utc_offset_minutes = 0 }%s
  })
}
`
	for more, want := range map[string][2]string{
		"": {`"1970-01-06T04:00:00.000Z"`, `"5 d 4 h"`},
		"\n    disk_total_bytes = 1000000000000, disk_used_bytes = 800000000000": {`"1970-01-05T12:29:32.001Z"`, `"4 d 12 h 29 min 32 s 1 ms"`},
	} {
		w := newWorkspace(t, fmt.Sprintf(call, more))
		values, _ := w.outputs()["t"].(map[string]any)
		got := pickedOf(t, values, "first_message_gone", "latest", "age")
		if diff := cmp.Diff(map[string]string{"latest": want[0], "age": want[1]}, got); diff != "" {
			t.Errorf("%s\n%s", more, diff)
		}
	}
}

// The data source and the function are one thing: the same inputs give the same
// outputs, and a topic's settings in force are what they start from.
func TestRetentionTimeline_DataSourceAndFunctionAgree(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	fake.CreateTopic(t, "orders", 4, map[string]string{
		"retention.ms": "432000000", "local.retention.ms": "172800000", "remote.storage.enable": "true", "segment.ms": "86400000",
	})
	const inputs = `
    throughput_bytes_per_second = 4096
    stop                        = "1970-01-02T00:00:00Z"
    horizon                     = "12d"
    max_events                  = 6
    outages                     = [{ start = "1970-01-01T20:00:00Z", stop = "1970-01-01T22:00:00Z" }]
`
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+`
data "kafkastorage_retention_timeline" "t" {
  topic = "orders"
`+inputs+`}
output "data" {
  value = data.kafkastorage_retention_timeline.t
}
output "function" {
  value = provider::kafkastorage::retention_timeline({
    partitions = 4
    config     = { "retention.ms" = 432000000, "local.retention.ms" = 172800000, "remote.storage.enable" = true, "segment.ms" = 86400000, "segment.bytes" = 104857600 }
`+inputs+`  })
}
`)
	values := w.outputs()
	data, _ := values["data"].(map[string]any)
	function, _ := values["function"].(map[string]any)
	if len(function) != 10 {
		t.Fatalf("the function returns %d attributes", len(function))
	}
	for name, want := range function {
		if diff := cmp.Diff(want, data[name]); diff != "" {
			t.Errorf("%s differs (-function +data):\n%s", name, diff)
		}
	}
	if events, _ := function["events"].([]any); len(events) != 6 {
		t.Errorf("%d events are listed, want the first and last three", len(events))
	}
	w.plan(0)
}

// Where a topic is named its settings in force come before what a platform gives to
// topics; where none is, the platform that is asked for decides, in both ways to ask.
func TestRetentionTimeline_StartsFromTheSettingsInForce(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	fake.CreateTopic(t, "orders", 1, map[string]string{"retention.ms": "86400000"})
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+`
data "kafkastorage_retention_timeline" "topic" {
  topic                       = "orders"
  platform                    = "apsaramq"
  throughput_bytes_per_second = 8192
}
data "kafkastorage_retention_timeline" "platform" {
  platform                    = "event_streams"
  throughput_bytes_per_second = 8192
}
output "t" {
  value = {
    topic    = data.kafkastorage_retention_timeline.topic.summary
    platform = data.kafkastorage_retention_timeline.platform.summary
    function = provider::kafkastorage::retention_timeline({ platform = "event_streams", throughput_bytes_per_second = 8192 }).summary
  }
}
`)
	said, _ := w.outputs()["t"].(map[string]any)
	if text, _ := said["topic"].(string); !strings.HasPrefix(text, "Set to keep 24 h") {
		t.Errorf("the topic keeps 24 h: %s", text)
	}
	if text, _ := said["platform"].(string); text != said["function"] || !strings.Contains(text, "1 GiB") {
		t.Errorf("the data source says:\n%s\nthe function:\n%v", text, said["function"])
	}
}

// Inputs that cannot be used are named, with what would do.
func TestRetentionTimeline_NamesWhatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for inputs, says := range map[string]string{
		`throughput_bytes_per_second = 1, config = { "cleanup.policy" = "compact" }`: "compact",
		`config = {}`:                                                             "throughput_bytes_per_second",
		`throughput_bytes_per_second = 0`:                                         "at least 1",
		`throughput_bytes_per_second = 1, partitions = 2`:                         "at least one byte per second for each of the 2 partitions",
		`throughput_bytes_per_second = 1, horizon = "soon"`:                       "no span of time",
		`throughput_bytes_per_second = 1, start = "tomorrow"`:                     "no moment",
		`throughput_bytes_per_second = 1, platform = "redpanda"`:                  "not a platform",
		`throughput_bytes_per_second = 1, version = "four"`:                       "version",
		`throughput_bytes_per_second = 1, disk_used_bytes = 1`:                    "apsaramq",
		`throughput_bytes_per_second = 1, stop = "1970-01-01T00:00:00Z"`:          "must be after start",
		`messages = [{ at = "1970-01-01T00:00:00Z" }]`:                            "bytes: is missing",
		`messages = [{ at = "1970-01-01T00:00:00Z", bytes = 1, tmestamp = "x" }]`: "tmestamp: is no input",
		`config = { "remote.storage.enable" = true }, throughput_bytes_per_second = 1, outages = [{ start = "1970-01-01T00:00:00Z" }]`: "stop: is missing",
		`throughput_bytes_per_second = 1, platform = "apsaramq", apsaramq = { daily_runs = "04:00" }`:                                  "daily_runs: is no input",
		`throughput_bytes_per_second = 1, horizn = "3d"`:                                                                               "did you mean \"horizon\"",
		`throughput_bytes_per_second = 1, config = { "retention.ms" = "x" }`:                                                           "retention.ms",
		`messages = [{ at = "1970-01-01T00:00:00Z" }, 3]`:                                                                              "messages",
		`config = { "remote.storage.enable" = true }, throughput_bytes_per_second = 1, outages = [{ start = "x", stop = 1 }]`:          "outages[0].start",
		`throughput_bytes_per_second = 1, outages = [{ start = "1970-01-01T00:00:00Z", stop = "1970-01-02T00:00:00Z" }]`:               "needs a tiered topic",
		`throughput_bytes_per_second = 1000000000, horizon = "3650d", config = { "segment.bytes" = 1048576 }`:                          "Set horizon to at most",
	} {
		w := newWorkspace(t, "output \"t\" {\n  value = provider::kafkastorage::retention_timeline({ "+strings.ReplaceAll(inputs, ", ", "\n ")+" })\n}\n")
		w.plan(1).says(t, says)
	}
}

// The data source refuses as the function does, at the attribute: a horizon that would be followed for hours, and what a
// topic of the cluster has no use for.
func TestRetentionTimeline_DataSourceRefusesAtTheAttribute(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	fake.CreateTopic(t, "plain", 1, map[string]string{"retention.ms": "86400000"})
	for inputs, says := range map[string][]string{
		`throughput_bytes_per_second = 1000000000
  horizon                     = "3650d"
  config                      = { "segment.bytes" = 1048576 }`: {`horizon                     = "3650d"`, "horizon: 3650 d holds about", `Set horizon to at most "`, "Nothing was changed."},
		`throughput_bytes_per_second = 1000
  topic                       = "plain"
  copy_bytes_per_second       = 1000`: {`copy_bytes_per_second       = 1000`, "needs a tiered topic", "Nothing was changed."},
	} {
		w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+"\ndata \"kafkastorage_retention_timeline\" \"t\" {\n  "+inputs+"\n}\n")
		refused := w.plan(1)
		for _, text := range says {
			refused.says(t, text)
		}
	}
}

// What people read of it: sentences that give the number and its reason, a table, and
// a chart.
func TestRetentionTimeline_IsToldInSentences(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, `
locals {
  t = provider::kafkastorage::retention_timeline({ config = { "retention.ms" = 259200000 }, throughput_bytes_per_second = 1024 })
}
output "summary" {
  value = local.t.summary
}
output "table" {
  value = local.t.table
}
output "mermaid" {
  value = local.t.mermaid
}
`)
	values := w.outputs()
	for name, says := range map[string]string{"summary": "Set to keep 72 h", "table": "rolled", "mermaid": "gantt"} {
		text, _ := values[name].(string)

		if !strings.Contains(text, says) {
			t.Errorf("%s does not say %q:\n%s", name, says, text)
		}
	}
}
