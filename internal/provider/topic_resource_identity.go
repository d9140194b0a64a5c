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

var _ resource.ResourceWithIdentity = (*topicResource)(nil)

// topicIdentity tells one topic from another. The name alone does: a cluster's id
// cannot be had while the servers are not known, and topics of a cluster that was
// built anew would no longer be those that the state holds.
type topicIdentity struct {
	Name types.String `tfsdk:"name"`
}

// IdentitySchema is the identity's face.
func (r *topicResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityBy("name")
}

// identify answers with a topic's identity. Every create, read and update has to,
// also one that leaves the state as it was: Terraform up to 1.11 sends no identity
// along that could simply be handed back.
func identify(ctx context.Context, identity *tfsdk.ResourceIdentity, name types.String) diag.Diagnostics {
	return identity.Set(ctx, topicIdentity{Name: name})
}

// ImportState takes a topic over by its name.
func (r *topicResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	var identity topicIdentity
	r.runtime.importByName(ctx, req, resp, "name", &identity, &identity.Name)
}
