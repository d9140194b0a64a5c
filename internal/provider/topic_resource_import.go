// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// ImportState takes a topic over by its name. It asks the cluster at once, so
// that a name which does not exist, and a cluster that does not answer, each get
// the error that fits.
func (r *topicResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if r.runtime.settings.unknown {
		resp.Diagnostics.Append(clusterUnknownAtImport(req.ID))
		return
	}
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.runtime.unreachableAgain(err)...)
		return
	}
	_, found, diags := r.find(ctx, view, req.ID)
	resp.Diagnostics.Append(diags...)
	if diags.HasError() {
		return
	}
	if !found {
		resp.Diagnostics.Append(topicToImportNotFound(req.ID, view))
		return
	}
	resource.ImportStatePassthroughID(ctx, path.Root("name"), req, resp)
}
