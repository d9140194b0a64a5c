// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// What was created elsewhere is taken over as it is: by the command and by an
// import block, with its own settings and no inherited one, and a generated
// configuration plans nothing either.
func TestRealTopic_ImportThenPlanIsClean(t *testing.T) {
	c := freshReal(t, realEventStreams)
	c.create(kafkatest.RealTopic{
		Name: "taken.over", Partitions: 6, ReplicationFactor: 3,
		Settings: map[string]string{"cleanup.policy": "compact,delete", "retention.ms": "-1"},
	})
	head := c.eventStreams(1 << 50)
	block := oneTopic(`
  name               = "taken.over"
  partitions         = 6
  replication_factor = 3
  config             = { "cleanup.policy" = "compact,delete", "retention.ms" = "-1" }`)
	holds := func(w *workspace) {
		t.Helper()
		values := stateTopics(t, w)["t"]
		if diff := cmp.Diff(fields{"cleanup.policy": "compact,delete", "retention.ms": "-1"}, values["config"]); diff != "" {
			t.Errorf("settings in the state (-want +got):\n%s", diff)
		}
		exactly(t, "reserved_bytes", values["reserved_bytes"], fmt.Sprint(6*servicePartition))
	}

	w := newWorkspace(t, head+block)
	w.must(0, "import", "-no-color", "-input=false", topicT, "taken.over")
	holds(w)
	w.plan(0).silent(t, "Warning")

	importBlock := "import {\n  to = " + topicT + "\n  id = \"taken.over\"\n}\n"
	w = newWorkspace(t, head+block+importBlock)
	w.plan(2).says(t, "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.")
	w.apply(0)
	holds(w)
	w.plan(0).silent(t, "Warning")

	w = newWorkspace(t, head+importBlock)
	w.must(0, "plan", "-no-color", "-input=false", "-generate-config-out=generated.tf").
		says(t, "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.")
	if _, err := os.Stat(filepath.Join(w.folder, "generated.tf")); err != nil {
		t.Fatal(err)
	}
	w.apply(0)
	holds(w)
	w.plan(0)
}

// An import says what is wrong: a name that does not exist is named, and a cluster
// that does not answer is a failed connection, not a missing topic.
func TestRealTopic_ImportOfNothing(t *testing.T) {
	c := freshReal(t, realKafka)
	block := oneTopic(`name = "absent"`)
	w := newWorkspace(t, c.kafka()+block)
	w.must(1, "import", "-no-color", "-input=false", topicT, "absent").says(t, "Error: Topic to import was not found", `"absent"`)
	if c.has("absent") {
		t.Error("the import has made the broker create the topic")
	}

	closed := closedPort(t)
	w = newWorkspace(t, providerBlock(closed, `request_timeout = "3s"`)+block)
	refused := w.must(1, "import", "-no-color", "-input=false", topicT, "absent")
	refused.says(t, "Error: Kafka server refuses connections", closed)
	refused.silent(t, "not found", "non-existent")
}
