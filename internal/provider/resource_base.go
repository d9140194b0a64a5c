// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// resourceBase is what all resources and list resources share: a name, the
// runtime, and how both come about.
type resourceBase struct {
	name    string // without the provider's prefix
	runtime *runtime
}

// Metadata names the resource.
func (r *resourceBase) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.name
}

// Configure takes the runtime.
func (r *resourceBase) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	resp.Diagnostics.Append(takeRuntime(req.ProviderData, &r.runtime)...)
}
