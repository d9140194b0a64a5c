// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// serviceTopic is a topic that leaves everything but its partitions to the service.
func serviceTopic(name string, partitions int) string {
	return topic(name, partitions, "")
}

// The promise of the product, end to end: any two of three topics fit and all
// three do not, so the plan is refused with the numbers and nothing exists
// afterwards; with one of them smaller the sum is exactly the limit, the service
// accepts all of it, and both sides count the same bytes. 7 partitions are the
// limit; 3 + 3 + 3 are needed, then 3 + 3 + 1.
func TestRealGate_PlanKnowsWhatTheServiceWouldRefuse(t *testing.T) {
	c := freshReal(t, realEventStreams)
	capacity := capacityFor(7 * servicePartition)
	c.SetCapacity(t, capacity)
	head := c.eventStreams(capacity)
	w := newWorkspace(t, head+serviceTopic("a", 3)+serviceTopic("b", 3)+serviceTopic("c", 3))

	refused := w.plan(1)
	refused.says(t, `"a"`, `"b"`, `"c"`, "15061745664 bytes", "11714691072 bytes", "3347054592 bytes", "Nothing was changed.")
	if n := refused.count("Error: Storage limit would be exceeded"); n != 1 {
		t.Errorf("any two fit, so one call is one too many; there are %d errors:\n%s", n, refused.text)
	}
	w.apply(1)
	for _, name := range []string{"a", "b", "c"} {
		if c.has(name) {
			t.Errorf("the refused plan has created %q", name)
		}
	}

	w.write(head + serviceTopic("a", 3) + serviceTopic("b", 3) + serviceTopic("c", 1))
	w.plan(2).silent(t, "Warning", "Error")
	w.apply(0).silent(t, "Warning", "Error")
	w.plan(0).silent(t, "Warning", "Error")

	policy := c.PolicyReserved(t)
	total := new(big.Int)
	for name, values := range stateTopics(t, w) {
		exactly(t, name+": reserved_bytes", values["reserved_bytes"], policy.Topics[name].Bytes.String())
		reserved, _ := new(big.Int).SetString(fmt.Sprint(values["reserved_bytes"]), 10)
		total.Add(total, reserved)
	}
	if total.Cmp(policy.Total) != 0 || total.Int64() != 7*servicePartition {
		t.Errorf("state reserves %d, the policy counts %d, the limit is %d", total, policy.Total, int64(7*servicePartition))
	}

	// One byte less of a limit, and the last topic is refused by both.
	w.destroy(0)
	capacity = capacityFor(7*servicePartition - 1)
	c.SetCapacity(t, capacity)
	w.write(c.eventStreams(capacity) + serviceTopic("a", 3) + serviceTopic("b", 3) + serviceTopic("c", 1))
	w.plan(1).says(t, "11714691072 bytes", "11714691071 bytes", "(1 byte")
	w.env["KAFKASTORAGE_ENFORCEMENT"] = "off"
	w.apply(1).says(t, "POLICY_VIOLATION", "the total would be 11714691072 bytes, limit 11714691071 bytes")
}

// Partitions are added past every policy of Kafka, so there the plan is the only
// gate: it must refuse what the policy's own rule would.
func TestRealGate_HoldsAloneWherePartitionsAreAdded(t *testing.T) {
	c := freshReal(t, realEventStreams)
	c.SetCapacity(t, capacityFor(4*servicePartition))
	head := c.eventStreams(capacityFor(4 * servicePartition))
	w := newWorkspace(t, head+serviceTopic("a", 2))
	w.apply(0)
	if words := c.JudgePartitions(t, "a", 5); words == "" {
		t.Error("the policy's rule lets 5 partitions pass")
	}
	w.write(head + serviceTopic("a", 5))
	w.plan(1).says(t, "partitions 2 -> 5", "partitions = 4")
	if partitions, _ := c.describe("a"); partitions != 2 {
		t.Errorf("the topic has %d partitions after a refused plan", partitions)
	}
	w.write(head + serviceTopic("a", 4))
	w.apply(0)
	w.plan(0)
}

// A provider that knows no capacity lets everything pass; the refusal then comes
// from the service, half-way through an apply, and must say whose it is, in whose
// words, what our numbers are, and what this run has done already.
func TestRealGate_ServiceRefusesWhatNobodyChecked(t *testing.T) {
	c := freshReal(t, realEventStreams)
	c.SetCapacity(t, capacityFor(4*servicePartition))
	head := c.provider(`platform = "event_streams"`)
	dependent := topic("b", 3, "depends_on = [kafkastorage_topic.a]")
	w := newWorkspace(t, head+serviceTopic("a", 3)+dependent)
	w.plan(2).silent(t, "Warning", "Error")

	refused := w.apply(1)
	refused.says(t, "Error: The cluster's policy refuses this topic", `"b"`, "POLICY_VIOLATION to CreateTopics",
		"with topic 'b' at 5020581888 bytes the total would be 10041163776 bytes, limit 6694109184 bytes",
		"10041163776 bytes", "capacity_bytes is not set", `This run has already created "a"`, "a second apply continues")
	if !c.has("a") || c.has("b") {
		t.Error("the cluster holds something else than topic a")
	}
	w.plan(2).says(t, "Plan: 1 to add, 0 to change, 0 to destroy.")

	// A gate that is switched off knows the limit, and names storage as the likely reason.
	off := c.provider(fmt.Sprintf("platform = \"event_streams\"\n  storage_quota = { capacity_bytes = %d, enforcement = \"off\" }", capacityFor(4*servicePartition)))
	w.write(off + serviceTopic("a", 3) + dependent)
	w.plan(2).silent(t, "Warning", "Error")
	w.apply(1).says(t, "Error: The cluster's policy refuses this topic", "Storage is the likely reason", "10041163776 bytes", "(limit 90 %)", "Nothing was changed.")

	// A change of settings is judged by the service as well.
	w.write(head + topic("a", 3, `config = { "retention.bytes" = 107374182400 }`))
	w.apply(1).says(t, "POLICY_VIOLATION to IncrementalAlterConfigs", "Nothing was changed.")
	if overrides := c.overrides("a"); len(overrides) != 0 {
		t.Errorf("the refused change has left %v", overrides)
	}
}

// Between plan and apply of a saved plan the cluster may fill up. Apply judges
// once more, before it sends anything for a topic.
func TestRealGate_SavedPlanIsJudgedAgain(t *testing.T) {
	c := freshReal(t, realEventStreams)
	capacity := capacityFor(7 * servicePartition)
	c.SetCapacity(t, capacity)
	w := newWorkspace(t, c.eventStreams(capacity)+serviceTopic("a", 2)+topic("b", 2, "depends_on = [kafkastorage_topic.a]"))
	w.plan(2, "-out=saved")
	c.create(kafkatest.RealTopic{Name: "foreign", Partitions: 4})

	refused := w.must(1, "apply", "-no-color", "-input=false", "saved")
	refused.says(t, "Error: Storage limit would be exceeded", `"b"`, `This run has already created "a"`)
	refused.silent(t, "POLICY_VIOLATION")
	if !c.has("a") || c.has("b") {
		t.Error("the cluster holds something else than a and foreign")
	}
}

// What appears after the process has read the cluster is known to nobody but the
// service: its refusal comes with its words and our numbers, which then say that
// the cluster must have changed.
func TestRealGate_ServiceRefusesWhatCameMeanwhile(t *testing.T) {
	c := freshReal(t, realEventStreams)
	capacity := capacityFor(7 * servicePartition)
	c.SetCapacity(t, capacity)
	plans := make([]change, 2)
	planning := c.process(c.eventStreamsSettings(capacity))
	for i, name := range []string{"a", "b"} {
		var err error
		if plans[i], err = planning.plan(t.Context(), topicKind, nil, fields{"name": name, "partitions": 2}); err != nil || plans[i].refused() {
			t.Fatal(err, plans[i].said)
		}
	}
	applying := c.process(c.eventStreamsSettings(capacity))
	if state, said, err := applying.apply(t.Context(), plans[0]); err != nil || state == nil {
		t.Fatal(err, said)
	}
	c.create(kafkatest.RealTopic{Name: "foreign", Partitions: 4})
	state, said, err := applying.apply(t.Context(), plans[1])
	if err != nil || state != nil {
		t.Fatalf("state %v, error %v: %s", state, err, said)
	}
	for _, want := range []string{
		"The cluster's policy refuses this topic", "POLICY_VIOLATION", "the total would be 13388218368 bytes, limit 11714691072 bytes",
		"6694109184 bytes", "unless the cluster has changed since this run first read it", `This run has already created "a"`,
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("the refusal lacks %q:\n%s", want, said)
		}
	}
}
