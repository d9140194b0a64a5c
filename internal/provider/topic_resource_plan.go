// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// ModifyPlan decides what really changes, computes what the topic will reserve,
// and asks the ledger. Terraform calls it once for each topic of a plan, twice
// for a replacement, and again in the apply just before each create or update,
// with everything known: the gate is the same code in both.
func (r *topicResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.runtime == nil {
		return
	}
	p := topicPlan{runtime: r.runtime, throttleLeft: hasThrottleLeft(ctx, req.Private)}
	if !req.State.Raw.IsNull() {
		p.state = &topicModel{}
		resp.Diagnostics.Append(req.State.Get(ctx, p.state)...)
		p.runtime.hold(p.state.Name.ValueString())
	}
	if req.Plan.Raw.IsNull() {
		if p.state != nil {
			resp.Diagnostics.Append(p.decideDelete(ctx)...)
		}
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &p.plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &p.config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if p.state == nil {
		resp.Diagnostics.Append(p.refuseTwin()...)
	}
	resp.Diagnostics.Append(p.refuseName(ctx)...)
	resp.Diagnostics.Append(p.decide(ctx)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(p.askCluster(ctx)...)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &p.plan)...)
}

// topicPlan is one call's work: the configuration, the state before (nil for a
// create), and the plan that it completes.
type topicPlan struct {
	runtime *runtime
	config  topicModel
	state   *topicModel
	plan    topicModel
	// throttleLeft says that an interrupted run has left its throttle on the topic.
	throttleLeft bool
	// with is what the topic's tiered resource was heard to plan when this call was
	// judged; nil for nothing. What comes later is for that resource's own call.
	with *tieredChange
}

// decide completes the plan.
func (p *topicPlan) decide(ctx context.Context) diag.Diagnostics {
	if p.replacesName() {
		// The old topic goes and a new one comes. Terraform plans the new one again
		// with no state before it; booking it twice under its name counts once.
		said := p.decideDelete(ctx)
		if said.HasError() {
			return said
		}
		p.state = nil
		return append(said, p.decideCreate(ctx)...)
	}
	if p.state == nil {
		return p.decideCreate(ctx)
	}
	return p.decideUpdate(ctx)
}

// refuseTwin refuses a second resource that creates the same topic: both would
// write to it, and the ledger, keyed by name, would count them once.
func (p *topicPlan) refuseTwin() diag.Diagnostics {
	if p.plan.Name.IsUnknown() || p.runtime.plansCreate(p.plan.Name.ValueString()) {
		return nil
	}
	return diag.Diagnostics{topicPlannedTwice(p.plan.Name.ValueString())}
}

// replacesName says whether this is the first half of a change of name.
func (p *topicPlan) replacesName() bool {
	return p.state != nil && !p.plan.Name.Equal(p.state.Name)
}

// decideCreate completes the plan of a topic that Terraform does not hold.
func (p *topicPlan) decideCreate(ctx context.Context) diag.Diagnostics {
	p.plan.ID = p.plan.Name
	p.plan.TopicID = types.StringUnknown()
	p.unknownCounts()
	p.unknownReservation()
	return p.judge(ctx)
}

// decideUpdate completes the plan of a topic that Terraform holds.
func (p *topicPlan) decideUpdate(ctx context.Context) diag.Diagnostics {
	p.plan.ID, p.plan.TopicID = p.state.ID, p.state.TopicID
	p.plan.ReservedBytes, p.plan.Reservation = p.state.ReservedBytes, p.state.Reservation
	p.keepEqualConfig()
	p.keepCounts()
	if diags := p.refuseImpossible(); diags.HasError() {
		return diags
	}
	if p.changesNothing() {
		return append(p.judgeUnchanged(ctx), p.planLeftThrottle()...)
	}
	p.unknownReservation()
	return append(p.judge(ctx), p.warnKeysMove()...)
}

// keepEqualConfig plans the map that the state holds where the configuration's
// map means the same; Terraform takes either whole, never a mixture.
func (p *topicPlan) keepEqualConfig() {
	_, known := settingsOf(p.plan.Config)
	if known && !p.plan.Config.IsNull() && !p.state.Config.IsNull() && sameConfig(p.state.Config, p.plan.Config) {
		p.plan.Config = p.state.Config
	}
}

// keepCounts plans what the topic has where the configuration leaves it out.
func (p *topicPlan) keepCounts() {
	if p.config.Partitions.IsNull() {
		p.plan.Partitions = p.state.Partitions
	}
	if p.config.ReplicationFactor.IsNull() {
		p.plan.ReplicationFactor = p.state.ReplicationFactor
	}
}

// unknownCounts leaves open what the configuration leaves out, until the cluster
// is asked.
func (p *topicPlan) unknownCounts() {
	if p.config.Partitions.IsNull() {
		p.plan.Partitions = types.Int64Unknown()
	}
	if p.config.ReplicationFactor.IsNull() {
		p.plan.ReplicationFactor = types.Int64Unknown()
	}
}

// unknownReservation leaves the computed values open until they are computed.
func (p *topicPlan) unknownReservation() {
	p.plan.ReservedBytes, p.plan.Reservation = types.Int64Unknown(), types.StringUnknown()
}

// refuseImpossible refuses what Kafka cannot do to a topic that exists.
func (p *topicPlan) refuseImpossible() diag.Diagnostics {
	var diags diag.Diagnostics
	name := p.plan.Name.ValueString()
	if known(p.plan.Partitions) && p.plan.Partitions.ValueInt64() < p.state.Partitions.ValueInt64() {
		diags.Append(fewerPartitions(name, p.state.Partitions.ValueInt64(), p.plan.Partitions.ValueInt64()))
	}
	return diags
}

// changesNothing says that the cluster would see no difference. Such a call books
// nothing, and keeps the computed values of the state even where a state that was
// not refreshed is behind the cluster.
func (p *topicPlan) changesNothing() bool {
	_, configKnown := settingsOf(p.plan.Config)
	return configKnown && p.plan.Partitions.Equal(p.state.Partitions) && p.plan.ReplicationFactor.Equal(p.state.ReplicationFactor) &&
		configChange(p.state.Config, p.plan.Config).Empty()
}

// judge computes the reservation and books it. What is not known yet stays open:
// no verdict comes from partial data, and apply judges before it sends anything.
func (p *topicPlan) judge(ctx context.Context) diag.Diagnostics {
	if diags := p.refuseByRules(ctx); diags.HasError() {
		return diags // what is refused is not booked
	}
	if p.runtime.settings.unknown {
		return p.notJudged()
	}
	view, ledger, err := p.runtime.open(ctx)
	if err != nil {
		return p.runtime.unreachable(err)
	}
	if p.plan.Name.IsUnknown() {
		p.fillDefaultCounts(view, false)
		return p.judgeNameless(view)
	}
	live, isLive := view.snapshot.Topics[p.plan.Name.ValueString()]
	adopts := p.adopts(isLive)
	if adopts {
		p.takeCounts(live)
	}
	p.fillDefaultCounts(view, isLive && p.state != nil || adopts)
	planned, ok := p.planned()
	if adopts {
		planned.keeps = func(string) bool { return true }
	}
	planned = p.leaveReplicas(view, planned)
	ok = ok && view.knowsReplicas(planned)
	all := p.hear(planned, ok, adopts, live)
	said := p.judgeTiering(ctx, view, all)
	if said.HasError() {
		return said
	}
	said.Append(p.noteDefaults(view)...)
	if !ok {
		return append(said, p.notJudged()...)
	}
	if diags := p.refuseReplicas(ctx, view); diags.HasError() {
		return diags
	}
	computed, err := reservation.Of(view.platform, view.resolve(planned))
	if err != nil {
		return p.notCountable(err)
	}
	p.plan.setReservation(computed, nil)
	if !view.counts(planned.name) {
		return said
	}
	largest, err := view.largest(planned.name, combinations{view: view, name: planned.name, heard: all}.withTopic())
	if err != nil {
		return p.notCountable(err)
	}
	verdict := ledger.Book(quota.Change{Topic: planned.name, Planned: largest.amount, Gains: view.gains(planned.name, largest.topic)})
	said.Append(p.warnUnreadable(view)...)
	said.Append(p.speak(ctx, view, largest.topic, verdict)...)
	if adopts {
		said.Append(p.noteAdoption(live)...)
	}
	return said
}

// judgeUnchanged lets the topic's tiered resource know what stays, and gives the
// verdict that it may have left to this call. Nothing is booked for a topic that
// does not change.
func (p *topicPlan) judgeUnchanged(ctx context.Context) diag.Diagnostics {
	view := p.runtime.viewIfKnown(ctx)
	if view == nil {
		return nil
	}
	planned, ok := p.planned()
	return p.judgeTiering(ctx, view, p.hear(planned, ok, false, kafka.Topic{}))
}

// noteDefaults says, once, that a topic comes to rest on defaults which the principal
// may not read: a new one, or one that gives up a setting.
func (p *topicPlan) noteDefaults(view *cluster) diag.Diagnostics {
	denied := view.snapshot.Defaults.Denied
	if denied == nil || p.state != nil && len(configChange(p.state.Config, p.plan.Config).Remove) == 0 {
		return nil
	}
	return p.runtime.notes.say(noteDefaults, defaultsDenied(p.plan.Name.ValueString(), denied))
}

// warnUnreadable says, once, that the verdict rests on less than the whole cluster.
func (p *topicPlan) warnUnreadable(view *cluster) diag.Diagnostics {
	if len(view.snapshot.Unreadable) == 0 || !p.runtime.gateIsOn() {
		return nil
	}
	return p.runtime.notes.say(noteUnreadable, topicsUnreadable(view.snapshot.UnreadableNames()))
}

// fillDefaultCounts plans the cluster's defaults for counts that a new topic
// leaves out, where the cluster tells them.
func (p *topicPlan) fillDefaultCounts(view *cluster, exists bool) {
	if exists {
		return
	}
	defaults := view.snapshot.Defaults
	if p.config.Partitions.IsNull() && defaults.Partitions > 0 {
		p.plan.Partitions = types.Int64Value(defaults.Partitions)
	}
	if p.config.ReplicationFactor.IsNull() && defaults.ReplicationFactor > 0 {
		p.plan.ReplicationFactor = types.Int64Value(defaults.ReplicationFactor)
	}
}

// planned reads the plan as the cluster's view takes it, as far as it is known;
// false while an input is not.
func (p *topicPlan) planned() (plannedTopic, bool) {
	settings, configKnown := settingsOf(p.plan.Config)
	planned := plannedTopic{
		name:              p.plan.Name.ValueString(),
		partitions:        p.plan.Partitions.ValueInt64(),
		replicationFactor: max(p.plan.ReplicationFactor.ValueInt64(), 0), // left to the cluster is 0 here
		settings:          settings,
	}
	if p.state != nil {
		held, _ := settingsOf(p.state.Config)
		released := releasesTiering(held, settings)
		planned.keeps = func(key string) bool {
			_, removed := held[key] // what the state holds and the plan does not name goes away
			return !removed || released && isTieredKey(key)
		}
	}
	return planned, configKnown && !p.plan.Partitions.IsUnknown() && !p.plan.ReplicationFactor.IsUnknown()
}

// judgeNameless computes the reservation of a topic whose name is not known yet.
// It is not booked: the name may turn out to be that of a topic which exists.
func (p *topicPlan) judgeNameless(view *cluster) diag.Diagnostics {
	if planned, ok := p.planned(); ok && view.knowsReplicas(planned) {
		computed, err := reservation.Of(view.platform, view.resolve(planned))
		if err != nil {
			return p.notCountable(err)
		}
		p.plan.setReservation(computed, nil)
	}
	return p.notJudged()
}

// notJudged says, once, that the gate has to wait for apply.
func (p *topicPlan) notJudged() diag.Diagnostics {
	if !p.runtime.gateIsOn() {
		return nil
	}
	return p.runtime.notes.say(noteNotJudged, notJudgedYet(p.plan.Name))
}

// notCountable words a reservation that cannot be computed, at the attribute that
// is the cause.
func (p *topicPlan) notCountable(err error) diag.Diagnostics {
	var (
		invalid  *topicconfig.InvalidError
		tooLarge *reservation.TooLargeError
	)
	name := p.plan.Name.ValueString()
	switch {
	case errors.As(err, &invalid):
		return diag.Diagnostics{invalidSetting(path.Root("config").AtMapKey(invalid.Key), name, invalid)}
	case errors.As(err, &tooLarge):
		return diag.Diagnostics{reservationTooLarge(p.cause(), name, tooLarge)}
	}
	return diag.Diagnostics{reservationNotComputable(name, err)}
}

// noteDelete tells the ledger of a topic that goes. A cluster that does not
// answer is no reason to refuse a delete at plan: reading the topic has said so,
// and apply will.
func (p *topicPlan) noteDelete(ctx context.Context, name string) {
	if p.runtime.settings.unknown {
		return
	}
	if _, ledger, err := p.runtime.open(ctx); err == nil {
		ledger.Delete(name)
	}
}

// known says that a value is there.
func known(value types.Int64) bool {
	return !value.IsNull() && !value.IsUnknown()
}
