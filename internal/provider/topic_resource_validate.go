// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// ValidateConfig checks what can be checked without a cluster: the name, and that
// every known setting is one that some Kafka takes. What depends on the platform,
// or on what the cluster declares, is checked when the plan is made.
func (r *topicResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config topicModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(validateName(config)...)
	resp.Diagnostics.Append(validateSettings(config)...)
}

// validateName words a name that no Kafka takes.
func validateName(config topicModel) diag.Diagnostics {
	if config.Name.IsNull() || config.Name.IsUnknown() {
		return nil
	}
	if err := topicconfig.CheckName(config.Name.ValueString()); err != nil {
		return diag.Diagnostics{invalidName(err)}
	}
	return nil
}

// validateSettings words every setting of a topic that cannot be what it must be.
func validateSettings(config topicModel) diag.Diagnostics {
	var diags diag.Diagnostics
	settings, _ := settingsOf(config.Config)
	for _, invalid := range settings.Validate() {
		diags.Append(invalidSetting(atSetting(invalid.Key), config.Name.ValueString(), invalid))
	}
	return diags
}
