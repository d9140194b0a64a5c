// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

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

// adopt makes the existing topic what the plan says. The topic that comes back is
// the one to keep; an empty one says that nothing was touched. Where partitions
// could not be added the plan gets what the topic has, because it is ours from
// then on, together with the error.
func (r *topicResource) adopt(ctx context.Context, plan *topicModel) (kafka.Topic, diag.Diagnostics) {
	name := plan.Name.ValueString()
	live, err := r.runtime.client.Reread(ctx, name)
	if err != nil {
		return kafka.Topic{}, r.writeFailed(err, "create", *plan)
	}
	if obstacles := adoptionObstacles(*plan, live); len(obstacles) > 0 {
		return kafka.Topic{}, diag.Diagnostics{topicNotAdoptable(name, obstacles, r.runtime.done())}
	}
	wanted, _ := settingsOf(plan.Config)
	change := topicconfig.Change{Set: topicconfig.Diff(live.Overrides(), wanted).Set}
	if !change.Empty() {
		if err := r.runtime.client.Change(ctx, name, change); err != nil {
			return kafka.Topic{}, r.writeFailed(err, "change", *plan)
		}
	}
	r.runtime.did("adopted", name)
	if plan.Partitions.ValueInt64() > live.Partitions {
		if err := r.runtime.client.SetPartitions(ctx, name, plan.Partitions.ValueInt64()); err != nil {
			plan.Partitions = types.Int64Value(live.Partitions)
			return live, r.writeFailed(err, "change", *plan)
		}
	}
	return live, nil
}
