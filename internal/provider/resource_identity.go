// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Resources are told apart, and imported, by the name of their topic, which stands
// under the same attribute in the resource and in its identity.

// identityBy is the face of such an identity.
func identityBy(attribute string) identityschema.Schema {
	return identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			attribute: identityschema.StringAttribute{
				Description:       topicNameDescription,
				RequiredForImport: true,
			},
		},
	}
}

// importByName takes over what the cluster has under a topic's name: an id or, from
// Terraform 1.12 on, an identity, of which held is the one field. It asks the cluster
// at once, so that a name which does not exist, and a cluster that does not answer,
// each get the error that fits.
func (r *runtime) importByName(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse, attribute string, identity any, held *types.String) {
	name := req.ID
	if name == "" {
		resp.Diagnostics.Append(req.Identity.Get(ctx, identity)...)
		name = held.ValueString()
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if r.settings.unknown {
		resp.Diagnostics.Append(clusterUnknownAtImport(name))
		return
	}
	view, _, err := r.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.unreachableAgain(err)...)
		return
	}
	_, found, diags := r.find(ctx, view, name)
	resp.Diagnostics.Append(diags...)
	if diags.HasError() {
		return
	}
	if !found {
		resp.Diagnostics.Append(topicToImportNotFound(name, view))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attribute), name)...)
	*held = types.StringValue(name)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity)...)
}
