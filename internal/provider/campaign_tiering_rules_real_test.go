// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A plan that passes and an apply that fails is what the tiered rules are there to
// prevent, and a plan that fails over what Kafka takes is a provider in the way. So
// for changes on either side of each rule, and for changes at random, the plan's
// verdict, reached without asking the cluster, must be the broker's own; only what is
// refused by choice may differ. That is so for each version, as their rules differ.
func TestRealCampaignTieredRules(t *testing.T) {
	for _, version := range kafkatest.RealVersions() {
		t.Run(version, func(t *testing.T) {
			whole, share := 150, 40
			if version == kafkatest.RealVersions()[0] {
				whole, share = 300, 60
			}
			runTieringCampaign(t, kafkatest.RealOptions{Version: version, Tiered: true}, whole, share)
		})
	}
	t.Run("without_tiers", func(t *testing.T) { runTieringCampaign(t, realKafka, 40, 12) })
}

// runTieringCampaign runs it on one cluster.
func runTieringCampaign(t *testing.T, options kafkatest.RealOptions, whole, share int) {
	t.Helper()
	cases, chance, seed := newCampaign(t, whole, share)
	version, err := topicconfig.ParseVersion(options.Version)
	if err != nil {
		t.Fatal(err)
	}
	c := &tieringCampaign{
		realCluster: freshReal(t, options), draw: tierDraw{chance: chance, version: version, off: !options.Tiered}, chance: chance,
		refused: map[topicconfig.Rule]int{}, accepted: map[topicconfig.Rule]int{},
	}
	c.run(seed, cases)
}

// tieringCampaign is the state of that campaign on one version.
type tieringCampaign struct {
	realCluster
	draw   tierDraw
	chance *rand.Rand
	names  int

	// refused and accepted count by rule: who refused, and the neighbours that passed.
	refused, accepted                                                 map[topicconfig.Rule]int
	creates, green, red, choice, asked, applied, binary, redrawn, odd int
}

// tierBatch is how many topics are live together.
const tierBatch = 10

// run judges cases in batches and prints what came of them.
func (c *tieringCampaign) run(seed uint64, cases int) {
	version := c.draw.version.String()
	if c.draw.off {
		version = "without tiers"
	}
	begin := time.Now()
	rules := slices.Sorted(maps.Keys(c.draw.edges()))
	for n := 0; n < cases; n += tierBatch {
		batch := make([]tierCase, min(tierBatch, cases-n))
		for i := range batch {
			batch[i] = c.think(n+i, rules)
		}
		c.Settle(c.t)
		for i, one := range batch {
			before := c.odd
			c.judge(n+i, one)
			if c.odd > before {
				c.t.Logf("campaign: tiered rules: disagreement: seed %d, version %s, case %d: %+v", seed, version, n+i, one)
			}
		}
		c.DeleteAllTopics(c.t)
	}
	c.t.Logf("campaign: tiered rules: %s: seed %d, %d cases in %.0f s (%d creates): %d accepted, %d refused by both, %d refused by our choice; "+
		"%d also asked the broker at plan, %d really applied and planned again, %d through the terraform binary; %d states that the broker itself refuses; %d disagreements",
		version, seed, cases, time.Since(begin).Seconds(), c.creates, c.green, c.red, c.choice, c.asked, c.applied, c.binary, c.redrawn, c.odd)
	var counts []string
	least := 1
	if os.Getenv("KAFKASTORAGE_CAMPAIGN") == "full" {
		least = 5
	}
	for _, rule := range rules {
		counts = append(counts, fmt.Sprintf("%s %d/%d", rule, c.refused[rule], c.accepted[rule]))
		if c.refused[rule] < least || c.accepted[rule] < least {
			c.t.Errorf("%s: %d refused, %d accepted beside it, want %d at least", rule, c.refused[rule], c.accepted[rule], least)
		}
	}
	c.t.Logf("campaign: tiered rules: %s: refused/accepted beside it: %s", version, strings.Join(counts, ", "))
	met(c.t, "refused", c.red+c.choice, cases/3)
	met(c.t, "accepted", c.green, cases/3)
	met(c.t, "creates", c.creates, cases/10)
	met(c.t, "asked the broker", c.asked, cases/5)
	met(c.t, "applied", c.applied, cases*12/100)
	met(c.t, "through the terraform binary", c.binary, cases/10)
}

// think thinks of the n-th case and makes its topic. Rules and sides take turns, and
// every fourth case is by chance.
func (c *tieringCampaign) think(n int, rules []topicconfig.Rule) tierCase {
	for {
		c.names++
		one := tierCase{name: fmt.Sprintf("case-%d", c.names), rule: ruleAtRandom}
		drawn, turn := edge{}, n/4*3+n%4
		if n%4 == 3 {
			drawn = c.draw.atRandom()
			one.wish = drawn.good
		} else {
			one.rule = rules[turn/2%len(rules)]
			drawn = c.draw.edges()[one.rule]()
			one.wish = drawn.good
			if turn%2 == 0 {
				one.wish = drawn.bad
			}
		}
		one.current = drawn.current
		if one.current == nil {
			return one
		}
		if set, remove := one.request(); len(set)+len(remove) == 0 {
			continue // of which no broker hears
		}
		ctx, cancel := context.WithTimeout(c.t.Context(), realTimeout)
		err := c.client.Create(ctx, kafkatest.RealTopic{Name: one.name, Partitions: 1, Settings: one.current})
		cancel()
		switch {
		case err == nil:
			return one
		case !kafkatest.Invalid(err):
			c.t.Fatal(err)
		case one.rule != ruleAtRandom:
			c.t.Fatalf("%s begins with a topic that cannot be: %v, %v", one.rule, one.current, err)
		}
		c.redrawn++
	}
}

// ask asks the broker, with validate-only or for real; "" is yes.
func (c *tieringCampaign) ask(one tierCase) (refusal string) {
	ctx, cancel := context.WithTimeout(c.t.Context(), realTimeout)
	defer cancel()
	set, remove := one.request()
	var err error
	switch {
	case one.current == nil:
		err = c.client.ProbeCreate(ctx, kafkatest.RealTopic{Name: one.name, Partitions: 1, Settings: set})
	case len(set)+len(remove) > 0:
		err = c.client.ProbeAlter(ctx, one.name, kafkatest.RealChange{Set: set, Remove: remove})
	}
	if err == nil {
		return ""
	}
	if !kafkatest.Invalid(err) {
		c.t.Fatal(err)
	}
	return err.Error()
}

// disagree reports a case that comes out wrong.
func (c *tieringCampaign) disagree(format string, arguments ...any) {
	c.t.Helper()
	c.odd++
	c.t.Errorf(format, arguments...)
}

// settings configures the provider; asking says whether its plans ask the broker.
func (c *tieringCampaign) settings(asking bool) fields {
	settings := at(c.Bootstrap())
	if !asking {
		settings["plan_validation"] = "offline"
	}
	return settings
}

// judge asks both and holds the answers together.
func (c *tieringCampaign) judge(n int, one tierCase) {
	asking := n%3 == 2
	process := c.process(c.settings(asking))
	defer process.end()
	var prior *instance
	if one.current == nil {
		c.creates++
	} else {
		prior = c.imported(process, topicKind, one.name)
	}
	planned, err := process.plan(c.t.Context(), topicKind, prior, one.config())
	if err != nil {
		c.t.Fatal(err)
	}
	broker := c.ask(one)
	byChoice := c.verdict(one, planned, broker)
	if asking {
		c.asked++
	}
	if n%10 == 4 {
		c.binary++
		c.judgeByBinary(one, broker != "" || byChoice)
	}
	if broker == "" && !byChoice && n%4 == 1 && !planned.refused() {
		c.carryOut(one, planned, asking)
	}
}

// verdict holds the plan against the broker's answer, and counts.
func (c *tieringCampaign) verdict(one tierCase, planned change, broker string) (byChoice bool) {
	c.t.Helper()
	var said []topicconfig.Rule
	for _, diagnosis := range planned.said.errors() {
		rule, refuses, ok := provider.TieringRule(diagnosis.Summary)
		switch {
		case ok && refuses:
			said = append(said, rule)
		case diagnosis.Summary == "Topic setting cannot be used":
			said = append(said, ruleOwnRange)
		case diagnosis.Summary == "Topic setting is unknown to this cluster":
			said = append(said, topicconfig.RuleKeyTooNew)
		default:
			c.disagree("%s: not a rule of the provider's own: %s", one.name, planned.said)
			return false
		}
	}
	chosen := func(rule topicconfig.Rule) bool {
		return rule == topicconfig.RuleIndexTooSmall ||
			rule == topicconfig.RuleCannotDisable && c.draw.version.Before(3, 9) ||
			rule == topicconfig.RuleDisableKeepsRemote && one.current[tierDeletes] == "true" // consent is for one change
	}
	set, remove := one.request()
	switch {
	case !planned.refused() && broker != "":
		c.disagree("%s: the plan passes, and the broker refuses: %s", one.name, broker)
	case !planned.refused():
		c.green++
		c.accepted[one.rule]++
	case broker == "" && !slices.ContainsFunc(said, func(rule topicconfig.Rule) bool { return !chosen(rule) }):
		c.choice++
		byChoice = true
	case broker == "":
		c.disagree("%s: the plan is refused, and the broker accepts %v, without %v: %s", one.name, set, remove, planned.said)
		return false
	default:
		c.red++
	}
	slices.Sort(said)
	for _, rule := range slices.Compact(said) {
		c.refused[rule]++
	}
	return byChoice
}

// judgeByBinary plans the same with the terraform binary.
func (c *tieringCampaign) judgeByBinary(one tierCase, refused bool) {
	configuration := c.provider(`plan_validation = "offline"`) + oneTopic(hcl(one.config()))
	if one.current != nil {
		configuration += fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", topicT, one.name)
	}
	if output := newWorkspace(c.t, configuration).run("plan", "-input=false"); (output.code != 0) != refused {
		c.disagree("terraform plan exits %d, want refused %v:\n%s", output.code, refused, output.text)
	}
}

// carryOut applies a plan: the topic is then what was asked for, and the next plan is empty.
func (c *tieringCampaign) carryOut(one tierCase, planned change, asking bool) {
	applying := c.process(c.settings(asking))
	defer applying.end()
	state, said, err := applying.apply(c.t.Context(), planned)
	if err != nil || state == nil || len(said.errors()) > 0 {
		c.disagree("%s: a plan that passed failed in apply: %v\n%s", one.name, err, said)
		return
	}
	c.applied++
	c.Settle(c.t)
	if diff := cmp.Diff(one.end(), c.overrides(one.name)); diff != "" {
		c.disagree("%s: the topic's own settings (-want +got):\n%s", one.name, diff)
	}
	again := c.process(c.settings(asking))
	defer again.end()
	read, said, err := again.read(c.t.Context(), topicKind, state)
	if err != nil || read == nil {
		c.t.Fatal(err, said)
	}
	next, err := again.plan(c.t.Context(), topicKind, read, one.config())
	if err != nil || !next.empty() || len(next.said) > 0 {
		c.disagree("%s: the next plan is not clean: %v, from %v to %v\n%s", one.name, err, read.values, next.planned, next.said)
	}
}
