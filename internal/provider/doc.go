// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package provider is what Terraform sees: schemas, plan logic and words. It is
// the only room that imports terraform-plugin-*.
//
// One [runtime] belongs to one provider configuration in one process. It holds
// the client, the first snapshot seen through a [cluster], and the ledger; plan
// and apply are different processes, so each starts from a fresh snapshot. Within
// a process every number comes from that first snapshot and from the resource's
// own planned settings, because Terraform ends an apply whose second planning
// differs from its first.
//
// Files are named by what they hold: topic_resource_plan.go is the plan logic of
// the topic resource, topic_resource_schema.go its face. Every diagnostic is
// worded in diagnostics*.go, and only there.
//
// How failure looks: an attribute error with the numbers and the way out; the
// first failed connection of a run carries the whole explanation, later ones are
// silent at plan (values stay as they were, or unknown) and one line at apply.
package provider
