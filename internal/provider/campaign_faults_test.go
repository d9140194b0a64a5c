// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

const (
	struckTimeout  = 2 * time.Second // request_timeout of a run that is struck
	patientTimeout = "60s"           // and of all others, which a busy machine must not disturb
	faultWorkers   = 8
)

// A topic's life is disturbed once, at each of its requests in turn and in each way
// that a request can go wrong. The run that is struck may fail; the next one, in
// fresh processes, must not, and must leave the state and the cluster the same,
// nothing that no state knows, and everything that the configuration does not name
// as it was.
func TestCampaignFaults(t *testing.T) {
	c := &faultCampaign{t: t, apis: map[string]int{}, kinds: map[string]int{}, steps: map[string]int{}, seen: map[string]bool{}, lived: map[string]bool{}}
	sites := c.sites()
	var all []faultSchedule
	for _, site := range sites {
		for _, kind := range faultKinds() {
			all = append(all, faultSchedule{site, kind})
		}
	}
	c.complete(all, sites)
	size, chance, seed := newCampaign(t, len(all), max(5, len(all)/10))
	chosen := faultShare(all, size, chance)
	begin := time.Now()
	c.runAll(chosen)
	t.Logf("campaign: faults: seed %d, %d of %d schedules in %.0f s: %d first runs passed all the same, %d failed, %d of those recovered (%d by replacing what was tainted); by API: %s; by fault: %s; by step: %s",
		seed, c.ran, len(all), time.Since(begin).Seconds(), c.passed, c.failed, c.recovered, c.tainted, counted(c.apis), counted(c.kinds), counted(c.steps))
	c.covered(chosen, sites)
}

// faultAPI is a kind of request.
type faultAPI struct {
	name  string
	probe bool // with validate-only
}

// String is how the campaign names it.
func (a faultAPI) String() string {
	if a.probe {
		return a.name + " validate-only"
	}
	return a.name
}

// faultSite is one request of a topic's life: the nth of its kind in one step.
type faultSite struct {
	empty bool // on a cluster without any other topic, which is asked for more
	step  int
	api   faultAPI
	nth   int
}

// faultKind is a way in which a request goes wrong: an error of the broker, or what
// happens to it on the wire.
type faultKind struct {
	name string
	code string
	how  kafkatest.How
	by   time.Duration
}

// faultSchedule is one disturbed life.
type faultSchedule struct {
	faultSite
	kind faultKind
}

// String is for the report of a failure.
func (s faultSchedule) String() string {
	where := faultSteps[s.step].name
	if s.empty {
		where += " on an empty cluster"
	}
	return fmt.Sprintf("%s, %s %d, %s", where, s.api, s.nth+1, s.kind.name)
}

// faultKinds lists the ways.
func faultKinds() []faultKind {
	kinds := []faultKind{
		{name: "connection lost before", how: kafkatest.CutBefore},
		{name: "connection lost after", how: kafkatest.CutAfter},
		{name: "slow answer", how: kafkatest.Delay, by: struckTimeout / 8},
		{name: "answer too late", how: kafkatest.Delay, by: struckTimeout * 3 / 2},
	}
	for _, code := range kafkatest.RetriableErrors() {
		kinds = append(kinds, faultKind{name: code, code: code})
	}
	return kinds
}

// faultSteps is the life: each step is a configuration to reach, and after the last
// there is nothing.
var faultSteps = []struct {
	name   string
	config fields
}{
	{"create", fields{
		"name": "t", "partitions": 2, "replication_factor": 3,
		"config": fields{"retention.ms": "100000", "segment.ms": "600000", "max.message.bytes": "200000"},
	}},
	{"update", fields{
		"name": "t", "partitions": 4, "replication_factor": 3,
		"config": fields{"retention.ms": "200000", "max.message.bytes": "200000", "min.insync.replicas": "2"},
	}},
	{"delete", nil},
}

// lifecycleAPIs are the requests that a topic's life is known to consist of.
var lifecycleAPIs = []string{
	"CreatePartitions", "CreatePartitions validate-only", "CreateTopics", "CreateTopics validate-only", "DeleteTopics",
	"DescribeCluster", "DescribeConfigs", "IncrementalAlterConfigs", "IncrementalAlterConfigs validate-only", "Metadata",
}

// faultCampaign is the state of that campaign.
type faultCampaign struct {
	t *testing.T

	mu                             sync.Mutex
	apis, kinds, steps             map[string]int
	seen                           map[string]bool // every API that any run has used
	lived                          map[string]bool // the schedules that have run
	ran, passed, failed, recovered int
	tainted                        int
}

// sites finds every request of an undisturbed life, and those that are made in
// addition on an empty cluster.
func (c *faultCampaign) sites() []faultSite {
	c.t.Helper()
	sites := c.sitesOf(false)
	usual := map[faultAPI]bool{}
	for _, site := range sites {
		usual[site.api] = true
	}
	more := slices.DeleteFunc(c.sitesOf(true), func(site faultSite) bool { return usual[site.api] })
	return append(sites, more...)
}

// sitesOf finds the requests of one life.
func (c *faultCampaign) sitesOf(empty bool) []faultSite {
	c.t.Helper()
	life, err := beginLife(empty)
	if err != nil {
		c.t.Fatal(err)
	}
	defer life.fake.Close()
	var sites []faultSite
	for step := range faultSteps {
		life.fake.ForgetRequests()
		if err := life.must(c.t.Context(), step); err != nil {
			c.t.Fatalf("an undisturbed life: %v", err)
		}
		counts := map[faultAPI]int{}
		for _, request := range life.fake.Received() {
			api := faultAPI{request.Name, request.ValidateOnly}
			sites = append(sites, faultSite{empty, step, api, counts[api]})
			counts[api]++
		}
		if err := life.check(c.t.Context(), step); err != nil {
			c.t.Fatalf("an undisturbed life: %v", err)
		}
	}
	return sites
}

// complete says that no schedule is missing: as many as there are APIs, faults and
// occurrences, each once.
func (c *faultCampaign) complete(all []faultSchedule, sites []faultSite) {
	c.t.Helper()
	occurrences := map[string]int{}
	for _, site := range sites {
		occurrences[site.api.String()]++
	}
	if diff := gocmp.Diff(lifecycleAPIs, slices.Sorted(maps.Keys(occurrences))); diff != "" {
		c.t.Errorf("the requests of a topic's life (-known +found):\n%s", diff)
	}
	want := 0
	for _, n := range occurrences {
		want += n * len(faultKinds())
	}
	distinct := map[string]bool{}
	for _, s := range all {
		distinct[s.String()] = true
	}
	if len(all) != want || len(distinct) != want {
		c.t.Errorf("%d schedules, %d of them distinct; APIs × faults × occurrences are %d", len(all), len(distinct), want)
	}
	codes := kafkatest.RetriableErrors()
	for _, code := range []string{"NOT_CONTROLLER", "NOT_LEADER_FOR_PARTITION", "REQUEST_TIMED_OUT", "THROTTLING_QUOTA_EXCEEDED"} {
		if !slices.Contains(codes, code) {
			c.t.Errorf("%s is not among the retriable errors", code)
		}
	}
	c.t.Logf("campaign: faults: a life has %d requests: %s", len(sites), counted(occurrences))
}

// faultShare picks a share that meets every API with each disturbance of the wire,
// and every error.
func faultShare(all []faultSchedule, size int, chance *rand.Rand) []faultSchedule {
	if size >= len(all) {
		return all
	}
	shuffled := slices.Clone(all)
	chance.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	met := map[string]bool{}
	var first, rest []faultSchedule
	for _, s := range shuffled {
		what := s.kind.name
		if s.kind.code == "" {
			what += " of " + s.api.String()
		}
		if !met[what] || !met[s.api.String()] {
			first = append(first, s)
		} else {
			rest = append(rest, s)
		}
		met[what], met[s.api.String()] = true, true
	}
	return append(first, rest[:max(0, size-len(first))]...)
}

// runAll runs schedules, some at a time, each on a cluster of its own.
func (c *faultCampaign) runAll(schedules []faultSchedule) {
	next := make(chan faultSchedule)
	var workers sync.WaitGroup
	for range faultWorkers {
		workers.Go(func() {
			for s := range next {
				c.runOne(s)
			}
		})
	}
	for _, s := range schedules {
		next <- s
	}
	close(next)
	workers.Wait()
}

// errNotStruck says that a run ended before the request that was to be struck, which
// happens where a busy machine lets an earlier one run into its timeout.
var errNotStruck = errors.New("no request was struck")

// runOne runs one schedule and counts it.
func (c *faultCampaign) runOne(s faultSchedule) {
	var failed bool
	err := errNotStruck
	for tries := 0; errors.Is(err, errNotStruck) && tries < 3; tries++ {
		failed, err = c.live(s)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ran++
	c.lived[s.String()] = true
	c.apis[s.api.String()]++
	c.kinds[s.kind.name]++
	c.steps[faultSteps[s.step].name]++
	if failed {
		c.failed++
	} else {
		c.passed++
	}
	switch {
	case err != nil:
		c.t.Errorf("%s: %v", s, err)
	case failed:
		c.recovered++
	}
}

// live lives one disturbed life up to its disturbed step, and what comes after.
func (c *faultCampaign) live(s faultSchedule) (failed bool, err error) {
	life, err := beginLife(s.empty)
	if err != nil {
		return false, err
	}
	defer life.fake.Close()
	ctx := c.t.Context()
	for step := range s.step {
		if err := life.must(ctx, step); err != nil {
			return false, fmt.Errorf("before the fault: %w", err)
		}
	}
	before := life.topicID()
	held, err := life.fake.Contents(ctx)
	if err != nil {
		return false, err
	}
	life.fake.ForgetRequests()
	remove := life.strike(c.t, s)
	said, err := life.walk(ctx, s.step, struckTimeout.String())
	struck := remove()
	c.note(life.fake)
	failed = len(said.errors()) > 0
	switch {
	case err != nil:
		return failed, fmt.Errorf("the struck run broke the protocol: %w", err)
	case struck == 0:
		return failed, errNotStruck
	}
	holds, err := life.fake.Contents(ctx)
	if err != nil {
		return failed, err
	}
	if _, exists := holds["t"]; exists && life.state == nil {
		return failed, fmt.Errorf("the struck run has left a topic that no state knows; it said: %s", said)
	}
	if life.tainted {
		c.taint()
	}
	if err := worded(said, !gocmp.Equal(held, holds)); err != nil {
		return failed, err
	}
	if err := life.must(ctx, s.step); err != nil {
		return failed, fmt.Errorf("the run after the fault: %w\nthe struck run had said: %s", err, said)
	}
	if err := life.check(ctx, s.step); err != nil {
		return failed, fmt.Errorf("%w\nthe struck run had said: %s", err, said)
	}
	if after := life.topicID(); faultSteps[s.step].name == "update" && before != after {
		return failed, fmt.Errorf("the topic was replaced: id %v, then %v", before, after)
	}
	for step := s.step + 1; step < len(faultSteps); step++ {
		if err := life.must(ctx, step); err != nil {
			return failed, fmt.Errorf("later: %w", err)
		}
		if err := life.check(ctx, step); err != nil {
			return failed, fmt.Errorf("later: %w", err)
		}
	}
	return failed, nil
}

// taint counts a topic that came back with an error, which the next run replaces.
func (c *faultCampaign) taint() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tainted++
}

// note takes down which requests a struck run has made.
func (c *faultCampaign) note(fake *kafkatest.Fake) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, request := range fake.Received() {
		c.seen[faultAPI{request.Name, request.ValidateOnly}.String()] = true
	}
}

// covered says that the campaign has met what it is for.
func (c *faultCampaign) covered(chosen []faultSchedule, sites []faultSite) {
	c.t.Helper()
	for _, s := range chosen {
		if !c.lived[s.String()] {
			c.t.Errorf("did not run: %s", s)
		}
	}
	for _, site := range sites {
		if c.apis[site.api.String()] == 0 {
			c.t.Errorf("no schedule strikes %s", site.api)
		}
	}
	for _, kind := range faultKinds() {
		if c.kinds[kind.name] == 0 {
			c.t.Errorf("no schedule has the fault %q", kind.name)
		}
	}
	for api := range c.seen {
		if !slices.Contains(lifecycleAPIs, api) && !slices.Contains(asideAPIs, api) {
			c.t.Errorf("a run that was struck sends %s, which no schedule strikes", api)
		}
	}
	if c.failed == 0 || c.passed == 0 {
		c.t.Errorf("%d first runs failed and %d passed: neither may be missing", c.failed, c.passed)
	}
}

// asideAPIs are requests that only a struck run sends: a listener that has hung up is
// asked what logins it offers, and whether replicas are being
// moved is asked where a partition shows none.
var asideAPIs = []string{"ListPartitionReassignments", "SASLHandshake"}

// life is one topic's life on a cluster of its own, as Terraform leads it.
type life struct {
	fake    *kafkatest.Fake
	others  map[string]kafkatest.FakeTopic // what was there before
	state   *instance
	tainted bool
}

// beginLife starts a cluster with a topic that no configuration names, or an empty one.
func beginLife(empty bool) (*life, error) {
	fake, err := kafkatest.NewFake(kafkatest.FakeOptions{})
	if err != nil {
		return nil, err
	}
	if empty {
		return &life{fake: fake, others: map[string]kafkatest.FakeTopic{}}, nil
	}
	if err := fake.AddTopic("bystander", 2, map[string]string{"retention.ms": "77", "cleanup.policy": "compact"}); err != nil {
		return nil, err
	}
	others, err := fake.Contents(context.Background())
	return &life{fake: fake, others: others}, err
}

// strike installs the fault of a schedule.
func (l *life) strike(t *testing.T, s faultSchedule) func() int {
	_, both := map[string]bool{"CreateTopics": true, "CreatePartitions": true, "IncrementalAlterConfigs": true}[s.api.name]
	writes, probes := both && !s.api.probe, both && s.api.probe
	if s.kind.code != "" {
		return l.fake.Fail(t, kafkatest.Fault{Request: s.api.name, Code: s.kind.code, Writes: writes, Probes: probes, Skip: s.nth, Times: 1})
	}
	return l.fake.Disturb(t, kafkatest.Disturbance{Request: s.api.name, How: s.kind.how, By: s.kind.by, Writes: writes, Probes: probes, Skip: s.nth, Times: 1})
}

// start starts a provider process.
func (l *life) start(ctx context.Context, timeout string) (*process, error) {
	servers := []any{}
	for _, server := range strings.Split(l.fake.Bootstrap(), ",") {
		servers = append(servers, server)
	}
	p, err := startProcess(ctx, fields{"bootstrap_servers": servers, "tls": fields{"enabled": false}, "request_timeout": timeout})
	if err == nil && len(p.said) > 0 {
		err = errors.New(p.said.String())
	}
	return p, err
}

// walk is a plan and its apply: a process reads and plans, another one applies. What
// ends with an error leaves the state as Terraform would keep it.
func (l *life) walk(ctx context.Context, step int, timeout string) (diagnoses, error) {
	config := faultSteps[step].config
	p, err := l.start(ctx, timeout)
	if err != nil {
		return nil, err
	}
	defer p.end()
	refreshed, planned, said, err := l.plan(ctx, p, config)
	if err != nil || len(said.errors()) > 0 {
		return said, err // a plan that fails saves nothing
	}
	if l.state = refreshed; refreshed == nil {
		l.tainted = false
	}
	if planned == nil || planned.empty() {
		return said, nil
	}
	applies, err := l.start(ctx, timeout)
	if err != nil {
		return said, err
	}
	defer applies.end()
	creates := planned.prior == nil || planned.replaces
	state, more, err := applies.apply(ctx, *planned)
	if err != nil {
		return append(said, more...), err
	}
	l.state = state
	l.tainted = creates && state != nil && len(more.errors()) > 0
	return append(said, more...), nil
}

// plan reads what the state holds and plans from there; nil where nothing is to do.
func (l *life) plan(ctx context.Context, p *process, config fields) (refreshed *instance, planned *change, said diagnoses, err error) {
	if l.state != nil {
		if refreshed, said, err = p.read(ctx, topicKind, l.state); err != nil || len(said.errors()) > 0 {
			return nil, nil, said, err
		}
	}
	var c change
	switch {
	case config == nil && refreshed == nil:
		return nil, nil, said, nil
	case config == nil:
		c, err = p.planDelete(ctx, topicKind, refreshed)
	case l.tainted && refreshed != nil:
		if c, err = p.plan(ctx, topicKind, nil, config); err == nil {
			c.prior, c.replaces = refreshed, true
		}
	default:
		c, err = p.plan(ctx, topicKind, refreshed, config)
	}
	return refreshed, &c, append(said, c.said...), err
}

// must walks and takes no error.
func (l *life) must(ctx context.Context, step int) error {
	said, err := l.walk(ctx, step, patientTimeout)
	if err == nil && len(said.errors()) > 0 {
		err = errors.New(said.errors().String())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", faultSteps[step].name, err)
	}
	return nil
}

// topicID is the id that the state holds.
func (l *life) topicID() any {
	if l.state == nil {
		return nil
	}
	return l.state.values["topic_id"]
}

// check holds the state, the configuration and the cluster together after a step.
func (l *life) check(ctx context.Context, step int) error {
	contents, err := l.fake.Contents(ctx)
	if err != nil {
		return err
	}
	config := faultSteps[step].config
	want := maps.Clone(l.others)
	if config != nil {
		want["t"] = asTopic(contents["t"].ID, config)
	}
	if diff := gocmp.Diff(want, contents); diff != "" {
		return fmt.Errorf("the cluster after %s (-want +got):\n%s", faultSteps[step].name, diff)
	}
	switch {
	case config == nil && l.state == nil:
		return nil
	case config == nil || l.state == nil:
		return fmt.Errorf("the state after %s: %v", faultSteps[step].name, l.state)
	case l.tainted:
		return fmt.Errorf("the resource is tainted after %s", faultSteps[step].name)
	}
	return l.holds(ctx, contents["t"], config)
}

// asTopic is the topic that a configuration or a state describes.
func asTopic(id any, values fields) kafkatest.FakeTopic {
	number := func(value any) int {
		n, err := strconv.Atoi(fmt.Sprint(value))
		if err != nil {
			return -1 // which no topic has
		}
		return n
	}
	topic := kafkatest.FakeTopic{
		ID: fmt.Sprint(id), Partitions: number(values["partitions"]), ReplicationFactor: number(values["replication_factor"]),
		Overrides: map[string]string{},
	}
	settings, _ := values["config"].(fields)
	for key, value := range settings {
		topic.Overrides[key] = fmt.Sprint(value)
	}
	return topic
}

// holds compares the state with the cluster, and has the next plan say the same.
func (l *life) holds(ctx context.Context, topic kafkatest.FakeTopic, config fields) error {
	held := asTopic(l.state.values["topic_id"], l.state.values)
	if diff := gocmp.Diff(topic, held); diff != "" {
		return fmt.Errorf("the state (-cluster +state):\n%s", diff)
	}
	p, err := l.start(ctx, patientTimeout)
	if err != nil {
		return err
	}
	defer p.end()
	refreshed, planned, said, err := l.plan(ctx, p, config)
	switch {
	case err != nil:
		return err
	case len(said) > 0:
		return fmt.Errorf("a plan without changes says: %s", said)
	case refreshed == nil || planned == nil || !planned.empty():
		return fmt.Errorf("the next plan has changes: %v", planned)
	}
	return nil
}

// waysOut are how the provider says what to do.
var waysOut = regexp.MustCompile(`[Rr]un again|[Aa]pply again|[Pp]lan again|then run|next plan|second apply|Check the|terraform import|Raise |Set `)

// worded says whether a failed run tells what has happened and what to do, and does
// not say that nothing was changed where something was, or may have been.
func worded(said diagnoses, changed bool) error {
	for _, one := range said {
		switch {
		case one.Summary == "" || one.Detail == "":
			return fmt.Errorf("without words: %q, %q", one.Summary, one.Detail)
		case one.Severity == "error" && changed && strings.Contains(one.Detail, "Nothing was changed"):
			return fmt.Errorf("the cluster was changed: %s\n%s", one.Summary, one.Detail)
		case strings.Contains(one.Detail, "may have done") && strings.Contains(one.Detail, "Nothing was changed"):
			return fmt.Errorf("contradicts itself: %s\n%s", one.Summary, one.Detail)
		}
	}
	if errs := said.errors(); len(errs) > 0 && !waysOut.MatchString(errs.String()) {
		return fmt.Errorf("does not say what to do: %s", errs)
	}
	return nil
}

// counted lists counts, the largest first.
func counted(counts map[string]int) string {
	var texts []string
	for _, name := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		texts = append(texts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(texts, ", ")
}
