// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

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
	settings := at(l.fake.Bootstrap())
	settings["request_timeout"] = timeout
	return startQuiet(ctx, settings)
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
