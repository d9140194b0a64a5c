// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A topic has one number. Whoever asks for it, the plan of its resource, the data
// source over planned topics, the two functions, or the data source over what is
// live after the apply, must be told the same, on every platform and whatever the
// brokers' own defaults are; and where there is no number, because nothing bounds
// the topic or because it cannot be counted, all must say that.
func TestCampaignOneNumber(t *testing.T) {
	checks, _, seed := newCampaign(t, 2000, 200)
	setFlag(t, "rapid.checks", strconv.Itoa(checks))
	setFlag(t, "rapid.seed", strconv.FormatUint(seed, 10))
	setFlag(t, "rapid.nofailfile", "true") // the seed says it all
	n := &oneNumber{t: t, seed: seed, clusters: map[int]*kafkatest.Fake{}}
	rapid.Check(t, n.check)
	t.Logf("campaign: one number: seed %d, %d checks on %d clusters with defaults of their own: %d topics, %d of them unbounded, %d too large, %d applied and found live",
		seed, checks, len(n.clusters), n.topics, n.unbounded, n.tooLarge, n.applied)
	for what, got := range map[string]int{"bounded": n.topics - n.unbounded - n.tooLarge, "unbounded": n.unbounded, "too large": n.tooLarge, "live": n.applied} {
		met(t, what+" topics", got, checks/40)
	}
}

// setFlag sets a flag for one test.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := flag.Set(name, old); err != nil {
			t.Error(err)
		}
	})
}

// oneNumber is the state of that campaign.
type oneNumber struct {
	t        *testing.T
	seed     uint64
	clusters map[int]*kafkatest.Fake
	names    int

	topics, unbounded, tooLarge, applied int
}

// cluster returns one of a few clusters; each has random defaults.
func (n *oneNumber) cluster(index int) *kafkatest.Fake {
	if n.clusters[index] == nil {
		chance := rand.New(rand.NewPCG(n.seed, uint64(index)))
		n.clusters[index] = kafkatest.StartFake(n.t, kafkatest.FakeOptions{Config: map[string]string{
			"log.retention.bytes":        pick(chance, "-1", "0", "1073741824", fmt.Sprint(chance.Int64N(1<<40))),
			"log.segment.bytes":          pick(chance, "1073741824", "536870912", fmt.Sprint(mib+chance.Int64N(gib))),
			"default.replication.factor": fmt.Sprint(1 + chance.IntN(3)),
		}})
	}
	return n.clusters[index]
}

// check asks all of them for the numbers of a few topics.
func (n *oneNumber) check(t *rapid.T) {
	fake := n.cluster(rapid.IntRange(0, 11).Draw(t, "cluster"))
	ctx := context.Background()
	platform := rapid.SampledFrom([]string{"kafka", "event_streams"}).Draw(t, "platform")
	settings := at(fake.Bootstrap())
	settings["platform"] = platform
	process, err := startProcess(ctx, settings)
	if err != nil {
		t.Fatal(err)
	}
	cluster, said, err := process.readData(ctx, "kafkastorage_cluster", fields{})
	if err != nil || cluster == nil {
		t.Fatal(err, said)
	}
	clusterValue := process.dataValue("kafkastorage_cluster", cluster)
	planned := fields{}
	plans := map[string]change{}
	for range rapid.IntRange(1, 4).Draw(t, "topics") {
		n.names++
		name := fmt.Sprintf("topic-%d", n.names)
		config := drawTopic(t, platform)
		if plan, counts := n.ask(ctx, t, process, clusterValue, nil, name, config); counts {
			planned[name], plans[name] = config, plan
		}
	}
	n.sameInForecast(ctx, t, process, planned, plans)
	if rapid.IntRange(0, 3).Draw(t, "applies") == 0 {
		n.apply(ctx, t, clusterValue, process.settings, plans)
	}
}

// ask asks the plan and the functions for a topic's number. counts is false when
// all say that it cannot be counted.
func (n *oneNumber) ask(ctx context.Context, t *rapid.T, process *process, cluster any, prior *instance, name string, config fields) (plan change, counts bool) {
	n.topics++
	bytes, bytesErr := process.call(ctx, "reserved_bytes", config, cluster)
	parts, partsErr := process.call(ctx, "reservation", config, cluster)
	resource := maps.Clone(config)
	resource["name"] = name
	plan, err := process.plan(ctx, topicKind, prior, resource)
	if err != nil {
		t.Fatal(err)
	}
	if plan.refused() {
		n.tooLarge++
		if summary := plan.said.errors()[0].Summary; summary != "Reservation is too large to be counted" || bytesErr == nil || partsErr == nil {
			t.Fatalf("the plan says %q, the functions %v and %v", summary, bytesErr, partsErr)
		}
		return plan, false
	}
	if bytesErr != nil || partsErr != nil {
		t.Fatalf("the plan says %v, the functions %v and %v", plan.planned["reserved_bytes"], bytesErr, partsErr)
	}
	if bytes == nil {
		n.unbounded++
	}
	partsOf, _ := parts.(fields)
	same(t, plan.planned["reserved_bytes"], map[string]any{"reserved_bytes()": bytes, "reservation()": partsOf["reserved_bytes"]})
	return plan, true
}

// sameInForecast holds the data source over planned topics against their plans.
func (n *oneNumber) sameInForecast(ctx context.Context, t *rapid.T, process *process, planned fields, plans map[string]change) {
	forecast := n.listed(ctx, t, process, fields{"planned_topics": planned})
	for name, plan := range plans {
		same(t, plan.planned["reserved_bytes"], map[string]any{"planned_topics": forecast[name]})
	}
}

// apply applies the plans, in a process of its own, and finds the topics live in
// another one, with the same numbers.
func (n *oneNumber) apply(ctx context.Context, t *rapid.T, cluster any, settings fields, plans map[string]change) {
	applying, err := startProcess(ctx, settings)
	if err != nil {
		t.Fatal(err)
	}
	for name, plan := range plans {
		state, said, err := applying.apply(ctx, plan)
		if err != nil || state == nil || len(said.errors()) > 0 {
			t.Fatal(err, said)
		}
		same(t, plan.planned["reserved_bytes"], map[string]any{"state of " + name: state.values["reserved_bytes"]})
	}
	looking, err := startProcess(ctx, settings)
	if err != nil {
		t.Fatal(err)
	}
	live := n.listed(ctx, t, looking, fields{"include_topics": true})
	planned, changes := fields{}, map[string]change{}
	for _, name := range slices.Sorted(maps.Keys(plans)) {
		same(t, plans[name].planned["reserved_bytes"], map[string]any{"live": live[name]})
		n.applied++

		// And now the same topic is to change.
		prior, said, err := looking.importOne(ctx, topicKind, name)
		if err != nil || prior == nil {
			t.Fatal(err, said)
		}
		config := drawTopic(t, settings["platform"])
		partitions, _ := strconv.ParseInt(fmt.Sprint(prior.values["partitions"]), 10, 64)
		config["partitions"] = partitions + rapid.Int64Range(0, 2).Draw(t, "more partitions")
		config["replication_factor"] = prior.values["replication_factor"]
		if change, counts := n.ask(ctx, t, looking, cluster, prior, name, config); counts {
			planned[name], changes[name] = config, change
		}
	}
	n.sameInForecast(ctx, t, looking, planned, changes)
}

// listed are the reserved bytes in the topics that the data source lists.
func (n *oneNumber) listed(ctx context.Context, t *rapid.T, process *process, config fields) fields {
	read, said, err := process.readData(ctx, "kafkastorage_reserved_storage", config)
	if err != nil || read == nil {
		t.Fatal(err, said)
	}
	topics, _ := read["topics"].(fields)
	listed := fields{}
	for name, topic := range topics {
		line, _ := topic.(fields)
		if unbounded := line["unbounded"]; unbounded != (line["reserved_bytes"] == nil) {
			t.Fatalf("%s: unbounded is %v, reserved_bytes %v", name, unbounded, line["reserved_bytes"])
		}
		listed[name] = line["reserved_bytes"]
	}
	return listed
}

// same says where a number differs from the planned one.
func same(t *rapid.T, planned any, others map[string]any) {
	for who, number := range others {
		if diff := cmp.Diff(planned, number); diff != "" {
			t.Fatalf("%s differs from the plan (-plan +other):\n%s", who, diff)
		}
	}
}

// drawTopic draws a topic as a configuration has it: counts and settings may be
// left out or null, and values may be numbers or text. On a platform with rules they
// keep to them.
func drawTopic(t *rapid.T, platform any) fields {
	topic := fields{}
	if n := rapid.Int64Range(0, 60).Draw(t, "partitions"); n > 0 {
		topic["partitions"] = n
	}
	service := platform == "event_streams"
	if n := rapid.Int64Range(0, 3).Draw(t, "replication_factor"); n > 0 && (!service || n == 3) {
		topic["replication_factor"] = n
	}
	if rapid.IntRange(0, 9).Draw(t, "config") == 0 {
		return topic
	}
	config := fields{}
	size := func(key string, least int64, edges ...int64) {
		switch rapid.IntRange(0, 3).Draw(t, key+" given") {
		case 0:
		case 1:
			config[key] = json.Number(fmt.Sprint(rapid.SampledFrom(edges).Draw(t, key)))
		default:
			config[key] = fmt.Sprint(rapid.Int64Range(least, edges[len(edges)-1]).Draw(t, key))
		}
	}
	size("segment.bytes", mib, mib, 100*mib, 512*mib, gib, 1<<31-1)
	if service {
		size("segment.index.bytes", 100<<10, 100<<10, mib, 10*mib, gib)
		size("retention.bytes", leastRetention, leastRetention, gib-1, gib, gib+1, 1<<41)
	} else {
		size("segment.index.bytes", 12, 4096, mib, 10*mib, 1<<31-1)
		size("retention.bytes", -1, -1, 0, 1, gib-1, gib, gib+1, 1<<53+1, 1<<59, 1<<63-1, 1<<42)
	}
	if rapid.Bool().Draw(t, "cleanup.policy given") {
		config["cleanup.policy"] = rapid.SampledFrom([]string{"delete", "compact", "compact,delete", "delete, compact", " compact "}).Draw(t, "cleanup.policy")
	}
	if rapid.Bool().Draw(t, "another setting") && !service {
		config["min.cleanable.dirty.ratio"] = json.Number("0.25")
	}
	topic["config"] = config
	return topic
}
