// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Adoption takes over a topic that a create finds, where the provider block allows
// it. It changes what the configuration says and nothing else: overrides that the
// configuration does not list stay, and the next plan shows them for what they
// are. At plan a replacement and a name that moves between addresses look the
// same, so an obstacle is a warning there and an error in apply, before anything
// is sent.

// adopts says whether this plan takes a live topic over.
func (p *topicPlan) adopts(isLive bool) bool {
	return isLive && p.state == nil && p.runtime.settings.adoptExisting
}

// takeCounts plans what the topic has where the configuration leaves it out.
func (p *topicPlan) takeCounts(live kafka.Topic) {
	if p.config.Partitions.IsNull() {
		p.plan.Partitions = types.Int64Value(live.Partitions)
	}
	if p.config.ReplicationFactor.IsNull() {
		p.plan.ReplicationFactor = types.Int64Value(live.ReplicationFactor)
	}
}

// noteAdoption says, once, that a topic will be taken over, and of each topic that
// cannot be, why.
func (p *topicPlan) noteAdoption(live kafka.Topic) diag.Diagnostics {
	if hasTooMany(p.plan, live) {
		return diag.Diagnostics{asWarning(topicNotAdoptable(live.Name, live.Partitions, p.plan.Partitions.ValueInt64(), nil))}
	}
	return p.runtime.notes.say(noteAdoption, topicWillBeAdopted(live.Name))
}

// hasTooMany says that the existing topic has more partitions than a plan asks
// for: the one thing that an update cannot change.
func hasTooMany(plan topicModel, live kafka.Topic) bool {
	return known(plan.Partitions) && plan.Partitions.ValueInt64() < live.Partitions
}

// adopt makes the existing topic what the plan says, by the writes of an update.
// The topic that comes back is to go into the state. Where a write fails none does:
// a state with an error would be tainted, and the next apply would delete a topic
// that was there before Terraform knew it. A second apply takes it up again.
func (r *topicResource) adopt(ctx context.Context, plan *topicModel) (kafka.Topic, diag.Diagnostics) {
	name := plan.Name.ValueString()
	live, err := r.runtime.client.Reread(ctx, name)
	if err != nil {
		return kafka.Topic{}, r.writeFailed(err, "create", *plan)
	}
	if hasTooMany(*plan, live) {
		return kafka.Topic{}, diag.Diagnostics{topicNotAdoptable(name, live.Partitions, plan.Partitions.ValueInt64(), r.runtime.done())}
	}
	var said diag.Diagnostics
	for _, step := range r.updateSteps(foundTopic(live, *plan), *plan, false) {
		done, diags := step.run(ctx)
		said.Append(diags...)
		if done {
			r.runtime.did(step.did, name)
		}
		if said.HasError() {
			return kafka.Topic{}, said
		}
	}
	r.runtime.did("adopted", name)
	return live, said
}

// foundTopic is the topic as a state would hold it, with those of its own settings
// that the plan names: the others are none of the plan's business.
func foundTopic(live kafka.Topic, plan topicModel) topicModel {
	overrides, named := live.Overrides(), topicconfig.Settings{}
	wanted, _ := settingsOf(plan.Config)
	for key := range wanted {
		if value, own := overrides[key]; own {
			named[key] = value
		}
	}
	return topicModel{
		Name:              plan.Name,
		Partitions:        types.Int64Value(live.Partitions),
		ReplicationFactor: types.Int64Value(live.ReplicationFactor),
		Config:            settingsMap(named),
	}
}
