// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// tieredIdentity tells the tiered storage of one topic from that of another.
type tieredIdentity struct {
	Topic types.String `tfsdk:"topic"`
}

// IdentitySchema is the identity's face.
func (r *tieredStorageResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityBy("topic")
}

// identifyTiered answers with the identity, as [identify] does for a topic.
func identifyTiered(ctx context.Context, identity *tfsdk.ResourceIdentity, topic types.String) diag.Diagnostics {
	return identity.Set(ctx, tieredIdentity{Topic: topic})
}

// ImportState takes a topic's tiered settings over by the topic's name.
func (r *tieredStorageResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	var identity tieredIdentity
	r.runtime.importByName(ctx, req, resp, "topic", &identity, &identity.Topic)
}
