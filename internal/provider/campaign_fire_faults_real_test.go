// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
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
	const patience = 20 * time.Second
	struck := 0
	note := func(node *kafkatest.SeparateNode) {
		c.injected[kind]++
		struck += fire.InFlight(node.ID())
	}
	// caught waits until a node has a write that it has not answered yet.
	caught := func(node int) (at int) {
		for range 5 {
			if at = fire.AwaitWrite(ctx, node, patience); at == 0 || fire.InFlight(at) > 0 {
				break
			}
		}
		return at
	}
	var failure error
	switch kind {
	case "rolling restart":
		first := caught(0)
		for i := range c.cluster.Nodes() {
			node := c.cluster.Nodes()[(max(first, 1)-1+i)%len(c.cluster.Nodes())]
			if i > 0 {
				fire.AwaitWrite(ctx, node.ID(), patience/10)
			}
			note(node)
			if failure = errors.Join(node.Stop(), node.Start()); failure != nil {
				break
			}
		}
	case "killed controller":
		caught(controller.ID())
		note(controller)
		controller.Kill()
		pause(ctx, lasting/4)
		failure = controller.Start()
	case "paused process":
		node := c.cluster.Nodes()[max(caught(0), 1)-1]
		failure = node.Pause()
		if fire.InFlight(node.ID()) == 0 { // answered in the last moment: the next one is not
			fire.AwaitWrite(ctx, node.ID(), patience/10)
		}
		note(node)
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
