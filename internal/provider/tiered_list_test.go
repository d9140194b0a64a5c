// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// tieredKind is the resource of a topic's tiered storage.
const tieredKind = "kafkastorage_topic_tiered_storage"

// tieredFleet is a fake cluster of tiered topics and others.
func tieredFleet(t *testing.T) *kafkatest.Fake {
	t.Helper()
	fake := kafkatest.StartFake(t, tieredFake())
	for name, settings := range map[string]map[string]string{
		"audit":          {"remote.storage.enable": "true"},
		"orders.created": {"remote.storage.enable": "true", "local.retention.ms": "86400000", "local.retention.bytes": "-2"},
		"orders.plain":   {"retention.ms": "86400000"},
		"orders.off":     {"remote.storage.enable": "false", "remote.log.delete.on.disable": "true"},
		"orders.waiting": {"local.retention.ms": "86400000"},
		"orders.shipped": {"remote.storage.enable": "true", "remote.log.copy.disable": "true", "retention.bytes": "107374182400"},
		"__tool":         {"remote.storage.enable": "true"},
	} {
		fake.CreateTopic(t, name, 1, settings)
	}
	return fake
}

// The search is for tiered topics: those that have a tiered setting and are not
// tiered are none. Filters and limits are those of the search for topics.
func TestTieredList_FindsTieredTopicsOnly(t *testing.T) {
	t.Parallel()
	p := started(t, plainSettings(tieredFleet(t)))
	for _, c := range []struct {
		config fields
		limit  int64
		want   []string
	}{
		{nil, 0, []string{"audit", "orders.created", "orders.shipped"}},
		{nil, 2, []string{"audit", "orders.created"}},
		{nil, 100, []string{"audit", "orders.created", "orders.shipped"}},
		{fields{"include_internal": true}, 0, []string{"__tool", "audit", "orders.created", "orders.shipped"}},
		{fields{"name_prefix": "orders."}, 0, []string{"orders.created", "orders.shipped"}},
		{fields{"name_prefix": "orders."}, 1, []string{"orders.created"}},
		{fields{"name_regex": "d$"}, 0, []string{"orders.created", "orders.shipped"}},
		{fields{"name_prefix": "orders", "name_regex": "shipped$"}, 0, []string{"orders.shipped"}},
		{fields{"name_prefix": "orders.plain"}, 0, []string{}},
	} {
		got := searched(t, p, tieredKind, c.config, c.limit, false)
		if diff := cmp.Diff(c.want, shownNames(got)); diff != "" {
			t.Errorf("%v, limit %d:\n%s", c.config, c.limit, diff)
		}
		for _, one := range got {
			if len(one.said) > 0 || one.resource != nil || !cmp.Equal(one.identity, fields{"topic": one.name}) {
				t.Errorf("%+v", one)
			}
		}
	}
	for one, err := range p.search(t.Context(), tieredKind, nil, 0, false) {
		if err != nil || one.name != "audit" {
			t.Errorf("%v, %v", one, err)
		}
		break // a second result after this would panic
	}
}

// Hundreds of topics are one snapshot, and no request for each.
func TestTieredList_AsksForNoTopicAlone(t *testing.T) {
	t.Parallel()
	const topics = 300
	fake := kafkatest.StartFake(t, tieredFake())
	for i := range topics {
		fake.CreateTopic(t, fmt.Sprintf("t%03d", i), 1, map[string]string{"remote.storage.enable": "true"})
	}
	p := started(t, plainSettings(fake))
	fake.ForgetRequests()
	if got := searched(t, p, tieredKind, nil, 0, true); len(got) != topics {
		t.Errorf("%d results", len(got))
	}
	if n := requestsOf(fake); n > 12 {
		t.Errorf("%d requests: %v", n, fake.Requests())
	}
}

// What the search shows of a topic is what an import of it would hold, and the
// configuration that the provider makes of that plans no change.
func TestTieredList_ResourceIsWhatAnImportHolds(t *testing.T) {
	t.Parallel()
	p := started(t, plainSettings(tieredFleet(t)))
	for _, one := range searched(t, p, tieredKind, nil, 0, true) {
		imported := importedAs(t, p, tieredKind, one)
		config, said, err := p.generated(t.Context(), tieredKind, one.resource)
		if err != nil || len(said) > 0 {
			t.Fatalf("%s: %v, %s", one.name, err, said)
		}
		planned, err := p.plan(t.Context(), tieredKind, imported, config)
		if err != nil || planned.refused() || !planned.empty() {
			t.Errorf("%s: %v, %s, planned %v of %v", one.name, err, planned.said, planned, config)
		}
	}
}

// An import says what is wrong with its id: there is no such topic, or no topic yet.
func TestTieredList_ImportOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	p := started(t, plainSettings(tieredFleet(t)))
	imported, said, err := p.importOne(t.Context(), tieredKind, "order.created")
	if err != nil || imported != nil || len(said.errors()) != 1 {
		t.Fatalf("%v, %v, %s", imported, err, said)
	}
	// A topic that is not tiered can be imported too: the state says so, and an apply
	// would change it.
	imported, said, err = p.importOne(t.Context(), tieredKind, "orders.plain")
	if err != nil || imported == nil || len(said) > 0 || imported.values["enabled"] != false {
		t.Errorf("%v, %v, %s", imported, err, said)
	}
}
