// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Settings that Kafka takes can still keep data much longer than they say. A plan
// that writes them tells by how much, and what would do.
func TestTopicAdvice_GivesTheNumber(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), "")
	for _, c := range []struct {
		name, body, title string
		says              []string
	}{
		{
			"segment.ms longer than retention.ms", `config = { "retention.ms" = 259200000 }`, // 3 d beside 7 d
			"Data outlives its limit until its segment closes", []string{"by 4 d", `"segment.ms" = "259200000"`},
		},
		{
			// 100 MiB at 100 bytes per second take 1048576 s, 12 d 3 h 16 min 16 s, and 5 d 3 h 16 min 16 s more than 7 d.
			"a segment that fills too late", "config = { \"segment.ms\" = 2592000000 }\n  throughput_bytes_per_second = 100",
			"Data outlives its limit until its segment closes",
			[]string{"fills only 5 d 3 h 16 min 16 s after the end of retention.ms", `"segment.bytes" = "60480000"`},
		},
		{
			"a segment that never fills", "config = { \"segment.bytes\" = 1073741824 }\n  throughput_bytes_per_second = 100",
			"Segments close by time only",
			[]string{"takes 124 d 6 h 36 min 58 s 240 ms to fill", `"segment.bytes" = "60480000"`},
		},
		{
			// ⌊102400 / 12⌋ - 1 = 8532 entries, one for more than 4096 bytes: 8532 × 4097 = 34955604.
			"an index that is too small", `config = { "segment.index.bytes" = 102400 }`,
			"Index closes segments before they are full",
			[]string{"34955604 bytes"},
		},
		{
			"a local limit shorter than the check", `config = { "remote.storage.enable" = true, "local.retention.ms" = 60000, "segment.ms" = 60000 }`,
			"Local retention ends before the next check",
			[]string{"local.retention.ms = 60000 (1 min, this plan)", "5 min"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkspace(t, head+topic("t", 1, c.body))
			w.plan(2).says(t, append(c.says, "Warning: "+c.title)...)
			w.write(providerBlock(fake.Bootstrap(), "advice = false") + topic("t", 1, c.body))
			w.plan(2).silent(t, "Warning")
		})
	}
}

// Advice is read where it can change something: at a topic that the plan creates or
// changes there, once a kind, and never in a plan without changes. What a topic
// inherits is nobody's plan.
func TestTopicAdvice_ComesOnceAndOnlyForWhatChanges(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), "")
	const title = "Warning: Data outlives its limit until its segment closes"
	var fleet strings.Builder
	for i := range 40 {
		fleet.WriteString(topic(fmt.Sprintf("t%02d", i), 1, `config = { "retention.ms" = 3600000 }`))
	}
	w := newWorkspace(t, head+fleet.String())
	if n := w.plan(2).count("Warning:"); n != 1 {
		t.Errorf("%d warnings for 40 topics of one kind", n)
	}
	w.apply(0)
	w.plan(0).silent(t, "Warning")
	w.write(head + strings.Replace(fleet.String(), "3600000 }", "3600000, \"max.message.bytes\" = 2000000 }", 1))
	w.plan(2).silent(t, "Warning")
	w.write(head + strings.Replace(fleet.String(), "3600000 }", "3600001 }", 1))
	w.plan(2).says(t, title)
	w.write(head + fleet.String() + topic("inherits", 1, ""))
	w.plan(2).silent(t, "Warning")
}

// A cluster's own defaults may be of the kind that advice is about. A topic that
// writes none of them is not blamed for that, one that says how much it gets hears
// when its segments fill, and both hold for a change as for a creation.
func TestTopicAdvice_InheritedValuesAreNobodysPlan(t *testing.T) {
	t.Parallel()
	options := tieredFake()
	options.Config = map[string]string{"log.retention.ms": "86400000"} // beside Kafka's segment.ms of 7 d
	fake := kafkatest.StartFake(t, options)
	head := providerBlock(fake.Bootstrap(), "")
	const outlives, byTime = "Warning: Data outlives its limit until its segment closes", "Warning: Segments close by time only"
	w := newWorkspace(t, head+topic("t", 1, ""))
	w.plan(2).silent(t, "Warning")
	w.apply(0)
	w.write(head + topic("t", 2, ""))
	w.plan(2).silent(t, outlives)
	w.write(head + topic("t", 1, "throughput_bytes_per_second = 1"))
	w.apply(0).says(t, outlives, byTime)
	w.plan(0).silent(t, "Warning")
	w.write(head + topic("t", 1, "throughput_bytes_per_second = 2"))
	w.plan(2).says(t, outlives, byTime)
	w.write(head + topic("t", 1, ""))
	w.plan(2).silent(t, "Warning")
	w.write(head + topic("t", 1, `config = { "retention.ms" = 3600000 }`))
	w.plan(2).says(t, outlives)
}

// Who wants no advice still hears what will be lost.
func TestTopicAdvice_FalseNeverSilencesDataLoss(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	head := providerBlock(fake.Bootstrap(), "advice = false")
	w := newWorkspace(t, head+topic("t", 1, `config = { "remote.storage.enable" = true, "local.retention.ms" = 1 }`))
	w.apply(0).silent(t, "Warning")
	w.write(head + topic("t", 1, "config = { \"remote.storage.enable\" = false }\n  delete_remote_data_on_disable = true"))
	w.plan(2).says(t, "Warning: Remote data will be deleted")
	w.write(providerBlock(fake.Bootstrap(), "") + topic("t", 1, ""))
	w.env["KAFKASTORAGE_ADVICE"] = "false"
	w.plan(2).says(t, "tiered")
}
