// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

const protected = "deletion_protection = true"

// A topic's records cannot be had back, so protection must hold on every way to a
// delete: destroying, dropping the block, another name, a taint, -replace.
func TestTopicProtection_HoldsOnEveryWayToADelete(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	head := plainKafka(fake)
	w := newWorkspace(t, head+topic("t", 2, protected))
	w.apply(0)
	const refusal = "Error: Topic is protected from deletion"
	for way, try := range map[string]func() outcome{
		"destroy":       func() outcome { return w.run("destroy", "-no-color", "-input=false", "-auto-approve") },
		"block dropped": func() outcome { w.write(head); return w.run("plan", "-no-color", "-input=false") },
		"another name": func() outcome {
			w.write(head + renamed("t", "u", 2, protected))
			return w.run("plan", "-no-color", "-input=false")
		},
		"both at once": func() outcome {
			w.write(head + renamed("t", "u", 2, "deletion_protection = false"))
			return w.run("plan", "-no-color", "-input=false")
		},
		"-replace": func() outcome {
			w.write(head + topic("t", 2, protected))
			return w.run("apply", "-no-color", "-input=false", "-auto-approve", "-replace=kafkastorage_topic.t")
		},
		"destroy without refresh": func() outcome {
			return w.run("destroy", "-no-color", "-input=false", "-auto-approve", "-refresh=false")
		},
	} {
		got := try()
		if got.code != 1 || !strings.Contains(got.text, refusal) {
			t.Errorf("%s: exit %d\n%s", way, got.code, got.text)
		}
		w.write(head + topic("t", 2, protected))
	}
	w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
	w.apply(1).says(t, refusal, "deletion_protection = false")
	if !fake.Has("t") {
		t.Fatal("the topic is gone")
	}
	w.must(0, "untaint", "-no-color", "kafkastorage_topic.t")
	w.write(head + topic("t", 2, "deletion_protection = false"))
	w.plan(2).says(t, "1 to change, 0 to destroy")
	w.apply(0)
	w.destroy(0)
	if fake.Has("t") {
		t.Error("unprotected, and still there")
	}
}

// renamed is a topic under the address of another.
func renamed(address, name string, partitions int, body string) string {
	return strings.Replace(topic(name, partitions, body), "\"kafkastorage_topic\" \""+name+"\"", "\"kafkastorage_topic\" \""+address+"\"", 1)
}

// The provider's default serves topics that say nothing; what a topic says wins,
// both ways.
func TestTopicProtection_TheProvidersDefaultServesTheSilent(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	head := providerBlock(fake.Bootstrap(), "storage_quota = { accounting = \"reserved\" }\n  deletion_protection = true")
	w := newWorkspace(t, head+topic("silent", 1, "")+topic("open", 1, "deletion_protection = false"))
	w.apply(0)
	w.plan(0)
	w.write(head + topic("silent", 1, ""))
	w.apply(0)
	w.write(head)
	w.plan(1).says(t, "Topic is protected from deletion", `"silent"`)
	w.write(plainKafka(fake))
	w.env["KAFKASTORAGE_DELETION_PROTECTION"] = "true"
	w.plan(1)
	w.env["KAFKASTORAGE_DELETION_PROTECTION"] = ""
	w.apply(0)
	if fake.Has("silent") || fake.Has("open") {
		t.Error("a topic is still there")
	}
}

// Adoption changes what the configuration says and nothing else: other overrides
// stay until a plan shows them.
func TestTopicAdoption_ChangesWhatTheConfigurationSays(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 2, map[string]string{"retention.ms": "5", "segment.ms": "6", "min.cleanable.dirty.ratio": "0.5"})
	adopting := providerBlock(fake.Bootstrap(), "storage_quota = { accounting = \"reserved\" }\n  adopt_existing = true")
	configuration := topic("t", 4, `config = { "retention.ms" = 7, "min.cleanable.dirty.ratio" = "0.50", "retention.bytes" = 1073741824 }`)
	w := newWorkspace(t, adopting+configuration)
	w.plan(2).says(t, "Warning: Topic exists and will be taken over", "+ reserved_bytes = ")
	w.apply(0)
	want := map[string]string{"retention.ms": "7", "segment.ms": "6", "min.cleanable.dirty.ratio": "0.5", "retention.bytes": "1073741824"}
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	w.plan(2).says(t, `- "segment.ms" = "6"`, "0 to add, 1 to change, 0 to destroy")
	w.apply(0)
	w.plan(0)
	values, _ := w.stateOf("kafkastorage_topic.t")
	if got := pickJSON(values, "partitions")["partitions"]; got != "4" || values["topic_id"] == "" {
		t.Errorf("state: %v", values)
	}
}

// What the configuration leaves out is what the topic has.
func TestTopicAdoption_LeavesOutWhatTheConfigurationLeavesOut(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 7, nil)
	adopting := providerBlock(fake.Bootstrap(), "storage_quota = { accounting = \"reserved\" }\n  adopt_existing = true")
	w := newWorkspace(t, adopting+"resource \"kafkastorage_topic\" \"t\" {\n  name = \"t\"\n}\n")
	w.plan(2).says(t, "+ partitions = 7")
	fake.ForgetRequests()
	w.apply(0)
	for request := range fake.Requests() {
		if strings.Contains(request, "Alter") || request == "CreatePartitions" {
			t.Errorf("%s was sent to a topic that is as it should be", request)
		}
	}
	w.plan(0)
}

// Where the topic cannot become what is asked, nothing is touched and the reasons
// are told: a warning at plan (a replacement looks the same there), an error in apply.
func TestTopicAdoption_RefusesWithReasons(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 5, map[string]string{"retention.ms": "5"})
	adopting := providerBlock(fake.Bootstrap(), "storage_quota = { accounting = \"reserved\" }\n  adopt_existing = true")
	w := newWorkspace(t, adopting+topic("t", 3, `config = { "retention.ms" = 7 }`))
	w.plan(2).says(t, "Warning: Topic exists and cannot be taken over", "it has 5 partitions and the configuration 3")
	w.apply(1).says(t, "Error: Topic exists and cannot be taken over", "Nothing was changed.")
	if diff := cmp.Diff(map[string]string{"retention.ms": "5"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	if values, _ := w.stateOf("kafkastorage_topic.t"); values != nil {
		t.Errorf("state: %v", values)
	}
}

// An adopted topic counts by what it adds, not in full.
func TestTopicAdoption_CountsTheGrowthOnly(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "t", 2, nil) // 3347054592 of the 5020581888 bytes below
	head := eventStreams(fake, 5578424320, "") + ""
	adopting := strings.Replace(head, "platform =", "adopt_existing = true\n  platform =", 1)
	w := newWorkspace(t, adopting+topic("t", 3, ""))
	w.plan(2)
	w.write(adopting + topic("t", 4, ""))
	w.plan(1).says(t, "would add 3.1 GiB (3347054592 bytes): partitions 2 -> 4")
	w.write(adopting + topic("t", 3, ""))
	w.apply(0)
	w.plan(0)
}

// An adoption that stops half-way leaves no state: a tainted one would be replaced
// by the next apply, with the records of a topic that was there before Terraform.
func TestTopicAdoption_HalfWayLeavesNoStateToTaint(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 2, nil)
	remove := fake.Fail(t, kafkatest.Fault{Request: "CreatePartitions", Topic: "t", Code: "INVALID_PARTITIONS", Writes: true})
	adopting := providerBlock(fake.Bootstrap(), "storage_quota = { accounting = \"reserved\" }\n  adopt_existing = true")
	w := newWorkspace(t, adopting+topic("t", 4, `config = { "retention.ms" = 7 }`))
	w.apply(1).says(t, `This run has already changed "t"`)
	if values, _ := w.stateOf("kafkastorage_topic.t"); values != nil {
		t.Errorf("state: %v", values)
	}
	remove()
	w.plan(2).says(t, "1 to add, 0 to change, 0 to destroy")
	w.apply(0)
	w.plan(0)
}
