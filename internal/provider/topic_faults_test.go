// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Right after a create other brokers may not know the topic: the apply waits, and
// the state holds the topic with all values.
func TestTopicCreate_WaitsForATopicThatShowsLate(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.Fail(t, kafkatest.Fault{Request: "Metadata", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 3})
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION", Times: 2})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 3, `config = { "retention.bytes" = 1 }`))
	w.apply(0)
	w.plan(0)
	values, tainted := w.stateOf("kafkastorage_topic.t")
	if tainted || values["topic_id"] == "" || values["reserved_bytes"] == nil {
		t.Errorf("tainted %v, state %v", tainted, values)
	}
}

// A topic that is created and never shows must come back with the error: state
// reaches Terraform in that answer only, and a topic that it forgets is met as a
// stranger by the next run.
func TestTopicStateComesWithError(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	removeFault := fake.Fail(t, kafkatest.Fault{Request: "Metadata", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION"})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 3, `timeouts = { create = "1s" }`))
	w.apply(1).says(t, "Error: Topic was created and cannot be read yet", "kept in the state", `This run has already created "t"`)
	values, tainted := w.stateOf("kafkastorage_topic.t")
	if !tainted || values["name"] != "t" || values["topic_id"] == "" {
		t.Errorf("tainted %v, state %v", tainted, values)
	}
	removeFault()
	w.apply(0)
	w.plan(0)
}

// A read that is denied is an error and never means "gone" or "no settings".
func TestTopicRead_DeniedIsAnErrorAndTheStateStays(t *testing.T) {
	t.Parallel()
	for request, fault := range map[string]kafkatest.Fault{
		"DescribeConfigs": {Request: "DescribeConfigs", Topic: "t", Code: "TOPIC_AUTHORIZATION_FAILED"},
		"Metadata":        {Request: "Metadata", Topic: "t", Code: "TOPIC_AUTHORIZATION_FAILED"},
	} {
		t.Run(request, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			w := newWorkspace(t, plainKafka(fake)+topic("t", 1, `config = { "retention.ms" = 5, "segment.ms" = 6 }`))
			w.apply(0)
			if request == "Metadata" { // whoever may not describe a topic does not find it in the list of all
				if err := fake.Cluster.DeleteTopic("t"); err != nil {
					t.Fatal(err)
				}
			}
			removeFault := fake.Fail(t, fault)
			w.plan(1).says(t, "Error: Topic may not be read", `"t"`, request, "TOPIC_AUTHORIZATION_FAILED", "kafka-acls.sh")
			removeFault()
			if values, _ := w.stateOf("kafkastorage_topic.t"); values["name"] != "t" {
				t.Errorf("state: %v", values)
			}
			if request == "DescribeConfigs" {
				w.plan(0)
			}
		})
	}
}

// A refusal of the broker's own policy is quoted, with our numbers beside it and
// with what the run has done before.
func TestTopicCreate_QuotesThePolicyBesideOurNumbers(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "POLICY_VIOLATION", Writes: true})
	configuration := topic("t", 3, gibibyte+"\n  depends_on = [kafkastorage_topic.first]") + topic("first", 1, "")
	w := newWorkspace(t, eventStreams(fake, 10737418240, "")+configuration)
	w.apply(1).says(t, "Error: The cluster's policy refuses this topic", "answered POLICY_VIOLATION to CreateTopics",
		"storage is not the reason", "6694109184 bytes", "62.3 %", "limit 90 %", `This run has already created "first"`)
	if fake.Has("t") {
		t.Error("created all the same")
	}
	if values, _ := w.stateOf("kafkastorage_topic.t"); values != nil {
		t.Errorf("a topic that was refused is in the state: %v", values)
	}
}

// A failed change leaves what was done in the state and the rest to the next run.
func TestTopicUpdate_HalfDoneIsSeenByTheNextPlan(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 1, `config = { "retention.ms" = 1000 }`))
	w.apply(0)
	removeFault := fake.Fail(t, kafkatest.Fault{Request: "CreatePartitions", Topic: "t", Code: "CLUSTER_AUTHORIZATION_FAILED", Writes: true})
	w.write(plainKafka(fake) + topic("t", 3, `config = { "retention.ms" = 2000 }`))
	w.apply(1).says(t, "Error: Not authorized to change the topic", `This run has already changed "t"`)
	values, tainted := w.stateOf("kafkastorage_topic.t")
	if tainted || pickJSON(values, "partitions")["partitions"] != "1" {
		t.Errorf("state: %v", values)
	}
	removeFault()
	w.plan(2).says(t, "~ partitions = 1 -> 3")
	w.apply(0)
	w.plan(0)
}

// One answer that never comes must fail its own topic and not the other thirty-nine.
func TestTopicRead_OneStuckAnswerFailsOneTopic(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	topics := ""
	for i := range 40 {
		topics += topic(fmt.Sprintf("t%02d", i), 1, "")
	}
	head := providerBlock(fake.Bootstrap(), "request_timeout = \"2s\"\n  storage_quota = { accounting = \"reserved\" }")
	w := newWorkspace(t, head+topics)
	w.apply(0)
	fake.Silence("t17")
	start := time.Now()
	got := w.plan(1)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
	if n := got.count("Error:"); n != 1 {
		t.Errorf("%d errors, want one:\n%s", n, got.text)
	}
	got.says(t, "Error: Topic cannot be read", `"t17": no answer`, "no answer to DescribeConfigs from the broker at", "127.0.0.1:", "The state stays as it was")
}
