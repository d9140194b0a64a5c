// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
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

// noteAdoption says, once, that a topic will be taken over, and for each topic
// what stands against it.
func (p *topicPlan) noteAdoption(live kafka.Topic) diag.Diagnostics {
	if obstacles := adoptionObstacles(p.plan, live); len(obstacles) > 0 {
		return diag.Diagnostics{asWarning(topicNotAdoptable(live.Name, obstacles, nil))}
	}
	if !p.runtime.notes.first("adoption") {
		return nil
	}
	return diag.Diagnostics{topicWillBeAdopted(live.Name)}
}

// adoptionObstacles says what of a plan the existing topic cannot become.
func adoptionObstacles(plan topicModel, live kafka.Topic) []string {
	var obstacles []string
	if known(plan.Partitions) && plan.Partitions.ValueInt64() < live.Partitions {
		obstacles = append(obstacles, fmt.Sprintf("it has %d partitions and the configuration %d, and Kafka cannot take partitions away", live.Partitions, plan.Partitions.ValueInt64()))
	}
	if known(plan.ReplicationFactor) && plan.ReplicationFactor.ValueInt64() != live.ReplicationFactor {
		obstacles = append(obstacles, fmt.Sprintf("it has %d replicas and the configuration %d", live.ReplicationFactor, plan.ReplicationFactor.ValueInt64()))
	}
	return obstacles
}

// adopt makes the existing topic what the plan says and puts it into the state.
func (r *topicResource) adopt(ctx context.Context, plan *topicModel, state *tfsdk.State) diag.Diagnostics {
	name := plan.Name.ValueString()
	live, err := r.runtime.client.Read(ctx, name)
	if err != nil {
		return r.writeFailed(err, "create", *plan)
	}
	if obstacles := adoptionObstacles(*plan, live); len(obstacles) > 0 {
		return diag.Diagnostics{topicNotAdoptable(name, obstacles, r.runtime.done())}
	}
	wanted, _ := settingsOf(plan.Config)
	change := topicconfig.Change{Set: topicconfig.Diff(live.Overrides(), wanted).Set}
	if !change.Empty() {
		if err := r.runtime.client.Change(ctx, name, change); err != nil {
			return r.writeFailed(err, "change", *plan)
		}
	}
	r.runtime.did("adopted", name)
	more := plan.Partitions.ValueInt64() > live.Partitions
	if more {
		if err := r.runtime.client.SetPartitions(ctx, name, plan.Partitions.ValueInt64()); err != nil {
			// The topic is ours from here on: what it has goes into the state with the error.
			plan.Partitions = types.Int64Value(live.Partitions)
			plan.fillCreated(r.runtime.view(), live)
			return append(state.Set(ctx, plan), r.writeFailed(err, "change", *plan)...)
		}
	}
	plan.fillCreated(r.runtime.view(), live)
	return state.Set(ctx, plan)
}
