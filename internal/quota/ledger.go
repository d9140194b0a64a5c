// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package quota

import (
	"math/big"
	"sync"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// Ledger adds planned changes to the snapshot and gives verdicts. One belongs to
// one provider configuration in one process; it is keyed by topic name, so that a
// topic which moves between addresses, or is replaced, counts once. It is safe
// for concurrent use.
type Ledger struct {
	settings Settings

	mu        sync.Mutex
	live      Live
	liveTotal *big.Int
	unbounded int
	booked    map[string]int64
	growth    *big.Int
	released  map[string]int64 // topic -> bytes it would keep
}

// NewLedger opens a ledger over what the cluster reserves now.
func NewLedger(settings Settings, live Live) *Ledger {
	total, unbounded := live.Total()
	return &Ledger{
		settings:  settings,
		live:      live,
		liveTotal: total,
		unbounded: unbounded,
		booked:    map[string]int64{},
		growth:    new(big.Int),
		released:  map[string]int64{},
	}
}

// Change is what one call plans for a topic. A call that plans no change is not
// to be booked at all.
type Change struct {
	// Topic is the topic's name.
	Topic string
	// Planned is what the topic would reserve.
	Planned reservation.Amount
	// Gains says that the topic would have more partitions or replicas than the
	// snapshot shows: it decides whether an unbounded topic may stay unbounded.
	Gains bool
}

// Book adds a change and judges it. The order of calls does not change which sets
// of changes are refused; see the package comment.
func (l *Ledger) Book(change Change) Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()

	live, isLive := l.live[change.Topic]
	planned, bounded := change.Planned.Bounded()
	liveBytes, liveBounded := live.Bounded()
	switch {
	case !bounded:
		verdict := l.verdict(change, live)
		if !isLive || liveBounded || change.Gains {
			l.refuse(&verdict, BecomesUnbounded)
		}
		return verdict
	case isLive && !liveBounded:
		verdict := l.verdict(change, live)
		verdict.BecomesBounded = true
		return verdict
	case planned <= liveBytes:
		if planned < liveBytes {
			l.release(change.Topic, planned)
		}
		return l.verdict(change, live)
	}
	l.raise(change.Topic, planned, liveBytes)
	verdict := l.verdict(change, live)
	verdict.Growth = planned - liveBytes
	if l.settings.Exceeds(verdict.Peak) {
		l.refuse(&verdict, OverLimit)
	}
	return verdict
}

// Standing returns the numbers as they stand, for a message about a topic that is
// judged by somebody else. It books nothing.
func (l *Ledger) Standing(topic string) Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	live := l.live[topic]
	planned := live
	if booked, ok := l.booked[topic]; ok {
		planned = reservation.Bytes(booked)
	}
	return l.verdict(Change{Topic: topic, Planned: planned}, live)
}

// Delete notes that a topic is planned to go. Nothing is credited: a delete may
// run after the growth that it would make room for.
func (l *Ledger) Delete(topic string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release(topic, 0)
}

// refuse turns a verdict into a refusal, with the lists that its message shows,
// unless nothing is enforced. Only a refusal pays for sorting the topics.
func (l *Ledger) refuse(verdict *Verdict, outcome Outcome) {
	if !l.settings.judges() {
		return
	}
	verdict.Outcome = outcome
	for topic, booked := range l.booked {
		verdict.Contributors = append(verdict.Contributors, Share{topic, booked - boundedOrZero(l.live[topic])})
	}
	for topic, keeps := range l.released {
		bytes, bounded := l.live[topic].Bounded()
		if _, grows := l.booked[topic]; bounded && !grows && bytes > keeps {
			verdict.Releases = append(verdict.Releases, Share{topic, bytes - keeps})
		}
	}
	sortShares(verdict.Contributors)
	sortShares(verdict.Releases)
}

// raise lifts a topic's booking, never lowers it.
func (l *Ledger) raise(topic string, planned, live int64) {
	booked := max(l.booked[topic], live)
	if planned <= booked {
		return
	}
	l.growth.Add(l.growth, new(big.Int).Sub(big.NewInt(planned), big.NewInt(booked)))
	l.booked[topic] = planned
}

// release notes the least that a topic is planned to keep.
func (l *Ledger) release(topic string, keeps int64) {
	if noted, ok := l.released[topic]; !ok || keeps < noted {
		l.released[topic] = keeps
	}
}

// verdict gathers the numbers as they stand. The caller holds the lock.
func (l *Ledger) verdict(change Change, live reservation.Amount) Verdict {
	peak := new(big.Int).Add(l.liveTotal, l.growth)
	verdict := Verdict{
		Settings:      l.settings,
		Topic:         change.Topic,
		Planned:       change.Planned,
		Live:          live,
		LiveTotal:     new(big.Int).Set(l.liveTotal),
		LiveUnbounded: l.unbounded,
		GrowthTotal:   new(big.Int).Set(l.growth),
		Peak:          peak,
	}
	own := max(l.booked[change.Topic], boundedOrZero(live))
	verdict.Budget = new(big.Int).Sub(big.NewInt(l.settings.LimitBytes()), peak)
	verdict.Budget.Add(verdict.Budget, big.NewInt(own))
	return verdict
}

// boundedOrZero is what an amount adds to a total.
func boundedOrZero(amount reservation.Amount) int64 {
	bytes, bounded := amount.Bounded()
	if !bounded {
		return 0
	}
	return bytes
}
