// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// tieredIdentity tells the tiered storage of one topic from that of another.
type tieredIdentity struct {
	Topic types.String `tfsdk:"topic"`
}

// IdentitySchema is the identity's face.
func (r *tieredStorageResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"topic": identityschema.StringAttribute{
				Description:       "The topic's name.",
				RequiredForImport: true,
			},
		},
	}
}

// identifyTiered answers with the identity, as [identify] does for a topic.
func identifyTiered(ctx context.Context, identity *tfsdk.ResourceIdentity, topic types.String) diag.Diagnostics {
	return identity.Set(ctx, tieredIdentity{Topic: topic})
}

// ImportState takes a topic's tiered settings over by the topic's name. It asks the
// cluster at once, so that each way of failing gets the error that fits.
func (r *tieredStorageResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	name := req.ID
	if name == "" {
		var identity tieredIdentity
		resp.Diagnostics.Append(req.Identity.Get(ctx, &identity)...)
		name = identity.Topic.ValueString()
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if r.runtime.settings.unknown {
		resp.Diagnostics.Append(clusterUnknownAtImport(name))
		return
	}
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.runtime.unreachableAgain(err)...)
		return
	}
	_, found, diags := r.runtime.find(ctx, view, name)
	resp.Diagnostics.Append(diags...)
	if diags.HasError() {
		return
	}
	if !found {
		resp.Diagnostics.Append(topicToImportNotFound(name, view))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("topic"), name)...)
	resp.Diagnostics.Append(identifyTiered(ctx, resp.Identity, types.StringValue(name))...)
}
