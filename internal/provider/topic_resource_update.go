// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// updateStep is one write of an update.
type updateStep struct {
	did  string // what has happened after it, for the error of a later one
	run  func(context.Context) (done bool, diags diag.Diagnostics)
	keep func(state *topicModel)
}

// updateSteps puts the writes of an update in order. A reservation is a product of
// bytes, partitions and replicas, and what lowers a factor comes before what
// raises one: it falls, then rises, so that no moment of the update reserves more
// than the larger of before and after. Replicas that go therefore go first, and
// replicas that come come last.
//
// min.insync.replicas goes the other way, because producers that wait for more
// replicas than there are stand still: before replicas go, and after they have come.
func (r *topicResource) updateSteps(state, plan topicModel, throttleLeft bool) []updateStep {
	change := r.runtime.sentChange(state, plan)
	name := plan.Name.ValueString()
	var partitions []updateStep
	if plan.Partitions.ValueInt64() > state.Partitions.ValueInt64() {
		partitions = append(partitions, updateStep{
			did: "added partitions to",
			run: r.write(plan, func(ctx context.Context) error {
				return r.runtime.client.SetPartitions(ctx, name, plan.Partitions.ValueInt64())
			}),
			keep: func(state *topicModel) { state.Partitions = plan.Partitions },
		})
	}
	if !changesReplicas(state, plan) {
		steps := append(r.configStep(plan, change), partitions...)
		if throttleLeft {
			steps = append(steps, updateStep{
				did:  "removed the throttle of",
				run:  r.finishMove(plan),
				keep: func(*topicModel) {},
			})
		}
		return steps
	}
	inSync, others := splitChange(change, topicconfig.MinInsyncReplicas)
	replicas := []updateStep{{
		did:  "moved replicas of",
		run:  r.moveReplicas(plan),
		keep: func(state *topicModel) { state.ReplicationFactor = plan.ReplicationFactor },
	}}
	if plan.ReplicationFactor.ValueInt64() < state.ReplicationFactor.ValueInt64() {
		return slices.Concat(r.configStep(plan, inSync), replicas, r.configStep(plan, others), partitions)
	}
	return slices.Concat(r.configStep(plan, others), partitions, replicas, r.configStep(plan, inSync))
}

// changesReplicas says that a number of replicas is asked for which the state does
// not have.
func changesReplicas(state, plan topicModel) bool {
	return known(plan.ReplicationFactor) && plan.ReplicationFactor.ValueInt64() != leftToCluster && !plan.ReplicationFactor.Equal(state.ReplicationFactor)
}

// configStep sends a change of settings, if there is one.
func (r *topicResource) configStep(plan topicModel, change topicconfig.Change) []updateStep {
	if change.Empty() {
		return nil
	}
	return []updateStep{{
		did: "changed",
		run: r.write(plan, func(ctx context.Context) error {
			return r.runtime.client.Change(ctx, plan.Name.ValueString(), change)
		}),
		keep: func(state *topicModel) { state.Config = changedConfig(state.Config, plan.Config, change) },
	}}
}

// write words the failure of a write that is not a move.
func (r *topicResource) write(plan topicModel, send func(context.Context) error) func(context.Context) (bool, diag.Diagnostics) {
	return func(ctx context.Context) (bool, diag.Diagnostics) {
		if err := send(ctx); err != nil {
			return false, r.writeFailed(err, "change", plan)
		}
		return true, nil
	}
}

// moveReplicas words the failure of a move, and a throttle that stays behind one.
func (r *topicResource) moveReplicas(plan topicModel) func(context.Context) (bool, diag.Diagnostics) {
	return func(ctx context.Context) (bool, diag.Diagnostics) {
		left, err := r.runtime.client.SetReplicationFactor(ctx, plan.Name.ValueString(), plan.ReplicationFactor.ValueInt64(), r.runtime.settings.replicationThrottle)
		var diags diag.Diagnostics
		if err != nil {
			diags.Append(r.moveFailed(err, plan)...)
		}
		if left != nil {
			diags.Append(throttleNotRemoved(left, r.runtime.done()))
		}
		return err == nil, diags
	}
}

// finishMove removes what an interrupted run has left.
func (r *topicResource) finishMove(plan topicModel) func(context.Context) (bool, diag.Diagnostics) {
	return func(ctx context.Context) (bool, diag.Diagnostics) {
		if left := r.runtime.client.FinishMove(ctx, plan.Name.ValueString()); left != nil {
			return false, diag.Diagnostics{throttleNotRemoved(left, r.runtime.done())}
		}
		return true, nil
	}
}

// moveFailed words a move that the cluster refused, or that did not end in time.
func (r *topicResource) moveFailed(err error, plan topicModel) diag.Diagnostics {
	var (
		moving     *kafka.MovingError
		brokers    *kafka.BrokersError
		unfinished *kafka.UnfinishedError
	)
	name, factor, done := plan.Name.ValueString(), plan.ReplicationFactor.ValueInt64(), r.runtime.done()
	switch {
	case errors.As(err, &moving):
		return diag.Diagnostics{topicMoving(name, factor, moving.Moves, done)}
	case errors.As(err, &brokers):
		return diag.Diagnostics{tooManyReplicas(name, factor, brokers.Brokers, done)}
	case kafka.IsAuthorization(err):
		return diag.Diagnostics{notAuthorizedToMove(err, name, done)}
	case errors.As(err, &unfinished):
		return diag.Diagnostics{moveUnfinished(name, factor, unfinished, done)}
	}
	return r.writeFailed(err, "change", plan)
}

// splitChange takes one key out of a change.
func splitChange(change topicconfig.Change, key string) (only, others topicconfig.Change) {
	only.Set, others.Set = topicconfig.Settings{}, maps.Clone(change.Set)
	if value, sets := change.Set[key]; sets {
		only.Set[key] = value
		delete(others.Set, key)
	}
	for _, removed := range change.Remove {
		if removed == key {
			only.Remove = append(only.Remove, removed)
		} else {
			others.Remove = append(others.Remove, removed)
		}
	}
	return only, others
}

// changedConfig is the state's map after a part of the way to the plan's.
func changedConfig(state, plan types.Map, change topicconfig.Change) types.Map {
	elements := map[string]attr.Value{}
	maps.Copy(elements, state.Elements())
	for key := range change.Set {
		if value, listed := plan.Elements()[key]; listed { // the flag that lets remote data go is in no map
			elements[key] = value
		}
	}
	for _, key := range change.Remove {
		delete(elements, key)
	}
	if len(elements) == 0 && plan.IsNull() {
		return types.MapNull(types.StringType)
	}
	return types.MapValueMust(types.StringType, elements)
}
