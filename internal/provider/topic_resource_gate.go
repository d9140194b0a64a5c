// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"

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
		growth:   p.growthText(view, topic),
		done:     p.runtime.done(),
	}
	switch {
	case verdict.Outcome == quota.Fits && verdict.BecomesBounded:
		if p.gateIsOn() {
			return p.runtime.notes.say(noteBounded, becomesBounded(message))
		}
		return nil
	case verdict.Outcome == quota.Fits:
		if p.replacesOverLimit(view, verdict) {
			return p.runtime.notes.say(noteMayNotReturn, replacementOverLimit(message))
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
	return p.runtime.notes.say(noteOverLimit, asWarning(diagnostic))
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

// growthText says what makes the topic grow: what the cluster uses now to what it
// would use.
func (p *topicPlan) growthText(view *cluster, topic reservation.Topic) []string {
	live, isLive := view.snapshot.Topics[p.plan.Name.ValueString()]
	if !isLive {
		return newTopicText(topic)
	}
	now := live.Effective().Over(view.defaults)
	written, _ := settingsOf(p.plan.Config)
	var parts []string
	for _, key := range sizeKeys {
		if topicconfig.Equal(key, now[key], topic.Settings[key]) {
			continue
		}
		part := settingChange(key, now[key], topic.Settings[key])
		if _, own := written[key]; !own {
			part += ", the cluster's default"
		}
		parts = append(parts, part)
	}
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

// writeFailed words a write that the cluster refused or did not answer.
func (r *topicResource) writeFailed(err error, verb string, topic topicModel) diag.Diagnostics {
	name := topic.Name.ValueString()
	done := r.runtime.done()
	var (
		lost       *kafka.NotKeptError
		unverified *kafka.UnverifiedError
	)
	switch {
	case errors.As(err, &lost):
		return diag.Diagnostics{writeNotKept(lost, done)}
	case errors.As(err, &unverified):
		return diag.Diagnostics{writeNotVerified(unverified, done)}
	case kafka.IsPolicyViolation(err):
		return diag.Diagnostics{policyRefused(err, name, r.runtime.numbers(name), done)}
	case verb == "create" && kafka.IsTopicExists(err):
		return diag.Diagnostics{topicExists(name, r.runtime.asAsked(topic), done)}
	}
	return diag.Diagnostics{writeRefused(err, verb, name, done)}
}
