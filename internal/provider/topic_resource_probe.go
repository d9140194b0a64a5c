// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The cluster has the last word, and a plan asks for it: what is planned is sent
// with validate-only too, so that a rule that we do not model is heard now and not
// half-way through an apply. What an earlier change of the same plan cures is no
// error: a topic that exists may be about to be deleted, and one that does not
// exist about to be created. The client sends no probe any more once this process
// has begun to write.

// askCluster hears the cluster's verdict on a plan that the gate lets pass.
func (p *topicPlan) askCluster(ctx context.Context) diag.Diagnostics {
	if p.runtime.settings.unknown || p.plan.Name.IsUnknown() {
		return nil
	}
	view, _, err := p.runtime.open(ctx)
	if err != nil {
		return nil // judging has said so
	}
	if p.state == nil {
		return append(p.noteExisting(), p.askCreate(ctx, view)...)
	}
	if !p.wantsVerdict(view) || p.changesNothing() {
		return nil
	}
	return append(p.askChange(ctx, view), p.askPartitions(ctx, view)...)
}

// wantsVerdict says whether to ask: not offline, and not with credentials that plan
// and never apply, because all that they would hear is what they may not do.
func (p *topicPlan) wantsVerdict(view *cluster) bool {
	return p.runtime.settings.planValidation != validateOffline && !view.snapshot.ReadOnly
}

// noteExisting says, once, that a planned creation meets a topic. A replacement, a
// taint and a move between addresses look the same from here, unless this process
// has seen the state of the old one.
func (p *topicPlan) noteExisting() diag.Diagnostics {
	name := p.plan.Name.ValueString()
	if p.runtime.settings.adoptExisting || !p.runtime.client.Holds(name) || p.runtime.holds(name) {
		return nil
	}
	return p.runtime.notes.say(noteExists, topicToCreateExists(name))
}

// askCreate asks for a creation. Where it replaces a topic the old one has to go
// first, which has no validate-only form: the right to it is all that can be known.
// The two halves of a replacement ask once.
func (p *topicPlan) askCreate(ctx context.Context, view *cluster) diag.Diagnostics {
	topic := p.plan.newTopic()
	if p.with != nil && p.with.complete {
		topic.Settings = p.with.change.Set.Over(topic.Settings)
	}
	if !p.creationKnown() || !p.wantsVerdict(view) || !p.runtime.asked.first(topic.Name) {
		return nil
	}
	if p.runtime.client.Holds(topic.Name) && p.runtime.holds(topic.Name) {
		if diags := p.mayDelete(ctx, topic.Name); diags.HasError() {
			return diags
		}
	}
	if len(view.collisions(topic.Name)) > 0 {
		return nil // said already, as a warning: an earlier change of this plan may make room for the name
	}
	err := p.runtime.client.ProbeCreate(ctx, topic)
	if kafka.IsTopicExists(err) {
		return nil
	}
	return p.refused(err)
}

// askChange asks for a change of settings.
func (p *topicPlan) askChange(ctx context.Context, view *cluster) diag.Diagnostics {
	name := p.plan.Name.ValueString()
	change := p.runtime.sentChange(*p.state, p.plan)
	if _, known := settingsOf(p.plan.Config); !known || change.Empty() {
		return nil
	}
	if p.with != nil && p.with.complete {
		change = joined(change, p.with.change)
	}
	if view.snapshot.Topics[name].Rights.Denies(kafka.OperationAlterConfigs) {
		return diag.Diagnostics{rightMissing(path.Root("config"), "change", name, kafka.OperationAlterConfigs, p.runtime.done())}
	}
	return p.refused(p.runtime.client.ProbeChange(ctx, name, change))
}

// askPartitions asks for more partitions.
func (p *topicPlan) askPartitions(ctx context.Context, view *cluster) diag.Diagnostics {
	name, planned := p.plan.Name.ValueString(), p.plan.Partitions
	if !known(planned) || planned.ValueInt64() <= p.state.Partitions.ValueInt64() {
		return nil
	}
	if view.snapshot.Topics[name].Rights.Denies(kafka.OperationAlter) {
		return diag.Diagnostics{rightMissing(path.Root("partitions"), "change", name, kafka.OperationAlter, p.runtime.done())}
	}
	return p.refused(p.runtime.client.ProbePartitions(ctx, name, planned.ValueInt64()))
}

// mayDelete refuses a delete that the principal has no right to.
func (p *topicPlan) mayDelete(ctx context.Context, name string) diag.Diagnostics {
	if p.runtime.settings.unknown {
		return nil
	}
	view, _, err := p.runtime.open(ctx)
	if err != nil || !p.wantsVerdict(view) || !view.snapshot.Topics[name].Rights.Denies(kafka.OperationDelete) {
		return nil
	}
	return diag.Diagnostics{rightMissing(path.Empty(), "delete", name, kafka.OperationDelete, p.runtime.done())}
}

// creationKnown says that all of a planned creation is known. A count that is left
// out is the cluster's to choose, whatever the plan shows for it.
func (p *topicPlan) creationKnown() bool {
	_, known := settingsOf(p.plan.Config)
	return known && !p.config.Partitions.IsUnknown() && !p.config.ReplicationFactor.IsUnknown()
}

// probe is a question that a call has asked the cluster with validate-only.
type probe struct {
	topic string
	verb  string // create or change
	// at finds the attribute that an answer is about.
	at func(answer *kafka.Error) path.Path
	// policy words the refusal of a policy; nil: it is an error like others.
	policy func(refusal probeRefusal) diag.Diagnostics
}

// refused words the answer to a probe. One that says that the cluster cannot tell
// is no verdict: among others that a topic is unknown, which an earlier change of
// this plan may create.
func (r *runtime) refused(err error, asked probe) diag.Diagnostics {
	var answer *kafka.Error
	switch {
	case err == nil, kafka.IsUnanswered(err), errors.Is(err, context.Canceled):
		return nil
	case !errors.As(err, &answer):
		return r.unreachable(err)
	}
	refusal := probeRefusal{answer: answer, at: asked.at(answer), topic: asked.topic, verb: asked.verb, done: r.done()}
	switch {
	case kafka.IsAuthorization(err):
		return diag.Diagnostics{probeNotAuthorized(refusal)}
	case !kafka.IsPolicyViolation(err):
		return diag.Diagnostics{probeRefused(refusal)}
	}
	refusal.standing = r.numbers(asked.topic)
	if asked.policy == nil {
		return diag.Diagnostics{probeRefusedByPolicy(refusal)}
	}
	return asked.policy(refusal)
}

// refused words the answer to a probe of this plan.
func (p *topicPlan) refused(err error) diag.Diagnostics {
	asked := probe{topic: p.plan.Name.ValueString(), verb: "change", at: p.attributeOf, policy: p.refusedByPolicy}
	if p.state == nil {
		asked.verb = "create"
	}
	return p.runtime.refused(err, asked)
}

// refusedByPolicy words what a policy of the cluster refuses.
func (p *topicPlan) refusedByPolicy(refusal probeRefusal) diag.Diagnostics {
	storage := p.storageIsTheReason(refusal.standing)
	if storage {
		refusal.at = p.cause()
	}
	if !storage || p.runtime.settings.quota.Enforcement == quota.Error {
		return diag.Diagnostics{probeRefusedByPolicy(refusal)}
	}
	// Whoever has opened the gate knows, and a cluster that enforces must not keep the
	// switch from working: it says so again in apply if the growth comes first.
	return p.runtime.notes.say(notePolicy, asWarning(probeRefusedByPolicy(refusal)))
}

// storageIsTheReason says that by our numbers the cluster would refuse for storage:
// the topic grows and the plan is over the limit, or the topic comes to have no bound.
func (p *topicPlan) storageIsTheReason(standing *quota.Verdict) bool {
	if standing == nil || !standing.Settings.HasCapacity() {
		return false
	}
	if p.plan.ReservedBytes.IsNull() {
		return p.state == nil || !p.state.ReservedBytes.IsNull() || p.plan.Partitions.ValueInt64() > p.state.Partitions.ValueInt64()
	}
	planned, _ := standing.Planned.Bounded()
	live, _ := standing.Live.Bounded()
	return planned > live && standing.Settings.Exceeds(standing.Peak)
}

// attributeOf finds the attribute that an answer is about: the planned setting that
// the cluster's words name first, or else what the error's code is about.
func (p *topicPlan) attributeOf(answer *kafka.Error) path.Path {
	settings, _ := settingsOf(p.plan.Config)
	at := path.Root("name")
	if p.config.Config.IsNull() || answer.Request == "CreatePartitions" {
		settings = nil
	} else if answer.Request == "IncrementalAlterConfigs" || answer.Code == "INVALID_CONFIG" || answer.Code == "POLICY_VIOLATION" {
		at = path.Root("config")
	}
	switch answer.Code {
	case "INVALID_PARTITIONS":
		return path.Root("partitions")
	case "INVALID_REPLICATION_FACTOR", "INVALID_REPLICA_ASSIGNMENT":
		return path.Root("replication_factor")
	case "INVALID_TOPIC_EXCEPTION":
		return path.Root("name")
	}
	if answer.Request == "CreatePartitions" {
		return path.Root("partitions")
	}
	if key, ok := firstNamed(answer.Message, settings); ok {
		return path.Root("config").AtMapKey(key)
	}
	return at
}

// firstNamed returns the setting that a text names first as a word of its own:
// "local.retention.ms" does not name "retention.ms".
func firstNamed(text string, settings topicconfig.Settings) (key string, ok bool) {
	first := len(text)
	for _, candidate := range settings.Keys() {
		if at := wordIndex(text, candidate); at >= 0 && at < first {
			first, key, ok = at, candidate, true
		}
	}
	return key, ok
}

// wordIndex finds a setting's name in a text where it is not part of a longer name;
// -1 where it is not.
func wordIndex(text, word string) int {
	part := func(c byte) bool {
		return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		at += from
		end := at + len(word)
		begins := at == 0 || !part(text[at-1]) && text[at-1] != '.'
		// A dot ends a sentence unless a name goes on behind it.
		ends := end == len(text) || !part(text[end]) && (text[end] != '.' || end+1 == len(text) || !part(text[end+1]))
		if begins && ends {
			return at
		}
		from = at + 1
	}
}

// asAsked says whether the topic that the snapshot shows is exactly what a
// resource asks for.
func (r *runtime) asAsked(asked topicModel) bool {
	r.mu.Lock()
	view := r.cluster
	r.mu.Unlock()
	if view == nil {
		return false
	}
	live, ok := view.snapshot.Topics[asked.Name.ValueString()]
	settings, _ := settingsOf(asked.Config)
	same := func(count types.Int64, has int64) bool {
		return !known(count) || count.ValueInt64() < 0 || count.ValueInt64() == has
	}
	return ok && same(asked.Partitions, live.Partitions) && same(asked.ReplicationFactor, live.ReplicationFactor) &&
		topicconfig.Diff(live.Overrides(), settings).Empty()
}
