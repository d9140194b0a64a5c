// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tieredCluster returns the shared tiered cluster of a version, empty.
func tieredCluster(t *testing.T, version string) realCluster {
	t.Helper()
	return freshReal(t, RealOptions{Version: version, Tiered: true}, 0)
}

// 45 records of 100 kB in segments of 1 MiB: ten fill a segment, so four are closed and the fifth, with five records, is
// active (1048576 / 100000 = 10). Closed ones are copied whatever the local retention is; those beyond it then leave the
// broker, and are still there for a reader.
func TestRealTiers_ClosedSegmentsMoveAndAllRecordsStayReadable(t *testing.T) {
	for _, version := range RealVersions() {
		t.Run(version, func(t *testing.T) {
			c := tieredCluster(t, version)
			c.accepted(c.create("moves", 1, "remote.storage.enable", "true", "segment.bytes", "1048576",
				"local.retention.bytes", "1048576", "retention.ms", "3600000"))
			c.Settle(t)
			c.Produce(t, "moves", 45, 100_000)
			c.AwaitSegments(t, "moves", 0, 4)
			want := []string{"00000000000000000000", "00000000000000000010", "00000000000000000020", "00000000000000000030"}
			if diff := cmp.Diff(want, c.TierSegments(t, "moves", 0)); diff != "" {
				t.Error(diff)
			}
			// 4.5 MB exceed the limit by 3.45 MB, so three whole segments of 1 MB may go.
			got := c.AwaitOffsets(t, "moves", 0, func(o Offsets) bool { return o.EarliestLocal == 30 })
			if got.Earliest != 0 || got.Latest != 45 {
				t.Errorf("%+v", got)
			}
			if n := c.ConsumeAll(t, "moves"); n != 45 {
				t.Errorf("read %d records", n)
			}
			c.DeleteAllTopics(t)
			c.AwaitSegments(t, "moves", 0, 0)
		})
	}
}

// Switching off with consent takes what is in the tier alone: of 45 records the broker has kept those from 30 on. Three
// nodes share one tier.
func TestRealTiers_SwitchingOffWithConsentLosesWhatOnlyTheTierHas(t *testing.T) {
	real := StartReal(t, RealOptions{Nodes: 3, Tiered: true})
	client := real.Client(t)
	settings := map[string]string{"remote.storage.enable": "true", "segment.bytes": "1048576", "local.retention.bytes": "1048576"}
	if err := client.Create(t.Context(), RealTopic{Name: "off", Partitions: 1, ReplicationFactor: 3, Settings: settings}); err != nil {
		t.Fatal(err)
	}
	real.Settle(t)
	real.Produce(t, "off", 45, 100_000)
	real.AwaitOffsets(t, "off", 0, func(o Offsets) bool { return o == Offsets{EarliestLocal: 30, LatestTiered: 39, Latest: 45} })
	if n := real.ConsumeAll(t, "off"); n != 45 {
		t.Errorf("read %d records", n)
	}
	consent := map[string]string{"remote.storage.enable": "false", "remote.log.delete.on.disable": "true"}
	if err := client.Alter(t.Context(), "off", RealChange{Set: consent}); err != nil {
		t.Fatal(err)
	}
	real.AwaitSegments(t, "off", 0, 0)
	real.AwaitOffsets(t, "off", 0, func(o Offsets) bool {
		return o == Offsets{Earliest: 30, EarliestLocal: 30, LatestTiered: -1, Latest: 45}
	})
	if n := real.ConsumeAll(t, "off"); n != 15 {
		t.Errorf("read %d records", n)
	}
}

// Without tiered storage in the cluster no topic can have it.
func TestRealTiers_AnUntieredClusterHasNone(t *testing.T) {
	c := freshReal(t, RealOptions{}, 0)
	if err := c.create("none", 1, "remote.storage.enable", "true"); err == nil {
		t.Error("accepted")
	}
}
