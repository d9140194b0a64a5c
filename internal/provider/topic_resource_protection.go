// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// protects says whether a topic may not be deleted: what its state says, else
// what the provider block says. The state counts and not the configuration,
// because a deleted resource has no configuration any more.
func (s providerSettings) protects(state topicModel) bool {
	if state.DeletionProtection.IsNull() || state.DeletionProtection.IsUnknown() {
		return s.deletionProtection
	}
	return state.DeletionProtection.ValueBool()
}

// decideDelete refuses to delete an internal topic, a protected one, or one that
// the principal has no right to delete, and tells the ledger of any other. A taint and -replace do not tell at plan that they delete, so Delete
// checks the protection again before it sends anything.
func (p *topicPlan) decideDelete(ctx context.Context) diag.Diagnostics {
	if diags := p.refuseInternalDelete(ctx); diags.HasError() {
		return diags
	}
	name := p.state.Name.ValueString()
	if p.runtime.settings.protects(*p.state) {
		return diag.Diagnostics{topicProtected(name, p.runtime.done())}
	}
	p.noteDelete(ctx, name)
	return p.mayDelete(ctx, name)
}
