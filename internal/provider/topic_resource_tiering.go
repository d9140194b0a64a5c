// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A topic's config owns the tiered settings while it lists remote.storage.enable.
// One that stops listing it lets go of all of them and changes nothing: switching
// off is asked for in words, never by leaving something out.

// listsTiering says that settings own a topic's tiered settings.
func listsTiering(settings topicconfig.Settings) bool {
	_, lists := settings[topicconfig.RemoteStorageEnable]
	return lists
}

// releasesTiering says that the second of two maps lets go of the tiered settings.
func releasesTiering(from, to topicconfig.Settings) bool {
	return listsTiering(from) && !listsTiering(to)
}

// isTieredKey says that a setting is one of those that have one owner, or the flag
// that lets remote data go.
func isTieredKey(key string) bool {
	return slices.Contains(topicconfig.TieredKeys(), key) || slices.Contains(topicconfig.DeleteOnDisableKeys(), key)
}

// withoutReleased is a change that leaves the tiered settings alone which are let go of.
func withoutReleased(from, to topicconfig.Settings, change topicconfig.Change) topicconfig.Change {
	if releasesTiering(from, to) {
		change.Remove = slices.DeleteFunc(change.Remove, isTieredKey)
	}
	return change
}

// sentChange is what an update sends for the settings: the difference, with the
// consent to lose remote data where it switches tiered storage off.
func (r *runtime) sentChange(state, plan topicModel) topicconfig.Change {
	return r.withConsent(configChange(state.Config, plan.Config), plan.DeleteRemoteData.ValueBool())
}

// hear notes what this call plans for the topic and returns all that is heard of it.
func (p *topicPlan) hear(planned plannedTopic, complete, adopts bool, live kafka.Topic) heard {
	settings, _ := settingsOf(p.plan.Config)
	change := topicChange{
		planned: planned, complete: complete, creates: p.state == nil, adopts: adopts, changes: p.state == nil || !p.changesNothing(), rates: p.rates(),
		keepsTiering: isTiered(settings), unknown: p.unknownSetting,
	}
	switch {
	case p.state != nil:
		change.change = p.runtime.sentChange(*p.state, p.plan)
	case adopts:
		change.change = p.runtime.sentChange(foundTopic(live, p.plan), p.plan)
	}
	for _, key := range topicconfig.TieredKeys() {
		if _, listed := p.plan.Config.Elements()[key]; listed && !p.plan.Config.Elements()[key].IsNull() {
			change.lists = append(change.lists, key)
		}
	}
	all := p.runtime.changes.hearTopic(p.plan.Name.ValueString(), change)
	p.with = all.tiered
	return all
}

// unknownSetting says that a setting of the plan is not known yet.
func (p *topicPlan) unknownSetting(key string) bool {
	if p.plan.Config.IsUnknown() {
		return true
	}
	value, listed := p.plan.Config.Elements()[key].(types.String)
	return listed && value.IsUnknown()
}

// judgeTiering refuses two owners of the tiered settings, and holds the topic as it
// would be against the rules: alone, and with what its tiered resource plans.
func (p *topicPlan) judgeTiering(ctx context.Context, view *cluster, all heard) diag.Diagnostics {
	name := p.plan.Name.ValueString()
	switch {
	case len(all.topic.lists) > 0 && all.creates+all.updates > 0:
		return diag.Diagnostics{tieredSettingsTwice(name, all.topic.lists, true, p.runtime.done())}
	case all.topic.keepsTiering && all.goes:
		return diag.Diagnostics{tieredHandedOverByDelete(name, p.runtime.done())}
	}
	var live *kafka.Topic
	if topic, isLive := view.snapshot.Topics[name]; isLive && (!all.topic.creates || all.topic.adopts) {
		live = &topic
	}
	settings, _ := settingsOf(p.plan.Config)
	var said diag.Diagnostics
	seen := map[topicconfig.Rule]bool{}
	for _, each := range (combinations{view: view, name: name, heard: all}).withTopic() {
		if each.tiered == nil && !all.topic.changes && !all.topic.rates {
			continue
		}
		touched := combination{topic: all.topic}
		if each.tiered != nil && all.tiered.deferred {
			touched.tiered = all.tiered // its own call has left the verdict to this one
		}
		found := p.runtime.tieringOf(ctx, tieringCase{
			view: view, live: live, after: view.resolve(each.planned(name)), unknown: p.unknownSetting, touched: touched.touches,
			overrides: all.overrides(view, name), consent: agrees(p.plan.DeleteRemoteData.ValueBool(), settings) || each.tiered != nil && all.tiered.consent,
			rate: p.partitionRate(),
		})
		found.findings = slices.DeleteFunc(found.findings, func(f topicconfig.Finding) bool { return seen[f.Rule] })
		for _, finding := range found.findings {
			seen[finding.Rule] = true
		}
		said.Append(p.runtime.sayTiering(found, p.tieringWords(live, each, all))...)
	}
	if p.state != nil && !said.HasError() {
		held, _ := settingsOf(p.state.Config)
		if releasesTiering(held, settings) {
			said.Append(p.runtime.notes.say(noteReleased, tieringReleased(name))...)
		}
	}
	return said
}

// partitionRate is what is written to one partition, in bytes per second; 0 where the
// configuration does not say, or the partitions are not known.
func (p *topicPlan) partitionRate() int64 {
	partitions := p.plan.Partitions.ValueInt64()
	if partitions < 1 {
		return 0
	}
	return p.plan.Throughput.ValueInt64() / partitions
}

// rates says that this plan is the one that says how much is written.
func (p *topicPlan) rates() bool {
	return p.plan.Throughput.ValueInt64() > 0 && (p.state == nil || !p.plan.Throughput.Equal(p.state.Throughput))
}

// tieringWords are what a message about a rule needs of this call.
func (p *topicPlan) tieringWords(live *kafka.Topic, shown combination, all heard) tieringWords {
	name := p.plan.Name.ValueString()
	settings, _ := settingsOf(p.plan.Config)
	overrides := topicconfig.Settings{}
	if live != nil {
		overrides = live.Overrides()
	}
	return tieringWords{
		topic: name,
		apart: len(all.topic.lists) == 0,
		offer: func(key, value string) string {
			if _, ours := tieredAttributes[key]; ours && len(all.topic.lists) == 0 {
				return offerAttribute(key, value) + " in the topic's kafkastorage_topic_tiered_storage"
			}
			return offerSetting(key, value)
		},
		at: func(key string) path.Path {
			if _, mine := settings[key]; mine {
				return atSetting(key)
			}
			if p.config.Config.IsNull() {
				return path.Root("name")
			}
			return path.Root("config")
		},
		origin: func(key string) string {
			if _, mine := settings[key]; mine {
				return thisPlan
			}
			if shown.tiered != nil {
				if _, other := shown.tiered.change.Set[key]; other {
					return ofTheTiered
				}
			}
			return standing(overrides, key)
		},
	}
}

// overrides says which settings the topic would set itself, by all that is heard.
func (h heard) overrides(view *cluster, name string) func(key string) bool {
	live := overriddenBy(view.snapshot.Topics[name])
	own := live
	if h.topic != nil {
		planned := h.topic.planned
		own = func(key string) bool {
			_, sets := planned.settings[key]
			return sets || live(key) && planned.keeps != nil && planned.keeps(key)
		}
	}
	if h.tiered == nil {
		return own
	}
	return overriddenAfter(own, h.tiered.change)
}
