// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
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

// speak turns the ledger's verdict into a diagnostic, or into nothing.
func (p *topicPlan) speak(view *cluster, topic reservation.Topic, verdict quota.Verdict) diag.Diagnostics {
	message := refusal{
		verdict:  verdict,
		at:       p.cause(),
		platform: view.platform,
		topic:    topic,
		growth:   p.growthText(topic),
		done:     p.runtime.done(),
	}
	switch {
	case verdict.Outcome == quota.Fits && verdict.BecomesBounded:
		if p.gateIsOn() && p.runtime.notes.first("becomes bounded") {
			return diag.Diagnostics{becomesBounded(message)}
		}
		return nil
	case verdict.Outcome == quota.Fits:
		if p.replacesOverLimit(view, verdict) && p.runtime.notes.first("replacement over the limit") {
			return diag.Diagnostics{replacementOverLimit(message)}
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
	if p.runtime.notes.first("over the limit") {
		return diag.Diagnostics{asWarning(diagnostic)}
	}
	return nil
}

// replacesOverLimit says that a live topic would be created again while the peak is
// over the limit. That is no growth, so it is not refused.
func (p *topicPlan) replacesOverLimit(view *cluster, verdict quota.Verdict) bool {
	_, isLive := view.snapshot.Topics[verdict.Topic]
	return p.state == nil && isLive && p.gateIsOn() && verdict.Settings.Exceeds(verdict.Peak)
}

// gateIsOn says that verdicts are given at all.
func (p *topicPlan) gateIsOn() bool {
	return p.runtime.settings.quota.HasCapacity() && p.runtime.settings.quota.Enforcement != quota.Off
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

// growthText says what makes the topic grow: old setting to new setting.
func (p *topicPlan) growthText(topic reservation.Topic) []string {
	if p.state == nil {
		return newTopicText(topic)
	}
	old, _ := settingsOf(p.state.Config)
	change := configChange(p.state.Config, p.plan.Config)
	var parts []string
	for _, key := range sizeKeys {
		if value, set := change.Set[key]; set {
			parts = append(parts, settingChange(key, old[key], value))
		}
	}
	for _, key := range change.Remove {
		parts = append(parts, settingChange(key, old[key], topic.Settings[key])+", the cluster's default")
	}
	if now := p.state.Partitions.ValueInt64(); topic.Partitions > now {
		parts = append(parts, countChange("partitions", now, topic.Partitions))
	}
	if p.addsReplicas() {
		parts = append(parts, countChange("replication_factor", p.state.ReplicationFactor.ValueInt64(), topic.ReplicationFactor))
	}
	return parts
}

// writeFailed words a write that the cluster refused or did not answer.
func (r *topicResource) writeFailed(err error, verb string, topic topicModel) diag.Diagnostics {
	name := topic.Name.ValueString()
	done := r.runtime.done()
	switch {
	case kafka.IsPolicyViolation(err):
		return diag.Diagnostics{policyRefused(err, name, r.runtime.numbers(name), done)}
	case verb == "create" && kafka.IsTopicExists(err):
		return diag.Diagnostics{topicExists(name, done)}
	}
	return diag.Diagnostics{writeRefused(err, verb, name, done)}
}
