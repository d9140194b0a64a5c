// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// book tells the ledger the most that the topic may come to reserve with these
// settings, and words its verdict.
func (p *tieredPlan) book(view *cluster, ledger *quota.Ledger, all heard) diag.Diagnostics {
	name := p.plan.Topic.ValueString()
	if !view.counts(name) || all.tiered.change.Empty() {
		return nil
	}
	largest, err := view.largest(name, combinations{view: view, name: name, heard: all}.withTiered())
	if err != nil {
		return diag.Diagnostics{reservationNotComputable(name, err)}
	}
	verdict := ledger.Book(quota.Change{Topic: name, Planned: largest.amount, Gains: view.gains(name, largest.topic)})
	growth := newTopicText(largest.topic)
	if live, isLive := view.snapshot.Topics[name]; isLive {
		growth = growthParts(live.Effective().Over(view.defaults), largest.topic.Settings, nil)
	}
	return p.runtime.speak(refusal{
		verdict:  verdict,
		at:       p.cause(),
		platform: view.platform,
		topic:    largest.topic,
		growth:   growth,
		offer:    offerAttribute,
		done:     p.runtime.done(),
	}, false)
}

// cause is the attribute that makes the topic grow, for Terraform to point at.
func (p *tieredPlan) cause() path.Path {
	switch {
	case !p.plan.Enabled.ValueBool():
		return path.Root("enabled")
	case !p.plan.LocalRetentionBytes.IsNull():
		return path.Root("local_retention_bytes")
	}
	return path.Root("topic")
}

// askCluster hears the cluster's verdict on settings that the rules let pass,
// together with what else is planned for the topic.
func (p *tieredPlan) askCluster(ctx context.Context, view *cluster, all heard) diag.Diagnostics {
	name, change := p.plan.Topic.ValueString(), all.tiered.change
	topic := topicPlan{runtime: p.runtime}
	if change.Empty() || !topic.wantsVerdict(view) {
		return nil
	}
	if view.snapshot.Topics[name].Rights.Denies(kafka.OperationAlterConfigs) {
		return diag.Diagnostics{rightMissing(path.Root("topic"), "change", name, kafka.OperationAlterConfigs, p.runtime.done())}
	}
	switch {
	case all.topic == nil:
	case !all.topic.complete || all.topic.creates && p.runtime.client.Holds(name):
		return nil // the topic that would be asked about is not the one that will be there
	case all.topic.creates:
		err := p.runtime.client.ProbeCreate(ctx, all.topic.created(name, change))
		if kafka.IsTopicExists(err) {
			return nil
		}
		return p.refused(err, name)
	default:
		change = joined(all.topic.change, change)
	}
	return p.refused(p.runtime.client.ProbeChange(ctx, name, change), name)
}

// created is the topic that a creation and the tiered settings after it lead to.
func (c *topicChange) created(name string, tiered topicconfig.Change) kafka.NewTopic {
	count := func(n int64) int64 {
		if n > 0 {
			return n
		}
		return leftToCluster
	}
	return kafka.NewTopic{
		Name: name, Partitions: count(c.planned.partitions), ReplicationFactor: count(c.planned.replicationFactor),
		Settings: tiered.Set.Over(c.planned.settings),
	}
}

// joined is two changes in one request; the second wins.
func joined(first, second topicconfig.Change) topicconfig.Change {
	both := topicconfig.Change{Set: second.Set.Over(first.Set)}
	for _, key := range first.Remove {
		if _, sets := second.Set[key]; !sets {
			both.Remove = append(both.Remove, key)
		}
	}
	for _, key := range second.Remove {
		delete(both.Set, key)
		if !changes(first, key) {
			both.Remove = append(both.Remove, key)
		}
	}
	return both
}

// refused words the answer to a probe of this plan.
func (p *tieredPlan) refused(err error, name string) diag.Diagnostics {
	return p.runtime.refused(err, probe{topic: name, verb: "change", at: func(answer *kafka.Error) path.Path {
		wanted, _ := p.plan.wanted()
		if key, ok := firstNamed(answer.Message, wanted); ok {
			return atTieredAttribute(key)
		}
		return path.Root("topic")
	}})
}

// writeFailed words a write that the cluster refused or did not answer.
func (r *tieredStorageResource) writeFailed(err error, name string) diag.Diagnostics {
	return r.runtime.writeFailed(err, "change", name, atTieredAttribute)
}

// words are what a message about a rule needs of this call.
func (p *tieredPlan) words(live *kafka.Topic, all heard) tieringWords {
	name := p.plan.Topic.ValueString()
	if p.goes {
		name = p.state.Topic.ValueString()
	}
	words := tieringWords{topic: name, at: atTieredAttribute, offer: offerAttribute, apart: true, destroys: p.goes}
	overrides := topicconfig.Settings{}
	if live != nil {
		overrides = live.Overrides()
	}
	wanted, _ := p.plan.wanted()
	words.origin = func(key string) string {
		if _, mine := wanted[key]; mine && !p.goes {
			return thisPlan
		}
		if all.topic != nil {
			if _, planned := all.topic.planned.settings[key]; planned {
				return ofTheTopic
			}
		}
		return standing(overrides, key)
	}
	return words
}

// atTieredAttribute is where a setting stands in the tiered resource.
func atTieredAttribute(key string) path.Path {
	if attribute, ours := tieredAttributes[key]; ours {
		return path.Root(attribute)
	}
	return path.Root("topic")
}

// offerAttribute is a value as the tiered resource would write it; settings that it
// does not have belong to the topic.
func offerAttribute(key, value string) string {
	if attribute, ours := tieredAttributes[key]; ours {
		return attribute + " = " + value
	}
	return offerSetting(key, value) + " in the topic's config"
}

// offerSetting is a value as a line of a config map.
func offerSetting(key, value string) string {
	return strings.TrimSpace(fmt.Sprintf("%q = %q", key, value))
}
