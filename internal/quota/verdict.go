// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package quota

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// Outcome is what a verdict says.
type Outcome int

// The outcomes.
const (
	// Fits: nothing is refused.
	Fits Outcome = iota
	// OverLimit: the change grows its topic, and the peak is over the limit.
	OverLimit
	// BecomesUnbounded: the change creates a topic without any bound, takes a
	// topic's bound away, or adds partitions or replicas to an unbounded topic.
	BecomesUnbounded
)

// Share is one topic's part of a sum, in bytes.
type Share struct {
	Topic string
	Bytes int64
}

// Verdict is the answer to one change, with every number that a message about it
// needs. All totals are those heard so far: nothing tells which call is the last.
type Verdict struct {
	Outcome  Outcome
	Settings Settings
	// Topic, Planned and Live are the change and what its topic reserves now (no
	// bytes if it does not exist).
	Topic         string
	Planned, Live reservation.Amount
	// Growth is what this change adds, in bytes.
	Growth int64
	// BecomesBounded says that a live unbounded topic gets a bound: it is neither
	// refused nor booked, and counts from the next plan on.
	BecomesBounded bool
	// LiveTotal is what all bounded topics reserve now; LiveUnbounded counts the others.
	LiveTotal     *big.Int
	LiveUnbounded int
	// GrowthTotal is the growth of this plan so far, Peak the sum of both.
	GrowthTotal, Peak *big.Int
	// Contributors are the topics that grow, the largest first.
	Contributors []Share
	// Releases are the topics that shrink or go, the largest first; not credited.
	Releases []Share
	// Budget is the most that this topic may reserve without taking the peak over
	// the limit. It may be negative.
	Budget *big.Int
}

// Missing is by how many bytes the peak is over the limit.
func (v Verdict) Missing() *big.Int {
	return new(big.Int).Sub(v.Peak, big.NewInt(v.Settings.LimitBytes()))
}

// Released sums the releases seen so far.
func (v Verdict) Released() *big.Int {
	return sum(v.Releases)
}

// FitsAfterReleases says that only the end state would fit: with the releases
// applied first, the same growth stays within the limit.
func (v Verdict) FitsAfterReleases() bool {
	end := new(big.Int).Sub(v.Peak, v.Released())
	return len(v.Releases) > 0 && !v.Settings.Exceeds(end)
}

// LiveOverLimit says that the cluster is over its limit already.
func (v Verdict) LiveOverLimit() bool {
	return v.Settings.Exceeds(v.LiveTotal)
}

// sum adds shares.
func sum(shares []Share) *big.Int {
	total := new(big.Int)
	for _, share := range shares {
		total.Add(total, big.NewInt(share.Bytes))
	}
	return total
}

// sortShares puts the largest first, equals by name.
func sortShares(shares []Share) {
	slices.SortFunc(shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Topic, b.Topic))
	})
}
