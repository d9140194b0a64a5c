// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

const (
	fireTopics      = 220   // names that a run chooses from; about 200 of them are touched
	fireParallelism = 10    // Terraform's own
	fireTimeout     = "15s" // request_timeout: short, so that a silent broker costs seconds
)

// The kinds of a campaign: what happens to a node, and what happens on the wire.
var (
	nodeKinds = []string{"rolling restart", "killed controller", "paused process"}
	wireKinds = map[string][]string{
		"drop":  {kafkatest.FireDrop},
		"delay": {kafkatest.FireDelay},
		"cut":   {kafkatest.FireCutBefore, kafkatest.FireCutAfter},
	}
)

// An apply of two hundred topics is struck on a cluster of three nodes: nodes go and
// come back, and connections break. It may fail. A second one without faults must
// not, and then the state, the configuration and the cluster are the same: nothing
// that no state knows, nothing throttled, nothing that still moves, nothing to plan.
func TestRealCampaignUnderFire(t *testing.T) {
	size, chance, seed := newCampaign(t, 50, 5)
	c := newFireCampaign(t, chance)
	begin := time.Now()
	through := max(1, size/15) // so many of the runs go through the terraform binary
	for run := range size - through {
		if !c.run(run) {
			break
		}
	}
	if !t.Failed() {
		c.throughTerraform(size-through, through)
	}
	t.Logf("campaign: under fire: seed %d, %d of %d runs in %.0f s: %d first applies passed all the same, %d failed, %d of those recovered; %d topics applied, %d writing requests, %d retries of their parts",
		seed, c.runs, size, time.Since(begin).Seconds(), c.passed, c.failed, c.recovered, c.changes, c.sent, c.retries)
	t.Logf("campaign: under fire: faults injected: %s", counted(c.injected))
	t.Logf("campaign: under fire: writes in flight that were struck: %s; runs in which one was: %s", counted(c.struck), counted(c.hits))
	c.covered(size)
}

// fireCampaign is one cluster, one state, and what has happened to them.
type fireCampaign struct {
	t       *testing.T
	chance  *rand.Rand
	cluster *kafkatest.Separate
	client  *kafkatest.RealClient
	ctx     context.Context

	names   [fireTopics]string // of those that are wanted, and of the last that were
	state   map[string]*instance
	tainted map[string]bool
	wanted  map[string]fields

	runs, passed, failed, recovered int
	changes, sent, retries          int
	injected, struck, hits          map[string]int
}

// newFireCampaign starts the cluster.
func newFireCampaign(t *testing.T, chance *rand.Rand) *fireCampaign {
	t.Helper()
	cluster := kafkatest.StartSeparate(t, kafkatest.RealOptions{Nodes: 3})
	return &fireCampaign{
		t: t, chance: chance, cluster: cluster, client: cluster.Client(t), ctx: t.Context(),
		state: map[string]*instance{}, tainted: map[string]bool{}, wanted: map[string]fields{},
		injected: map[string]int{}, struck: map[string]int{}, hits: map[string]int{},
	}
}

// run is a struck apply, a quiet one, and what must be true then. It says whether
// the campaign can go on.
func (c *fireCampaign) run(n int) (goesOn bool) {
	kinds := c.kinds(n)
	began := time.Now()
	before := maps.Clone(c.wanted)
	c.next(n)
	planned, said, err := c.plan()
	if err != nil || len(said.errors()) > 0 {
		c.t.Errorf("run %d: the plan before the fire: %v; %s", n, err, said.errors())
		return false
	}
	c.changes += len(planned)
	var first diagnoses
	err = c.strike(n, kinds, func() (err error) {
		first, err = c.apply(planned)
		return err
	})
	took := time.Since(began)
	if err != nil {
		c.t.Errorf("run %d (%s): the struck apply broke the protocol: %v", n, strings.Join(kinds, ", "), err)
		return false
	}
	c.runs++
	if len(first.errors()) > 0 {
		c.failed++
	} else {
		c.passed++
	}
	if err := c.afterwards(before); err != nil {
		c.t.Errorf("run %d (%s): %v\nthe struck apply had said: %s", n, strings.Join(kinds, ", "), err, shortened(first.errors()))
		return false
	}
	if len(first.errors()) > 0 {
		c.recovered++
	}
	c.t.Logf("run %d in %.0f + %.0f s (%s): %d changes, %d errors%s", n, took.Seconds(), (time.Since(began) - took).Seconds(), strings.Join(kinds, ", "), len(planned), len(first.errors()), summaries(first.errors()))
	return true
}

// kinds are the faults of a run: one of a node and one of the wire in turn, and
// sometimes a further one.
func (c *fireCampaign) kinds(n int) []string {
	wires := slices.Sorted(maps.Keys(wireKinds))
	kinds := []string{nodeKinds[n%len(nodeKinds)], wires[(n+n/len(nodeKinds))%len(wires)]}
	if more := wires[c.chance.IntN(len(wires))]; !slices.Contains(kinds, more) {
		kinds = append(kinds, more)
	}
	return kinds
}

// next thinks of another configuration: topics that come, change, grow and go, and
// in every other run a few whose replicas move. A name does not come twice: a broker
// that restarts may show a topic with settings that another one of its name had
// (seen with Apache Kafka 4.4.0), and then brokers contradict one another.
func (c *fireCampaign) next(n int) {
	moves := 0
	if n%2 == 1 {
		moves = 6
	}
	for i := range c.names {
		name := c.names[i]
		was := c.wanted[name]
		if was == nil {
			if c.chance.IntN(10) > 0 {
				name = fmt.Sprintf("fire-%03d-%02d", i, n)
				c.names[i] = name
				c.wanted[name] = fields{
					"name": name, "partitions": 1 + c.chance.IntN(2), "replication_factor": 2 + c.chance.IntN(2),
					"config": fields{"retention.ms": fmt.Sprint(100_000 + c.chance.IntN(100_000)), "segment.ms": "60000"},
				}
			}
			continue
		}
		topic := maps.Clone(was)
		config := maps.Clone(configOf(was))
		topic["config"] = config
		c.wanted[name] = topic
		partitions, factor := countOf(was, "partitions"), countOf(was, "replication_factor")
		switch draw := c.chance.IntN(100); {
		case draw < 40:
			delete(c.wanted, name)
		case draw < 45:
		case draw < 55 && partitions < 4:
			topic["partitions"] = partitions + 1
		case draw < 65 && partitions < 4:
			topic["partitions"] = partitions + 1
			config["retention.ms"] = fmt.Sprint(100_000 + c.chance.IntN(100_000))
		case draw < 75 && config["max.message.bytes"] != nil:
			delete(config, "max.message.bytes")
		case moves > 0:
			moves--
			topic["replication_factor"] = 5 - factor
		default:
			config["retention.ms"] = fmt.Sprint(100_000 + c.chance.IntN(100_000))
			config["max.message.bytes"] = fmt.Sprint(100_000 + c.chance.IntN(100_000))
		}
	}
}

// configOf and countOf read a configuration of this campaign.
func configOf(topic fields) fields {
	config, _ := topic["config"].(fields)
	return config
}

func countOf(topic fields, key string) int {
	count, _ := topic[key].(int)
	return count
}

// start starts a provider process.
func (c *fireCampaign) start() (*process, error) {
	servers := []any{}
	for _, server := range strings.Split(c.cluster.Proxied(), ",") {
		servers = append(servers, server)
	}
	p, err := startProcess(c.ctx, fields{
		"bootstrap_servers": servers, "tls": fields{"enabled": false}, "request_timeout": fireTimeout,
		"replication_throttle_bytes_per_second": 50_000_000,
	})
	if err == nil && len(p.said) > 0 {
		err = errors.New(p.said.String())
	}
	return p, err
}

// each does something for many topics, as many at a time as Terraform does.
func each(names []string, do func(name string) error) error {
	var (
		workers  sync.WaitGroup
		mu       sync.Mutex
		failures []error
		next     = make(chan string)
	)
	for range fireParallelism {
		workers.Go(func() {
			for name := range next {
				if err := do(name); err != nil {
					mu.Lock()
					failures = append(failures, fmt.Errorf("%s: %w", name, err))
					mu.Unlock()
				}
			}
		})
	}
	for _, name := range names {
		next <- name
	}
	close(next)
	workers.Wait()
	return errors.Join(failures...)
}

// known are the topics that the state or the configuration knows.
func (c *fireCampaign) known() []string {
	known := map[string]bool{}
	for name := range c.state {
		known[name] = true
	}
	for name := range c.wanted {
		known[name] = true
	}
	return slices.Sorted(maps.Keys(known))
}

// plan refreshes the state and returns the changes that are to be made.
func (c *fireCampaign) plan() (map[string]change, diagnoses, error) {
	p, err := c.start()
	if err != nil {
		return nil, nil, err
	}
	defer p.end()
	var (
		mu    sync.Mutex
		said  diagnoses
		plans = map[string]change{}
		fresh = map[string]*instance{}
		gone  []string
	)
	err = each(c.known(), func(name string) error {
		prior, config := c.state[name], c.wanted[name]
		var heard diagnoses
		if prior != nil {
			var err error
			if prior, heard, err = p.read(c.ctx, topicKind, prior); err != nil {
				return err
			}
		}
		var planned change
		var err error
		switch {
		case len(heard.errors()) > 0, prior == nil && config == nil:
			planned.prior, planned.planned = &instance{}, fields{}
			planned.prior.values = planned.planned
		case config == nil:
			planned, err = p.planDelete(c.ctx, topicKind, prior)
		case c.tainted[name] && prior != nil:
			planned, err = p.plan(c.ctx, topicKind, nil, config)
			planned.prior, planned.replaces = prior, true
		default:
			planned, err = p.plan(c.ctx, topicKind, prior, config)
		}
		mu.Lock()
		defer mu.Unlock()
		said = append(append(said, heard...), planned.said...)
		if prior != nil {
			fresh[name] = prior
		} else {
			gone = append(gone, name)
		}
		if !planned.empty() {
			plans[name] = planned
		}
		return err
	})
	for _, name := range gone {
		delete(c.tainted, name)
	}
	if err == nil && len(said.errors()) == 0 {
		c.state = fresh
	}
	return plans, said, err
}

// apply applies changes in a process of their own.
func (c *fireCampaign) apply(plans map[string]change) (diagnoses, error) {
	p, err := c.start()
	if err != nil {
		return nil, err
	}
	defer p.end()
	var (
		mu   sync.Mutex
		said diagnoses
	)
	names := slices.Sorted(maps.Keys(plans))
	c.chance.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	err = each(names, func(name string) error {
		planned := plans[name]
		state, heard, err := p.apply(c.ctx, planned)
		mu.Lock()
		defer mu.Unlock()
		said = append(said, heard...)
		if state == nil {
			delete(c.state, name)
			delete(c.tainted, name)
			return err
		}
		c.state[name] = state
		creates := planned.prior == nil || planned.replaces
		c.tainted[name] = creates && len(heard.errors()) > 0
		return err
	})
	return said, err
}

// strike applies under fire, and has the cluster whole again afterwards.
func (c *fireCampaign) strike(n int, kinds []string, apply func() error) error {
	fire := c.cluster.Fire()
	var wires []string
	for _, kind := range kinds {
		wires = append(wires, wireKinds[kind]...)
	}
	controller := c.cluster.Controller(c.ctx, c.t)
	fire.Arm(uint64(n)<<32|c.chance.Uint64()>>32, wires...)
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	var nodes sync.WaitGroup
	var failure error
	lasting := time.Duration(c.chance.IntN(8000)) * time.Millisecond
	nodes.Go(func() { failure = c.strikeNodes(ctx, kinds[0], controller, lasting) })
	err := apply()
	counts := fire.Quench()
	cancel()
	nodes.Wait()
	c.sent += counts.Sent
	c.retries += counts.Retries
	for _, kind := range kinds {
		struck := 0
		for _, wire := range wireKinds[kind] {
			c.injected[kind] += counts.Injected[wire]
			struck += counts.Writes[wire]
		}
		c.hit(kind, struck)
	}
	c.cluster.AwaitWhole(c.ctx, c.t)
	return errors.Join(err, failure)
}

// hit counts the writes that a kind has struck in a run.
func (c *fireCampaign) hit(kind string, struck int) {
	if struck > 0 {
		c.struck[kind] += struck
		c.hits[kind]++
	}
}

// strikeNodes strikes one node or all, each when a write is at it.
func (c *fireCampaign) strikeNodes(ctx context.Context, kind string, controller *kafkatest.SeparateNode, lasting time.Duration) error {
	fire := c.cluster.Fire()
	const patience = 10 * time.Second
	struck := 0
	note := func(node *kafkatest.SeparateNode) {
		c.injected[kind]++
		struck += fire.InFlight(node.ID())
	}
	var failure error
	switch kind {
	case "rolling restart":
		first := fire.AwaitWrite(ctx, 0, patience)
		for i := range c.cluster.Nodes() {
			node := c.cluster.Nodes()[(max(first, 1)-1+i)%len(c.cluster.Nodes())]
			if i > 0 {
				fire.AwaitWrite(ctx, node.ID(), patience/5)
			}
			note(node)
			if failure = errors.Join(node.Stop(), node.Start()); failure != nil {
				break
			}
		}
	case "killed controller":
		fire.AwaitWrite(ctx, controller.ID(), patience)
		note(controller)
		controller.Kill()
		pause(ctx, lasting/4)
		failure = controller.Start()
	case "paused process":
		node := c.cluster.Nodes()[max(fire.AwaitWrite(ctx, 0, patience), 1)-1]
		note(node)
		failure = node.Pause()
		pause(ctx, 2*time.Second+lasting)
		failure = errors.Join(failure, node.Resume())
	}
	c.hit(kind, struck)
	return failure
}

// pause lets a fault last, at most until the apply that it strikes has ended.
func pause(ctx context.Context, lasting time.Duration) {
	timer := time.NewTimer(lasting)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// afterwards is the second apply, and what must be true then.
func (c *fireCampaign) afterwards(before map[string]fields) error {
	if err := c.lasting(func() error { return c.noOrphans(before) }); err != nil {
		return err
	}
	plans, said, err := c.plan()
	if err == nil && len(said.errors()) > 0 {
		err = errors.New(shortened(said.errors()))
	}
	if err != nil {
		return fmt.Errorf("the second plan: %w", err)
	}
	said, err = c.apply(plans)
	if err == nil && len(said.errors()) > 0 {
		err = errors.New(shortened(said.errors()))
	}
	if err != nil {
		return fmt.Errorf("the second apply: %w\nbrokers that show other settings: %v", err, c.stale())
	}
	if err := c.lasting(c.settled); err != nil {
		return err
	}
	plans, said, err = c.plan()
	if err != nil || len(said) > 0 || len(plans) > 0 {
		return fmt.Errorf("the third plan: %d changes, %w, says: %s\nfor example %s", len(plans), errors.Join(err, errors.New("not empty")), shortened(said), example(plans))
	}
	return nil
}

// example is one change.
func example(plans map[string]change) string {
	names := slices.Sorted(maps.Keys(plans))
	if len(names) == 0 {
		return "none"
	}
	was, one := fields{}, plans[names[0]]
	if one.prior != nil {
		was = one.prior.values
	}
	return gocmp.Diff(was, one.planned)
}

// stale says of how many topics each broker shows other settings than are wanted.
func (c *fireCampaign) stale() map[int32]int {
	wanted := map[string]kafkatest.FakeTopic{}
	for name, config := range c.wanted {
		wanted[name] = asTopic("", config)
	}
	return c.client.Stale(c.ctx, wanted)
}

// lasting asks until there is no difference. Brokers learn of what the controller has
// done a moment later, so one has to last.
func (c *fireCampaign) lasting(compare func() error) error {
	var last error
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); pause(c.ctx, 100*time.Millisecond) {
		if last = compare(); last == nil {
			return nil
		}
	}
	return last
}

// noOrphans says that the state or the plan knows every topic of the cluster.
func (c *fireCampaign) noOrphans(before map[string]fields) error {
	contents, err := c.client.Contents(c.ctx)
	if err != nil {
		return err
	}
	for name := range contents {
		if c.state[name] == nil && c.wanted[name] == nil {
			return fmt.Errorf("after the struck apply %s is an orphan (wanted before: %v)", name, before[name] != nil)
		}
	}
	return nil
}

// settled compares the state with the cluster.
func (c *fireCampaign) settled() error {
	contents, err := c.client.Contents(c.ctx)
	if err != nil {
		return err
	}
	held, wanted := map[string]kafkatest.FakeTopic{}, map[string]kafkatest.FakeTopic{}
	for name, state := range c.state {
		held[name] = asTopic(state.values["topic_id"], state.values)
		if c.tainted[name] {
			return fmt.Errorf("%s is tainted", name)
		}
	}
	for name, config := range c.wanted {
		wanted[name] = asTopic(contents[name].ID, config)
	}
	if diff := gocmp.Diff(contents, held); diff != "" {
		return fmt.Errorf("the state (-cluster +state):\n%s", diff)
	}
	if diff := gocmp.Diff(wanted, contents); diff != "" {
		return fmt.Errorf("the cluster (-wanted +cluster):\n%s", diff)
	}
	if moving, err := c.client.Underway(c.ctx); err != nil || len(moving) > 0 {
		return fmt.Errorf("still moving: %v, %w", moving, err)
	}
	if stale := c.stale(); len(stale) > 0 {
		return fmt.Errorf("brokers that show other settings: %v", stale)
	}
	if left := c.cluster.BrokerSettings(c.t, "replication.throttled"); len(left) > 0 {
		return fmt.Errorf("a throttle is left on brokers: %v", left)
	}
	return nil
}

// covered says that the campaign has met what it is for.
func (c *fireCampaign) covered(size int) {
	least := 1
	if size >= 50 {
		least = 10
	}
	kinds := slices.Concat(nodeKinds, slices.Sorted(maps.Keys(wireKinds)))
	for _, kind := range kinds {
		if c.hits[kind] < least {
			c.t.Errorf("%s struck a write in flight in %d runs, want %d", kind, c.hits[kind], least)
		}
	}
	if c.retries == 0 {
		c.t.Error("nothing was sent again")
	}
}

// shortened is the beginning of what was said: two hundred topics may say the same.
func shortened(said diagnoses) string {
	const most = 3
	text := said[:min(most, len(said))].String()
	if len(said) > most {
		text += fmt.Sprintf("\n\nand %d more", len(said)-most)
	}
	return text
}

// summaries counts what was said by its summary.
func summaries(said diagnoses) string {
	if len(said) == 0 {
		return ""
	}
	counts := map[string]int{}
	for _, one := range said {
		counts[one.Summary]++
	}
	return ": " + counted(counts)
}
