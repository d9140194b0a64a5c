// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import "slices"

// Support is whether a cluster tiers at all: remote.log.storage.system.enable as
// far as it could be read.
type Support int

// What a cluster's switch can be.
const (
	SupportUnknown Support = iota
	SupportOff
	SupportOn
)

// Tiering is what decides, beside the settings, what a topic may have.
type Tiering struct {
	// Version is Kafka's; the zero Version where it is not known, and then a rule
	// of some versions only does not speak.
	Version Version
	// MSK says that the rules of Amazon MSK's Standard brokers hold on top of Kafka's.
	MSK bool
	// System is the cluster's own switch.
	System Support
	// CheckIntervalMs is log.retention.check.interval.ms in milliseconds. 0 is not
	// known: Kafka's default of 300000 is assumed.
	CheckIntervalMs int64
}

// TieredChange is one change of a topic, or its creation. The four functions may
// be nil.
type TieredChange struct {
	// Before are the effective settings now; nil where the topic does not exist.
	Before Settings
	// After are the effective settings as planned: the topic's own over what it
	// inherits. A key that is absent cannot be judged, except that tiering and
	// remote.log.copy.disable are off where they are absent.
	After Settings
	// Overrides says whether a key of After stands on the topic itself. Nil: none does.
	Overrides func(key string) bool
	// Unknown says whether After's value of a key is not known yet: rules that need
	// it do not speak. Nil: everything is known.
	Unknown func(key string) bool
	// Touched says whether the change touches a key: a rule speaks only if one of
	// its keys is touched. Nil: every key is.
	Touched func(key string) bool
	// MayDelete is the consent to lose the remote data of a topic that is no longer
	// to be tiered.
	MayDelete bool
	// BytesPerSecond is what is written to one partition, as it is stored; 0 is not known.
	BytesPerSecond int64
	// WasDisabled says that tiering is known to have been switched off once on this
	// topic: on Amazon MSK that is for ever.
	WasDisabled bool
}

// Finding is what a rule says about a change.
type Finding struct {
	// Rule is the rule that speaks.
	Rule Rule
	// Refused says that the change cannot be made; otherwise the finding is advice.
	Refused bool
	// ByChoice says that the broker would take what is refused here.
	ByChoice bool
	// Key is the setting at fault, and Other the one that it is held against; Other
	// is empty where there is none.
	Key, Other string
	// Near is the nearest value of Key that works, in Kafka's spelling; empty where
	// no value of Key alone does, or none can be computed.
	Near string
	// Number is what the rule's own comment says, in milliseconds or bytes; 0 where
	// that speaks of none. [Endless] is a span without end.
	Number int64
	// Bytes is how much of one partition the rules about switching off speak of:
	// what total and local retention by size differ by. [Endless] is no bound.
	Bytes int64
	// HasBytes says that Bytes is known: some retention by size sets a limit.
	HasBytes bool
}

// Endless is the Number or Bytes of what has no end.
const Endless int64 = -1

// Judge holds a change against every rule. Refusals come first; within them, and
// within the advice after them, the order is fixed.
func (t Tiering) Judge(change TieredChange) []Finding {
	findings := t.ask(change)
	whole := change
	whole.Touched = nil // what is offered has to do for every rule
	var all []Finding
	for i, f := range findings {
		if f.Near == "" {
			continue
		}
		if all == nil {
			all = t.ask(whole)
		}
		if !works(f, all, t.ask(whole.with(f.Key, f.Near))) {
			findings[i].Near = ""
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		switch {
		case a.Refused == b.Refused:
			return 0
		case a.Refused:
			return -1
		}
		return 1
	})
	return findings
}

// ask puts a change to the rules.
func (t Tiering) ask(change TieredChange) []Finding {
	j := &judge{Tiering: t, change: change}
	for _, rule := range rules {
		rule(j)
	}
	return j.findings
}

// with is the change with another value of a key, set on the topic itself.
func (c TieredChange) with(key, value string) TieredChange {
	set, overrides := key, c.Overrides
	c.After = Settings{key: value}.Over(c.After)
	c.Overrides = func(key string) bool {
		return key == set || overrides != nil && overrides(key)
	}
	return c
}

// works says whether an offer cures its finding without a new fault: the rule is
// silent, and no setting is refused that was not refused before.
func works(f Finding, before, after []Finding) bool {
	for _, g := range after {
		if g.Rule == f.Rule && g.Key == f.Key && g.Other == f.Other {
			return false
		}
		known := func(b Finding) bool { return b.Refused && (b.Key == g.Key || b.Other == g.Key) }
		if g.Refused && !slices.ContainsFunc(before, known) {
			return false
		}
	}
	return true
}

// rules are all there are, in the order in which they are asked.
var rules = []func(*judge){
	(*judge).system, (*judge).policy, (*judge).versions, (*judge).segmentSize, (*judge).indexSize,
	(*judge).mskSizes, (*judge).mskRetention, (*judge).mskPolicy, (*judge).mskAgain,
	(*judge).localLimits, (*judge).copyDisabled, (*judge).copyLags, (*judge).switchedOff,
	(*judge).noLocalLimit, (*judge).defectsOfOldVersions, (*judge).shortLocal, (*judge).unusedLocal,
	(*judge).endlessRemote, (*judge).slowSegments, (*judge).unfilledSegments, (*judge).largeMessages, (*judge).smallTotal,
	(*judge).futureTimestamps, (*judge).fullIndex,
}
