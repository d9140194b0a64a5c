// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"regexp"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// What one partition of these tests reserves, by hand, on three replicas each:
// untiered with 1 GiB in segments of 1 GiB 3 × (1073741824 + 1073741824 + 2 × 10485760
// × 2) = 6568280064, untiered with 100 GiB 3 × (107374182400 + 1073741824 + 2 ×
// 10485760 × 101) = 331698143232, and with 4 GiB of local tier 3 × 5473566720 =
// 16420700160.
const (
	quotaOf20GB = "storage_quota = { capacity_bytes = 20000000000, limit_percent = 100 }"
	small       = `"segment.bytes" = 1073741824, "retention.bytes" = 1073741824`
	large       = `"segment.bytes" = 1073741824, "retention.bytes" = 107374182400`
	fourLocal   = "local_retention_bytes = 4294967296"
	tierInMap   = `, "remote.storage.enable" = true, "local.retention.bytes" = 4294967296`
)

// Terraform applies a topic before the resource that tiers it, so that for a moment
// the topic has its new total and no tiers. Where that does not fit, the plan is
// rightly refused; the error names the cure, and the cure then plans and applies.
func TestTieredQuota_TheTotalGrowsBeforeTheTopicIsTiered(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), quotaOf20GB)
	w := newWorkspace(t, head+topicOf(small))
	w.apply(0)
	w.write(head + topicOf(large) + tiered("kafkastorage_topic.t.name", fourLocal))
	refused := w.plan(1)
	refused.says(t, "Error: Storage limit would be exceeded", `"t" would add`, "331698143232 bytes", "retention.bytes 1073741824 (1 GiB) -> 107374182400 (100 GiB)",
		"put the tiered settings into its config", "Nothing was changed.")
	offered := regexp.MustCompile(`(?m)^  ("remote.storage.enable" = "true")\n  ("local.retention.bytes" = "\d+") #.*$`).FindStringSubmatch(refused.text)
	if offered == nil {
		t.Fatalf("nothing to copy:\n%s", refused.text)
	}
	w.apply(1)
	if got := fake.Overrides("t")["retention.bytes"]; got != "1073741824" {
		t.Errorf("a refused apply has changed the topic: retention.bytes = %s", got)
	}

	w.write(head + topicOf(large+", "+offered[1]+", "+offered[2])) // what is offered fits
	w.plan(2)
	w.write(head + topicOf(large+tierInMap))
	w.plan(2).says(t, "6568280064 -> 16420700160")
	w.apply(0)
	w.plan(0)

	// Once the topic is tiered its total may grow as it likes, by either owner.
	w.write(head + topicOf(`"segment.bytes" = 1073741824, "retention.bytes" = 1099511627776`+tierInMap))
	w.apply(0)
	w.write(head + topicOf(`"segment.bytes" = 1073741824, "retention.bytes" = 1099511627776`) + tiered("kafkastorage_topic.t.name", fourLocal))
	w.apply(0)
	w.write(head + topicOf(large) + tiered("kafkastorage_topic.t.name", fourLocal))
	w.apply(0)
	w.plan(0)
}

// A topic that gives its tiers up, or copies no more, keeps its whole total on the
// brokers again. That is growth, and does not pass because it was consented to.
func TestTieredQuota_GivingTiersUpIsGrowth(t *testing.T) {
	t.Parallel()
	for way, configuration := range map[string]struct{ on, off, readOnly string }{
		"resource": {
			topicOf(large) + tiered("kafkastorage_topic.t.name", fourLocal),
			topicOf(large) + tiered("kafkastorage_topic.t.name", "enabled = false\n  delete_remote_data_on_disable = true"),
			topicOf(large) + tiered("kafkastorage_topic.t.name", "copy_disabled = true"),
		},
		"config": {
			topicOf(large + tierInMap),
			topic("t", 1, "config = { "+large+", \"remote.storage.enable\" = false }\n  delete_remote_data_on_disable = true"),
			topicOf(large + `, "remote.storage.enable" = true, "remote.log.copy.disable" = true`),
		},
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, tieredFake())
			fake.CreateTopic(t, "t", 1, map[string]string{
				"segment.bytes": "1073741824", "retention.bytes": "107374182400", "remote.storage.enable": "true", "local.retention.bytes": "4294967296",
			})
			head := providerBlock(fake.Bootstrap(), quotaOf20GB+"\n  adopt_existing = true")
			w := newWorkspace(t, head+configuration.on)
			w.apply(0)
			w.plan(0)
			before := len(fake.Overrides("t"))
			for _, grows := range []string{configuration.off, configuration.readOnly} {
				w.write(head + grows)
				w.plan(1).says(t, "Error: Storage limit would be exceeded", `"t" would add`, "315277443072 bytes", "331698143232 bytes", "Nothing was changed.") // 331698143232 - 16420700160
			}
			if got := len(fake.Overrides("t")); got != before {
				t.Errorf("a refused plan has changed the topic: %v", fake.Overrides("t"))
			}
		})
	}
}

// One topic is one entry of the sum, by whichever of its resources it changes: two of
// them that plan the same topic are not counted twice.
func TestTieredQuota_TwoResourcesAreOneEntry(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	// 2 × 6568280064 untiered, which is what both may come to at most on their way.
	head := providerBlock(fake.Bootstrap(), "storage_quota = { capacity_bytes = 13136560128, limit_percent = 100 }")
	both := topic("a", 1, "config = { "+small+" }") + topic("b", 1, "config = { "+small+" }") + tiered("kafkastorage_topic.a.name", "local_retention_bytes = 1073741824")
	w := newWorkspace(t, head+both)
	w.apply(0)
	w.plan(0)
	state, _ := w.stateOf("kafkastorage_topic_tiered_storage.t")
	if got := pickJSON(state, "local_reserved_bytes")["local_reserved_bytes"]; got != "6568280064" {
		t.Error(got)
	}
	w.write(providerBlock(fake.Bootstrap(), "storage_quota = { capacity_bytes = 13136560127, limit_percent = 100 }") + both + topic("c", 1, `config = { "retention.bytes" = 0, "segment.bytes" = 1048576, "segment.index.bytes" = 1048576 }`))
	w.plan(1).says(t, "Error: Storage limit would be exceeded", "13136560128 bytes")
}
