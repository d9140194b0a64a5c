// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

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
	resp.Diagnostics.Append(validateName(path.Root("name"), config.Name, r.done())...)
	resp.Diagnostics.Append(validateSettings(config, r.done())...)
}

// done says what this run has changed so far. Terraform validates once more in
// apply, when everything is known; before that there is no runtime.
func (r *topicResource) done() []string {
	if r.runtime == nil {
		return nil
	}
	return r.runtime.done()
}

// validateName words a name that no Kafka takes.
func validateName(at path.Path, name types.String, done []string) diag.Diagnostics {
	if name.IsNull() || name.IsUnknown() {
		return nil
	}
	if err := topicconfig.CheckName(name.ValueString()); err != nil {
		return diag.Diagnostics{invalidName(at, err, done)}
	}
	return nil
}

// validateSettings words every setting of a topic that cannot be what it must be.
func validateSettings(config topicModel, done []string) diag.Diagnostics {
	var diags diag.Diagnostics
	settings, _ := settingsOf(config.Config)
	for _, invalid := range settings.Validate() {
		diags.Append(settingRefused(config.Name.ValueString(), invalid, done))
	}
	return diags
}
