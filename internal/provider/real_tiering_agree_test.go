// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
)

// Whoever writes tiered settings into the topic's map and whoever writes them into a
// resource of their own mean the same topic: the same rules refuse them, the same
// advice comes, and the same is reserved afterwards. Left out is what is not the same as
// two requests: totals that are lowered together with the local limit pass a state that
// the rules do not allow, and a topic that changes while its tiers go is at first still tiered.
func TestRealTieredStorage_MapAndResourceAgree(t *testing.T) {
	const settings = 40
	_, chance, seed := newCampaign(t, settings, settings)
	a := &agreement{realCluster: freshReal(t, kafkatest.RealOptions{Tiered: true}), chance: chance}
	for n := range settings {
		a.compare(n, a.think(n))
		if t.Failed() {
			t.Fatalf("campaign: map and resource: seed %d, setting %d", seed, n)
		}
	}
	t.Logf("campaign: map and resource: seed %d, %d settings (%d on live topics): %d refused with the same rules, %d with the same advice, %d applied with the same reservation",
		seed, settings, a.live, a.refused, a.advised, a.applied)
	for what, got := range map[string]int{"live": a.live, "refused": a.refused, "advised": a.advised, "applied": a.applied} {
		met(t, what, got, settings/10)
	}
}

// agreement is the state of that campaign.
type agreement struct {
	realCluster
	chance                          *rand.Rand
	live, refused, advised, applied int
}

// agreed is one topic to be written in both ways.
type agreed struct {
	current settingsMap // nil: it is created
	totals  settingsMap // what the topic's own resource has
	tiered  settingsMap // what either has
	consent bool
}

// think thinks of the n-th.
func (a *agreement) think(n int) agreed {
	var one agreed
	one.totals = settingsMap{"retention.bytes": pick(a.chance, "-1", "1048576", "1073741824", fmt.Sprint(mib+a.chance.Int64N(64*gib)))}
	if a.chance.IntN(2) == 0 {
		one.totals["retention.ms"] = pick(a.chance, "-1", "86400000", "3600000")
	}
	if a.chance.IntN(3) == 0 {
		one.totals["segment.bytes"] = pick(a.chance, "1048576", "16777216")
	}
	if n%2 == 0 {
		if a.chance.IntN(6) == 0 {
			one.totals["cleanup.policy"] = pick(a.chance, "compact", "compact,delete")
		}
		one.tiered = a.tiers(one.totals)
		return one
	}
	for { // a live topic that a cluster takes has local limits below its totals
		one.current = one.totals.with(tierEnable, pick(a.chance, "true", "true", ""))
		if one.current[tierEnable] == "true" && a.chance.IntN(2) == 0 {
			one.current = one.current.with(tierTime.local, pick(a.chance, "1000", "-2"))
		}
		if one.current[tierEnable] == "true" || a.chance.IntN(3) == 0 {
			break
		}
	}
	if bytes, err := strconv.ParseInt(one.totals["retention.bytes"], 10, 64); err == nil && bytes > 0 && a.chance.IntN(2) == 0 {
		one.totals = one.totals.with("retention.bytes", bytes+a.chance.Int64N(gib))
	}
	one.tiered = a.tiers(one.totals)
	one.consent = a.chance.IntN(2) == 0
	if one.current[tierEnable] == "true" && a.chance.IntN(3) == 0 {
		one.tiered[tierEnable] = "false"
		one.totals = one.totals.with("retention.bytes", one.current["retention.bytes"])
	}
	return one
}

// tiers are tiered settings near the totals.
func (a *agreement) tiers(totals settingsMap) settingsMap {
	tiered := settingsMap{tierEnable: "true"}
	near := func(text string) string {
		n, _ := strconv.ParseInt(text, 10, 64)
		return fmt.Sprint(max(0, pick(a.chance, n/2, n/3, n-1, n, n+1)))
	}
	if a.chance.IntN(2) == 0 {
		tiered[tierBytes.local] = pick(a.chance, "-2", "-1", near(totals["retention.bytes"]), near(totals["retention.bytes"]))
	}
	if a.chance.IntN(2) == 0 {
		tiered[tierTime.local] = pick(a.chance, "-2", "1800000", near(totals["retention.ms"]))
	}
	if a.chance.IntN(4) == 0 {
		tiered[tierCopyStops] = pick(a.chance, "true", "false")
	}
	return tiered
}

// inMap and inResource are the configurations of the two ways.
func (o agreed) inMap(name string) fields {
	values := tierCase{name: name, wish: tierWish{o.totals.with(), o.consent}}
	maps.Copy(values.wish.settings, o.tiered)
	return values.config()
}

func (o agreed) inResource(name string) (topic, tiered fields) {
	topic = tierCase{name: name, wish: tierWish{settings: o.totals}}.config()
	tiered = fields{"topic": name, "enabled": o.tiered[tierEnable] == "true"}
	for key, attribute := range map[string]string{tierTime.local: "local_retention_ms", tierBytes.local: "local_retention_bytes"} {
		if value, set := o.tiered[key]; set {
			tiered[attribute] = value
		}
	}
	if value, set := o.tiered[tierCopyStops]; set {
		tiered["copy_disabled"] = value == "true"
	}
	if o.consent {
		tiered["delete_remote_data_on_disable"] = true
	}
	return topic, tiered
}

// process starts one that hears no advice twice.
func (a *agreement) start() *process {
	p := a.process(at(a.Bootstrap()))
	a.t.Cleanup(p.end)
	return p
}

// plans plans changes in one process, in the order of the reference.
func (a *agreement) plan(p *process, kind string, prior *instance, config fields) change {
	a.t.Helper()
	planned, err := p.plan(a.t.Context(), kind, prior, config)
	if err != nil {
		a.t.Fatal(err)
	}
	return planned
}

// compare writes one topic in both ways.
func (a *agreement) compare(n int, one agreed) {
	mapped, apart := fmt.Sprintf("map-%d", n), fmt.Sprintf("apart-%d", n)
	if one.current != nil {
		a.live++
		for _, name := range []string{mapped, apart} {
			a.create(kafkatest.RealTopic{Name: name, Partitions: 1, Settings: one.current})
		}
	}
	first, second := a.start(), a.start()
	topicConfig, tieredConfig := one.inResource(apart)
	var priorMap, priorTopic, priorTiered *instance
	if one.current != nil {
		priorMap, priorTopic = a.imported(first, topicKind, mapped), a.imported(second, topicKind, apart)
		if one.current[tierEnable] == "true" {
			priorTiered = a.imported(second, tieredKind, apart)
		}
	}
	byMap := a.plan(first, topicKind, priorMap, one.inMap(mapped))
	ofTopic := a.plan(second, topicKind, priorTopic, topicConfig)
	ofTiered := a.plan(second, tieredKind, priorTiered, tieredConfig)

	wantRefusals, wantAdvice, all := spoken(byMap.said)
	refusals, advice, allToo := spoken(append(slices.Clone(ofTopic.said), ofTiered.said...))
	if diff := cmp.Diff(wantRefusals, refusals); diff != "" {
		a.t.Errorf("%+v: rules that refuse (-map +resource):\n%s\n%s\n%s\n%s", one, diff, byMap.said, ofTopic.said, ofTiered.said)
	}
	if len(refusals) > 0 {
		a.refused++
		return
	}
	if byMap.refused() || ofTopic.refused() || ofTiered.refused() {
		a.t.Errorf("%+v: refused by no rule: %s\n%s\n%s", one, byMap.said, ofTopic.said, ofTiered.said)
		return
	}
	if all && allToo { // else some had to give way to others
		if diff := cmp.Diff(wantAdvice, advice); diff != "" {
			a.t.Errorf("%+v: advice (-map +resource):\n%s\n%s\n%s\n%s", one, diff, byMap.said, ofTopic.said, ofTiered.said)
		}
		if len(advice) > 0 {
			a.advised++
		}
	}
	a.applied++
	a.applyBoth([]change{byMap}, []change{ofTopic, ofTiered}, mapped, apart)
}

// spoken are the tiered rules that speak; all is false where some were left out.
func spoken(said diagnoses) (refusals, advice []string, all bool) {
	all = true
	for _, diagnosis := range said {
		rule, _, ok := provider.TieringRule(diagnosis.Summary)
		switch {
		case ok && diagnosis.Severity == "error":
			refusals = append(refusals, string(rule))
		case ok:
			advice = append(advice, string(rule))
		default:
			all = all && diagnosis.Summary != "Further notes are due"
		}
	}
	slices.Sort(refusals)
	slices.Sort(advice)
	return slices.Compact(refusals), slices.Compact(advice), all
}

// applyBoth applies them, and compares what is there then.
func (a *agreement) applyBoth(byMap, byResource []change, mapped, apart string) {
	for _, changes := range [][]change{byMap, byResource} {
		applying := a.start()
		var states []*instance
		for _, one := range changes {
			state, said, err := applying.apply(a.t.Context(), one)
			if err != nil || state == nil || len(said.errors()) > 0 {
				a.t.Fatalf("a plan that passed failed in apply: %v\n%s", err, said)
			}
			states = append(states, state)
		}
		a.Settle(a.t)
		again := a.start()
		for i, one := range changes {
			read, said, err := again.read(a.t.Context(), one.kind, states[i])
			if err != nil || read == nil {
				a.t.Fatal(err, said)
			}
			if next := a.plan(again, one.kind, read, one.config); !next.empty() || len(next.said) > 0 {
				a.t.Errorf("%s: the next plan is not clean: from %v to %v\n%s", one.kind, read.values, next.planned, next.said)
			}
			states[i] = read
		}
		if len(states) == 2 && !equalValues(states[0].values["reserved_bytes"], states[1].values["local_reserved_bytes"]) {
			a.t.Errorf("the topic reserves %v, its local tier %v", states[0].values["reserved_bytes"], states[1].values["local_reserved_bytes"])
		}
	}
	read, said, err := a.start().readData(a.t.Context(), "kafkastorage_reserved_storage", fields{"include_topics": true})
	if err != nil || len(said.errors()) > 0 {
		a.t.Fatal(err, said)
	}
	topics, _ := read["topics"].(fields)
	if diff := cmp.Diff(topics[mapped], topics[apart]); diff != "" || topics[mapped] == nil {
		a.t.Errorf("what is reserved (-map +resource):\n%s", diff)
	}
}
