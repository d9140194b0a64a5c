// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// dataSource is what all data sources share: a name, the runtime, and how both
// come about.
type dataSource struct {
	name    string // without the provider's prefix
	runtime *runtime
}

// Metadata names the data source.
func (d *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.name
}

// Configure takes the runtime.
func (d *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	resp.Diagnostics.Append(takeRuntime(req.ProviderData, &d.runtime)...)
}

// waitForAttribute is the input that every data source has for clusters which the
// same apply creates.
func waitForAttribute() schema.DynamicAttribute {
	return schema.DynamicAttribute{
		MarkdownDescription: "Anything. Its value is not used: while it is not known, Terraform puts the reading off until apply. For a cluster that the same apply creates.",
		Optional:            true,
	}
}

// openForDataSource returns the cluster, or why a data source has to fail.
func openForDataSource(ctx context.Context, r *runtime) (*cluster, diag.Diagnostics) {
	if r.settings.unknown {
		return nil, diag.Diagnostics{clusterUnknown()}
	}
	view, _, err := r.open(ctx)
	if err != nil {
		return nil, r.unreachableAgain(err)
	}
	return view, nil
}
