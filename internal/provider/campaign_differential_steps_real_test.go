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
	"slices"
)

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
