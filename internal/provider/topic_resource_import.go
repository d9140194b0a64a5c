// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ImportState takes a topic over by its name. It asks the cluster at once, so
// that a name which does not exist, and a cluster that does not answer, each get
// the error that fits.
func (r *topicResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	name, diags := nameToImport(ctx, req)
	resp.Diagnostics.Append(diags...)
	if diags.HasError() {
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
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("name"), name)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, types.StringValue(name))...)
}
