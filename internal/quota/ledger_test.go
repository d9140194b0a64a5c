// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package quota_test

import (
	"fmt"
	"math"
	"math/big"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

const (
	defaultTopic int64 = 1673527296 // 1 GiB / 512 MiB / 10 MiB, one partition
	base         int64 = 2048 << 30 // the smallest instance, read in binary
)

func enforced(capacity, percent int64) quota.Settings {
	return quota.Settings{CapacityBytes: capacity, LimitPercent: percent, Enforcement: quota.Error, Accounting: quota.Reserved}
}

// fleet is a cluster of n topics of the same size.
func fleet(n int, each int64) quota.Live {
	live := quota.Live{}
	for i := range n {
		live[fmt.Sprintf("fleet-%d", i)] = reservation.Bytes(each)
	}
	return live
}

// The limit's own worked examples: equality is allowed, one byte more is not, and
// percents are cut.
func TestBook_WorkedExamplesOfTheNinetyPercentRule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		capacity int64
		live     quota.Live
		planned  int64
		percent  string
		outcome  quota.Outcome
		missing  int64
	}{
		{"1182 default topics fit the base instance", base, fleet(1181, defaultTopic), defaultTopic, "89.95", quota.Fits, -1011665424},
		{"the 1183rd does not", base, fleet(1182, defaultTopic), defaultTopic, "90.03", quota.OverLimit, 661861172},
		{"a smaller topic still fits", base, fleet(1182, defaultTopic), 243269632, "89.96", quota.Fits, -768395792},
		{"exactly 90 percent is allowed", 16735272960, quota.Live{}, 15061745664, "90.00", quota.Fits, 0},
		{"one byte over is not", 16735272960, quota.Live{}, 15061745665, "90.00", quota.OverLimit, 1},
	} {
		got := quota.NewLedger(enforced(c.capacity, 90), c.live).Book(quota.Change{Topic: "new", Planned: reservation.Bytes(c.planned), Gains: true})
		if got.Outcome != c.outcome || got.Settings.Percent(got.Peak, 2) != c.percent {
			t.Errorf("%s: outcome %d at %s %%, want %d at %s %%", c.name, got.Outcome, got.Settings.Percent(got.Peak, 2), c.outcome, c.percent)
		}
		if c.outcome == quota.OverLimit && got.Missing().Int64() != c.missing {
			t.Errorf("%s: missing %s, want %d", c.name, got.Missing(), c.missing)
		}
	}
	raise := quota.NewLedger(enforced(base, 90), quota.Live{"t": reservation.Bytes(1372292382720)}).
		Book(quota.Change{Topic: "t", Planned: reservation.Bytes(2041703301120)})
	if raise.Outcome != quota.OverLimit || raise.Settings.Percent(raise.LiveTotal, 4) != "62.4046" || raise.Settings.Percent(raise.Peak, 4) != "92.8459" {
		t.Errorf("raising retention on a live topic: %+v", raise)
	}
	if limit := enforced(base, 90).LimitBytes(); limit != 1979120929996 {
		t.Errorf("the limit is floored: %d", limit)
	}
}

// Only growth is refused: a cluster over its limit must still be repairable.
func TestBook_OverTheLimitEverythingButGrowthPasses(t *testing.T) {
	t.Parallel()
	live := quota.Live{"big": reservation.Bytes(95), "free": reservation.Unbounded}
	for name, change := range map[string]quota.Change{
		"a shrink":                        {Topic: "big", Planned: reservation.Bytes(93)},
		"the same size":                   {Topic: "big", Planned: reservation.Bytes(95)},
		"unbounded stays unbounded":       {Topic: "free", Planned: reservation.Unbounded},
		"unbounded becomes bounded":       {Topic: "free", Planned: reservation.Bytes(1000)},
		"unbounded becomes bounded, more": {Topic: "free", Planned: reservation.Bytes(1000), Gains: true},
	} {
		ledger := quota.NewLedger(enforced(100, 90), live)
		got := ledger.Book(change)
		if got.Outcome != quota.Fits || got.GrowthTotal.Sign() != 0 || !got.LiveOverLimit() {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for name, change := range map[string]quota.Change{
		"one byte more":                 {Topic: "big", Planned: reservation.Bytes(96)},
		"the smallest new topic":        {Topic: "new", Planned: reservation.Bytes(1), Gains: true},
		"created unbounded":             {Topic: "new", Planned: reservation.Unbounded, Gains: true},
		"becomes unbounded":             {Topic: "big", Planned: reservation.Unbounded},
		"unbounded and more partitions": {Topic: "free", Planned: reservation.Unbounded, Gains: true},
	} {
		if got := quota.NewLedger(enforced(100, 90), live).Book(change); got.Outcome == quota.Fits {
			t.Errorf("%s was not refused", name)
		}
	}
}

// Without a capacity, or switched off, nothing is refused but all is counted.
func TestBook_NothingIsRefusedWhereNothingIsEnforced(t *testing.T) {
	t.Parallel()
	for _, settings := range []quota.Settings{
		{LimitPercent: 90, Enforcement: quota.Error},
		{CapacityBytes: 10, LimitPercent: 90, Enforcement: quota.Off},
	} {
		ledger := quota.NewLedger(settings, quota.Live{})
		for _, planned := range []reservation.Amount{reservation.Bytes(1000), reservation.Unbounded} {
			if got := ledger.Book(quota.Change{Topic: "t", Planned: planned, Gains: true}); got.Outcome != quota.Fits {
				t.Errorf("%+v refused %s", settings, planned)
			}
		}
	}
	warned := quota.NewLedger(quota.Settings{CapacityBytes: 10, LimitPercent: 90, Enforcement: quota.Warn}, quota.Live{}).
		Book(quota.Change{Topic: "t", Planned: reservation.Bytes(10), Gains: true})
	if warned.Outcome != quota.OverLimit {
		t.Error("under warn the verdict is the same; only its weight differs")
	}
}

// Releases are shown and never credited, and a name that also grows is no release.
func TestBook_ReleasesAreNamedAndNotCredited(t *testing.T) {
	t.Parallel()
	live := quota.Live{"old": reservation.Bytes(40), "shrinking": reservation.Bytes(30), "moved": reservation.Bytes(10)}
	ledger := quota.NewLedger(enforced(100, 90), live)
	ledger.Delete("old")
	ledger.Delete("moved")
	ledger.Delete("never existed")
	ledger.Book(quota.Change{Topic: "moved", Planned: reservation.Bytes(12)})
	ledger.Book(quota.Change{Topic: "shrinking", Planned: reservation.Bytes(20)})
	got := ledger.Book(quota.Change{Topic: "new", Planned: reservation.Bytes(25), Gains: true})
	if got.Outcome != quota.OverLimit || got.Peak.Int64() != 107 || got.Missing().Int64() != 17 {
		t.Fatalf("%+v", got)
	}
	if diff := cmp.Diff([]quota.Share{{Topic: "old", Bytes: 40}, {Topic: "shrinking", Bytes: 10}}, got.Releases); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]quota.Share{{Topic: "new", Bytes: 25}, {Topic: "moved", Bytes: 2}}, got.Contributors); diff != "" {
		t.Error(diff)
	}
	if !got.FitsAfterReleases() || got.Released().Int64() != 50 || got.Budget.Int64() != 8 {
		t.Errorf("after the releases it would fit: %+v", got)
	}
}

// Totals beyond 63 bits must not wrap into free space.
func TestBook_SumsBeyondSixtyThreeBitsDoNotWrap(t *testing.T) {
	t.Parallel()
	live := quota.Live{"a": reservation.Bytes(math.MaxInt64), "b": reservation.Bytes(math.MaxInt64)}
	got := quota.NewLedger(enforced(math.MaxInt64, 100), live).Book(quota.Change{Topic: "c", Planned: reservation.Bytes(math.MaxInt64), Gains: true})
	want := new(big.Int).Mul(big.NewInt(math.MaxInt64), big.NewInt(3))
	if got.Outcome != quota.OverLimit || got.Peak.Cmp(want) != 0 {
		t.Errorf("peak %s, want %s", got.Peak, want)
	}
}

// plan is a random set of changes with at most two calls a topic, as a
// replacement makes them.
type plan struct {
	live    quota.Live
	changes []quota.Change
	deletes []string
	limit   int64
}

func genPlan(t *rapid.T) plan {
	names := rapid.Custom(func(t *rapid.T) string { return string(rune('a' + rapid.IntRange(0, 7).Draw(t, "name"))) })
	amounts := rapid.Custom(func(t *rapid.T) reservation.Amount {
		if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
			return reservation.Unbounded
		}
		return reservation.Bytes(rapid.Int64Range(0, 50).Draw(t, "bytes"))
	})
	return plan{
		live: rapid.MapOf(names, amounts).Draw(t, "live"),
		changes: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) quota.Change {
			return quota.Change{Topic: names.Draw(t, "topic"), Planned: amounts.Draw(t, "planned"), Gains: rapid.Bool().Draw(t, "gains")}
		}), 1, 10).Draw(t, "changes"),
		deletes: rapid.SliceOfN(names, 0, 3).Draw(t, "deletes"),
		limit:   rapid.Int64Range(1, 300).Draw(t, "limit"),
	}
}

// refused plays a plan in one order, from several goroutines at once.
func (p plan) refused(order []int, workers int) bool {
	ledger := quota.NewLedger(enforced(p.limit, 100), p.live)
	for _, name := range p.deletes {
		ledger.Delete(name)
	}
	var (
		wg      sync.WaitGroup
		mu      sync.Mutex
		refused bool
		next    = make(chan int)
	)
	for range workers {
		wg.Go(func() {
			for i := range next {
				if verdict := ledger.Book(p.changes[i]); verdict.Outcome != quota.Fits {
					mu.Lock()
					refused = true
					mu.Unlock()
				}
			}
		})
	}
	for _, i := range order {
		next <- i
	}
	close(next)
	wg.Wait()
	return refused
}

// bruteForce judges the set without a ledger, straight from the law.
func (p plan) bruteForce() bool {
	unbounded := false
	most := map[string]int64{}
	for _, change := range p.changes {
		now, isLive := p.live[change.Topic]
		bytes, bounded := change.Planned.Bounded()
		switch {
		case !bounded:
			unbounded = unbounded || !isLive || !now.IsUnbounded() || change.Gains
		case !now.IsUnbounded():
			most[change.Topic] = max(most[change.Topic], bytes)
		}
	}
	var peak int64
	grows := false
	for name, amount := range p.live {
		bytes, _ := amount.Bounded()
		peak += max(bytes, most[name])
		grows = grows || most[name] > bytes
	}
	for name, bytes := range most {
		if _, isLive := p.live[name]; !isLive {
			peak += bytes
			grows = grows || bytes > 0
		}
	}
	return unbounded || (grows && peak > p.limit)
}

// The verdict of a set of changes is the same in every order and parallelism, and
// it is the verdict of the law.
func TestBook_VerdictDependsOnTheSetOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := genPlan(t)
		want := p.bruteForce()
		indexes := make([]int, len(p.changes))
		for i := range indexes {
			indexes[i] = i
		}
		for _, workers := range []int{1, 4} {
			order := rapid.Permutation(indexes).Draw(t, "order")
			if got := p.refused(order, workers); got != want {
				t.Fatalf("order %v with %d workers: refused %v, by the law %v", order, workers, got, want)
			}
		}
	})
}

// The data source's peak and the ledger's are one rule.
func TestForecast_AgreesWithTheLedger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := genPlan(t)
		planned := map[string]reservation.Amount{}
		ledger := quota.NewLedger(enforced(p.limit, 100), p.live)
		var last quota.Verdict
		for _, change := range p.changes {
			if _, twice := planned[change.Topic]; twice {
				continue
			}
			planned[change.Topic] = change.Planned
			last = ledger.Book(change)
		}
		var released []string
		for _, name := range p.deletes {
			if _, isPlanned := planned[name]; !isPlanned && len(released) == 0 {
				released = append(released, name)
			}
		}
		totals := quota.Forecast(p.live, planned, released)
		if totals.Peak.Cmp(last.Peak) != 0 || totals.Live.Cmp(last.LiveTotal) != 0 {
			t.Fatalf("forecast peak %s, ledger %s", totals.Peak, last.Peak)
		}
		if totals.Final.Cmp(new(big.Int)) < 0 {
			t.Fatalf("final total %s", totals.Final)
		}
		if want := last.GrowthTotal.Sign() > 0 || len(totals.BecomesUnbounded) > 0; totals.Grows != want {
			t.Fatalf("grows %v, want %v", totals.Grows, want)
		}
	})
}

// Words that people write must be met with the right ones.
func TestParseEnforcement_OrdersByStrictness(t *testing.T) {
	t.Parallel()
	if _, err := quota.ParseEnforcement("none"); err == nil {
		t.Error("none is no enforcement")
	}
	for i, enforcement := range quota.Enforcements() {
		if got, err := quota.ParseEnforcement(string(enforcement)); err != nil || got != enforcement {
			t.Errorf("%s: %v, %v", enforcement, got, err)
		}
		for j, other := range quota.Enforcements() {
			if enforcement.WeakerThan(other) != (i > j) {
				t.Errorf("%s weaker than %s: %v", enforcement, other, enforcement.WeakerThan(other))
			}
		}
	}
}
