// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// start starts a provider process.
func (c *fireCampaign) start() (*process, error) {
	settings := at(c.cluster.Proxied())
	settings["request_timeout"], settings["replication_throttle_bytes_per_second"] = fireTimeout, 50_000_000
	return startQuiet(c.ctx, settings)
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
