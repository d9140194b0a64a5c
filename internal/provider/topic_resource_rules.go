// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The rules of services are read for every topic, so they are made once.
var (
	eventStreamsRules = topicconfig.EventStreamsRules()
	mskExpressRules   = topicconfig.MSKExpressRules()
)

// rulesOf returns what a platform's service allows its topics, and the service's
// name; nil where that is all that Kafka allows.
func rulesOf(platform reservation.Platform) (rules *topicconfig.Rules, service string) {
	switch platform {
	case reservation.EventStreams:
		return &eventStreamsRules, "IBM Event Streams"
	case reservation.MSKExpress:
		return &mskExpressRules, "Amazon MSK with Express brokers"
	case reservation.Kafka, reservation.MSK:
	}
	return nil, ""
}

// fitRetention is the key that limits the topic by size, and its largest value that
// fits and that the platform takes: no message offers what would be refused.
func fitRetention(platform reservation.Platform, topic reservation.Topic, budget *big.Int) (key string, bytes int64, ok bool) {
	key, bytes, ok = reservation.FitRetention(platform, topic, budget)
	rules, _ := rulesOf(platform)
	if !ok || rules == nil {
		return key, bytes, ok
	}
	bytes, ok = rules.Fit(key, bytes)
	return key, bytes, ok
}

// sentSetting is a setting that an apply of the plan would send.
type sentSetting struct {
	key, value string
	known      bool // the value is known already
}

// sends lists what an apply would send, by key: every setting of a new topic, and
// of one that exists those that change. What a topic holds already has passed its
// broker, and is not judged again.
func (p *topicPlan) sends() []sentSetting {
	held := topicconfig.Settings{}
	if p.state != nil {
		held, _ = settingsOf(p.state.Config)
	}
	var sent []sentSetting
	elements := p.plan.Config.Elements()
	for _, key := range slices.Sorted(maps.Keys(elements)) {
		value, isString := elements[key].(types.String)
		old, has := held[key]
		switch {
		case !isString || value.IsNull():
		case has && (value.IsUnknown() || topicconfig.Equal(key, old, value.ValueString())):
		default:
			sent = append(sent, sentSetting{key, value.ValueString(), !value.IsUnknown()})
		}
	}
	return sent
}

// refuseByRules holds what would be sent against the platform's rules, which need
// no cluster, and against what the cluster declares. A cluster that cannot be
// asked is for others to report.
func (p *topicPlan) refuseByRules(ctx context.Context) diag.Diagnostics {
	diags := p.refuseByService()
	if diags.HasError() || p.runtime.settings.unknown {
		return diags
	}
	view, _, err := p.runtime.open(ctx)
	if err != nil {
		return nil
	}
	return p.refuseUndeclared(view)
}

// refuseByService holds the plan against the rules of the platform's service.
func (p *topicPlan) refuseByService() diag.Diagnostics {
	rules, service := rulesOf(p.runtime.settings.platform)
	if rules == nil {
		return nil
	}
	var diags diag.Diagnostics
	name, done := p.plan.Name.ValueString(), p.runtime.done()
	if p.state == nil && len(name) > rules.MaxName {
		diags.Append(nameTooLongForService(name, service, rules.MaxName, done))
	}
	if factor := p.config.ReplicationFactor.ValueInt64(); factor > 0 && factor != rules.ReplicationFactor && (p.state == nil || p.state.ReplicationFactor.ValueInt64() != factor) {
		diags.Append(replicationFactorOfService(name, service, factor, rules.ReplicationFactor, done))
	}
	for _, setting := range p.sends() {
		if !rules.Allows(setting.key) {
			diags.Append(settingNotOfService(name, setting.key, rules, service, done))
		} else if setting.known {
			if invalid := rules.Check(setting.key, setting.value); invalid != nil {
				diags.Append(valueNotOfService(name, service, invalid, done))
			}
		}
	}
	return diags
}

// refuseUndeclared refuses keys that the cluster does not have, and values that
// its own type for a key cannot read. Where the cluster declares nothing,
// or a plan is to carry no verdict of the cluster's, nothing is refused.
func (p *topicPlan) refuseUndeclared(view *cluster) diag.Diagnostics {
	declared := view.snapshot.Declared
	if len(declared) == 0 || p.runtime.settings.planValidation == validateOffline {
		return nil
	}
	rules, _ := rulesOf(view.platform)
	var diags diag.Diagnostics
	name, done := p.plan.Name.ValueString(), p.runtime.done()
	for _, setting := range p.sends() {
		as, listed := declared[setting.key]
		_, known := topicconfig.SpecOf(setting.key)
		switch {
		case listed && !known && setting.known:
			if invalid := topicconfig.CheckAs(as, setting.key, setting.value); invalid != nil {
				diags.Append(settingRefused(name, invalid, done))
			}
		case listed, topicconfig.IsUnlisted(setting.key), rules != nil && rules.Allows(setting.key):
		case known:
			diags.Append(settingNotDeclared(name, setting.key, len(declared), done))
		default:
			diags.Append(unknownSetting(name, setting.key, setting.value, slices.Sorted(maps.Keys(declared)), done))
		}
	}
	return diags
}
