// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

var (
	_ resource.Resource                   = (*topicResource)(nil)
	_ resource.ResourceWithConfigure      = (*topicResource)(nil)
	_ resource.ResourceWithImportState    = (*topicResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*topicResource)(nil)
	_ resource.ResourceWithValidateConfig = (*topicResource)(nil)
)

// topicTypeName is the name of the resource and of its list resource, without the
// provider's prefix.
const topicTypeName = "topic"

// defaultTopicTimeout is how long a create, update or delete may take.
const defaultTopicTimeout = 5 * time.Minute

// topicResource manages one Kafka topic.
type topicResource struct {
	resourceBase
}

// newTopicResource makes the resource.
func newTopicResource() resource.Resource {
	return &topicResource{resourceBase{name: topicTypeName}}
}

// Create creates the topic. What the broker has created always comes back as
// state, together with the error if there is one: a topic that Terraform forgets
// would be an orphan.
func (r *topicResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan topicModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeout, diags := plan.Timeouts.Create(ctx, defaultTopicTimeout)
	resp.Diagnostics.Append(diags...)
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.runtime.unreachableAgain(err)...)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if diags := r.refuseTaken(ctx, view, plan.Name.ValueString()); diags.HasError() {
		resp.Diagnostics.Append(diags...)
		return
	}
	created, err := r.runtime.client.Create(ctx, plan.newTopic())
	switch {
	case kafka.IsTopicExists(err) && r.runtime.settings.adoptExisting:
		created, diags = r.adopt(ctx, &plan)
		resp.Diagnostics.Append(diags...)
	default:
		if created.Name != "" {
			r.runtime.did("created", created.Name)
		}
		if err != nil {
			resp.Diagnostics.Append(r.writeFailed(err, "create", plan)...)
		}
	}
	if created.Name == "" {
		return
	}
	plan.fillCreated(view, created)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, plan.Name)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// Read brings the state to what the first snapshot shows.
func (r *topicResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state topicModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, state.Name)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if r.runtime.settings.unknown {
		return // where the cluster is, is not known yet: the state stays as it was
	}
	r.runtime.hold(state.Name.ValueString())
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.runtime.unreachable(err)...)
		return
	}
	timeout, diags := state.Timeouts.Read(ctx, defaultTopicTimeout)
	resp.Diagnostics.Append(diags...)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	topic, found, diags := r.runtime.find(ctx, view, state.Name.ValueString())
	resp.Diagnostics.Append(diags...)
	switch {
	case diags.HasError():
	case !found:
		resp.State.RemoveResource(ctx)
	default:
		topic, diags = r.settled(ctx, state.ReplicationFactor, topic, resp.Private)
		resp.Diagnostics.Append(diags...)
		state.fill(view, topic)
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// Update changes settings, partitions and replicas in place, by the difference
// between state and plan only: a setting that somebody else changed meanwhile is
// left for the next plan to show. Each step that is done goes into the state, so
// that a later one which fails hides nothing.
func (r *topicResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state topicModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, state.Name)...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeout, diags := plan.Timeouts.Update(ctx, defaultTopicTimeout)
	resp.Diagnostics.Append(diags...)
	if _, _, err := r.runtime.open(ctx); err != nil {
		resp.Diagnostics.Append(r.runtime.unreachableAgain(err)...)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for _, step := range r.updateSteps(state, plan, hasThrottleLeft(ctx, req.Private)) {
		done, diags := step.run(ctx)
		resp.Diagnostics.Append(diags...)
		if done {
			r.runtime.did(step.did, plan.Name.ValueString())
			step.keep(&state)
			resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
		}
		if resp.Diagnostics.HasError() {
			return
		}
	}
	resp.Diagnostics.Append(setThrottleLeft(ctx, resp.Private, false)...)
	if plan.Reservation.IsUnknown() {
		plan.ReservedBytes, plan.Reservation = state.ReservedBytes, state.Reservation
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// Delete deletes the topic and waits until it is gone.
func (r *topicResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state topicModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeout, diags := state.Timeouts.Delete(ctx, defaultTopicTimeout)
	resp.Diagnostics.Append(diags...)
	if r.runtime.settings.protects(state) {
		resp.Diagnostics.Append(topicProtected(state.Name.ValueString(), r.runtime.done()))
		return
	}
	view, _, err := r.runtime.open(ctx)
	if err != nil {
		resp.Diagnostics.Append(r.runtime.unreachableAgain(err)...)
		return
	}
	if name := state.Name.ValueString(); isInternal(view, name) {
		resp.Diagnostics.Append(internalTopicDeleted(name, r.runtime.done()))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := r.runtime.client.Delete(ctx, state.Name.ValueString()); err != nil {
		resp.Diagnostics.Append(r.writeFailed(err, "delete", state)...)
		return
	}
	r.runtime.did("deleted", state.Name.ValueString())
}

// newTopic is what a planned topic asks the cluster for; a count that is left out is
// the cluster's to choose.
func (m *topicModel) newTopic() kafka.NewTopic {
	settings, _ := settingsOf(m.Config)
	topic := kafka.NewTopic{Name: m.Name.ValueString(), Partitions: -1, ReplicationFactor: -1, Settings: settings}
	if known(m.Partitions) {
		topic.Partitions = m.Partitions.ValueInt64()
	}
	if known(m.ReplicationFactor) {
		topic.ReplicationFactor = m.ReplicationFactor.ValueInt64()
	}
	return topic
}
