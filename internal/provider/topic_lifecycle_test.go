// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// state is the part of `terraform show -json` that these tests look at.
type state struct {
	Values struct {
		RootModule struct {
			Resources []struct {
				Address string
				Tainted bool
				Values  map[string]any
			}
		} `json:"root_module"`
	}
}

// stateOf returns a resource's values in the state.
func (w *workspace) stateOf(address string) (values map[string]any, tainted bool) {
	w.t.Helper()
	var s state
	w.show(&s)
	for _, resource := range s.Values.RootModule.Resources {
		if resource.Address == address {
			return resource.Values, resource.Tainted
		}
	}
	return nil, false
}

// plainKafka configures the provider for a fake cluster of Kafka's own defaults,
// without a quota.
func plainKafka(fake *kafkatest.Fake) string {
	return providerBlock(fake.Bootstrap(), "advice = false\n  storage_quota = { accounting = \"reserved\" }")
}

// A plan after an apply must be clean, with everything left to the cluster too.
func TestTopicCounts_LeftOutFollowTheClusterAndStay(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	const bare = "resource \"kafkastorage_topic\" \"t\" {\n  name = \"t\"\n}\n"
	w := newWorkspace(t, plainKafka(fake)+bare)
	w.plan(2).says(t, "+ partitions = 1", "+ replication_factor = 3", "+ reserved_bytes = 5020581888")
	w.apply(0)
	w.plan(0).silent(t, "Warning")
	values, _ := w.stateOf("kafkastorage_topic.t")
	if values["config"] != nil || values["topic_id"] == "" || values["id"] != "t" {
		t.Errorf("state: %v", values)
	}
	if overrides := fake.Overrides("t"); len(overrides) != 0 {
		t.Errorf("the topic sets %v itself", overrides)
	}
	w.write(plainKafka(fake) + topic("t", 4, ""))
	w.apply(0).says(t, "0 added, 1 changed, 0 destroyed")
	w.write(plainKafka(fake) + bare) // what the topic has, never a change
	w.plan(0)
	w.destroy(0)
	if fake.Has("t") {
		t.Error("destroyed and still there")
	}
}

// Values that mean the same are no change, however they are written, and the
// state keeps what the user wrote.
func TestTopicConfigEqualByMeaning(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	with := func(config string) string { return plainKafka(fake) + topic("t", 1, "config = {"+config+"}") }
	w := newWorkspace(t, with(`"min.cleanable.dirty.ratio" = "0.50", "retention.ms" = 604800000, "segment.bytes" = 4294967296 / 4, "cleanup.policy" = "delete, compact"`))
	w.apply(0)
	w.plan(0)
	for _, same := range []string{
		`"min.cleanable.dirty.ratio" = 0.5, "retention.ms" = "604800000", "segment.bytes" = "1073741824", "cleanup.policy" = "compact,delete"`,
		`"min.cleanable.dirty.ratio" = ".5", "retention.ms" = " 604800000 ", "segment.bytes" = "01073741824", "cleanup.policy" = "delete,compact"`,
		`"min.cleanable.dirty.ratio" = "0.50", "retention.ms" = 604800000, "segment.bytes" = 1073741824, "cleanup.policy" = "delete, compact", "flush.ms" = null`,
	} {
		w.write(with(same))
		w.plan(0)
	}
	want := map[string]string{"min.cleanable.dirty.ratio": "0.50", "retention.ms": "604800000", "segment.bytes": "1073741824", "cleanup.policy": "delete, compact"}
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Errorf("on the wire:\n%s", diff)
	}
	fake.ForgetRequests()
	w.write(with(`"min.cleanable.dirty.ratio" = "0.5", "retention.ms" = 604800001, "segment.bytes" = 1073741824, "cleanup.policy" = "compact,delete"`))
	w.apply(0)
	want["retention.ms"] = "604800001"
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Errorf("more than the real difference was sent:\n%s", diff)
	}
}

// Read merges key by key: a drifted value shows alone, the others keep their spelling.
func TestTopicReadKeepsSpelling(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	configuration := plainKafka(fake) + topic("t", 1, `config = { "min.cleanable.dirty.ratio" = "0.50", "retention.ms" = "1000", "flush.ms" = null }`)
	w := newWorkspace(t, configuration)
	w.apply(0)
	alter(t, fake, "t", map[string]string{"min.cleanable.dirty.ratio": "0.5"}) // the same value in another's spelling
	w.apply(0, "-refresh-only")
	if values, _ := w.stateOf("kafkastorage_topic.t"); pickJSON(values, "config")["config"] != `{"flush.ms":null,"min.cleanable.dirty.ratio":"0.50","retention.ms":"1000"}` {
		t.Errorf("refreshed state: %v", values["config"])
	}
	alter(t, fake, "t", map[string]string{"retention.ms": "2000", "max.message.bytes": "2097164"})
	drifted := w.plan(2)
	drifted.says(t, "1 to change, 0 to destroy", `~ "retention.ms" = "2000" -> "1000"`, `- "max.message.bytes" = "2097164"`)
	drifted.silent(t, "dirty.ratio")
	w.apply(0)
	w.plan(0)
	want := map[string]string{"min.cleanable.dirty.ratio": "0.5", "retention.ms": "1000"}
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	values, _ := w.stateOf("kafkastorage_topic.t")
	if diff := cmp.Diff(map[string]any{"min.cleanable.dirty.ratio": "0.50", "retention.ms": "1000", "flush.ms": nil}, values["config"]); diff != "" {
		t.Errorf("state:\n%s", diff)
	}
}

// What operators put on a topic during a reassignment, and what somebody else's
// tiering set, is neither drift nor removed.
func TestTopicReadLeavesForeignSettingsAlone(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 1, `config = { "retention.ms" = 1000 }`))
	w.apply(0)
	foreign := map[string]string{
		"leader.replication.throttled.replicas": "0:1", "follower.replication.throttled.replicas": "0:2",
		"remote.storage.enable": "true", "local.retention.ms": "500",
	}
	alter(t, fake, "t", foreign)
	w.plan(0)
	w.write(plainKafka(fake) + topic("t", 1, `config = { "retention.ms" = 2000 }`))
	w.apply(0)
	foreign["retention.ms"] = "2000"
	if diff := cmp.Diff(foreign, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
}

// An empty map after an import is a change of form only: it plans once, sends
// nothing, and is clean afterwards.
func TestTopicEmptyConfigAfterImport(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 2, nil)
	w := newWorkspace(t, plainKafka(fake)+topic("t", 2, "config = {}"))
	w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic.t", "t")
	fake.ForgetRequests()
	w.apply(0)
	for kind := range fake.Requests() {
		if strings.Contains(kind, "Alter") || strings.Contains(kind, "CreatePartitions") {
			t.Errorf("%s was sent for a change of form", kind)
		}
	}
	w.plan(0)
	w.write(plainKafka(fake) + topic("t", 2, ""))
	w.apply(0)
	w.plan(0)
}

// Import takes a topic over with its overrides only; a name that does not exist
// and a cluster that does not answer each get their own error.
func TestTopicImport_TakesOverridesAndNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "orders.v1", 6, map[string]string{"cleanup.policy": "compact,delete", "retention.ms": "-1"})
	resource := "resource \"kafkastorage_topic\" \"t\" {\n  name = \"orders.v1\"\n  partitions = 6\n  config = { \"cleanup.policy\" = \"compact, delete\", \"retention.ms\" = -1 }\n}\n"
	w := newWorkspace(t, plainKafka(fake)+resource)
	w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic.t", "orders.v1")
	w.plan(0)
	values, _ := w.stateOf("kafkastorage_topic.t")
	if diff := cmp.Diff(map[string]any{"cleanup.policy": "compact,delete", "retention.ms": "-1"}, values["config"]); diff != "" {
		t.Error(diff)
	}

	w = newWorkspace(t, plainKafka(fake)+resource)
	w.must(1, "import", "-no-color", "-input=false", "kafkastorage_topic.t", "orders").says(t, "Topic to import was not found", `no topic "orders"`)

	w = newWorkspace(t, plainKafka(fake)+"import {\n  to = kafkastorage_topic.t\n  id = \"orders.v1\"\n}\n")
	w.must(0, "plan", "-no-color", "-input=false", "-generate-config-out=generated.tf")
	w.apply(0).says(t, "1 imported, 0 added, 0 changed")
	w.plan(0)
}

// Kafka cannot take partitions away. The error says what remains, and what remains
// works; -replace meets the same error, because Terraform plans the existing
// topic first.
func TestTopicFewerPartitionsStopsReplace(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 3, ""))
	w.apply(0)
	w.write(plainKafka(fake) + topic("t", 2, ""))
	w.plan(1).says(t, "Error: Partitions cannot be taken away", `"t" has 3 partitions, and the plan asks for 2`, "terraform taint ADDRESS", "Nothing was changed.")
	w.plan(1, "-replace=kafkastorage_topic.t").says(t, "Partitions cannot be taken away")
}

// The way out that the error names has to work.
func TestTopicFewerPartitionsAfterTaint(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 3, ""))
	w.apply(0)
	before, _ := w.stateOf("kafkastorage_topic.t")
	w.write(plainKafka(fake) + topic("t", 2, ""))
	w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
	w.plan(2).says(t, "1 to add, 0 to change, 1 to destroy")
	w.apply(0)
	w.plan(0)
	after, _ := w.stateOf("kafkastorage_topic.t")
	if before["topic_id"] == after["topic_id"] || fmt.Sprint(after["partitions"]) != "2" {
		t.Errorf("before %v, after %v", before, after)
	}
}

// A taint, a -replace and a name that moves between addresses all plan a create
// while the topic is live: no error at plan, and the topic counts once.
func TestTopicCreateWhileLiveIsPlanned(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := eventStreams(fake, 5578424320, "") // exactly room for one such topic
	w := newWorkspace(t, head+topic("t", 3, gibibyte))
	w.apply(0)
	w.plan(2, "-replace=kafkastorage_topic.t").says(t, "1 to add, 0 to change, 1 to destroy")
	w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
	w.apply(0)
	w.plan(0)
	w.write(head + strings.Replace(topic("t", 3, gibibyte), "\"kafkastorage_topic\" \"t\"", "\"kafkastorage_topic\" \"moved\"", 1))
	w.plan(2).says(t, "1 to add, 0 to change, 1 to destroy")
}

// A second creation of what exists is stopped in apply with the way to import it,
// and nothing of the existing topic is changed.
func TestTopicCreate_OfWhatExistsNamesTheImport(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 2, map[string]string{"retention.ms": "5"})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 2, `config = { "retention.ms" = 6 }`))
	w.apply(1).says(t, "Error: Topic exists already", "terraform import ADDRESS 't'")
	if diff := cmp.Diff(map[string]string{"retention.ms": "5"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
}

// Two resources of one name would fall into one entry of the ledger and write to
// one topic.
func TestTopicTwoCreatesOfOneName(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	twin := strings.Replace(topic("t", 2, ""), "\"kafkastorage_topic\" \"t\"", "\"kafkastorage_topic\" \"twin\"", 1)
	w := newWorkspace(t, plainKafka(fake)+topic("t", 2, "")+twin)
	w.plan(1).says(t, "Error: Topic is planned twice", `"t"`)
}

// A topic deleted by hand is planned for creation; destroying one is no error.
func TestTopicDeletedByHand(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 2, ""))
	w.apply(0)
	if err := fake.Cluster.DeleteTopic("t"); err != nil {
		t.Fatal(err)
	}
	w.plan(2).says(t, "1 to add, 0 to change, 0 to destroy")
	w.destroy(0)
	w.write(plainKafka(fake) + topic("t", 2, ""))
	w.apply(0)
	if err := fake.Cluster.DeleteTopic("t"); err != nil {
		t.Fatal(err)
	}
	w.destroy(0, "-refresh=false")
	if fake.Has("t") {
		t.Error("the destroy has created the topic")
	}
}

// A plan whose number is shown is a promise for the apply: the same number, known
// at plan, in state and in plan JSON, to the last digit.
func TestTopicReservedBytesSameInPlanAndApply(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	var many strings.Builder
	for i := range 30 {
		many.WriteString(topic(fmt.Sprintf("t%d", i), i+1, gibibyte))
	}
	w := newWorkspace(t, eventStreams(fake, 1<<50, "")+many.String())
	w.plan(2, "-out=saved")
	var planned struct {
		ResourceChanges []struct {
			Address string
			Change  struct{ After map[string]any }
		} `json:"resource_changes"`
	}
	w.show(&planned, "saved")
	w.must(0, "apply", "-no-color", "-input=false", "saved")
	w.plan(0)
	for _, change := range planned.ResourceChanges {
		values, _ := w.stateOf(change.Address)
		if want, ok := change.Change.After["reserved_bytes"].(json.Number); !ok || values["reserved_bytes"] != want {
			t.Errorf("%s: planned %v, in state %v", change.Address, change.Change.After["reserved_bytes"], values["reserved_bytes"])
		}
	}
}

// The number follows the settings of the plan also where the state is not
// refreshed, and a key that is removed falls back to the cluster's default.
func TestTopicReservedBytesFollowSettings(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := eventStreams(fake, 1<<50, "")
	w := newWorkspace(t, head+topic("t", 1, `config = { "retention.bytes" = 104857600, "segment.ms" = 300000 }`))
	w.apply(0)
	w.write(head + topic("t", 1, `config = { "retention.bytes" = 53687091200 }`))
	w.plan(2, "-refresh=false").says(t, "~ reserved_bytes = 662700032 -> 56342085632", `- "segment.ms" = "300000"`)
	w.write(head + topic("t", 1, ""))
	w.plan(2, "-refresh=false").says(t, "~ reserved_bytes = 662700032 -> 1673527296")
	w.apply(0)
	w.plan(0)
	if overrides := fake.Overrides("t"); len(overrides) != 0 {
		t.Errorf("left behind: %v", overrides)
	}
}

// With a state that is not refreshed a call without a change can look like growth:
// it must book nothing, or it would refuse others.
func TestTopicStaleStateBooksNothing(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, eventStreams(fake, 1<<50, "")+topic("t", 3, gibibyte))
	w.apply(0)
	alter(t, fake, "t", map[string]string{"retention.bytes": "1048576"})
	w.write(eventStreams(fake, 1073741824, "") + topic("t", 3, gibibyte))
	w.plan(0, "-refresh=false")
	w.plan(1) // refreshed, the growth back to 1 GiB shows and is judged
}
