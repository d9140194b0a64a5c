// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tieringCase is a change of one topic, to be held against the rules of tiered
// storage, whichever resource plans it.
type tieringCase struct {
	view *cluster
	// live is the topic as it is; nil where there is none, or where it goes before
	// the planned one comes.
	live *kafka.Topic
	// after is the topic as it would be, with effective settings.
	after reservation.Topic
	// unknown says of a key that its value is not known yet; nil: all are known.
	unknown func(key string) bool
	// touched says of a key that the change is about it; nil: about all.
	touched func(key string) bool
	// overrides says of a key that the topic would set it itself; nil: by what is live.
	overrides func(key string) bool
	// consent says that remote data may be deleted.
	consent bool
	// rate is what is written to one partition, in bytes per second; 0 is not known.
	rate int64
}

// touchedBy are the keys that a change is about.
func touchedBy(change topicconfig.Change) func(key string) bool {
	return func(key string) bool { return changes(change, key) }
}

// overriddenBy says which settings a live topic sets itself.
func overriddenBy(live kafka.Topic) func(key string) bool {
	overrides := live.Overrides()
	return func(key string) bool {
		_, own := overrides[key]
		return own
	}
}

// overriddenAfter says which settings a topic sets itself after a change, by those
// that it sets before.
func overriddenAfter(before func(key string) bool, change topicconfig.Change) func(key string) bool {
	return func(key string) bool {
		_, sets := change.Set[key]
		return sets || before(key) && !slices.Contains(change.Remove, key)
	}
}

// judgement is what the rules say of a case.
type judgement struct {
	findings []topicconfig.Finding
	// after are the effective settings that they say it of.
	after topicconfig.Settings
	// version is the cluster's, where the case depends on it.
	version topicconfig.Version
}

// refusals are the findings that refuse.
func (j judgement) refusals() []topicconfig.Finding {
	return slices.DeleteFunc(slices.Clone(j.findings), func(f topicconfig.Finding) bool { return !f.Refused })
}

// tieringOf judges a case. The cluster is asked what it is capable of only where the
// rules depend on that.
func (r *runtime) tieringOf(ctx context.Context, c tieringCase) judgement {
	change := c.change()
	tiering := topicconfig.Tiering{MSK: r.settings.platform == reservation.MSK}
	if !c.dependsOnCluster(change) {
		// Most topics: their rules are the same everywhere.
	} else if capabilities, err := r.client.Capabilities(ctx); err == nil {
		tiering.Version, tiering.System, tiering.CheckIntervalMs = capabilities.Version, capabilities.TieredStorage, capabilities.CheckIntervalMs
	}
	tiered := isTiered(change.After)
	rules, _ := rulesOf(r.settings.platform)
	findings := slices.DeleteFunc(tiering.Judge(change), func(finding topicconfig.Finding) bool {
		if finding.Rule == topicconfig.RuleSegmentTooSmall && rules != nil {
			return true // the service has a range of its own
		}
		return !finding.Refused && (!r.settings.advice && isAdvice(finding) || !tiered && !slices.Contains(untieredAdvice, finding.Rule))
	})
	return judgement{findings, change.After, tiering.Version}
}

// untieredAdvice is what is said of a topic that is not tiered, or no longer.
var untieredAdvice = []topicconfig.Rule{
	topicconfig.RuleRemoteDataLost, topicconfig.RuleLocalUnused, topicconfig.RuleSegmentTooSmall,
	topicconfig.RuleSegmentOutlivesLimit, topicconfig.RuleSegmentNeverFills, topicconfig.RuleIndexEndsSegment,
}

// notAdvice are findings that are told although they refuse nothing, and although
// nobody wants advice: data that goes, and what could not be judged.
var notAdvice = []topicconfig.Rule{topicconfig.RuleRemoteDataLost, topicconfig.RuleSystemUnknown, topicconfig.RuleTieredEmptyPolicy, topicconfig.RuleSegmentTooSmall}

// isAdvice says that a finding may be silenced.
func isAdvice(finding topicconfig.Finding) bool {
	return !finding.Refused && !slices.Contains(notAdvice, finding.Rule)
}

// change is the case as the rules take it.
func (c tieringCase) change() topicconfig.TieredChange {
	change := topicconfig.TieredChange{
		After: c.after.Settings, Overrides: c.overrides, Unknown: c.unknown, Touched: c.touched, MayDelete: c.consent, BytesPerSecond: c.rate,
	}
	if c.live == nil {
		return change
	}
	change.Before = c.live.Effective().Over(c.view.defaults)
	_, change.WasDisabled = c.live.Overrides()[topicconfig.MSKDisablePolicy]
	if change.Overrides == nil {
		change.Overrides = overriddenBy(*c.live)
	}
	return change
}

// dependsOnCluster says whether the rules that the case is about differ from cluster
// to cluster.
func (c tieringCase) dependsOnCluster(change topicconfig.TieredChange) bool {
	if isTiered(change.After) || isTiered(change.Before) {
		return true
	}
	touched := func(key string) bool { return change.Touched == nil || change.Touched(key) }
	for _, key := range slices.Concat(topicconfig.TieredKeys(), topicconfig.DeleteOnDisableKeys()) {
		if touched(key) && (c.live != nil || change.Overrides != nil && change.Overrides(key)) {
			return true
		}
	}
	segment, err := change.After.Integer(topicconfig.SegmentBytes)
	return err == nil && segment < topicconfig.LeastSegmentBytes && touched(topicconfig.SegmentBytes)
}

// incurable are the rules whose verdict no other resource's plan for the same topic
// can turn: they do not look at what the topic itself sets.
var incurable = []topicconfig.Rule{
	topicconfig.RuleSystemOff, topicconfig.RuleKeyTooNew, topicconfig.RuleDisableKeepsRemote, topicconfig.RuleCannotDisable, topicconfig.RuleMSKDisabledForEver,
}

// curable says that another resource's plan may turn a finding.
func curable(finding topicconfig.Finding) bool {
	return !slices.Contains(incurable, finding.Rule)
}

// sayTiering words a judgement: refusals are errors, and where there are none advice
// is given, once a kind.
func (r *runtime) sayTiering(judged judgement, words tieringWords) diag.Diagnostics {
	var diags diag.Diagnostics
	findings := judged.findings
	if len(findings) == 0 {
		return nil
	}
	if refusals := judged.refusals(); len(refusals) > 0 {
		findings = refusals
	}
	words.after, words.version, words.done = judged.after, judged.version, r.done()
	for _, finding := range findings {
		diagnostic := words.word(finding)
		if finding.Refused {
			diags.Append(diagnostic)
			continue
		}
		diags.Append(r.notes.say(noteKind(finding.Rule), diagnostic)...)
	}
	return diags
}

// withConsent adds the platform's own flag to a change that switches tiered storage
// off and may: without it in the same request a cluster refuses. One that the
// configuration has written itself is enough.
func (r *runtime) withConsent(change topicconfig.Change, consent bool) topicconfig.Change {
	enable, sets := change.Set[topicconfig.RemoteStorageEnable]
	if !consent || !sets || !topicconfig.Equal(topicconfig.RemoteStorageEnable, enable, "false") {
		return change
	}
	flag := topicconfig.Settings{topicconfig.RemoteLogDeleteOnDisable: "true"}
	if r.settings.platform == reservation.MSK {
		flag = topicconfig.Settings{topicconfig.MSKDisablePolicy: "Delete"}
	}
	change.Set = change.Set.Over(flag)
	return change
}

// agrees says that a topic's plan consents to lose remote data, by its attribute or by
// its settings. Settings that say no have the last word: they are what is sent.
func agrees(attribute bool, settings topicconfig.Settings) bool {
	return consents(settings) || attribute && !forbids(settings)
}

// forbids says that settings themselves do not agree.
func forbids(settings topicconfig.Settings) bool {
	return topicconfig.Equal(topicconfig.RemoteLogDeleteOnDisable, settings[topicconfig.RemoteLogDeleteOnDisable], "false")
}

// consents says that settings themselves agree to lose remote data.
func consents(settings topicconfig.Settings) bool {
	return topicconfig.Equal(topicconfig.RemoteLogDeleteOnDisable, settings[topicconfig.RemoteLogDeleteOnDisable], "true") ||
		topicconfig.Equal(topicconfig.MSKDisablePolicy, settings[topicconfig.MSKDisablePolicy], "Delete")
}
