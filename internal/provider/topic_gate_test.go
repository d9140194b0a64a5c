// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Smoke.
func TestTopicSmoke(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := providerBlock(fake.Bootstrap(), `platform = "event_streams"
  storage_quota = { capacity_bytes = 10737418240 }`)
	resource.UnitTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{
				Config: head + `
resource "kafkastorage_topic" "a" {
  name = "a"
  partitions = 3
  config = { "retention.bytes" = 1073741824 }
}
resource "kafkastorage_topic" "b" {
  name = "b"
  partitions = 3
  config = { "retention.bytes" = "1073741824", "cleanup.policy" = "compact, delete" }
}
`,
				ExpectError: regexp.MustCompile("xStorage limit"),
			},
		},
	})
}
