// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// The policies of the guide read three forms of a topic in plan JSON. Terraform
// has to write them so, or a policy is blind without a word.
func TestDocsPoliciesReadThePlan(t *testing.T) {
	t.Parallel()
	var sum string
	for _, block := range fencedBlocks(readText(t, filepath.Join(docsFolder, "guides", "policies.md"))) {
		if strings.HasPrefix(block, "output ") {
			sum = block
		}
	}
	if sum == "" {
		t.Fatal("the guide has no output that sums")
	}
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), `platform = "kafka"`)+sum+`
locals {
  topics = { bounded = 1073741824, unbounded = -1 }
}
resource "kafkastorage_topic" "this" {
  for_each   = local.topics
  name       = each.key
  partitions = 1
  replication_factor = 1
  config     = { "retention.bytes" = each.value }
}
resource "terraform_data" "later" { input = 3 }
resource "kafkastorage_topic" "later" {
  name       = "later"
  partitions = terraform_data.later.output
  replication_factor = 1
}
`)
	w.plan(2, "-out=plan.tfplan")
	var plan struct {
		PlannedValues struct {
			Outputs map[string]struct{ Value json.Number }
		} `json:"planned_values"`
		ResourceChanges []struct {
			Address, Mode, Type string
			Change              struct {
				Actions       []string
				Before, After map[string]any
				AfterUnknown  map[string]any `json:"after_unknown"`
			}
		} `json:"resource_changes"`
	}
	w.show(&plan, "plan.tfplan")
	seen := 0
	for _, rc := range plan.ResourceChanges {
		if rc.Mode != "managed" || rc.Type != topicKind {
			continue
		}
		seen++
		bytes, given := rc.Change.After["reserved_bytes"]
		unknown := rc.Change.AfterUnknown["reserved_bytes"] == true
		if rc.Change.Before != nil || len(rc.Change.Actions) != 1 {
			t.Errorf("%s: before a create is null, got %v", rc.Address, rc.Change.Before)
		}
		var right bool
		switch rc.Change.After["name"] {
		case "bounded":
			right = bytes == json.Number("1673527296") && !unknown
		case "unbounded":
			right = given && bytes == nil && !unknown
		case "later":
			right = !given && unknown
		}
		if !right {
			t.Errorf("%s: reserved_bytes %v (given %v), unknown %v", rc.Address, bytes, given, unknown)
		}
	}
	if seen != 3 {
		t.Errorf("the plan has %d topics, want 3", seen)
	}
	if got := plan.PlannedValues.Outputs["reserved_by_this_workspace"].Value; got != "1673527296" {
		t.Errorf("the sum of the guide's output is %q", got)
	}
}
