// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// importBlocks imports topics; their resources are to be generated.
func importBlocks(names []string) string {
	var blocks strings.Builder
	for i, name := range names {
		fmt.Fprintf(&blocks, "import {\n  to = kafkastorage_topic.t%d\n  id = %q\n}\n", i, name)
	}
	return blocks.String()
}

// The configuration that Terraform writes for topics to import must be valid and
// plan no change, whatever the topics set: without what belongs to a reassignment,
// with tiering, and with each value to the last digit.
func TestTopicGenerateConfig_PlansClean(t *testing.T) {
	t.Parallel()
	fake := awkwardCluster(t)
	names := slices.Sorted(maps.Keys(awkwardTopics))
	w := newWorkspace(t, plainKafka(fake)+importBlocks(names))
	summary := fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", len(names))
	w.must(0, "plan", "-no-color", "-input=false", "-generate-config-out=generated.tf").says(t, summary)
	generated := readText(t, w.folder+"/generated.tf")
	for _, want := range []string{`"remote.storage.enable"`, `"local.retention.ms"`, "9223372036854775807", "9007199254740993"} {
		if !strings.Contains(generated, want) {
			t.Errorf("%s is missing:\n%s", want, generated)
		}
	}
	if strings.Contains(generated, "throttled.replicas") {
		t.Errorf("a reassignment's throttle was generated:\n%s", generated)
	}
	w.plan(2).says(t, summary)
	w.apply(0).says(t, fmt.Sprintf("%d imported, 0 added, 0 changed", len(names)))
	w.plan(0)
	for name, settings := range awkwardTopics {
		if got := fake.Overrides(name); !maps.Equal(got, settings) {
			t.Errorf("%s has %v", name, got)
		}
	}
}

// An internal topic can be imported and shown, too.
func TestTopicGenerateConfig_InternalTopicPlansClean(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "__consumer_offsets", 2, map[string]string{"cleanup.policy": "compact", "segment.bytes": "104857600"})
	w := newWorkspace(t, plainKafka(fake)+importBlocks([]string{"__consumer_offsets"}))
	w.must(0, "plan", "-no-color", "-input=false", "-generate-config-out=generated.tf").says(t, "1 to import, 0 to add, 0 to change, 0 to destroy")
	w.apply(0).says(t, "1 imported, 0 added, 0 changed")
	w.plan(0)
}

// From Terraform 1.14 on the provider itself makes that configuration, and
// terraform query has it made of the results of a search.
func TestTopicGenerateConfig_ByTheProviderPlansClean(t *testing.T) {
	t.Parallel()
	fake := awkwardCluster(t)
	p := started(t, plainSettings(fake))
	for _, one := range searched(t, p, topicKind, nil, 0, true) {
		config, said, err := p.generated(t.Context(), topicKind, one.resource)
		if err != nil || len(said) > 0 {
			t.Fatalf("%s: %v, %s", one.name, err, said)
		}
		imported, said, err := p.importBy(t.Context(), topicKind, one.identity)
		if err != nil || imported == nil {
			t.Fatalf("%s: %v, %s", one.name, err, said)
		}
		planned, err := p.plan(t.Context(), topicKind, imported, config)
		if err != nil || len(planned.said) > 0 || !planned.empty() {
			t.Errorf("%s: %v, %s\n%s", one.name, err, planned.said, cmp.Diff(imported.values, planned.planned))
		}
	}
}
