// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

// leftToCluster is how a configuration says in words that it leaves the number of
// replicas to the cluster. It stays in the state as it was written.
const leftToCluster = -1

// throttleKey is the private state's note that a throttle is left on the topic.
// Read writes it, because only Read has the snapshot and costs nothing.
const throttleKey = "throttle_left"

// privateReader and privateWriter are what is used of Terraform's private state.
type (
	privateReader interface {
		GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	}
	privateWriter interface {
		SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
	}
)

// hasThrottleLeft reads the note.
func hasThrottleLeft(ctx context.Context, private privateReader) bool {
	value, _ := private.GetKey(ctx, throttleKey)
	return string(value) == "true"
}

// setThrottleLeft writes or removes the note.
func setThrottleLeft(ctx context.Context, private privateWriter, left bool) diag.Diagnostics {
	if left {
		return private.SetKey(ctx, throttleKey, []byte("true"))
	}
	return private.SetKey(ctx, throttleKey, nil)
}

// settled returns the topic with the number of replicas that the state shall show.
// While replicas are being moved metadata shows the old and the new ones together,
// partitions differ, and a partition may show none: then it is the number that the
// state had, because a change of it would be a change of what is only passing. The
// plan of an interrupted run shows its own change again that way.
func (r *topicResource) settled(ctx context.Context, prior types.Int64, topic kafka.Topic, private privateWriter) (kafka.Topic, diag.Diagnostics) {
	had := prior.ValueInt64()
	differs := had > 0 && had != topic.ReplicationFactor
	if !differs && len(topic.Uneven) == 0 && !topic.Throttled() {
		return topic, setThrottleLeft(ctx, private, false)
	}
	all, err := r.runtime.client.Moves(ctx)
	moves := all[topic.Name]
	diags := setThrottleLeft(ctx, private, topic.Throttled() && err == nil && len(moves) == 0)
	passing := len(moves) > 0 || len(topic.Uneven) > 0 || topic.ReplicationFactor == 0
	if len(topic.Uneven) > 0 || differs && passing {
		diags.Append(r.runtime.notes.say(noteReplicas, replicaCountsDiffer(topic, moves, err == nil))...)
	}
	if differs && !passing && err == nil {
		// A move may have ended between the snapshot and the list of moves.
		now, err := r.runtime.client.ReplicationFactor(ctx, topic.Name)
		passing = err == nil && now != topic.ReplicationFactor
	}
	if differs && passing {
		topic.ReplicationFactor = had
	}
	return topic, diags
}

// fillReplicationFactor takes the number of replicas that the cluster shows, unless
// the configuration has left it to the cluster in words.
func (m *topicModel) fillReplicationFactor(topic kafka.Topic) {
	switch {
	case m.ReplicationFactor.ValueInt64() == leftToCluster:
	case topic.ReplicationFactor == 0: // a topic without replicas does not exist: it does not show them
		m.ReplicationFactor = types.Int64Null()
	default:
		m.ReplicationFactor = types.Int64Value(topic.ReplicationFactor)
	}
}

// refuseReplicas refuses a number of replicas that the brokers cannot hold, or that
// somebody else's move stands in the way of.
func (p *topicPlan) refuseReplicas(ctx context.Context, view *cluster) diag.Diagnostics {
	wanted := p.plan.ReplicationFactor
	if wanted.ValueInt64() < 1 || p.state != nil && wanted.Equal(p.state.ReplicationFactor) {
		return nil
	}
	name := p.plan.Name.ValueString()
	if brokers := int64(len(view.snapshot.Brokers)); wanted.ValueInt64() > brokers {
		return diag.Diagnostics{tooManyReplicas(name, wanted.ValueInt64(), brokers, p.runtime.done())}
	}
	if p.state == nil {
		return nil
	}
	all, err := p.runtime.client.Moves(ctx)
	if err != nil {
		return nil // apply asks again, and cannot do without an answer
	}
	var foreign []kafka.Move
	for _, move := range all[name] {
		if int64(len(move.Target)) != wanted.ValueInt64() {
			foreign = append(foreign, move)
		}
	}
	if len(foreign) == 0 {
		return nil
	}
	return diag.Diagnostics{topicMoving(name, wanted.ValueInt64(), foreign, p.runtime.done())}
}

// addsReplicas says that the plan raises the number of replicas.
func (p *topicPlan) addsReplicas() bool {
	return p.state != nil && known(p.state.ReplicationFactor) && p.state.ReplicationFactor.ValueInt64() > 0 &&
		p.plan.ReplicationFactor.ValueInt64() > p.state.ReplicationFactor.ValueInt64()
}

// planLeftThrottle plans an update of a topic that needs none, so that apply removes
// what an interrupted run has left.
func (p *topicPlan) planLeftThrottle() diag.Diagnostics {
	if !p.throttleLeft {
		return nil
	}
	p.plan.Reservation = types.StringUnknown()
	return p.runtime.notes.say(noteThrottle, throttleFound(p.plan.Name.ValueString()))
}

// warnKeysMove says, once, what more partitions do to records with keys.
func (p *topicPlan) warnKeysMove() diag.Diagnostics {
	before, after := p.state.Partitions.ValueInt64(), p.plan.Partitions.ValueInt64()
	if after <= before {
		return nil
	}
	return p.runtime.notes.say(noteKeysMove, keysMove(p.plan.Name.ValueString(), before, after))
}

// leaveReplicas gives a new topic that leaves its replicas to the cluster in words
// the cluster's default; a live topic of that name goes before it.
func (p *topicPlan) leaveReplicas(view *cluster, planned plannedTopic) plannedTopic {
	if p.state == nil && planned.replicationFactor == 0 {
		planned.replicationFactor = view.snapshot.Defaults.ReplicationFactor
	}
	return planned
}

// knowsReplicas says that a planned topic's number of replicas is known, as far as
// it counts.
func (c *cluster) knowsReplicas(planned plannedTopic) bool {
	return !c.platform.CountsReplicas() || c.resolve(planned).ReplicationFactor > 0
}
