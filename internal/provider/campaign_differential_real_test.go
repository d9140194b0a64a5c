// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A plan is worth having if it says beforehand what the service will say. So for
// random changes of one topic, with sizes around the limit and exactly at it, the
// plan's verdict must be the service's own: of its policy for creates and changes
// of settings, of the policy's formula for partitions, which Kafka shows to no
// policy.
func TestRealCampaignDifferential(t *testing.T) {
	steps, chance, seed := newCampaign(t, 1000, 100)
	begin := time.Now()
	d := &differential{realCluster: freshReal(t, realEventStreams), chance: chance, live: map[string]modelTopic{}}
	binaryEvery := 27
	for n := range steps {
		d.makeRoom()
		step := d.think(n)
		d.judge(&step, n%binaryEvery == 13)
		d.steps = append(d.steps, step)
		if t.Failed() {
			t.Fatalf("campaign: differential: seed %d, step %d: %+v", seed, n, step)
		}
		d.carryOut(step)
	}

	count := d.count()
	t.Logf("campaign: differential: seed %d, %d steps in %.0f s: %d green, %d refused; %d at exact equality, %d there or one byte beside it; "+
		"%d creates, %d changes of settings, %d of partitions; %d really applied (%d by the provider); %d also through the terraform binary; 0 disagreements",
		seed, steps, time.Since(begin).Seconds(), count.green, count.refused, count.equal, count.near,
		count.creates, count.settings, count.partitions, d.applied, d.appliedByProvider, d.binary)
	met(t, "green", count.green, steps/3)
	met(t, "refused", count.refused, steps/3)
	met(t, "at exact equality", count.equal, steps/20)
	met(t, "creates", count.creates, steps/10)
	met(t, "changes of settings", count.settings, steps/10)
	met(t, "changes of partitions", count.partitions, steps/10)
	met(t, "really applied", d.applied, steps/10)
	met(t, "through the terraform binary", d.binary, steps/30)
	t.Run("sees_a_mutation", d.seesMutations)
}

// differential is the state of that campaign.
type differential struct {
	realCluster
	chance *rand.Rand
	live   map[string]modelTopic
	names  int
	steps  []differentialStep

	applied, appliedByProvider, binary int
}

// judge asks both.
func (d *differential) judge(step *differentialStep, binary bool) {
	capacity := capacityFor(step.limit)
	d.SetCapacity(d.t, capacity)
	process := d.process(d.eventStreamsSettings(capacity))
	var prior *instance
	if step.kind != stepCreate {
		prior = d.imported(process, topicKind, step.before.name)
	}
	var err error
	if step.planned, err = process.plan(d.t.Context(), topicKind, prior, step.after.config()); err != nil {
		d.t.Fatal(err)
	}
	if step.plan, err = refusesForStorage(step.planned.said); err != nil {
		d.t.Errorf("the plan was refused for another reason: %v", err)
	}
	if !step.plan {
		d.plansBytes(step)
	}
	words := d.ask(*step, false)
	step.service = words != ""
	if step.plan != step.service {
		d.t.Errorf("the plan refuses: %v (%s); the service refuses: %v (%s)", step.plan, step.planned.said, step.service, words)
	}
	if binary {
		d.binary++
		d.judgeByBinary(*step, capacity)
	}
}

// plansBytes holds the planned number against the one worked out here.
func (d *differential) plansBytes(step *differentialStep) {
	var want any
	if bytes, bounded := step.after.reserved(); bounded {
		want = bytes.String()
	}
	if got := step.planned.planned["reserved_bytes"]; fmt.Sprint(got) != fmt.Sprint(want) {
		d.t.Errorf("reserved_bytes is planned as %v, want %v", got, want)
	}
}

// judgeByBinary plans the same change with the terraform binary.
func (d *differential) judgeByBinary(step differentialStep, capacity int64) {
	configuration := d.eventStreams(capacity) + oneTopic(hcl(step.after.config()))
	if step.kind != stepCreate {
		configuration += fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", topicT, step.before.name)
	}
	output := newWorkspace(d.t, configuration).run("plan", "-json", "-input=false")
	said := jsonDiagnoses(d.t, output.text)
	refused, err := refusesForStorage(said)
	if err != nil || refused != step.service || refused != (output.code != 0) {
		d.t.Errorf("terraform plan exits %d, the service refuses: %v; %v %s", output.code, step.service, err, said)
	}
}

// ask asks the service with the request that an apply would send, for real or
// with validate-only, and returns the words of a refusal.
func (d *differential) ask(step differentialStep, really bool) (refusal string) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), realTimeout)
	defer cancel()
	var err error
	switch step.kind {
	case stepCreate:
		request := d.client.ProbeCreate
		if really {
			request = d.client.Create
		}
		err = request(ctx, step.after.onCluster())
	case stepSettings:
		request := d.client.ProbeAlter
		if really {
			request = d.client.Alter
		}
		set, remove := settingsChange(step.before, step.after)
		err = request(ctx, step.after.name, kafkatest.RealChange{Set: set, Remove: remove})
	case stepPartitions:
		words := d.JudgePartitions(d.t, step.after.name, step.after.partitions)
		if words != "" || !really {
			return words
		}
		err = d.client.SetPartitions(ctx, step.after.name, step.after.partitions)
	}
	if err == nil {
		return ""
	}
	words, refused := kafkatest.Refused(err)
	if !refused {
		d.t.Fatal(err)
	}
	return words
}

// carryOut applies some of the changes for real: accepted ones, so that there are
// live topics, by the provider or by a plain request; and refused ones, of which
// nothing may remain.
func (d *differential) carryOut(step differentialStep) {
	switch chance := d.chance.IntN(10); {
	case step.service:
		if chance == 0 && d.ask(step, true) == "" {
			d.t.Errorf("the service refuses with validate-only what it accepts in earnest: %+v", step)
		}
	case chance < 3:
		process := d.process(d.eventStreamsSettings(capacityFor(step.limit)))
		state, said, err := process.apply(d.t.Context(), step.planned)
		if err != nil || state == nil || len(said.errors()) > 0 {
			d.t.Fatalf("a green plan failed in apply: %v\n%s", err, said)
		}
		d.appliedByProvider++
		d.follow(step)
	case chance < 7:
		if words := d.ask(step, true); words != "" {
			d.t.Errorf("the service accepts with validate-only what it refuses in earnest: %s", words)
		}
		d.follow(step)
	}
}

// follow notes a change that the cluster has made, and holds the policy's count
// against ours.
func (d *differential) follow(step differentialStep) {
	d.t.Helper()
	d.applied++
	d.live[step.after.name] = step.after
	policy := d.PolicyReserved(d.t)
	if want := totalOf(d.live); policy.Total.Cmp(want) != 0 || len(policy.Topics) != len(d.live) {
		d.t.Fatalf("the policy counts %d bytes of %d topics, want %d of %d", policy.Total, len(policy.Topics), want, len(d.live))
	}
	if want, bounded := step.after.reserved(); bounded && policy.Topics[step.after.name].Bytes.Cmp(want) != 0 {
		d.t.Fatalf("the policy counts %d bytes for %s, want %d", policy.Topics[step.after.name].Bytes, step.after.name, want)
	}
}

// differentialCount says what the steps were.
type differentialCount struct {
	green, refused, equal, near, creates, settings, partitions int
}

// count counts the steps by what came of them.
func (d *differential) count() (count differentialCount) {
	for _, step := range d.steps {
		if step.service {
			count.refused++
		} else {
			count.green++
		}
		switch step.kind {
		case stepCreate:
			count.creates++
		case stepSettings:
			count.settings++
		case stepPartitions:
			count.partitions++
		}
		growth := new(big.Int).Sub(step.after.counted(), step.before.counted())
		if growth.Sign() <= 0 || step.after.unbounded() {
			continue
		}
		beside := new(big.Int).Sub(big.NewInt(step.limit), growth.Add(growth, totalOf(step.live)))
		if beside.IsInt64() && beside.Int64() >= -1 && beside.Int64() <= 1 {
			count.near++
		}
		if beside.Sign() == 0 {
			count.equal++
		}
	}
	return count
}
