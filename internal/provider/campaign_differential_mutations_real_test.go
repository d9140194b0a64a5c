// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

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
