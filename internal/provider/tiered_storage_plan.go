// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tieredPlan is one call's work: the state before (nil for a create), and the plan
// that it completes.
type tieredPlan struct {
	runtime *runtime
	state   *tieredStorageModel
	plan    tieredStorageModel
	goes    bool // the resource is to be deleted
	// renewed says that the topic itself is replaced, and its tiered settings with it.
	renewed bool
}

// ModifyPlan holds the planned settings against the rules, computes what the tiers
// will hold, and asks the ledger and the cluster.
func (r *tieredStorageResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.runtime == nil {
		return
	}
	p := tieredPlan{runtime: r.runtime, goes: req.Plan.Raw.IsNull()}
	if !req.State.Raw.IsNull() {
		p.state = &tieredStorageModel{}
		resp.Diagnostics.Append(req.State.Get(ctx, p.state)...)
	}
	if !p.goes {
		resp.Diagnostics.Append(req.Plan.Get(ctx, &p.plan)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if p.goes {
		if p.state != nil {
			resp.Diagnostics.Append(p.decideDelete(ctx)...)
		}
		return
	}
	resp.Diagnostics.Append(p.decide(ctx)...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &p.plan)...)
}

// ValidateConfig checks what can be checked without a cluster: the topic's name.
func (r *tieredStorageResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config tieredStorageModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	var done []string
	if r.runtime != nil {
		done = r.runtime.done()
	}
	resp.Diagnostics.Append(validateName(path.Root("topic"), config.Topic, done)...)
}

// decide completes the plan.
func (p *tieredPlan) decide(ctx context.Context) diag.Diagnostics {
	if !p.runtime.settings.platform.Tiers() {
		return diag.Diagnostics{platformDoesNotTier(p.plan.Topic.ValueString(), p.runtime.settings.platform, p.runtime.done())}
	}
	moves := p.state != nil && !p.plan.Topic.Equal(p.state.Topic)
	if moves {
		// The settings of one topic go and those of another come. Terraform plans the new
		// ones again with no state before them.
		if diags := p.decideDelete(ctx); diags.HasError() {
			return diags
		}
		p.state = nil
	}
	p.plan.ID = p.plan.Topic
	p.plan.unknownReservation()
	if p.state != nil {
		p.plan.LocalReservedBytes, p.plan.RemoteReservedBytes = p.state.LocalReservedBytes, p.state.RemoteReservedBytes
	}
	if p.plan.Topic.IsUnknown() || p.runtime.settings.unknown {
		return p.notJudged()
	}
	view, ledger, err := p.runtime.open(ctx)
	if err != nil {
		return p.runtime.unreachable(err)
	}
	return p.judgeAll(ctx, view, ledger, moves)
}

// judgeAll hears the topic's other resource, and judges.
func (p *tieredPlan) judgeAll(ctx context.Context, view *cluster, ledger *quota.Ledger, moves bool) diag.Diagnostics {
	name := p.plan.Topic.ValueString()
	var live *kafka.Topic
	if topic, isLive := view.snapshot.Topics[name]; isLive {
		live = &topic
	}
	if p.isRenewed(p.runtime.changes.of(name)) {
		p.renewed = true
		p.plan.unknownReservation() // an update of a resource that needs none but for that
		live = nil
	}
	_, complete := p.plan.wanted()
	own := tieredChange{change: p.change(live), complete: complete, consent: p.plan.DeleteRemoteData.ValueBool()}
	var all heard
	if moves { // its second call counts
		all = p.runtime.changes.of(name)
		all.tiered = &own
	} else {
		all = p.runtime.changes.hearTiered(name, own, p.state != nil)
	}
	if diags := p.refuseOtherOwner(all); diags.HasError() {
		return diags
	}
	if p.state != nil && complete && own.change.Empty() {
		return nil // nothing is sent, so nothing is booked, and the computed values stay
	}
	all, waits, diags := p.judgeRules(ctx, view, live, all)
	switch {
	case diags.HasError():
		return diags
	case !complete:
		return append(diags, p.notJudged()...)
	case live != nil:
		computed, err := reservation.Of(view.platform, view.changed(*live, own.change))
		if err != nil {
			return diag.Diagnostics{reservationNotComputable(name, err)}
		}
		p.plan.setReservation(computed)
	}
	diags.Append(p.book(view, ledger, all)...)
	if !diags.HasError() && !waits {
		diags.Append(p.askCluster(ctx, view, all)...)
	}
	return diags
}

// isRenewed says that the topic of a resource that stays is replaced in this plan.
func (p *tieredPlan) isRenewed(all heard) bool {
	return p.state != nil && all.topic != nil && all.topic.creates && !all.topic.adopts
}

// change is what an apply would send for these settings.
func (p *tieredPlan) change(live *kafka.Topic) topicconfig.Change {
	held := topicconfig.Settings{topicconfig.RemoteStorageEnable: "false"}
	switch {
	case p.renewed:
		if live != nil {
			held = heldTiering(*live)
		}
	case p.state != nil:
		held, _ = p.state.wanted()
	case live != nil:
		held = heldTiering(*live)
	}
	wanted, _ := p.plan.wanted()
	change := topicconfig.Diff(held, wanted)
	maps.DeleteFunc(change.Set, func(key, _ string) bool { return p.plan.unknown(key) })
	change.Remove = slices.DeleteFunc(change.Remove, p.plan.unknown)
	if live != nil && topicconfig.Equal(topicconfig.RemoteStorageEnable, change.Set[topicconfig.RemoteStorageEnable], "true") {
		// What once let the data go must not do so again unasked.
		if _, own := live.Overrides()[topicconfig.RemoteLogDeleteOnDisable]; own {
			change.Remove = append(change.Remove, topicconfig.RemoteLogDeleteOnDisable)
		}
	}
	return p.runtime.withConsent(change, p.plan.DeleteRemoteData.ValueBool())
}

// judgeRules holds the plan against the rules: together with the topic's own plan
// where that is heard, else over the live topic. It returns what is heard by then,
// and whether a refusal waits for the topic's plan: the cluster knows no more of that,
// so asking it would bring the same refusal.
func (p *tieredPlan) judgeRules(ctx context.Context, view *cluster, live *kafka.Topic, all heard) (_ heard, waits bool, _ diag.Diagnostics) {
	name := p.plan.Topic.ValueString()
	if live == nil && all.topic == nil {
		all = p.runtime.changes.putOff(name)
	}
	if live == nil && all.topic == nil {
		return all, true, p.runtime.notes.say(noteNotJudged, tieredTopicNotSeen(name))
	}
	judged := p.findings(ctx, view, live, all)
	if all.topic != nil || !slices.ContainsFunc(judged.refusals(), curable) {
		return all, false, p.runtime.sayTiering(judged, p.words(live, all))
	}
	// The topic's own plan may be on its way. To look at the topic once more takes as long
	// as that needs where both are planned at once.
	_ = p.runtime.client.Lookup(ctx, name)
	all = p.runtime.changes.putOff(name)
	if all.topic != nil {
		return all, false, p.runtime.sayTiering(p.findings(ctx, view, live, all), p.words(live, all))
	}
	diags := p.runtime.sayTiering(judged, p.words(live, all))
	if !p.runtime.holds(name) {
		return all, false, diags
	}
	return all, true, p.runtime.notes.say(noteNotJudged, tieredWaitsForTopic(name, diags.Errors()[0]))
}

// findings judges the plan.
func (p *tieredPlan) findings(ctx context.Context, view *cluster, live *kafka.Topic, all heard) judgement {
	own := combination{tiered: all.tiered}
	c := tieringCase{view: view, live: live, unknown: p.plan.unknown, consent: all.tiered.consent, touched: own.touches}
	if all.topic != nil {
		own.topic = all.topic
		if all.topic.creates && !all.topic.adopts {
			c.live = nil
		}
		topicUnknown := all.topic.unknown
		c.unknown = func(key string) bool { return p.plan.unknown(key) || topicUnknown != nil && topicUnknown(key) }
	}
	c.overrides = all.overrides(view, p.plan.Topic.ValueString())
	planned := own.planned(p.plan.Topic.ValueString())
	c.after = view.resolve(planned)
	judged := p.runtime.tieringOf(ctx, c)
	if all.topic != nil && all.topic.changes {
		// What is advised of a tiered topic only was not due when its own call came first.
		c.touched = combination{topic: all.topic, tiered: all.tiered}.touches
		for _, finding := range p.runtime.tieringOf(ctx, c).findings {
			if !finding.Refused && !slices.Contains(judged.findings, finding) {
				judged.findings = append(judged.findings, finding)
			}
		}
	}
	return judged
}

// judge is the same in apply, over the topic as it is now.
func (p *tieredPlan) judge(ctx context.Context, c tieringCase) diag.Diagnostics {
	return p.runtime.sayTiering(p.runtime.tieringOf(ctx, c), p.words(c.live, heard{}))
}

// notJudged says, once, that the gate and the rules have to wait for apply.
func (p *tieredPlan) notJudged() diag.Diagnostics {
	return p.runtime.notes.say(noteNotJudged, notJudgedYet(p.plan.Topic))
}

// refuseOtherOwner refuses two owners of one topic's tiered settings.
func (p *tieredPlan) refuseOtherOwner(all heard) diag.Diagnostics {
	name, done := p.plan.Topic.ValueString(), p.runtime.done()
	if all.topic != nil && len(all.topic.lists) > 0 {
		return diag.Diagnostics{tieredSettingsTwice(name, all.topic.lists, false, done)}
	}
	if all.creates+all.updates > 1 {
		return diag.Diagnostics{tieredResourceTwice(name, done)}
	}
	return nil
}

// decideDelete refuses to switch tiered storage off without consent, and while the
// topic's own config keeps it on.
func (p *tieredPlan) decideDelete(ctx context.Context) diag.Diagnostics {
	if p.runtime.settings.unknown {
		return nil
	}
	name := p.state.Topic.ValueString()
	view, _, err := p.runtime.open(ctx)
	if err != nil {
		return nil // reading has said so, and apply will
	}
	all := p.runtime.changes.hearTieredGo(name)
	if all.topic != nil && all.topic.keepsTiering {
		return diag.Diagnostics{tieredHandedOverByDelete(name, p.runtime.done())}
	}
	live, isLive := view.snapshot.Topics[name]
	if !isLive {
		return nil
	}
	change := p.runtime.tieringAway(live)
	away := tieredPlan{runtime: p.runtime, state: p.state, goes: true}
	return away.judge(ctx, tieringCase{
		view: view, live: &live, after: view.changed(live, change), touched: touchedBy(change), consent: p.state.DeleteRemoteData.ValueBool(),
	})
}
