// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
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
	met(t, "green", l.green, sets/3)
	met(t, "refused", l.refused, sets/3)
	met(t, "with a release that would turn a net verdict", l.netTurned, sets/4)
	met(t, "through the terraform binary", l.binarySets, sets/6)
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
			if err := l.client.Create(ctx, topic.onCluster()); err != nil {
				return err
			}
			l.now[name] = topic
		}
		return nil
	})
}

// holds holds the policy's count against what the set comes to at its end.
func (l *law) holds(set lawSet) {
	l.t.Helper()
	_, _, final, _, _ := set.sums()
	if total := l.PolicyReserved(l.t).Total; total.Cmp(final) != 0 {
		l.t.Errorf("the policy counts %d bytes in the end, want %d", total, final)
	}
}
