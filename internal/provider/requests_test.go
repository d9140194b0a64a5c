// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// beyondSnapshots counts the requests of commands that are no part of a snapshot.
// A snapshot reads all topics' metadata, which names none, their settings together
// with a topic that no test writes, and what a new topic would get.
func beyondSnapshots(fake *kafkatest.Fake) map[string]int {
	counts := map[string]int{}
	for _, request := range fake.Received() {
		named := " " + strings.Join(request.Topics, " ") + " "
		switch {
		case request.Name == "Metadata" && len(request.Topics) == 0,
			strings.Contains(named, " kafkastorage-defaults-probe "),
			request.Name == "DescribeConfigs" && (strings.Contains(named, " bystander ") || isBroker(request.Topics)):
			continue
		}
		name := request.Name
		if request.ValidateOnly {
			name += ", validate-only"
		}
		counts[name]++
	}
	return counts
}

// isBroker says that a request asks for a broker's settings: brokers are numbered.
func isBroker(names []string) bool {
	return len(names) == 1 && len(names[0]) == 1 && names[0] >= "0" && names[0] <= "9"
}

// total adds the counts.
func total(counts map[string]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// Every request of a topic's life, plan and apply together: at plan the question, in
// apply the question again (nothing tells a plan from an apply before the first
// write), the write, and the reading that ends it. Four at most for one kind of
// change; a plan that changes nothing costs its snapshot only.
func TestRequests_OfALifecycle(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "bystander", 1, nil)
	head := eventStreams(fake, 1<<50, "")
	w := newWorkspace(t, head)
	for _, step := range []struct {
		what, configuration string
		want                map[string]int
	}{
		{
			"create", topic("t", 1, `config = { "retention.ms" = 100000 }`),
			map[string]int{"CreateTopics, validate-only": 2, "CreateTopics": 1, "Metadata": 1},
		},
		{"no change", topic("t", 1, `config = { "retention.ms" = 100000 }`), map[string]int{}},
		{"no change but another spelling", topic("t", 1, `config = { "retention.ms" = "0100000" }`), map[string]int{}},
		{
			"update of settings", topic("t", 1, `config = { "retention.ms" = 200000, "segment.ms" = 600000 }`),
			map[string]int{"IncrementalAlterConfigs, validate-only": 2, "IncrementalAlterConfigs": 1, "DescribeConfigs": 1},
		},
		{
			"removal of a setting", topic("t", 1, `config = { "retention.ms" = 200000 }`),
			map[string]int{"IncrementalAlterConfigs, validate-only": 2, "IncrementalAlterConfigs": 1, "DescribeConfigs": 1},
		},
		{
			"update of partitions", topic("t", 2, `config = { "retention.ms" = 200000 }`),
			map[string]int{"CreatePartitions, validate-only": 2, "CreatePartitions": 1, "Metadata": 1},
		},
		{
			"update of both", topic("t", 3, `config = { "retention.ms" = 300000 }`),
			map[string]int{
				"IncrementalAlterConfigs, validate-only": 2, "IncrementalAlterConfigs": 1, "DescribeConfigs": 1,
				"CreatePartitions, validate-only": 2, "CreatePartitions": 1, "Metadata": 1,
			},
		},
		{"delete", "", map[string]int{"DeleteTopics": 1, "Metadata": 1}},
	} {
		w.write(head + step.configuration)
		fake.ForgetRequests()
		w.must(0, "plan", "-no-color", "-input=false", "-out=saved")
		w.must(0, "apply", "-no-color", "-input=false", "saved")
		got := beyondSnapshots(fake)
		t.Logf("%s: %v", step.what, got)
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.what, diff)
		}
		if n := total(got); n > 4 && step.what != "update of both" {
			t.Errorf("%s costs %d requests", step.what, n)
		}
	}
}

// Terraform hands out ten calls at once, so forty topics come in four waves: a few
// requests for each wave, and none for each topic.
func TestRequests_OfFortyTopicsAreThoseOfAFew(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "bystander", 1, nil)
	var many, changed strings.Builder
	const topics = 40
	for i := range topics {
		many.WriteString(topic(fmt.Sprintf("t%02d", i), 1, ""))
		changed.WriteString(topic(fmt.Sprintf("t%02d", i), 1, `config = { "retention.ms" = 100000 }`))
	}
	w := newWorkspace(t, eventStreams(fake, 1<<50, "")+many.String())
	count := func(what string) {
		got := beyondSnapshots(fake)
		t.Logf("%s: %v", what, got)
		for kind, n := range got {
			if n > topics/2 { // four on a quiet machine; a wave may fall apart on a busy one
				t.Errorf("%s: %d of %s", what, n, kind)
			}
		}
		fake.ForgetRequests()
	}
	w.apply(0, "-parallelism=10")
	count("create")
	w.write(eventStreams(fake, 1<<50, "") + changed.String())
	w.apply(0, "-parallelism=10")
	count("change")
	w.destroy(0, "-parallelism=10")
	count("delete")
}
