// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// realOverrides returns what a topic of a real cluster sets itself; nil where there
// is no such topic.
func realOverrides(t *testing.T, real *kafkatest.Real, topic string) map[string]string {
	t.Helper()
	real.Settle(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	overrides, err := real.Client(t).Overrides(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	return overrides
}

// A create policy and an alter policy of a kind that nobody models here refuse at
// plan, on a real broker, in the policy's own words; what they accept is applied.
func TestRealTopicProbe_PoliciesOfAnyKindRefuseAtPlan(t *testing.T) {
	real := kafkatest.SharedReal(t, kafkatest.RealOptions{Policy: "min_insync"})
	real.Reset(t)
	head := providerBlock(real.Bootstrap(), "storage_quota = { capacity_bytes = 1099511627776 }")
	const bounded = `"retention.bytes" = 1048576`
	with := func(more string) string { return head + topic("audit", 1, "config = { "+bounded+more+" }") }
	const title, words = "Error: The cluster's policy refuses this topic", "min.insync.replicas must be 2"
	common := []string{title, words, `"audit": `, "127.0.0.1:", "answered POLICY_VIOLATION", "asked with validate-only", "storage is not the reason", "Nothing was changed."}

	w := newWorkspace(t, with(""))
	w.plan(1).says(t, append(common, "to CreateTopics")...)
	w.write(with(`, "min.insync.replicas" = 1`))
	w.plan(1).says(t, append(common, "to CreateTopics", `"min.insync.replicas" = 1`)...)
	if overrides := realOverrides(t, real, "audit"); overrides != nil {
		t.Errorf("a plan has created the topic: %v", overrides)
	}
	w.write(with(`, "min.insync.replicas" = 2`))
	w.apply(0)
	w.plan(0).silent(t, "Warning")

	want := map[string]string{"retention.bytes": "1048576", "min.insync.replicas": "2"}
	w.write(with(`, "min.insync.replicas" = 1`))
	w.plan(1).says(t, append(common, "to IncrementalAlterConfigs", `"min.insync.replicas" = 1`)...)
	w.write(with(""))
	w.plan(1).says(t, append(common, "to IncrementalAlterConfigs")...)
	if diff := cmp.Diff(want, realOverrides(t, real, "audit")); diff != "" {
		t.Errorf("a plan has changed the topic:\n%s", diff)
	}
	w.write(with(`, "min.insync.replicas" = 2, "segment.ms" = 3600000`))
	w.apply(0)
	w.plan(0)
	w.write(head + topic("audit", 3, "config = { "+bounded+`, "min.insync.replicas" = 2, "segment.ms" = 3600000 }`))
	w.apply(0)
	w.plan(0)
	w.destroy(0)
	if overrides := realOverrides(t, real, "audit"); overrides != nil {
		t.Errorf("destroyed and still there: %v", overrides)
	}
}

// What Kafka itself refuses, and no rule of ours knows, is heard at plan too, at the
// setting that is wrong.
func TestRealTopicProbe_KafkasOwnRulesRefuseAtPlan(t *testing.T) {
	real := kafkatest.SharedReal(t, kafkatest.RealOptions{Policy: "event_streams"})
	real.Reset(t)
	head := providerBlock(real.Bootstrap(), "")
	for _, c := range []struct {
		body string
		says []string
	}{
		{`config = { "min.compaction.lag.ms" = 2000, "max.compaction.lag.ms" = 1000 }`, []string{"Error: The cluster refuses this topic", "INVALID_CONFIG", "max.compaction.lag.ms"}},
		{`config = { "flush.messages" = 0 }`, []string{"Error: The cluster refuses this topic", "INVALID_CONFIG", "Value must be at least 1"}},
	} {
		newWorkspace(t, head+topic("t", 1, c.body)).plan(1).says(t, append(c.says, "Nothing was changed.")...)
	}
}

// On a cluster that enforces the storage rule itself the question at plan hears its
// refusal, also where the provider is told no capacity; under an opened gate that is
// a warning, and what fits after all is applied.
func TestRealTopicProbe_BesideAPolicyThatEnforcesStorage(t *testing.T) {
	real := kafkatest.SharedReal(t, kafkatest.RealOptions{Policy: "event_streams"})
	real.Reset(t)
	// 1 GiB of retention with segments of 512 MiB and indexes of 10 MiB: 1,673,527,296
	// bytes a partition, and 90 % of this capacity is less than two of those.
	const capacity = 2 << 30
	real.SetCapacity(t, capacity)
	body := `config = { "retention.bytes" = 1073741824, "segment.bytes" = 536870912, "segment.index.bytes" = 10485760 }`
	with := func(more string, partitions int) string {
		return providerBlock(real.Bootstrap(), "platform = \"event_streams\"\n  "+more) + topic("t", partitions, body)
	}
	const told = "storage_quota = { capacity_bytes = 2147483648 }"
	w := newWorkspace(t, with("", 2))
	w.plan(1).says(t, "Error: The cluster's policy refuses this topic", "asked with validate-only", "storage_quota.capacity_bytes is not set")
	w.write(with(told, 2))
	w.plan(1).says(t, "Error: Storage limit would be exceeded")
	w.env["KAFKASTORAGE_ENFORCEMENT"] = "warn"
	w.plan(2).says(t, "Warning: Storage limit would be exceeded", "Warning: The cluster's policy refuses this topic", "Storage is the likely reason")
	w.apply(1).says(t, "Error: The cluster's policy refuses this topic", "Storage is the likely reason")
	if overrides := realOverrides(t, real, "t"); overrides != nil {
		t.Errorf("created: %v", overrides)
	}
	delete(w.env, "KAFKASTORAGE_ENFORCEMENT")
	w.write(with(told, 1))
	w.apply(0)
	w.plan(0).silent(t, "Warning")
	w.destroy(0)
}
