// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// The two laws on which the gate rests, over random sets of changes. A plan's
// verdict depends on the set alone, not on the order or the parallelism in which
// Terraform walks it. And a green plan is sound: in whatever order its changes are
// applied, the service refuses none. The other way round a refusal is no timidity:
// each refused set has an order that the service would stop, even where its end
// state would fit.
func TestRealCampaignLaw(t *testing.T) {
	sets, chance, seed := newCampaign(t, 300, 30)
	begin := time.Now()
	l := &law{realCluster: freshReal(t, realEventStreams), chance: chance, now: map[string]modelTopic{}}
	const binaryEvery = 10
	for n := range sets {
		set := l.think(n)
		l.arrange(set.base)
		l.SetCapacity(t, set.capacity())
		l.judge(set)
		if n%binaryEvery == 0 || n%binaryEvery == 9 {
			l.judgeByBinary(set)
		}
		if t.Failed() {
			t.Fatalf("campaign: law: seed %d, set %d: limit %d, base %v, changes %v", seed, n, set.limit, set.base, set.items)
		}
		l.applyOrders(set)
		if t.Failed() {
			t.Fatalf("campaign: law: seed %d, set %d: limit %d, base %v, changes %v", seed, n, set.limit, set.base, set.items)
		}
	}
	t.Logf("campaign: law: seed %d, %d sets in %.0f s: %d green, %d refused, %d of them with a release that would turn a net verdict; %d plans in process at parallelism 1, 10 and 50, "+
		"%d of the terraform binary for %d sets, %d applies of it; %d orders of green sets accepted in %d requests, %d refused sets stopped by the service",
		seed, sets, time.Since(begin).Seconds(), l.green, l.refused, l.netTurned, l.plans, l.binaryPlans, l.binarySets, l.binaryApplies, l.orders, l.requests, l.stopped)
	for _, least := range []struct {
		what       string
		got, wants int
	}{
		{"green", l.green, sets / 3},
		{"refused", l.refused, sets / 3},
		{"with a release that would turn a net verdict", l.netTurned, sets / 4},
		{"through the terraform binary", l.binarySets, sets / 6},
	} {
		if least.got < least.wants {
			t.Errorf("%s: %d, want %d at least", least.what, least.got, least.wants)
		}
	}
}

// law is the state of that campaign.
type law struct {
	realCluster
	chance *rand.Rand
	now    map[string]modelTopic // what the cluster holds
	names  int

	green, refused, netTurned                     int
	plans, binaryPlans, binarySets, binaryApplies int
	orders, requests, stopped                     int
}

// lawItem is one resource of a set: what it holds and what it is to hold.
type lawItem struct {
	before, after *modelTopic // nil: created, deleted
	tainted       bool        // replaced under the same name
}

// String is for the report of a failure.
func (i lawItem) String() string {
	text := func(topic *modelTopic) string {
		if topic == nil {
			return "-"
		}
		return fmt.Sprint(*topic)
	}
	return fmt.Sprintf("%s -> %s tainted %v", text(i.before), text(i.after), i.tainted)
}

// renamed says that the resource is replaced by a topic of another name.
func (i lawItem) renamed() bool {
	return i.before != nil && i.after != nil && i.before.name != i.after.name
}

// lawSet is a set of changes over a cluster.
type lawSet struct {
	base  map[string]modelTopic
	items []lawItem
	limit *big.Int
	// refused is the law's verdict, worked out here; netTurns says that the end
	// state would fit all the same.
	refused, netTurns bool
}

// capacity is the one that has the set's limit.
func (s lawSet) capacity() int64 { return capacityFor(s.limit.Int64()) }

// sums are what the set comes to: now, at the worst, and at the end. freed says
// that something creates a topic without a bound, or takes one away.
func (s lawSet) sums() (now, peak, final *big.Int, grows, freed bool) {
	now, peak = totalOf(s.base), totalOf(s.base)
	end := maps.Clone(s.base)
	for _, item := range s.items {
		if item.before != nil {
			delete(end, item.before.name)
		}
	}
	for _, item := range s.items {
		if item.after == nil {
			continue
		}
		end[item.after.name] = *item.after
		before, lives := s.base[item.after.name]
		losesBound := item.after.unbounded() && (!lives || !before.unbounded())
		freed = freed || losesBound
		if growth := new(big.Int).Sub(item.after.counted(), before.counted()); growth.Sign() > 0 {
			peak.Add(peak, growth)
			grows = true
		}
	}
	return now, peak, totalOf(end), grows, freed
}

// replaces says that a topic goes and comes again under its name. That is no growth,
// but on a cluster that is over its limit already a service refuses the second half,
// because to it that is a create: such sets are outside of what is promised.
func (s lawSet) replaces() bool {
	return slices.ContainsFunc(s.items, func(item lawItem) bool { return item.tainted })
}

// think thinks of the n-th set. The classes take turns: of twenty sets eight are
// green, six would fit at the end only, six do not fit at all.
func (l *law) think(n int) lawSet {
	for {
		set := l.thinkChanges(n)
		now, peak, final, grows, freed := set.sums()
		one := big.NewInt(1)
		least := new(big.Int).Set(now)
		if final.Cmp(now) > 0 {
			least.Set(final)
		}
		switch class := n % 20; {
		case class < 8:
			switch {
			case freed:
				continue
			case class == 7: // over the limit, and nothing grows
				if grows || now.Sign() == 0 || set.replaces() {
					continue
				}
				set.limit = between(l.chance, one, new(big.Int).Sub(now, one))
			case !grows:
				continue
			case class < 3:
				set.limit = peak
			default:
				set.limit = pick(l.chance, new(big.Int).Add(peak, one), new(big.Int).Mul(peak, big.NewInt(2)))
			}
		case class < 14:
			if freed || peak.Cmp(least) <= 0 || least.Sign() == 0 {
				continue
			}
			set.refused, set.netTurns = true, true
			set.limit = pick(l.chance, least, new(big.Int).Sub(peak, one), between(l.chance, least, new(big.Int).Sub(peak, one)))
		case class == 14:
			if !freed {
				continue
			}
			set.refused = true
			set.limit = new(big.Int).Mul(peak, big.NewInt(2))
		default:
			if freed || !grows || final.Sign() == 0 {
				continue
			}
			set.refused = true
			set.limit = pick(l.chance, new(big.Int).Sub(final, one), between(l.chance, one, new(big.Int).Sub(final, one)))
		}
		if set.limit.Sign() > 0 && set.limit.BitLen() < 62 {
			return set
		}
	}
}

// thinkChanges thinks of a base and of what happens to it. A base serves a few sets.
func (l *law) thinkChanges(n int) lawSet {
	set := lawSet{base: map[string]modelTopic{}}
	for range 3 + l.chance.IntN(3) {
		topic := l.think1()
		if l.chance.IntN(12) == 0 {
			topic = withoutBound(topic)
		}
		set.base[topic.name] = topic
	}
	free := n%20 == 14
	for _, name := range slices.Sorted(maps.Keys(set.base)) {
		before := set.base[name]
		item := lawItem{before: &before}
		after := before.clone()
		switch chance := l.chance.IntN(12); {
		case chance < 2: // stays
		case chance < 4:
			item.after = nil
			set.items = append(set.items, item)
			continue
		case before.unbounded():
			after.settings["retention.ms"] = fmt.Sprint(1000 + n)
		case chance < 7:
			after = randomChange(l.chance, before)
		case chance < 9:
			after.partitions += 1 + l.chance.Int64N(2)
		case chance < 10:
			after = randomChange(l.chance, before)
			after.partitions += 1 + l.chance.Int64N(2)
		case chance < 11:
			after = l.think1() // under another name
		default:
			item.tainted = true
			after = l.think1()
			after.name = name
		}
		item.after = &after
		set.items = append(set.items, item)
	}
	for range l.chance.IntN(4) {
		after := l.think1()
		if free {
			after = withoutBound(after)
			free = false
		}
		set.items = append(set.items, lawItem{after: &after})
	}
	return set
}

// think1 thinks of one small topic under a fresh name.
func (l *law) think1() modelTopic {
	l.names++
	topic := randomTopic(l.chance, fmt.Sprintf("law-%d", l.names))
	topic.partitions = 1 + l.chance.Int64N(2)
	return topic
}

// arrange makes the cluster hold exactly these topics, whatever the limit.
func (l *law) arrange(wanted map[string]modelTopic) {
	l.t.Helper()
	l.SetCapacity(l.t, 0)
	var goes []string
	for name, topic := range l.now {
		if want, stays := wanted[name]; !stays || !want.equal(topic) {
			goes = append(goes, name)
			delete(l.now, name)
		}
	}
	l.do(func(ctx context.Context) error { return l.client.Delete(ctx, goes...) })
	l.do(func(ctx context.Context) error {
		for name, topic := range wanted {
			if _, is := l.now[name]; is {
				continue
			}
			if err := l.client.Create(ctx, kafkatest.RealTopic{Name: name, Partitions: topic.partitions, Settings: topic.settings}); err != nil {
				return err
			}
			l.now[name] = topic
		}
		return nil
	})
}

// states reads what each resource's state holds, as a state file would.
func (l *law) states(set lawSet) map[string]*instance {
	states := map[string]*instance{}
	process := l.process(l.eventStreamsSettings(set.capacity()))
	for name := range set.base {
		state, said, err := process.importOne(l.t.Context(), topicKind, name)
		if err != nil || state == nil {
			l.t.Fatalf("import of %s: %v, %s", name, err, said)
		}
		states[name] = state
	}
	return states
}

// judge plans the set at each parallelism, in an order of its own each time, and
// holds the verdicts together and against the law.
func (l *law) judge(set lawSet) {
	l.t.Helper()
	if set.refused {
		l.refused++
	} else {
		l.green++
	}
	if set.netTurns {
		l.netTurned++
	}
	states := l.states(set)
	for _, parallelism := range []int{1, 10, 50} {
		process := l.process(l.eventStreamsSettings(set.capacity()))
		refused, err := l.walk(process, set, states, parallelism)
		if err != nil || refused != set.refused {
			l.t.Errorf("at parallelism %d: refused %v, want %v; %v", parallelism, refused, set.refused, err)
		}
		l.plans++
	}
}

// walk plans all items, so many at a time.
func (l *law) walk(process *process, set lawSet, states map[string]*instance, parallelism int) (refused bool, err error) {
	items := make(chan lawItem, len(set.items))
	for _, i := range l.chance.Perm(len(set.items)) {
		items <- set.items[i]
	}
	close(items)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
	)
	for range parallelism {
		workers.Go(func() {
			for item := range items {
				said, failed := planItem(l.t.Context(), process, item, states)
				one, wrong := refusesForStorage(said)
				mu.Lock()
				refused = refused || one
				for _, failure := range []error{failed, wrong} {
					if failure != nil {
						err = failure
					}
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return refused, err
}

// planItem refreshes and plans one resource, as one step of Terraform's walk.
func planItem(ctx context.Context, process *process, item lawItem, states map[string]*instance) (diagnoses, error) {
	var prior *instance
	if item.before != nil {
		var said diagnoses
		var err error
		if prior, said, err = process.read(ctx, topicKind, states[item.before.name]); err != nil || prior == nil {
			return said, fmt.Errorf("%s: cannot be read: %w", item.before.name, err)
		}
	}
	if item.after == nil {
		planned, err := process.planDelete(ctx, topicKind, prior)
		return planned.said, err
	}
	if item.tainted {
		prior = nil
	}
	planned, err := process.plan(ctx, topicKind, prior, item.after.config())
	if err == nil && !planned.refused() && planned.replaces != item.renamed() {
		err = fmt.Errorf("%s: replaces: %v", item.after.name, planned.replaces)
	}
	return planned.said, err
}

// judgeByBinary does the same with the terraform binary, from a state file; a
// green plan is applied, and leaves nothing to plan.
func (l *law) judgeByBinary(set lawSet) {
	l.t.Helper()
	l.binarySets++
	configuration := l.eventStreams(set.capacity())
	for i, item := range set.items {
		if item.after != nil {
			configuration += fmt.Sprintf("resource %q \"item%d\" {\n%s}\n", topicKind, i, hcl(item.after.config()))
		}
	}
	w := newWorkspace(l.t, configuration)
	writeState(l.t, w, set, l.states(set))
	for _, parallelism := range []int{1, 10, 50} {
		output := w.run("plan", "-json", "-input=false", fmt.Sprintf("-parallelism=%d", parallelism))
		said := jsonDiagnoses(l.t, output.text)
		if refused, err := refusesForStorage(said); err != nil || refused != set.refused || refused != (output.code != 0) {
			l.t.Errorf("terraform plan -parallelism=%d exits %d, want refused %v; %v %s", parallelism, output.code, set.refused, err, said)
		}
		l.binaryPlans++
	}
	if set.refused || l.t.Failed() {
		return
	}
	w.apply(0, fmt.Sprintf("-parallelism=%d", pick(l.chance, 1, 10, 50)))
	w.plan(0)
	l.binaryApplies++
	l.Settle(l.t)
	l.now = set.end()
	l.holds(set)
	l.arrange(set.base)
	l.SetCapacity(l.t, set.capacity())
}

// end is what the cluster holds when the set is applied.
func (s lawSet) end() map[string]modelTopic {
	end := maps.Clone(s.base)
	for _, item := range s.items {
		if item.before != nil {
			delete(end, item.before.name)
		}
	}
	for _, item := range s.items {
		if item.after != nil {
			end[item.after.name] = *item.after
		}
	}
	return end
}

// holds holds the policy's count against what the set comes to at its end.
func (l *law) holds(set lawSet) {
	l.t.Helper()
	_, _, final, _, _ := set.sums()
	if total := l.PolicyReserved(l.t).Total; total.Cmp(final) != 0 {
		l.t.Errorf("the policy counts %d bytes in the end, want %d", total, final)
	}
}

// writeState writes a state file that holds the base, by the resources of the items.
func writeState(t *testing.T, w *workspace, set lawSet, states map[string]*instance) {
	t.Helper()
	var resources []any
	for i, item := range set.items {
		if item.before == nil {
			continue
		}
		held := fields{"schema_version": 0, "attributes": states[item.before.name].values}
		if item.tainted {
			held["status"] = "tainted"
		}
		resources = append(resources, fields{
			"mode": "managed", "type": topicKind, "name": fmt.Sprintf("item%d", i),
			"provider":  `provider["registry.terraform.io/kafkastorage/kafkastorage"]`,
			"instances": []any{held},
		})
	}
	text, err := json.Marshal(fields{
		"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "campaign", "outputs": fields{}, "resources": resources,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.folder, "terraform.tfstate"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// lawRequest is one request of an apply: to the policy's eyes or, for partitions, to its formula.
type lawRequest func(ctx context.Context) error

// lawUnit is what Terraform does one after the other; units come in any order, and mingle.
type lawUnit struct {
	requests []lawRequest
	grows    bool // in the end
}

// unitsOf are the requests that an apply sends for an item, in their order: for an
// update settings before partitions, as the provider does. A rename is two units,
// since a create may come before the delete.
func (l *law) unitsOf(item lawItem) []lawUnit {
	if item.before != nil && item.after != nil && !item.renamed() && !item.tainted {
		return []lawUnit{{l.updateRequests(*item.before, *item.after), outgrows(*item.after, *item.before)}}
	}
	var units []lawUnit
	if item.before != nil {
		units = append(units, lawUnit{requests: []lawRequest{l.deleteRequest(item.before.name)}})
	}
	if item.after != nil {
		units = append(units, lawUnit{[]lawRequest{l.createRequest(*item.after)}, true})
	}
	if item.tainted {
		return []lawUnit{{append(units[0].requests, units[1].requests...), outgrows(*item.after, *item.before)}}
	}
	return units
}

// outgrows says that a topic reserves more than another one, or loses its bound.
func outgrows(after, before modelTopic) bool {
	return after.counted().Cmp(before.counted()) > 0 || after.unbounded() && !before.unbounded()
}

// deleteRequest deletes a topic.
func (l *law) deleteRequest(name string) lawRequest {
	return func(ctx context.Context) error {
		delete(l.now, name)
		return l.client.Delete(ctx, name)
	}
}

// createRequest creates a topic.
func (l *law) createRequest(topic modelTopic) lawRequest {
	return func(ctx context.Context) error {
		err := l.client.Create(ctx, kafkatest.RealTopic{Name: topic.name, Partitions: topic.partitions, Settings: topic.settings})
		if err == nil {
			l.now[topic.name] = topic
		}
		return err
	}
}

// updateRequests are those of an update.
func (l *law) updateRequests(before, after modelTopic) (requests []lawRequest) {
	if set, remove := settingsChange(before, after); len(set)+len(remove) > 0 {
		changed := after.clone()
		changed.partitions = before.partitions
		requests = append(requests, func(ctx context.Context) error {
			err := l.client.Alter(ctx, after.name, kafkatest.RealChange{Set: set, Remove: remove})
			if err == nil {
				l.now[after.name] = changed
			}
			return err
		})
	}
	if after.partitions > before.partitions {
		requests = append(requests, func(ctx context.Context) error {
			// On a cluster that is over its limit already a topic may trade retention for partitions and come out no
			// larger. Of the two requests the second is growth when seen alone, but no policy of Kafka sees it.
			if words := l.JudgePartitions(l.t, after.name, after.partitions); words != "" && outgrows(after, before) {
				return kafkatest.RefusedWith(after.name, words)
			}
			err := l.client.SetPartitions(ctx, after.name, after.partitions)
			if err == nil {
				l.now[after.name] = after
			}
			return err
		})
	}
	return requests
}

// applyOrders applies a green set in several orders, of which the service must
// accept every request, and a refused one in the order that it must stop.
func (l *law) applyOrders(set lawSet) {
	var units []lawUnit
	for _, item := range set.items {
		units = append(units, slices.DeleteFunc(l.unitsOf(item), func(unit lawUnit) bool { return len(unit.requests) == 0 })...)
	}
	if set.refused {
		if l.applyOrder(growthFirst(units)) == "" {
			l.t.Errorf("the plan refuses a set that the service accepts in the worst order")
		}
		l.stopped++
		return
	}
	const orders = 6
	for n := range orders {
		order := growthFirst(units)
		if n > 0 {
			order = l.shuffle(units)
			l.arrange(set.base)
			l.SetCapacity(l.t, set.capacity())
		}
		if words := l.applyOrder(order); words != "" {
			l.t.Errorf("order %d of a green set was refused: %s", n, words)
			return
		}
		l.holds(set)
		l.orders++
	}
}

// applyOrder sends requests until the policy refuses one, and returns its words.
func (l *law) applyOrder(order []lawRequest) (refusal string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), realTimeout)
	defer cancel()
	for _, request := range order {
		l.requests++
		err := request(ctx)
		if words, refused := kafkatest.Refused(err); refused {
			return words
		}
		if err != nil {
			l.t.Fatal(err)
		}
	}
	return ""
}

// shuffle merges the units' requests by chance; each unit's own keep their order.
func (l *law) shuffle(units []lawUnit) []lawRequest {
	var rest [][]lawRequest
	for _, unit := range units {
		rest = append(rest, unit.requests)
	}
	var order []lawRequest
	for len(rest) > 0 {
		i := l.chance.IntN(len(rest))
		order = append(order, rest[i][0])
		if rest[i] = rest[i][1:]; len(rest[i]) == 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return order
}

// growthFirst is the order that reaches the peak: all that grows, then the rest.
func growthFirst(units []lawUnit) []lawRequest {
	var growing, rest []lawRequest
	for _, unit := range units {
		if unit.grows {
			growing = append(growing, unit.requests...)
		} else {
			rest = append(rest, unit.requests...)
		}
	}
	return append(growing, rest...)
}
