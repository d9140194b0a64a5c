// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// sizeKeys are the settings that the rule looks at, the most telling first.
var sizeKeys = []string{
	topicconfig.RetentionBytes, topicconfig.SegmentBytes, topicconfig.SegmentIndexBytes, topicconfig.CleanupPolicy,
}

// tierSizeKeys are those that decide which tier the rule looks at.
var tierSizeKeys = []string{topicconfig.RemoteStorageEnable, topicconfig.LocalRetentionBytes, topicconfig.RemoteLogCopyDisable}

// speak turns the ledger's verdict into a diagnostic, or into nothing.
func (p *topicPlan) speak(ctx context.Context, view *cluster, topic reservation.Topic, verdict quota.Verdict) diag.Diagnostics {
	message := refusal{
		verdict:  verdict,
		at:       p.cause(),
		platform: view.platform,
		topic:    topic,
		growth:   p.growthText(view, topic),
		offer:    offerSetting,
		least:    max(1, view.snapshot.Topics[verdict.Topic].Partitions),
		done:     p.runtime.done(),
	}
	if p.state == nil {
		message.least = 1
	}
	if verdict.Outcome != quota.Fits {
		message.mayTier = p.mayTier(ctx, view, topic)
	}
	return p.runtime.speak(message, p.replacesOverLimit(view, verdict))
}

// mayTier says that the topic could charge its local tier only, if its own config
// made it tiered: a separate resource comes too late for that.
func (p *topicPlan) mayTier(ctx context.Context, view *cluster, topic reservation.Topic) bool {
	if policy, err := topic.Settings.Policy(); err != nil || policy.Compact || isTiered(topic.Settings) || !view.platform.Tiers() {
		return false
	}
	capabilities, err := p.runtime.client.Capabilities(ctx)
	return err == nil && capabilities.TieredStorage == topicconfig.SupportOn
}

// speak turns a verdict into a diagnostic, or into nothing. replaces says that a
// live topic would be created again over the limit.
func (r *runtime) speak(message refusal, replaces bool) diag.Diagnostics {
	verdict := message.verdict
	switch {
	case verdict.Outcome == quota.Fits && verdict.BecomesBounded:
		if r.gateIsOn() {
			return r.notes.say(noteBounded, becomesBounded(message))
		}
		return nil
	case verdict.Outcome == quota.Fits:
		if replaces {
			return r.notes.say(noteMayNotReturn, replacementOverLimit(message))
		}
		return nil
	}
	diagnostic := limitExceeded(message)
	if verdict.Outcome == quota.BecomesUnbounded {
		diagnostic = createdUnbounded(message)
	}
	if verdict.Settings.Enforcement == quota.Error {
		return diag.Diagnostics{diagnostic}
	}
	return r.notes.say(noteOverLimit, asWarning(diagnostic))
}

// atLost is the attribute of what a write has not kept.
func atLost(key string) path.Path {
	switch key {
	case "partitions":
		return path.Root("partitions")
	case "replication factor":
		return path.Root("replication_factor")
	}
	return atSetting(key)
}

// replacesOverLimit says that a live topic would be created again while the peak is
// over the limit. That is no growth, so it is not refused.
func (p *topicPlan) replacesOverLimit(view *cluster, verdict quota.Verdict) bool {
	_, isLive := view.snapshot.Topics[verdict.Topic]
	return p.state == nil && isLive && p.runtime.gateIsOn() && verdict.Settings.Exceeds(verdict.Peak)
}

// gateIsOn says that verdicts are given at all.
func (r *runtime) gateIsOn() bool {
	return r.settings.quota.HasCapacity() && r.settings.quota.Enforcement != quota.Off
}

// cause is the attribute that makes the topic grow, for Terraform to point at.
func (p *topicPlan) cause() path.Path {
	settings, _ := settingsOf(p.config.Config)
	changed := settings
	if p.state != nil {
		changed = configChange(p.state.Config, p.plan.Config).Set
	}
	for _, key := range sizeKeys {
		if _, ok := changed[key]; ok {
			return path.Root("config").AtMapKey(key)
		}
	}
	switch {
	case p.state != nil && p.plan.Partitions.ValueInt64() > p.state.Partitions.ValueInt64(),
		p.state == nil && !p.config.Partitions.IsNull():
		return path.Root("partitions")
	case p.addsReplicas():
		return path.Root("replication_factor")
	case p.state != nil && !p.config.Config.IsNull():
		return path.Root("config")
	}
	return path.Root("name")
}

// growthText says what makes the topic grow: what the cluster uses now to what it
// would use.
func (p *topicPlan) growthText(view *cluster, topic reservation.Topic) []string {
	live, isLive := view.snapshot.Topics[p.plan.Name.ValueString()]
	if !isLive {
		return newTopicText(topic)
	}
	written, _ := settingsOf(p.plan.Config)
	parts := growthParts(live.Effective().Over(view.defaults), topic.Settings, written)
	if topic.Partitions != live.Partitions {
		parts = append(parts, countChange("partitions", live.Partitions, topic.Partitions))
	}
	if topic.ReplicationFactor != live.ReplicationFactor {
		parts = append(parts, countChange("replicas", live.ReplicationFactor, topic.ReplicationFactor))
	}
	if p.addsReplicas() {
		parts = append(parts, countChange("replication_factor", p.state.ReplicationFactor.ValueInt64(), topic.ReplicationFactor))
	}
	return parts
}

// growthParts are the settings that make a topic grow. Those that are not written,
// where any are, come from the cluster.
func growthParts(now, planned, written topicconfig.Settings) []string {
	var parts []string
	for _, key := range slices.Concat(sizeKeys, tierSizeKeys) {
		if topicconfig.Equal(key, now[key], planned[key]) {
			continue
		}
		part := settingChange(key, now[key], planned[key])
		if _, own := written[key]; !own && written != nil {
			part += ", the cluster's default"
		}
		parts = append(parts, part)
	}
	return parts
}

// writeFailed words a write that the cluster refused or did not answer.
func (r *topicResource) writeFailed(err error, verb string, topic topicModel) diag.Diagnostics {
	name := topic.Name.ValueString()
	if verb == "create" && kafka.IsTopicExists(err) {
		return diag.Diagnostics{topicExists(name, r.runtime.asAsked(topic), r.runtime.done())}
	}
	return r.runtime.writeFailed(err, verb, name, atLost)
}

// writeFailed is the same for every resource that writes to a topic; at is where a
// setting stands in it.
func (r *runtime) writeFailed(err error, verb, name string, at func(key string) path.Path) diag.Diagnostics {
	done := r.done()
	var (
		lost       *kafka.NotKeptError
		unverified *kafka.UnverifiedError
	)
	switch {
	case errors.As(err, &lost):
		return diag.Diagnostics{writeNotKept(lost, at(lost.Key), done)}
	case errors.As(err, &unverified):
		return diag.Diagnostics{writeNotVerified(unverified, done)}
	case kafka.IsPolicyViolation(err):
		return diag.Diagnostics{policyRefused(err, name, r.numbers(name), done)}
	}
	return diag.Diagnostics{writeRefused(err, verb, name, done)}
}
