// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
)

// A topic and its tiered storage are planned by two calls, and several such pairs
// side by side. At the exact limit every such plan has to pass, and its apply too; at
// one byte less every one has to be refused; and the ledger has to come to the sum
// that is worked out here. That is so with the terraform binary, ten at a time, and
// in-process, where the calls overlap more closely.
func TestCampaignTwoResourcesOneVerdict(t *testing.T) {
	repetitions, chance, seed := newCampaign(t, 50, 5)
	begin := time.Now()
	c := &twoResources{t: t, chance: chance}
	for n := range repetitions {
		c.repeat(c.think())
		if t.Failed() {
			t.Fatalf("campaign: two resources: seed %d, repetition %d", seed, n)
		}
	}
	t.Logf("campaign: two resources: seed %d, %d repetitions in %.0f s: %d pairs of resources, %d of them on topics to be created; "+
		"%d walks of plans, half of them one byte short and refused; %d applies, each with a clean plan behind it; 0 disagreements",
		seed, repetitions, time.Since(begin).Seconds(), c.pairs, c.created, c.walks, c.applies)
	if c.applies != repetitions || c.walks < 8*repetitions || c.created < repetitions || c.pairs-c.created < repetitions {
		t.Errorf("too few: %+v", c)
	}
}

// twoResources is the state of that campaign.
type twoResources struct {
	t                              *testing.T
	chance                         *rand.Rand
	pairs, created, walks, applies int
}

// pair is a topic with both of its resources.
type pair struct {
	name       string
	live       bool
	partitions int64 // 0: there is no such topic
	more       int64 // partitions planned beside them
	was, total int64 // retention.bytes now and planned
	tiered     bool  // it is tiered now
	wasLocal   int64
	local      int64 // -2: left out
}

// think thinks of some pairs, among them a topic to create and one that is live.
func (c *twoResources) think() []pair {
	sizes := []int64{gib - 1, gib, 5 * gib, 20 * gib, 100 * gib}
	pairs := make([]pair, 3+c.chance.IntN(3))
	for i := range pairs {
		p := pair{name: fmt.Sprintf("pair-%d", i), live: i%2 == 1, total: pick(c.chance, sizes...), local: -2, wasLocal: -2}
		if c.chance.IntN(4) > 0 {
			p.local = p.total / (1 + c.chance.Int64N(20))
		}
		p.more = 1 + c.chance.Int64N(3)
		if p.live {
			p.partitions, p.more = p.more, c.chance.Int64N(2)
			p.was = p.total / (2 + c.chance.Int64N(3)) // totals rise: what is lowered has rules of its own
			if p.tiered = c.chance.IntN(2) == 0; p.tiered {
				p.wasLocal = p.was / 3
			}
		}
		pairs[i] = p
	}
	return pairs
}

// reserves is what a topic with this retention on its brokers reserves: Kafka's segments
// of 1 GiB and indexes of 10 MiB, and three replicas.
func reserves(partitions, total, local int64) int64 {
	keeps := total
	if local != -2 {
		keeps = local
	}
	return 3 * partitions * (keeps + gib + 2*10*mib*(keeps/gib+1))
}

// sums are what is reserved now, at most on the way, and at the end.
func sums(pairs []pair) (peak, end int64) {
	for _, p := range pairs {
		planned := p.partitions + p.more
		topicFirst := reserves(planned, p.total, p.wasLocal)
		both := reserves(planned, p.total, p.local)
		highest := max(topicFirst, both)
		if p.live {
			highest = max(highest, reserves(p.partitions, p.was, p.wasLocal), reserves(p.partitions, p.was, p.local))
		}
		peak, end = peak+highest, end+both
	}
	return peak, end
}

// cluster starts one that has the live topics.
func (c *twoResources) cluster(pairs []pair) *kafkatest.Fake {
	options := tieredFake()
	options.Config["log.segment.bytes"], options.Config["log.index.size.max.bytes"] = fmt.Sprint(gib), fmt.Sprint(10*mib)
	fake := kafkatest.StartFake(c.t, options)
	for _, p := range pairs {
		if !p.live {
			continue
		}
		settings := map[string]string{"retention.bytes": fmt.Sprint(p.was)}
		if p.tiered {
			settings["remote.storage.enable"], settings["local.retention.bytes"] = "true", fmt.Sprint(p.wasLocal)
		}
		fake.CreateTopic(c.t, p.name, int32(p.partitions), settings)
	}
	return fake
}

// configs are the two resources.
func (p pair) configs() (topic, tiered fields) {
	topic = fields{"name": p.name, "partitions": p.partitions + p.more, "config": fields{"retention.bytes": fmt.Sprint(p.total)}}
	tiered = fields{"topic": p.name}
	if p.local != -2 {
		tiered["local_retention_bytes"] = p.local
	}
	return topic, tiered
}

// settings configure the provider.
func (c *twoResources) settings(fake *kafkatest.Fake, limit int64) fields {
	settings := at(fake.Bootstrap())
	settings["storage_quota"] = fields{"capacity_bytes": limit, "limit_percent": 100}
	return settings
}

// repeat plans some pairs at the limit and one byte below it, and applies them.
func (c *twoResources) repeat(pairs []pair) {
	fake := c.cluster(pairs)
	peak, end := sums(pairs)
	for _, p := range pairs {
		c.pairs++
		if !p.live {
			c.created++
		}
	}
	for _, short := range []int64{0, 1} {
		for range 3 {
			c.walks++
			sum, refused, said := c.walk(fake, pairs, peak-short)
			if refused != (short > 0) || !refused && sum.Cmp(big.NewInt(peak)) != 0 {
				c.t.Errorf("%d bytes short of %d: refused %v, the ledger's sum is %v: %+v\n%s", short, peak, refused, sum, pairs, said)
			}
		}
	}
	w := newWorkspace(c.t, c.hcl(fake, pairs, peak-1))
	c.walks += 2
	w.must(1, "plan", "-no-color", "-input=false", "-parallelism=10").says(c.t, "Error: Storage limit would be exceeded")
	w.write(c.hcl(fake, pairs, peak))
	w.apply(0, "-parallelism=10")
	c.applies++
	w.plan(0, "-parallelism=10")
	looking, err := startProcess(c.t.Context(), c.settings(fake, peak))
	if err != nil {
		c.t.Fatal(err)
	}
	defer looking.end()
	read, said, err := looking.readData(c.t.Context(), "kafkastorage_reserved_storage", fields{})
	if err != nil || fmt.Sprint(read["live_bytes"]) != fmt.Sprint(end) {
		c.t.Errorf("after the apply %v bytes are reserved, want %d: %v %s", read["live_bytes"], end, err, said)
	}
}

// hcl is the configuration with references and imports.
func (c *twoResources) hcl(fake *kafkatest.Fake, pairs []pair, limit int64) string {
	var text strings.Builder
	text.WriteString(providerBlock(fake.Bootstrap(), fmt.Sprintf("storage_quota = { capacity_bytes = %d, limit_percent = 100 }", limit)))
	for _, p := range pairs {
		topic, tiered := p.configs()
		delete(tiered, "topic")
		fmt.Fprintf(&text, "resource %q %q {\n%s}\n", topicKind, p.name, hcl(topic))
		fmt.Fprintf(&text, "resource %q %q {\n  topic = %s.%s.name\n%s}\n", tieredKind, p.name, topicKind, p.name, hcl(tiered))
		if p.live {
			fmt.Fprintf(&text, "import {\n  to = %s.%s\n  id = %q\n}\n", topicKind, p.name, p.name)
		}
		if p.tiered {
			fmt.Fprintf(&text, "import {\n  to = %s.%s\n  id = %q\n}\n", tieredKind, p.name, p.name)
		}
	}
	return text.String()
}

// walk plans all pairs at once, each topic before its tiers, as the reference has it.
// What follows a refused call is not planned.
func (c *twoResources) walk(fake *kafkatest.Fake, pairs []pair, limit int64) (sum *big.Int, refused bool, said diagnoses) {
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	process, err := startProcess(ctx, c.settings(fake, limit))
	if err != nil {
		c.t.Fatal(err)
	}
	defer process.end()
	var (
		mu   sync.Mutex
		done sync.WaitGroup
	)
	for _, i := range c.chance.Perm(len(pairs)) {
		p := pairs[i]
		done.Go(func() {
			heard, err := p.plan(ctx, process)
			mu.Lock()
			defer mu.Unlock()
			said = append(said, heard...)
			if err != nil {
				c.t.Error(err)
			}
		})
	}
	done.Wait()
	for _, one := range said.errors() {
		if refused = true; one.Summary != "Storage limit would be exceeded" {
			c.t.Errorf("%s: %s", one.Summary, one.Detail)
		}
	}
	return provider.LedgerPeak(process.served), refused, said
}

// plan plans one pair.
func (p pair) plan(ctx context.Context, process *process) (diagnoses, error) {
	topic, tiered := p.configs()
	var said diagnoses
	for kind, config := range ordered(topic, tiered) {
		var prior *instance
		if p.live && kind == topicKind || p.tiered {
			var heard diagnoses
			var err error
			if prior, heard, err = process.importOne(ctx, kind, p.name); err != nil || prior == nil {
				return said, fmt.Errorf("import of %s %s: %w, %s", kind, p.name, err, heard)
			}
		}
		planned, err := process.plan(ctx, kind, prior, config)
		if said = append(said, planned.said...); err != nil || planned.refused() {
			return said, err
		}
	}
	return said, nil
}

// ordered are the two resources of a pair, the topic first.
func ordered(topic, tiered fields) func(yield func(string, fields) bool) {
	return func(yield func(string, fields) bool) {
		if yield(topicKind, topic) {
			yield(tieredKind, tiered)
		}
	}
}
