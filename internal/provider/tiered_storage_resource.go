// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

var (
	_ resource.Resource                = (*tieredStorageResource)(nil)
	_ resource.ResourceWithConfigure   = (*tieredStorageResource)(nil)
	_ resource.ResourceWithImportState = (*tieredStorageResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*tieredStorageResource)(nil)
	_ resource.ResourceWithIdentity    = (*tieredStorageResource)(nil)

	_ resource.ResourceWithValidateConfig = (*tieredStorageResource)(nil)
)

// tieredStorageTypeName is the name of the resource and of its list resource, without
// the provider's prefix.
const tieredStorageTypeName = "topic_tiered_storage"

// tieredStorageResource manages the tiered settings of one topic, which exists
// apart from it. All of a change travels in one request.
type tieredStorageResource struct {
	resourceBase
}

// newTieredStorageResource makes the resource.
func newTieredStorageResource() resource.Resource {
	return &tieredStorageResource{resourceBase{name: tieredStorageTypeName}}
}

// Create makes the topic's tiered settings what the plan says. Nothing is sent
// where they are so already, as when the topic's own config hands them over.
func (r *tieredStorageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan tieredStorageModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeout, diags := plan.Timeouts.Create(ctx, defaultTopicTimeout)
	resp.Diagnostics.Append(diags...)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	resp.Diagnostics.Append(r.apply(ctx, nil, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(identifyTiered(ctx, resp.Identity, plan.Topic)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// Read brings the state to what the first snapshot shows.
func (r *tieredStorageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state tieredStorageModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(identifyTiered(ctx, resp.Identity, state.Topic)...)
	if resp.Diagnostics.HasError() || r.runtime.settings.unknown {
		return // where the cluster is, may not be known yet: the state stays as it was
	}
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.runtime.unreachable(err)...)
		return
	}
	topic, found, diags := r.runtime.find(ctx, view, state.Topic.ValueString())
	resp.Diagnostics.Append(diags...)
	switch {
	case diags.HasError():
	case !found:
		resp.State.RemoveResource(ctx)
	default:
		state.fill(view, topic)
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// Update sends the difference between state and plan.
func (r *tieredStorageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state tieredStorageModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(identifyTiered(ctx, resp.Identity, state.Topic)...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeout, diags := plan.Timeouts.Update(ctx, defaultTopicTimeout)
	resp.Diagnostics.Append(diags...)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	resp.Diagnostics.Append(r.apply(ctx, &state, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// Delete switches tiered storage off, where it is on and its loss was agreed to,
// and takes the other settings back. It looks at the topic first: a plan says
// nothing of a delete that Terraform orders by itself, as for a taint.
func (r *tieredStorageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state tieredStorageModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeout, diags := state.Timeouts.Delete(ctx, defaultTopicTimeout)
	resp.Diagnostics.Append(diags...)
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.runtime.unreachableAgain(err)...)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	name := state.Topic.ValueString()
	live, err := r.runtime.client.Reread(ctx, name)
	switch {
	case kafka.IsUnknownTopic(err):
		return // and its tiers with it
	case err != nil:
		resp.Diagnostics.Append(topicUnreadable(name, err))
		return
	}
	change := r.runtime.tieringAway(live)
	p := tieredPlan{runtime: r.runtime, state: &state, goes: true}
	said := p.judge(ctx, tieringCase{view: view, live: &live, after: view.changed(live, change), touched: touchedBy(change), consent: state.DeleteRemoteData.ValueBool()})
	if resp.Diagnostics.Append(said.Errors()...); resp.Diagnostics.HasError() || change.Empty() {
		return
	}
	if err := r.runtime.client.Change(ctx, name, change); err != nil {
		resp.Diagnostics.Append(r.writeFailed(err, name)...)
		return
	}
	r.runtime.did("took the tiered settings off", name)
}

// apply makes the topic what the plan says, and completes the plan. state is nil
// for a create. The rules are held against the topic as it is now, which may not
// be what they were held against before: another resource may have changed it, or
// was to, and has not.
func (r *tieredStorageResource) apply(ctx context.Context, state, plan *tieredStorageModel) diag.Diagnostics {
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		return r.runtime.unreachableAgain(err)
	}
	name := plan.Topic.ValueString()
	live, err := r.runtime.topicNow(ctx, view, name)
	switch {
	case kafka.IsUnknownTopic(err):
		return diag.Diagnostics{tieredTopicMissing(name, r.runtime.done())}
	case err != nil:
		return diag.Diagnostics{topicUnreadable(name, err)}
	}
	p := tieredPlan{runtime: r.runtime, state: state, plan: *plan}
	p.renewed = p.isRenewed(r.runtime.changes.of(name))
	change := p.change(&live)
	said := p.judge(ctx, tieringCase{
		view: view, live: &live, after: view.changed(live, change), touched: touchedBy(change), overrides: overriddenAfter(overriddenBy(live), change),
		consent: plan.DeleteRemoteData.ValueBool(),
	})
	if errs := said.Errors(); errs.HasError() {
		return errs
	}
	if !change.Empty() {
		if err := r.runtime.client.Change(ctx, name, change); err != nil {
			return r.writeFailed(err, name)
		}
		r.runtime.did("changed the tiered settings of", name)
	}
	plan.ID = plan.Topic
	if plan.LocalReservedBytes.IsUnknown() || plan.RemoteReservedBytes.IsUnknown() {
		plan.setReservation(view.shown(view.changed(live, change)))
	}
	return nil
}

// topicNow is a topic as it is now: the snapshot has it, unless this process has
// changed it or is about to.
func (r *runtime) topicNow(ctx context.Context, view *cluster, name string) (kafka.Topic, error) {
	topic, isLive := view.snapshot.Topics[name]
	if planned := r.changes.of(name).topic; isLive && (planned == nil || !planned.changes) {
		return topic, nil
	}
	return r.client.Reread(ctx, name)
}

// tieringAway is what takes the tiered settings of a topic off. The flag that lets
// the data go stays on the topic: brokers may see both changes at once.
func (r *runtime) tieringAway(live kafka.Topic) topicconfig.Change {
	change := topicconfig.Change{Set: topicconfig.Settings{}}
	overrides := live.Overrides()
	for _, key := range topicconfig.TieredKeys() {
		if _, ours := tieredAttributes[key]; !ours || key == topicconfig.RemoteStorageEnable {
			continue
		}
		if _, own := overrides[key]; own {
			change.Remove = append(change.Remove, key)
		}
	}
	if isTiered(live.Effective()) {
		change.Set[topicconfig.RemoteStorageEnable] = "false"
		return r.withConsent(change, true)
	}
	return change
}
