// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

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
