// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package quota

import (
	"math/big"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// Totals are the sums of a whole set of planned topics over a snapshot, in bytes.
// Unbounded topics add nothing to any of them.
type Totals struct {
	// Live is what the cluster reserves now.
	Live *big.Int
	// Final is what it reserves when every planned and released topic has been applied.
	Final *big.Int
	// Peak is the most that it may reserve on the way, in whatever order the set is
	// applied: the sum over all topics of the larger of now and planned.
	Peak *big.Int
	// Grows says that at least one planned topic adds bytes, or loses its bound.
	Grows bool
	// BecomesUnbounded lists planned topics that are created without a bound or lose it.
	BecomesUnbounded []string
	// Contributors are the topics that grow, the largest first.
	Contributors []Share
}

// Forecast adds planned topics to a snapshot by the ledger's rule. Released topics
// leave the final total and stay in the peak.
func Forecast(live Live, planned map[string]reservation.Amount, released []string) Totals {
	totals := Totals{Final: new(big.Int), Peak: new(big.Int)}
	totals.Live, _ = live.Total()
	totals.Final.Set(totals.Live)
	totals.Peak.Set(totals.Live)
	for topic, amount := range planned {
		totals.add(topic, live, amount)
	}
	for _, topic := range released {
		totals.Final.Sub(totals.Final, big.NewInt(boundedOrZero(live[topic])))
	}
	sortShares(totals.Contributors)
	return totals
}

// add lays one planned topic over the snapshot.
func (t *Totals) add(topic string, live Live, planned reservation.Amount) {
	now, isLive := live[topic]
	nowBytes := boundedOrZero(now)
	t.Final.Add(t.Final, big.NewInt(boundedOrZero(planned)))
	t.Final.Sub(t.Final, big.NewInt(nowBytes))
	bytes, bounded := planned.Bounded()
	switch {
	case !bounded:
		if !isLive || !now.IsUnbounded() {
			t.Grows = true
			t.BecomesUnbounded = append(t.BecomesUnbounded, topic)
		}
	case now.IsUnbounded():
		// It becomes bounded: neither refused nor booked, as in the ledger.
	case bytes > nowBytes:
		t.Grows = true
		t.Peak.Add(t.Peak, new(big.Int).Sub(big.NewInt(bytes), big.NewInt(nowBytes)))
		t.Contributors = append(t.Contributors, Share{topic, bytes - nowBytes})
	}
}
