// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// ValidateConfig checks what can be checked without a cluster: that every known
// setting can be read as its type.
func (r *topicResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config topicModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(validateSettings(config)...)
}

// validateSettings words every setting of a topic that cannot be what it must be.
func validateSettings(config topicModel) diag.Diagnostics {
	var diags diag.Diagnostics
	settings, _ := settingsOf(config.Config)
	for _, invalid := range settings.Validate() {
		diags.Append(invalidSetting(path.Root("config").AtMapKey(invalid.Key), config.Name.ValueString(), invalid))
	}
	return diags
}
