// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"errors"
	"fmt"
	"slices"
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
