// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// later is a value that is known only after apply.
func later(name, value string) string {
	return fmt.Sprintf("resource \"terraform_data\" %q {\n  input = %s\n}\n", name, value)
}

// Unknown inputs give an unknown reservation, no false verdict, and a check in
// apply before anything is sent for that topic.
func TestTopicUnknownInputsAreJudgedInApply(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"partitions":    "partitions = terraform_data.later.output\n  " + gibibyte,
		"one value":     "partitions = 3\n  config = { \"retention.bytes\" = 1073741824 * terraform_data.later.output / 3 }",
		"the whole map": "partitions = 3\n  config = terraform_data.later.output == 3 ? { \"retention.bytes\" = 1073741824 } : {}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
			unknown := later("later", "3") + "resource \"kafkastorage_topic\" \"t\" {\n  name = \"t\"\n  " + body + "\n}\n"
			w := newWorkspace(t, eventStreams(fake, 5578424320, "")+unknown)
			w.plan(2).says(t, "+ reserved_bytes = (known after apply)", "Warning: Storage limit was not judged for every topic")
			w.apply(0)
			w.plan(0).silent(t, "Warning")
			if values, _ := w.stateOf("kafkastorage_topic.t"); fmt.Sprint(values["reserved_bytes"]) != "5020581888" {
				t.Errorf("state: %v", values)
			}

			fake = kafkatest.StartFake(t, kafkatest.EventStreamsFake())
			w = newWorkspace(t, eventStreams(fake, 5578424319, "")+unknown)
			w.plan(2)
			refused := w.apply(1)
			refused.says(t, "Error: Storage limit would be exceeded", "(1 byte)")
			refused.silent(t, "inconsistent")
			if fake.Has("t") {
				t.Error("the topic was created before the check")
			}
		})
	}
}

// The name of a topic may be unknown too. Its size is known and shown, and judged
// in apply, where its error tells what the run has done already.
func TestTopicUnknownNameIsJudgedInApply(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	named := "resource \"kafkastorage_topic\" \"b\" {\n  name = \"b-${terraform_data.later.output}\"\n  partitions = 3\n  " + gibibyte + "\n  depends_on = [kafkastorage_topic.a]\n}\n"
	w := newWorkspace(t, eventStreams(fake, 10737418240, "")+later("later", "1")+topic("a", 3, gibibyte)+named)
	w.plan(2).says(t, "A topic whose name is not known yet", "+ reserved_bytes = 5020581888")
	w.apply(1).says(t, "Error: Storage limit would be exceeded", "10041163776 bytes", `This run has already created "a"`, "a second apply continues")
	if fake.Has("b-1") || !fake.Has("a") {
		t.Error("want a, and not b-1")
	}
	w.write(eventStreams(fake, 10737418240, "") + later("later", "1") + topic("a", 3, gibibyte))
	w.plan(0)
}

// Where the cluster is may be known only after apply. A read that then said "gone"
// would plan the topic anew.
func TestTopicReadWithUnknownServers(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	block := func(servers string) string {
		return "provider \"kafkastorage\" {\n  bootstrap_servers = split(\",\", " + servers + ")\n  tls = { enabled = false }\n  platform = \"event_streams\"\n  storage_quota = { capacity_bytes = 10737418240 }\n}\n"
	}
	address := later("cluster", fmt.Sprintf("%q", fake.Bootstrap()))
	w := newWorkspace(t, address+block("terraform_data.cluster.output")+topic("t", 3, gibibyte))
	w.plan(2).says(t, "+ reserved_bytes = (known after apply)", "not judged")
	w.apply(0)
	w.plan(0)

	replaced := later("cluster", fmt.Sprintf("%q # again", fake.Bootstrap())) + "resource \"terraform_data\" \"more\" {\n  input = 1\n}\n"
	w.write(replaced + block("terraform_data.more.output == 1 ? terraform_data.cluster.output : \"\"") + topic("t", 4, gibibyte))
	got := w.plan(2)
	got.says(t, "~ partitions = 3 -> 4", "0 to destroy")
	w.apply(0)
	w.plan(0)
	if values, _ := w.stateOf("kafkastorage_topic.t"); fmt.Sprint(values["reserved_bytes"]) != "6694109184" {
		t.Errorf("state: %v", values)
	}
}

// Topics that are written one after the other count once each: after the first
// creates of an apply the rest must still fit exactly.
func TestTopicCountsOnceInApply(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	configuration := ""
	for i := range 6 {
		configuration += topic(fmt.Sprintf("t%d", i), 1, gibibyte)
	}
	// 6 × 1673527296 bytes are 90 % of 11156848640.
	w := newWorkspace(t, eventStreams(fake, 11156848640, "")+configuration)
	w.apply(0, "-parallelism=2")
	w.plan(0)
	w.write(eventStreams(fake, 11156848639, "") + configuration) // over its limit now, and nothing grows
	w.plan(0)
	w.destroy(0)
}

// terraform plan -destroy walks an ordinary plan first, in which a topic that does
// not exist yet is growth. The two documented ways out have to work.
func TestTopicDestroyOverLimit(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, eventStreams(fake, 5578424320, "")+topic("a", 3, gibibyte))
	w.apply(0)
	w.write(eventStreams(fake, 5578424320, "") + topic("a", 3, gibibyte) + topic("b", 3, gibibyte))
	w.plan(1, "-destroy").says(t, "Storage limit would be exceeded")
	w.plan(2, "-destroy", "-refresh=false")
	w.env["KAFKASTORAGE_ENFORCEMENT"] = "off"
	w.destroy(0)
	if fake.Has("a") {
		t.Error("a is still there")
	}
}
