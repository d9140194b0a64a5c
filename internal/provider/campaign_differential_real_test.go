// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
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
	for _, least := range []struct {
		what       string
		got, wants int
	}{
		{"green", count.green, steps / 3},
		{"refused", count.refused, steps / 3},
		{"at exact equality", count.equal, steps / 20},
		{"creates", count.creates, steps / 10},
		{"changes of settings", count.settings, steps / 10},
		{"changes of partitions", count.partitions, steps / 10},
		{"really applied", d.applied, steps / 10},
		{"through the terraform binary", d.binary, steps / 30},
	} {
		if least.got < least.wants {
			t.Errorf("%s: %d, want %d at least", least.what, least.got, least.wants)
		}
	}
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

// differentialStep is one change with both verdicts.
type differentialStep struct {
	kind          string
	before, after modelTopic // before has no partitions for a create
	live          map[string]modelTopic
	limit         int64

	plan, service bool // refused
	planned       change
}

const (
	stepCreate     = "create"
	stepSettings   = "settings"
	stepPartitions = "partitions"
)

// mostLive keeps the cluster small: what costs is a partition's files.
const mostLive = 9

// makeRoom deletes a topic when there are many.
func (d *differential) makeRoom() {
	if len(d.live) < mostLive {
		return
	}
	name := pick(d.chance, slices.Sorted(maps.Keys(d.live))...)
	d.do(func(ctx context.Context) error { return d.client.Delete(ctx, name) })
	delete(d.live, name)
}

// think thinks of the n-th change and of a limit for it. The classes take turns, so
// that no run depends on luck for its proportions.
func (d *differential) think(n int) differentialStep {
	wantsGrowth := n%10 < 6
	for {
		step := d.thinkChange(n)
		after, bounded := step.after.reserved()
		growth := new(big.Int).Sub(step.after.counted(), step.before.counted())
		if !bounded && (n%10 == 0 || step.before.partitions > 0 && step.before.unbounded()) {
			continue
		}
		if bounded && wantsGrowth && growth.Sign() <= 0 {
			continue
		}
		total := totalOf(d.live)
		limit := d.thinkLimit(n, total, new(big.Int).Add(total, growth), bounded && growth.Sign() > 0)
		if after != nil && !after.IsInt64() || limit.Sign() <= 0 || limit.Cmp(big.NewInt(math.MaxInt64/2)) > 0 {
			continue
		}
		step.limit = limit.Int64()
		step.live = maps.Clone(d.live)
		return step
	}
}

// thinkLimit puts the limit where it decides: n % 10 is 0 for equality, 1 to 4 for
// a refusal, 5 for just enough, else anything.
func (d *differential) thinkLimit(n int, now, then *big.Int, grows bool) *big.Int {
	small := big.NewInt(1 + d.chance.Int64N(pick[int64](d.chance, 1, 2, 4096, 20971521, gib)))
	switch {
	case !grows:
		// Nothing that does not grow is refused, also over the limit.
		return pick(d.chance, new(big.Int).Sub(now, small), new(big.Int).Set(now), new(big.Int).Add(now, small), new(big.Int).Mul(then, big.NewInt(2)))
	case n%10 == 0:
		return new(big.Int).Set(then)
	case n%10 <= 4:
		return pick(d.chance, new(big.Int).Sub(then, big.NewInt(1)), new(big.Int).Sub(then, small), between(d.chance, now, then).Sub(then, small), new(big.Int).Sub(now, small))
	}
	return pick(d.chance, new(big.Int).Add(then, big.NewInt(1)), new(big.Int).Add(then, small), new(big.Int).Mul(then, big.NewInt(2)))
}

// thinkChange thinks of a change of any kind that is possible now.
func (d *differential) thinkChange(n int) differentialStep {
	free := d.chance.IntN(12) == 0 // takes the bound away
	if names := slices.Sorted(maps.Keys(d.live)); len(names) > 2 && d.chance.IntN(5) > 1 {
		before := d.live[pick(d.chance, names...)]
		if before.partitions < 8 && !before.unbounded() && d.chance.IntN(2) == 0 {
			after := before.clone()
			after.partitions += 1 + d.chance.Int64N(4)
			return differentialStep{kind: stepPartitions, before: before, after: after}
		}
		after := randomChange(d.chance, before)
		switch {
		case before.unbounded(): // what becomes bounded is neither refused nor booked, and outside of what is promised
			after = before.clone()
			after.settings["retention.ms"] = fmt.Sprint(1000 + n)
		case free:
			after = withoutBound(after)
		}
		return differentialStep{kind: stepSettings, before: before, after: after}
	}
	d.names++
	after := randomTopic(d.chance, fmt.Sprintf("topic-%d", d.names))
	if free {
		after = withoutBound(after)
	}
	return differentialStep{kind: stepCreate, before: modelTopic{name: after.name}, after: after}
}

// judge asks both.
func (d *differential) judge(step *differentialStep, binary bool) {
	capacity := capacityFor(step.limit)
	d.SetCapacity(d.t, capacity)
	process := d.process(d.eventStreamsSettings(capacity))
	var prior *instance
	if step.kind != stepCreate {
		var said diagnoses
		var err error
		if prior, said, err = process.importOne(d.t.Context(), topicKind, step.before.name); err != nil || prior == nil {
			d.t.Fatalf("import of %s: %v, %s", step.before.name, err, said)
		}
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
		err = request(ctx, kafkatest.RealTopic{Name: step.after.name, Partitions: step.after.partitions, Settings: step.after.settings})
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

// A comparison that would not notice a wrong formula proves nothing. The steps are
// judged again with the provider's own formula and ledger, which must give the
// plan's verdicts, and then with formulas that are wrong in one place: each must
// disagree with the service somewhere.
func (d *differential) seesMutations(t *testing.T) {
	perPartition := func(r reservation.Reservation, bytes int64) int64 { return r.ReservedBytes + bytes*r.Partitions }
	index := func(r reservation.Reservation) int64 {
		if r.Segments == 0 {
			return 0
		}
		return r.IndexBytes / r.Segments
	}
	formulas := []struct {
		name  string
		bytes func(reservation.Topic, reservation.Reservation) int64
		limit int64
	}{
		{"none", func(_ reservation.Topic, r reservation.Reservation) int64 { return r.ReservedBytes }, 0},
		{"one segment's indexes more", func(_ reservation.Topic, r reservation.Reservation) int64 { return perPartition(r, index(r)) }, 0},
		{"one segment's indexes less", func(_ reservation.Topic, r reservation.Reservation) int64 { return perPartition(r, -index(r)) }, 0},
		{"one index for each segment", func(_ reservation.Topic, r reservation.Reservation) int64 { return perPartition(r, -r.IndexBytes/2) }, 0},
		{"segments rounded up", func(topic reservation.Topic, r reservation.Reservation) int64 {
			if r.Segments == 0 || r.RetentionBytes%r.SegmentBytes == 0 {
				return r.ReservedBytes
			}
			return perPartition(r, index(r))
		}, 0},
		{"no active segment", func(_ reservation.Topic, r reservation.Reservation) int64 { return perPartition(r, -r.SegmentBytes) }, 0},
		{"compacted topics like others", func(topic reservation.Topic, r reservation.Reservation) int64 {
			topic.Settings = topicconfig.Settings{topicconfig.CleanupPolicy: "delete"}.Over(topic.Settings)
			other, err := reservation.Of(reservation.EventStreams, topic)
			if err != nil || other.Unbounded {
				return r.ReservedBytes
			}
			return other.ReservedBytes
		}, 0},
		{"equality refused", func(_ reservation.Topic, r reservation.Reservation) int64 { return r.ReservedBytes }, -1},
	}
	for i, formula := range formulas {
		disagreements := 0
		for _, step := range d.steps {
			if replay(t, step, formula.bytes, formula.limit) != step.service {
				disagreements++
			}
		}
		t.Logf("campaign: differential: mutation %q disagrees with the service in %d of %d steps", formula.name, disagreements, len(d.steps))
		if (disagreements == 0) != (i == 0) {
			t.Errorf("mutation %q: %d disagreements", formula.name, disagreements)
		}
	}
}

// replay judges a step with the provider's ledger and another formula.
func replay(t *testing.T, step differentialStep, formula func(reservation.Topic, reservation.Reservation) int64, limit int64) (refused bool) {
	t.Helper()
	amount := func(m modelTopic) reservation.Amount {
		topic := reservation.Topic{Partitions: m.partitions, ReplicationFactor: 3, Settings: topicconfig.Settings(m.settings).Over(serviceDefaults)}
		r, err := reservation.Of(reservation.EventStreams, topic)
		if err != nil {
			t.Fatal(err)
		}
		if r.Unbounded {
			return reservation.Unbounded
		}
		return reservation.Bytes(formula(topic, r))
	}
	live := quota.Live{}
	for name, topic := range step.live {
		live[name] = amount(topic)
	}
	settings := quota.Settings{
		CapacityBytes: capacityFor(step.limit + limit), LimitPercent: 90, Enforcement: quota.Error, Accounting: quota.Reserved,
	}
	verdict := quota.NewLedger(settings, live).Book(quota.Change{
		Topic: step.after.name, Planned: amount(step.after), Gains: step.after.partitions > step.before.partitions,
	})
	return verdict.Outcome != quota.Fits
}
