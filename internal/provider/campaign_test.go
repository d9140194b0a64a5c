// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What all campaigns share: their size, their seed, their chance, and how they count.

// campaignSeed is read before TestMain clears the environment.
var campaignSeed = os.Getenv("KAFKASTORAGE_CAMPAIGN_SEED")

// newCampaign returns the size of a campaign, whole or the share that every run
// does, and its source of chance.
func newCampaign(t *testing.T, whole, share int) (size int, chance *rand.Rand, seed uint64) {
	t.Helper()
	seed = 20260918
	if campaignSeed != "" {
		var err error
		if seed, err = strconv.ParseUint(campaignSeed, 10, 64); err != nil {
			t.Fatalf("KAFKASTORAGE_CAMPAIGN_SEED: %v", err)
		}
	}
	size = share
	if os.Getenv("KAFKASTORAGE_CAMPAIGN") == "full" {
		size = whole
	}
	return size, rand.New(rand.NewPCG(seed, uint64(len(t.Name())))), seed
}

// pick picks one.
func pick[T any](chance *rand.Rand, choices ...T) T {
	return choices[chance.IntN(len(choices))]
}

// between is a number from least to most.
func between(chance *rand.Rand, least, most *big.Int) *big.Int {
	span := new(big.Int).Sub(most, least)
	if span.Sign() <= 0 {
		return new(big.Int).Set(least)
	}
	span.Mul(span, big.NewInt(chance.Int64N(1<<32)))
	return span.Rsh(span, 32).Add(span, least)
}

// refusesForStorage says whether a plan was refused; any other error than the
// gate's own is a defect.
func refusesForStorage(said diagnoses) (refused bool, err error) {
	for _, one := range said.errors() {
		switch one.Summary {
		case "Storage limit would be exceeded", "Topic would have no bound", "Reservation is too large to be counted":
			refused = true
		case "Topic setting is out of this platform's range":
			// Where the service knows no topic without a bound, its range says so first.
			if !strings.Contains(one.Detail, `retention.bytes = "-1"`) {
				return false, fmt.Errorf("%s: %s", one.Summary, one.Detail)
			}
			refused = true
		default:
			return false, fmt.Errorf("%s: %s", one.Summary, one.Detail)
		}
	}
	return refused, nil
}

// counted lists counts, the largest first.
func counted(counts map[string]int) string {
	var texts []string
	for _, name := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		texts = append(texts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(texts, ", ")
}

// met says that a campaign has met something often enough: one that never meets a
// refusal proves nothing.
func met(t *testing.T, what string, got, least int) {
	t.Helper()
	if got < least {
		t.Errorf("%s: %d, want %d at least", what, got, least)
	}
}
