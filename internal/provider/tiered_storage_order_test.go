// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Terraform plans a topic and its tiered storage by two calls in any order, and may
// apply them in any. A topic that only fits tiered is refused whichever call comes
// first: it may be applied untiered before its tiers come.
func TestTieredStorage_BooksTheLargerOfBothResources(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.bytes": "1073741824", "segment.bytes": "1073741824"})
	// 3 × 110566047744 untiered, 3 × 5473566720 tiered; now 3 × (1 GiB + 1 GiB + 2 × 2 × 10 MiB) = 6568280064.
	settings := plainSettings(fake)
	settings["storage_quota"] = fields{"capacity_bytes": 20000000000, "limit_percent": 100, "accounting": "reserved"}
	topic := fields{"name": "t", "partitions": 1, "config": fields{"retention.bytes": "107374182400", "segment.bytes": "1073741824"}}
	tiers := fields{"topic": "t", "local_retention_bytes": 4294967296}
	for _, tieredFirst := range []bool{true, false} {
		p := started(t, settings)
		prior, said, err := p.importBy(t.Context(), topicKind, fields{"name": "t"})
		if err != nil || prior == nil {
			t.Fatalf("%v, %s", err, said)
		}
		refused := ""
		plan := func(kind string, prior *instance, config fields) {
			planned, err := p.plan(t.Context(), kind, prior, config)
			if err != nil {
				t.Fatal(err)
			}
			if planned.refused() {
				refused += planned.said.errors().String()
			}
		}
		if tieredFirst {
			plan(tieredKind, nil, tiers)
		}
		plan(topicKind, prior, topic)
		if !tieredFirst {
			plan(tieredKind, nil, tiers)
		}
		if !strings.Contains(refused, "Storage limit would be exceeded") || !strings.Contains(refused, "331698143232") {
			t.Errorf("tiered first %v: %s", tieredFirst, refused)
		}
	}
}

// An attribute that is left out is no setting of the topic, so one that somebody has
// put there by hand goes. The copy lag has no attribute, and stays.
func TestTieredStorage_WhatNobodyWroteIsDrift(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	fake.CreateTopic(t, "t", 1, nil)
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+tiered(`"t"`, "local_retention_ms = 86400000"))
	w.apply(0)
	if err := fake.Alter(t.Context(), "t", map[string]string{"local.retention.bytes": "-2", "remote.copy.lag.ms": "1000"}); err != nil {
		t.Fatal(err)
	}
	w.plan(2).says(t, "local_retention_bytes = -2 -> null")
	w.apply(0)
	want := map[string]string{"remote.storage.enable": "true", "local.retention.ms": "86400000", "remote.copy.lag.ms": "1000"}
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	w.plan(0)
}

// Amazon MSK has a flag of its own for switching off, under the same consent; it
// stays on the topic, and tells that tiers never come back.
func TestTieredStorage_ConsentIsThePlatformsOwnFlag(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.ms": "604800000"})
	head := providerBlock(fake.Bootstrap(), `platform = "msk"`)
	w := newWorkspace(t, head+tiered(`"t"`, "delete_remote_data_on_disable = true"))
	w.apply(0)
	w.write(head + tiered(`"t"`, "enabled = false\n  delete_remote_data_on_disable = true"))
	w.apply(0)
	if diff := cmp.Diff(map[string]string{"remote.storage.enable": "false", "remote.log.msk.disable.policy": "Delete"}, own(fake, "t", "retention.ms")); diff != "" {
		t.Error(diff)
	}
	w.plan(0)
	w.write(head + tiered(`"t"`, ""))
	w.plan(1).says(t, "Error: Tiered storage stays off on Amazon MSK", `"t":`, "Nothing was changed.")
}

// Destroyed together, the tiered resource goes first and cannot know that its topic
// goes too: it is asked for consent, and that has to be in the state by then.
func TestTieredStorage_DestroyedWithItsTopicGoesByTheState(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), "") + topic("t", 1, "")
	w := newWorkspace(t, head+tiered("kafkastorage_topic.t.name", ""))
	w.apply(0)
	const refused = "Error: Switching tiered storage off deletes remote data"
	w.apply(1, "-destroy").says(t, refused, "removed {")
	w.write(head + tiered("kafkastorage_topic.t.name", "delete_remote_data_on_disable = true"))
	w.apply(1, "-destroy").says(t, refused)
	if !fake.Has("t") {
		t.Fatal("a refused destroy has deleted the topic")
	}
	w.apply(0)
	w.destroy(0)
	if fake.Has("t") {
		t.Error("the topic is still there")
	}
}
