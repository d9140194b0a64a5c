// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A message is read once, at night. It offers nothing twice and nothing that does not
// help, its numbers can be read, and it speaks in words and not in our identifiers.
func TestTieredWords_OfferWhatHelpsAndCanBeRead(t *testing.T) {
	t.Parallel()
	const on = `"remote.storage.enable" = true, `
	for _, c := range []struct {
		name, configuration string
		says, silent        []string
	}{
		{
			"no limit below a limit", topicOf(on + `"local.retention.bytes" = -1, "retention.bytes" = 500`),
			[]string{`"local.retention.bytes" = "-2"`, "Any limit below retention.bytes = 500 (this plan) works too, and so does -1 for retention.bytes in the same change."},
			[]string{"Or raise"},
		},
		{
			"a topic of the same plan", topicOf(`"retention.bytes" = 1000`) + tiered("kafkastorage_topic.t.name", "local_retention_bytes = 2000"),
			[]string{"local_retention_bytes = 1000", "Or raise retention.bytes in the topic's config, or write -2 for local.retention.bytes"},
			[]string{"on the topic first", "To lower both"},
		},
		{
			"large and odd numbers", topicOf(on + `"local.retention.bytes" = 2000000000000, "retention.bytes" = 1000000000000`),
			[]string{"local.retention.bytes = 2000000000000 (1.8 TiB, this plan)", "retention.bytes = 1000000000000 (931.3 GiB, this plan)"},
			[]string{"KiB"},
		},
		{
			"the largest number", topicOf(on + `"local.retention.ms" = 604800000, "message.timestamp.after.max.ms" = 9223372036854775807`),
			[]string{"message.timestamp.after.max.ms = 9223372036854775807 (more than 1000 years, this plan)"},
			[]string{"106751991167 d"},
		},
		{
			"many kinds of advice", topicOf(on + `"local.retention.bytes" = 0, "local.retention.ms" = 1000, "max.message.bytes" = 2000000000`),
			[]string{"Warning: Further notes are due", "Largest message is larger than a segment"},
			[]string{"message_above_segment"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, tieredFake())
			w := newWorkspace(t, providerBlock(fake.Bootstrap(), "")+c.configuration)
			got := w.run("plan", "-no-color", "-input=false")
			got.says(t, c.says...)
			got.silent(t, c.silent...)
		})
	}
}
