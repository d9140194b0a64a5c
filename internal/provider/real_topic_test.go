// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

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
