// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// mebibytes are sizes of these tests, as the settings have them.
func mebibytes(n int) int { return n << 20 }

// totalAndLocal is a topic with a total, and its tiered resource with a local limit.
func totalAndLocal(reference string, total, local int) string {
	return inMap(fmt.Sprintf(`"segment.bytes" = 1048576, "retention.bytes" = %d`, mebibytes(total))) +
		tiered(reference, fmt.Sprintf("local_retention_bytes = %d", mebibytes(local)))
}

// limits are what the topic itself then sets.
func limits(total, local int) map[string]string {
	return map[string]string{
		"segment.bytes": "1048576", "retention.bytes": fmt.Sprint(mebibytes(total)),
		"remote.storage.enable": "true", "local.retention.bytes": fmt.Sprint(mebibytes(local)),
	}
}

const (
	byReference = "kafkastorage_topic.orders.name"
	byName      = `"orders"`
)

// Two resources mean two requests, the topic's first, and Kafka judges each alone.
// Raising both limits works in that order and so in one plan; lowering both cannot,
// and the plan says what can.
func TestRealTiered_BothLimitsChangeInOnePlan(t *testing.T) {
	c := freshReal(t, realTiered)
	head := c.provider("")
	w := newWorkspace(t, "")
	w.settle(head + totalAndLocal(byReference, 20, 5))
	w.settle(head + totalAndLocal(byReference, 60, 40)) // 40 is above the total that was
	c.sets(limits(60, 40))

	lower := head + totalAndLocal(byReference, 20, 5)
	refused := func() {
		t.Helper()
		w.refuse(lower, "Error: Local retention is longer than the total", `"orders": `,
			"retention.bytes = 20971520 (20 MiB, this plan)", "local.retention.bytes = 41943040 (40 MiB, set on the topic)",
			"put both settings into the topic's config", "apply the lower local.retention.bytes first")
		c.sets(limits(60, 40))
	}
	refused()
	// One way: the local limit first.
	w.settle(head + totalAndLocal(byReference, 60, 5))
	w.settle(lower)
	c.sets(limits(20, 5))

	// The other: both in the config, where they travel in one request.
	w.settle(head + totalAndLocal(byReference, 60, 40))
	refused()
	w.settle(head + inMap(fmt.Sprintf(`"segment.bytes" = 1048576, "retention.bytes" = %d, %s, "local.retention.bytes" = %d`, mebibytes(20), enabledSetting, mebibytes(5))) + forget(tieredAddress))
	c.sets(limits(20, 5))
}

// Without a reference nothing orders the two resources. What the topic's own plan
// would cure is then no error at plan, if that comes later, but a warning with the
// reference to write; in apply the tiered settings go as a whole or not at all.
func TestRealTiered_WithoutAReferenceNothingIsHalfApplied(t *testing.T) {
	counts := map[string]int{}
	for range 6 {
		c := freshReal(t, realTiered)
		head := c.provider("")
		w := newWorkspace(t, "")
		w.settle(head + totalAndLocal(byReference, 20, 5))
		w.write(head + totalAndLocal(byName, 60, 40))
		planned := w.plan(2)
		if planned.count("Warning: Tiered settings depend on the topic's own plan") > 0 {
			counts["warned"]++
			planned.says(t, "topic = kafkastorage_topic.NAME.name", "local.retention.bytes = 41943040 (40 MiB, this plan)", "retention.bytes = 20971520 (20 MiB")
		}
		applied := w.run("apply", "-no-color", "-input=false", "-auto-approve")
		if applied.code != 0 {
			counts["stopped"]++
			applied.says(t, "Error: Local retention is longer than the total")
			applied.silent(t, "INVALID_CONFIG") // said before anything was sent
			// The topic's own change may have come meanwhile; the tiered one has not.
			if got := c.overrides("orders"); !maps.Equal(got, limits(60, 5)) && !maps.Equal(got, limits(20, 5)) {
				t.Errorf("half applied: %v", got)
			}
			w.apply(0) // the second goes on from there
		}
		c.sets(limits(60, 40))
		w.plan(0)
	}
	t.Logf("%v", counts)
}

// The same for a topic that does not exist yet.
func TestRealTiered_ATopicThatIsNotThereYet(t *testing.T) {
	c := freshReal(t, realTiered)
	head := c.provider("")
	w := newWorkspace(t, "")
	w.write(head + tiered(byName, "local_retention_bytes = 5242880"))
	w.plan(2).says(t, "Warning: Topic is not known to this plan yet", `"orders"`, "topic = kafkastorage_topic.NAME.name")
	w.apply(1).says(t, "Error: Topic of the tiered settings does not exist", `"orders"`, "Nothing was changed.")
	if c.has("orders") {
		t.Error("somebody has created the topic")
	}
	// A reference makes it one plan without a warning.
	w.write(head + totalAndLocal(byReference, 20, 5))
	w.plan(2).silent(t, "Topic is not known to this plan yet")
	w.settle(head + totalAndLocal(byReference, 20, 5))
	c.sets(limits(20, 5))

	// And what would never pass is refused before either is created.
	c = freshReal(t, realTiered)
	w = newWorkspace(t, "")
	w.refuse(c.provider("")+totalAndLocal(byReference, 20, 40), "Error: Local retention is longer than the total", "local.retention.bytes = 41943040 (40 MiB, this plan)", "retention.bytes = 20971520 (20 MiB, this plan, the topic's own)")
	if c.has("orders") {
		t.Error("a refused plan has created the topic")
	}
	// Without a reference whichever call comes second raises the error.
	w.refuse(c.provider("")+totalAndLocal(byName, 20, 40), "Error: Local retention is longer than the total")
}

// Somebody changes the topic between plan and apply: the rules are held against what
// is there then, and the error comes before the request.
func TestRealTiered_ASavedPlanIsJudgedAgain(t *testing.T) {
	c := freshReal(t, realTiered)
	c.foreign(map[string]string{"retention.bytes": "1073741824"})
	before := c.overrides("orders")
	w := newWorkspace(t, c.provider("")+tiered(byName, "local_retention_bytes = 1048576"))
	w.plan(2, "-out=saved")
	c.alter("orders", kafkatest.RealChange{Set: map[string]string{"retention.bytes": "524288"}})
	w.must(1, "apply", "-no-color", "-input=false", "saved").says(t, "Error: Local retention is longer than the total", "retention.bytes = 524288 (512 KiB, set on the topic)", "Nothing was changed.")
	before["retention.bytes"] = "524288"
	c.sets(before)
}
