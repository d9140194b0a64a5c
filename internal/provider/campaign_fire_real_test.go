// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

const (
	fireTopics      = 220   // names that a run chooses from; about 200 of them are touched
	fireParallelism = 10    // Terraform's own
	fireTimeout     = "15s" // request_timeout: short, so that a silent broker costs seconds
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
	if len(first.errors()) > 0 {
		c.t.Logf("run %d had said: %s", n, shortened(first.errors()))
	}
	return true
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
