// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// topicT is the address of the one topic that most tests have.
const topicT = topicKind + ".t"

// oneTopic is that topic.
func oneTopic(body string) string {
	return "resource \"kafkastorage_topic\" \"t\" {\n" + body + "\n}\n"
}

// clean is a step in which the configuration plans nothing.
func clean(configuration string) resource.TestStep {
	return resource.TestStep{
		Config:           configuration,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
	}
}

// kafka configures the provider for platform kafka, where replicas count. The
// capacity is large enough for everything here.
func (c realCluster) kafka() string {
	return c.provider("platform = \"kafka\"\n  storage_quota = { capacity_bytes = 9223372036854775807, limit_percent = 100, accounting = \"reserved\" }")
}

// What a broker's file says is no setting of the topic: it counts for the
// reservation, and never becomes an override, a value in the state or a drift. By
// the file topics are compacted, so each partition counts 1 GiB.
func TestRealTopic_BrokersDefaultsStayTheBrokers(t *testing.T) {
	c := freshReal(t, kafkatest.RealOptions{Config: map[string]string{"log.segment.bytes": "104857600", "log.cleanup.policy": "compact"}})
	configuration := c.kafka() + oneTopic(`
  name               = "orders.v1"
  partitions         = 1
  replication_factor = 1`)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config: configuration,
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(topicT, tfjsonpath.New("reserved_bytes"), knownvalue.Int64Exact(1<<30)),
					statecheck.ExpectKnownValue(topicT, tfjsonpath.New("config"), knownvalue.Null()),
				},
				Check: func(*terraform.State) error {
					if overrides := c.overrides("orders.v1"); overrides == nil || len(overrides) != 0 {
						return fmt.Errorf("the topic's own settings are %v, want none", overrides)
					}
					return nil
				},
			},
			clean(configuration),
		},
	})
}

// A value may be written in more than one way. What means the same is no change,
// quotes around a number neither, and what Kafka gets are plain decimal digits.
func TestRealTopic_SpellingIsNoChange(t *testing.T) {
	c := freshReal(t, realKafka)
	const head = "\n  name = \"spelled\"\n  partitions = 1\n  replication_factor = 1\n"
	unquoted := c.kafka() + oneTopic(head+`  config = {
    "min.cleanable.dirty.ratio" = "0.50"
    "retention.ms"              = 604800000
    "segment.bytes"             = 4294967296 / 4
    "retention.bytes"           = 1e12
  }`)
	quoted := c.kafka() + oneTopic(head+`  config = {
    "min.cleanable.dirty.ratio" = 0.5
    "retention.ms"              = "604800000"
    "segment.bytes"             = "1073741824"
    "retention.bytes"           = "1000000000000"
  }`)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config: unquoted,
				Check: func(*terraform.State) error {
					want := map[string]string{
						"min.cleanable.dirty.ratio": "0.5", "retention.ms": "604800000", "segment.bytes": "1073741824", "retention.bytes": "1000000000000",
					}
					got := c.overrides("spelled")
					if ratio := got["min.cleanable.dirty.ratio"]; ratio == "0.50" {
						got["min.cleanable.dirty.ratio"] = "0.5" // Kafka keeps this text as it came
					}
					if diff := cmp.Diff(want, got); diff != "" {
						return fmt.Errorf("the topic's own settings (-want +got):\n%s", diff)
					}
					return nil
				},
			},
			clean(unquoted),
			clean(quoted),
			clean(unquoted),
		},
	})
}

// Settings of Kafka reach to the ends of 64 bits, where a float has long lost the
// last digit: in the state, in a plan's JSON, on the wire, and after the topic has
// left the state and been imported. The reservation is 2^53 + 1, 1 GiB, and 20 MiB
// for each of 8388609 segments.
func TestRealTopic_KeepsEveryDigit(t *testing.T) {
	c := freshReal(t, realKafka)
	settings := map[string]string{
		"max.compaction.lag.ms": "9223372036854775807", "retention.ms": "-1", "retention.bytes": "9007199254740993",
	}
	const reserved = "9183122209898497"
	w := newWorkspace(t, c.kafka()+oneTopic(`
  name               = "extremes"
  partitions         = 1
  replication_factor = 1
  config = {
    "max.compaction.lag.ms" = "9223372036854775807"
    "retention.ms"          = "-1"
    "retention.bytes"       = "9007199254740993"
  }`))
	holds := func(where string, values fields) {
		t.Helper()
		exactly(t, where+": reserved_bytes", values["reserved_bytes"], reserved)
		config, _ := values["config"].(fields)
		for key, want := range settings {
			if config[key] != want {
				t.Errorf("%s: %s = %v, want %s", where, key, config[key], want)
			}
		}
		if len(config) != len(settings) {
			t.Errorf("%s: the settings are %v", where, config)
		}
	}
	w.plan(2, "-out=saved").says(t, reserved)
	holds("plan", planChanges(t, w, "saved")["t"].Change.After)
	w.must(0, "apply", "-no-color", "-input=false", "saved")
	holds("state", stateTopics(t, w)["t"])
	if diff := cmp.Diff(settings, c.overrides("extremes")); diff != "" {
		t.Errorf("on the wire (-want +got):\n%s", diff)
	}
	w.plan(0)
	w.must(0, "state", "rm", "-no-color", topicT)
	w.must(0, "import", "-no-color", "-input=false", topicT, "extremes")
	holds("state after import", stateTopics(t, w)["t"])
	w.plan(0).silent(t, "Warning")
}

// Somebody deleted the topic by hand: the plan says so and proposes to create it,
// a destroy has nothing to do and succeeds, and nothing that we ask makes a broker
// create the topic, though this one creates what clients merely ask about.
func TestRealTopic_DeletedByHand(t *testing.T) {
	c := freshReal(t, realKafka)
	w := newWorkspace(t, c.kafka()+oneTopic(`
  name       = "fleeting"
  partitions = 2
  config     = { "retention.bytes" = 1048576 }`))
	remove := func() {
		c.do(func(ctx context.Context) error { return c.client.Delete(ctx, "fleeting") })
	}
	w.apply(0)
	_, before := c.describe("fleeting")
	remove()

	begin := time.Now()
	w.plan(2).says(t, "Plan: 1 to add, 0 to change, 0 to destroy.")
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("the plan took %v", took)
	}
	if c.has("fleeting") {
		t.Fatal("a plan has made the broker create the topic")
	}
	w.apply(0)
	if partitions, after := c.describe("fleeting"); partitions != 2 || after == before {
		t.Errorf("the topic has %d partitions and id %s, which was %s", partitions, after, before)
	}
	w.plan(0)

	remove()
	w.destroy(0)
	if c.has("fleeting") {
		t.Error("the destroy has made the broker create the topic")
	}
	w.apply(0)
	remove()
	w.must(0, "apply", "-destroy", "-refresh=false", "-no-color", "-input=false", "-auto-approve")
	if c.has("fleeting") {
		t.Error("the destroy without a refresh has made the broker create the topic")
	}
}

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

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	w = newWorkspace(t, providerBlock(closed, `request_timeout = "3s"`)+block)
	refused := w.must(1, "import", "-no-color", "-input=false", topicT, "absent")
	refused.says(t, "Error: Kafka server refuses connections", closed)
	refused.silent(t, "not found", "non-existent")
}

// Partitions grow in place: the topic stays the same one, its records are there,
// and the reservation follows. One partition keeps 100 GiB and reserves
// 107374182400 + 1073741824 + 2 × 10485760 × 101 = 110566047744 bytes.
func TestRealTopic_PartitionsGrowInPlace(t *testing.T) {
	c := freshReal(t, realKafka)
	const kept = `config = { "retention.bytes" = 107374182400 }`
	w := newWorkspace(t, c.kafka()+topic("growing", 50, kept))
	w.apply(0)
	exactly(t, "reserved_bytes", stateTopics(t, w)["growing"]["reserved_bytes"], "5528302387200")
	_, id := c.describe("growing")
	records := []string{"one", "two", "three"}
	c.do(func(ctx context.Context) error { return c.client.Produce(ctx, "growing", records...) })

	w.write(c.kafka() + topic("growing", 55, kept))
	planned := w.plan(2)
	planned.says(t, "Plan: 0 to add, 1 to change, 0 to destroy.", "~ partitions = 50 -> 55", "5528302387200 -> 6081132625920")
	planned.silent(t, "Error")
	w.apply(0)
	exactly(t, "reserved_bytes", stateTopics(t, w)["growing"]["reserved_bytes"], "6081132625920")
	if partitions, after := c.describe("growing"); partitions != 55 || after != id {
		t.Errorf("the topic has %d partitions and id %s, which was %s", partitions, after, id)
	}
	c.do(func(ctx context.Context) error {
		got, err := c.Consume(ctx, "growing", len(records))
		if len(got) != len(records) {
			t.Errorf("the records are now %v", got)
		}
		return err
	})
	w.plan(0).silent(t, "Warning")
}

// A line that leaves the map gives the setting back to the cluster, and that one
// alone.
func TestRealTopic_RemovedSettingFallsBack(t *testing.T) {
	c := freshReal(t, realKafka)
	with := topic("t", 1, `config = { "segment.ms" = 20000, "retention.ms" = 86400000 }`)
	without := topic("t", 1, `config = { "retention.ms" = 86400000 }`)
	w := newWorkspace(t, c.provider("")+with)
	w.apply(0)
	w.write(c.provider("") + without)
	planned := w.plan(2)
	planned.says(t, "Plan: 0 to add, 1 to change, 0 to destroy.", `- "segment.ms" = "20000" -> null`)
	planned.silent(t, `~ "retention.ms"`, `- "retention.ms"`, `+ "retention.ms"`)
	w.apply(0)
	c.do(func(ctx context.Context) error {
		settings, err := c.client.Settings(ctx, "t")
		if got, want := settings["segment.ms"], (kafkatest.RealSetting{Value: "604800000"}); got != want {
			t.Errorf("segment.ms is %+v, want the default %+v", got, want)
		}
		if got, want := settings["retention.ms"], (kafkatest.RealSetting{Value: "86400000", Override: true}); got != want {
			t.Errorf("retention.ms is %+v, want %+v", got, want)
		}
		return err
	})
	w.plan(0)
}

// Whoever reviews a change reads the same exact number in the text of the plan, in
// its JSON, in the data source and in an error. One partition reserves
// 134217728 + 1073741824 + 2 × 10485760 × 1 = 1228931072 bytes.
func TestRealTopic_NumbersAreTheSameEverywhere(t *testing.T) {
	c := freshReal(t, realKafka)
	const settings = `{ "retention.bytes" = 134217728 }`
	block := topic("reviewed", 50, "replication_factor = 1\n  config = "+settings)
	w := newWorkspace(t, c.kafka()+block+`
data "kafkastorage_reserved_storage" "all" {
  planned_topics = { reviewed = { partitions = 50, replication_factor = 1, config = `+settings+` } }
}
output "planned" { value = data.kafkastorage_reserved_storage.all.topics["reviewed"].reserved_bytes }
output "peak" { value = data.kafkastorage_reserved_storage.all.peak_bytes }
`)
	w.plan(2, "-out=saved").says(t, "61446553600", "57.2 GiB")
	exactly(t, "reserved_bytes", planChanges(t, w, "saved")["reviewed"].Change.After["reserved_bytes"], "61446553600")
	var plan struct {
		PlannedValues struct {
			Outputs map[string]struct{ Value any }
		} `json:"planned_values"`
	}
	w.show(&plan, "saved")
	for _, name := range []string{"planned", "peak"} {
		exactly(t, name, plan.PlannedValues.Outputs[name].Value, "61446553600")
	}
	w.write(c.provider("platform = \"kafka\"\n  storage_quota = { capacity_bytes = 61446553600, limit_percent = 99, accounting = \"reserved\" }") + block)
	w.plan(1).says(t, "61446553600 bytes")
}

// What is not known at plan is not judged there, and not guessed: the reservation
// is known after apply, apply judges before it sends anything, and the plan that
// it then makes agrees with the first.
func TestRealTopic_UnknownInputsAreJudgedInApply(t *testing.T) {
	inputs := map[string]struct{ fits, exceeds string }{
		"partitions": {
			fits:    "partitions = terraform_data.size.output\n  config = { \"retention.bytes\" = 1073741824 }",
			exceeds: "partitions = terraform_data.size.output * 100\n  config = { \"retention.bytes\" = 1073741824 }",
		},
		"one setting": {
			fits:    "partitions = 3\n  config = { \"retention.bytes\" = terraform_data.size.output * 1073741824, \"retention.ms\" = 1000 }",
			exceeds: "partitions = 3\n  config = { \"retention.bytes\" = terraform_data.size.output * 107374182400, \"retention.ms\" = 1000 }",
		},
		"all settings": {
			fits:    "partitions = 3\n  config = terraform_data.settings.output",
			exceeds: "partitions = 300\n  config = terraform_data.settings.output",
		},
	}
	for input, c := range inputs {
		t.Run(strings.ReplaceAll(input, " ", "_"), func(t *testing.T) {
			cluster := freshReal(t, realEventStreams)
			capacity := capacityFor(20 * servicePartition)
			cluster.SetCapacity(t, capacity)
			head := cluster.eventStreams(capacity) + `
resource "terraform_data" "size" { input = 3 }
resource "terraform_data" "settings" { input = { "retention.bytes" = "1073741824" } }
`
			w := newWorkspace(t, head+oneTopic("name = \"later\"\n  "+c.exceeds))
			w.plan(2, "-out=saved").says(t, "reserved_bytes = (known after apply)", "Warning: Storage limit was not judged for every topic")
			refused := w.must(1, "apply", "-no-color", "-input=false", "saved")
			refused.says(t, "Error: Storage limit would be exceeded", `"later"`)
			refused.silent(t, "inconsistent", "POLICY_VIOLATION")
			if cluster.has("later") {
				t.Fatal("the topic that apply refused exists")
			}

			w = newWorkspace(t, head+oneTopic("name = \"later\"\n  "+c.fits))
			w.plan(2).silent(t, "Error")
			w.apply(0).silent(t, "inconsistent")
			w.plan(0).silent(t, "Warning")
			policy := cluster.PolicyReserved(t).Topics["later"].Bytes
			exactly(t, "reserved_bytes", stateTopics(t, w)["t"]["reserved_bytes"], policy.String())

			// The same for a topic that exists and is to change.
			w.write(head + "resource \"terraform_data\" \"more\" { input = 5 }\n" + oneTopic("name = \"later\"\n  partitions = terraform_data.more.output\n  config = terraform_data.settings.output"))
			w.apply(0).silent(t, "inconsistent")
			w.plan(0)
		})
	}
}
