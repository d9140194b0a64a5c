// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// eventStreams configures the provider for a fake Event Streams instance.
func eventStreams(fake *kafkatest.Fake, capacity int64, more string) string {
	return providerBlock(fake.Bootstrap(), fmt.Sprintf("platform = \"event_streams\"\n  storage_quota = { capacity_bytes = %d %s }", capacity, more))
}

// topic is one topic resource; body is more of it.
func topic(name string, partitions int, body string) string {
	return fmt.Sprintf("resource \"kafkastorage_topic\" %q {\n  name       = %q\n  partitions = %d\n  %s\n}\n", name, name, partitions, body)
}

// gibibyte is the body of a topic that keeps 1 GiB: with the service's defaults 1673527296 bytes a partition.
const gibibyte = `config = { "retention.bytes" = 1073741824 }`

// Each topic alone fits, both together do not: no check of single topics sees
// that. The errors of the plan must name both, the sum, the limit and what is
// missing, and nothing may be created.
func TestTopicGate_RefusesWhatOnlyTogetherIsTooMuch(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := eventStreams(fake, 10737418240, "")
	w := newWorkspace(t, head+topic("a", 3, gibibyte))
	w.plan(2).silent(t, "Warning", "Error")

	w.write(head + topic("a", 3, gibibyte) + topic("b", 3, gibibyte))
	refused := w.plan(1)
	refused.says(t, "Error: Storage limit would be exceeded", "5020581888 bytes", "10041163776 bytes", "93.51 %", "9663676416 bytes", "377487360 bytes",
		`"a"`, `"b"`, "so far", "KAFKASTORAGE_ENFORCEMENT=warn", "Nothing was changed.")
	if n := refused.count("Error:"); n != 1 {
		t.Errorf("the first of the two calls is within the limit, so one error is due, not %d:\n%s", n, refused.text)
	}
	w.apply(1)
	if fake.Has("a") || fake.Has("b") {
		t.Error("a refused plan has created a topic")
	}
}

// Exactly at the limit is allowed, one byte over is not: 3 × 1673527296 is 90 % of
// 5578424320.
func TestTopicGate_AllowsEqualityAndNotOneByteMore(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, eventStreams(fake, 5578424320, "")+topic("a", 3, gibibyte))
	w.plan(2)
	w.write(eventStreams(fake, 5578424319, "") + topic("a", 3, gibibyte))
	w.plan(1).says(t, "(1 byte)")
}

// A value that a message offers is copied at night without thinking: it must plan,
// and be the most that does.
func TestTopicGate_WhatItOffersFitsAndNoMore(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "there", 2, map[string]string{"retention.bytes": "1073741824"})
	head := eventStreams(fake, 10737418240, "")
	w := newWorkspace(t, head+topic("a", 9, gibibyte))
	refused := w.plan(1).flat()
	offered := regexp.MustCompile(`partitions = (\d+) or "retention.bytes" = "(\d+)" #`).FindStringSubmatch(refused)
	if offered == nil {
		t.Fatalf("nothing is offered:\n%s", refused)
	}
	partitions, _ := strconv.Atoi(offered[1])
	retention, _ := strconv.Atoi(offered[2])
	keeps := func(bytes int) string { return fmt.Sprintf(`config = { "retention.bytes" = %d }`, bytes) }
	for _, c := range []struct {
		configuration string
		code          int
	}{
		{topic("a", partitions, gibibyte), 2},
		{topic("a", partitions+1, gibibyte), 1},
		{topic("a", 9, keeps(retention)), 2},
		{topic("a", 9, keeps(retention+1)), 1},
		{topic("a", 9, keeps(retention+536870912)), 1},
	} {
		w.write(head + c.configuration)
		w.plan(c.code)
	}
}

// Terraform may apply the growth first, so a plan whose end state alone fits is
// refused, and says which releases to apply first; applied in two steps it passes.
func TestTopicGate_DoesNotCreditReleasesAndSaysHowToApplyThemFirst(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := eventStreams(fake, 10737418240, "")
	w := newWorkspace(t, head+topic("old", 3, gibibyte))
	w.apply(0)
	w.write(head + topic("new", 3, gibibyte))
	refused := w.plan(1, "-parallelism=1")
	if !strings.Contains(refused.flat(), "Releases of this plan so far") {
		// The walk may have come to the new topic first; the law leaves that open.
		refused.says(t, "so far")
	} else {
		refused.says(t, `- 4.6 GiB (5020581888 bytes) "old"`, "With them applied first it fits", "terraform apply -target=ADDRESS")
	}
	w.write(head)
	w.apply(0)
	w.write(head + topic("new", 3, gibibyte))
	w.apply(0)
	w.plan(0)
}

// Only growth is refused: on a cluster over its limit one must still be able to
// shrink, to change what does not count, and to delete.
func TestTopicGate_RefusesOnlyGrowth(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	roomy := eventStreams(fake, 1099511627776, "")
	w := newWorkspace(t, roomy+topic("a", 3, gibibyte)+topic("b", 3, gibibyte))
	w.apply(0)
	tight := eventStreams(fake, 1073741824, "")
	for _, step := range []struct {
		law, configuration string
		code               int
	}{
		{"nothing changes", topic("a", 3, gibibyte) + topic("b", 3, gibibyte), 0},
		{"a setting that does not count", topic("a", 3, `config = { "retention.bytes" = 1073741824, "retention.ms" = 1000 }`) + topic("b", 3, gibibyte), 2},
		{"a shrink", topic("a", 3, `config = { "retention.bytes" = 1048576 }`) + topic("b", 3, gibibyte), 2},
		{"a delete", topic("a", 3, gibibyte), 2},
		{"one partition more", topic("a", 4, gibibyte) + topic("b", 3, gibibyte), 1},
		{"one byte more", topic("a", 3, `config = { "retention.bytes" = 1073741825 }`) + topic("b", 3, gibibyte), 1},
	} {
		w.write(tight + step.configuration)
		if got := w.run("plan", "-no-color", "-input=false", "-detailed-exitcode"); got.code != step.code {
			t.Errorf("%s: exit %d, want %d\n%s", step.law, got.code, step.code, got.text)
		}
	}
	w.write(tight + topic("a", 3, gibibyte) + topic("b", 3, gibibyte))
	w.destroy(0)
}

// A topic that nothing bounds cannot be held against a limit: creating one, or
// taking a bound away, is refused with the retention.bytes that would fit; one
// that is unbounded already is left alone, and may get a bound.
func TestTopicGate_RefusesToCreateWhatNothingBounds(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := eventStreams(fake, 10737418240, "")
	const free = `config = { "retention.bytes" = -1 }`
	w := newWorkspace(t, head+topic("a", 3, free))
	refused := w.plan(1)
	refused.says(t, "Error: Topic would have no bound", "retention.bytes -1 (no bound)", "Nothing was changed.")
	offered := regexp.MustCompile(`"retention.bytes" = "(\d+)"`).FindStringSubmatch(refused.flat())
	if offered == nil {
		t.Fatalf("no bound is offered:\n%s", refused.text)
	}
	w.write(head + topic("a", 3, fmt.Sprintf(`config = { "retention.bytes" = %s }`, offered[1])))
	w.plan(2)

	w.write(eventStreams(fake, 10737418240, ", enforcement = \"off\"") + topic("a", 3, free))
	w.apply(0)
	w.write(head + topic("a", 3, free))
	w.plan(0).silent(t, "Warning")
	w.write(head + topic("a", 3, `config = { "retention.bytes" = -1, "retention.ms" = 1000 }`))
	w.plan(2)
	w.write(head + topic("a", 4, free))
	w.plan(1).says(t, "Topic would have no bound")
	w.write(head + topic("a", 3, gibibyte))
	w.plan(2).says(t, "Warning: Topic gets a bound and counts from the next plan on")
}

// The emergency switch opens the gate and every run says so; the configuration's
// own enforcement says nothing about itself.
func TestTopicGate_EnvironmentBeatsConfigurationAndSaysSo(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	growing := topic("a", 3, gibibyte) + topic("b", 3, gibibyte)
	for _, c := range []struct {
		hcl, env string
		code     int
		says     []string
		silent   []string
	}{
		{"error", "", 1, []string{"Error: Storage limit"}, []string{"weakened"}},
		{"error", "warn", 2, []string{"Warning: Storage limit would be exceeded", "Warning: Storage gate is weakened"}, nil},
		{"error", "off", 2, []string{"Warning: Storage gate is weakened"}, []string{"Storage limit"}},
		{"warn", "", 2, []string{"Warning: Storage limit would be exceeded"}, []string{"weakened"}},
		{"warn", "error", 1, []string{"Error: Storage limit"}, []string{"weakened"}},
		{"off", "", 2, nil, []string{"Storage limit", "weakened"}},
		{"off", "off", 2, nil, []string{"weakened"}},
	} {
		w := newWorkspace(t, eventStreams(fake, 1073741824, fmt.Sprintf(", enforcement = %q", c.hcl))+growing)
		w.env["KAFKASTORAGE_ENFORCEMENT"] = c.env
		got := w.plan(c.code)
		got.says(t, c.says...)
		got.silent(t, c.silent...)
		if n := got.count("Warning: Storage limit"); n > 1 {
			t.Errorf("%s/%s: the same warning %d times", c.hcl, c.env, n)
		}
	}
	w := newWorkspace(t, eventStreams(fake, 1073741824, ""))
	w.env["KAFKASTORAGE_ENFORCEMENT"] = "none"
	w.write(eventStreams(fake, 1073741824, "") + topic("a", 1, gibibyte))
	w.plan(1).says(t, "Environment variable cannot be used", "KAFKASTORAGE_ENFORCEMENT", "error, warn, off")
}

// Without a capacity nothing is enforced and everything is still computed.
func TestTopicGate_WithoutACapacityOnlyComputes(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), `platform = "event_streams"`)+topic("a", 3, gibibyte)+topic("b", 3, `config = { "retention.bytes" = -1 }`))
	got := w.plan(2)
	got.says(t, "+ reserved_bytes = 5020581888", "(4.6 GiB)", "unbounded: retention.bytes = -1")
	got.silent(t, "Warning", "Error")
	w.env["KAFKASTORAGE_CAPACITY_BYTES"] = "5578424319"
	w.plan(1).says(t, "Topic would have no bound")
}

// A total that leaves topics out is too low, and whoever relies on it has to know:
// one warning, with the right to grant, and the data source lists them.
func TestTopicGate_SaysThatItCannotSeeEverything(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	for i := range 5 {
		fake.CreateTopic(t, fmt.Sprintf("foreign-%d", i), 1, nil)
	}
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Code: "TOPIC_AUTHORIZATION_FAILED"})
	w := newWorkspace(t, eventStreams(fake, 1<<40, "")+topic("a", 1, gibibyte)+topic("b", 1, gibibyte)+
		dataBlock("")+"output \"unreadable\" {\n  value = data.kafkastorage_reserved_storage.all.unreadable_topics\n}\n")
	got := w.plan(2)
	got.says(t, "Warning: Topics may not be read and are in no total", "5 topics of the cluster may not be read (foreign-0, foreign-1, foreign-2 and 2 more)", "--operation DescribeConfigs", `+ "foreign-4"`)
	if n := got.count("Warning:"); n != 1 {
		t.Errorf("%d warnings, want one:\n%s", n, got.text)
	}
}

// A replacement is no growth, so it is never refused; but on a cluster over its
// limit a service may refuse the create that follows the delete, with the records
// gone. Whoever replaces has to know.
func TestTopicGate_WarnsThatAReplacementMayNotComeBack(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, eventStreams(fake, 5578424320, "")+topic("t", 3, gibibyte))
	w.apply(0)
	w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
	w.plan(2).silent(t, "Warning")
	w.must(0, "untaint", "-no-color", "kafkastorage_topic.t")
	w.write(eventStreams(fake, 5578424319, "") + topic("t", 3, gibibyte))
	w.plan(0).silent(t, "Warning")
	// Terraform drops the warnings of a replacement's second plan call, so -replace
	// stays silent; a taint makes one call, and is heard.
	w.plan(2, "-replace=kafkastorage_topic.t").silent(t, "Warning")
	w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
	w.plan(2).says(t, "Warning: Topic may not come back after a replacement", "5020581888 bytes", "Make room first")
}
