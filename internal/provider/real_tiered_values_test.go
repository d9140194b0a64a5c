// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Local limits at and around the total: above it and without end they are refused
// at plan with both settings and values, at it and below they are accepted by both
// the plan and the cluster, and -2 stays what it is.
func TestRealTiered_LocalLimitsAroundTheTotal(t *testing.T) {
	for _, c := range []struct {
		name        string
		total, more string // the topic's own settings; more of them in the config alone
		attribute   string
		says        []string // nil: accepted
	}{
		{
			"above", `"retention.bytes" = 512`, `"local.retention.bytes" = 1024`, "local_retention_bytes = 1024",
			[]string{"Error: Local retention is longer than the total", "local.retention.bytes = 1024", "retention.bytes = 512"},
		},
		{
			"without end", `"retention.bytes" = 100`, `"local.retention.bytes" = -1`, "local_retention_bytes = -1",
			[]string{"Error: Local retention must have a limit", "local.retention.bytes = -1", "retention.bytes = 100"},
		},
		{"the same", `"retention.bytes" = 104857600, "retention.ms" = 3600000`, `"local.retention.bytes" = 104857600, "local.retention.ms" = 3600000`, "local_retention_bytes = 104857600\n  local_retention_ms = 3600000", nil},
		{"follows", `"retention.bytes" = 104857600`, `"local.retention.bytes" = -2, "local.retention.ms" = -2`, "local_retention_bytes = -2\n  local_retention_ms = -2", nil},
		{"no total", `"retention.bytes" = -1, "retention.ms" = -1`, `"local.retention.bytes" = -1, "local.retention.ms" = -1`, "local_retention_bytes = -1\n  local_retention_ms = -1", nil},
	} {
		for way, configuration := range map[string]string{
			"config":   inMap(c.total + ", " + enabledSetting + ", " + c.more),
			"resource": inMap(c.total) + tiered(byReference, c.attribute),
		} {
			t.Run(c.name+" in the "+way, func(t *testing.T) {
				cluster := freshReal(t, realTiered)
				w := newWorkspace(t, "")
				if c.says != nil {
					w.refuse(cluster.provider("")+configuration, append(c.says, `"orders"`)...)
					if cluster.has("orders") {
						t.Error("a refused plan has created the topic")
					}
					return
				}
				w.settle(cluster.provider("") + configuration)
				if c.name == "follows" {
					overrides := cluster.overrides("orders")
					if overrides["local.retention.ms"] != "-2" || overrides["local.retention.bytes"] != "-2" {
						t.Errorf("the topic has %v", overrides)
					}
				}
			})
		}
	}
	t.Run("no number that Kafka knows", func(t *testing.T) {
		cluster := freshReal(t, realTiered)
		w := newWorkspace(t, cluster.provider("")+inMap(enabledSetting+`, "local.retention.bytes" = -3`))
		w.plan(1).says(t, `"orders"`, "local.retention.bytes", "-3", "-2")
		w.write(cluster.provider("") + topic("orders", 1, "") + tiered(byReference, "local_retention_bytes = -3"))
		w.plan(1).says(t, "local_retention_bytes", "-3", "-2")
	})
}

// A value of -2 that somebody wrote is a setting of the topic, one that nobody wrote
// is none: neither turns into the other by itself.
func TestRealTiered_FollowingTheTotalIsNotTheSameAsNothing(t *testing.T) {
	c := freshReal(t, realTiered)
	w := newWorkspace(t, "")
	head := c.provider("") + topic("orders", 1, "")
	w.settle(head + tiered(byReference, "local_retention_bytes = -2"))
	c.sets(map[string]string{"remote.storage.enable": "true", "local.retention.bytes": "-2"})
	state, _ := w.stateOf(tieredAddress)
	exactly(t, "local_retention_bytes", state["local_retention_bytes"], "-2")
	w.settle(head + tiered(byReference, ""))
	c.sets(map[string]string{"remote.storage.enable": "true"})
	// One that appears behind Terraform's back is drift, whatever it means.
	c.alter("orders", kafkatest.RealChange{Set: map[string]string{"local.retention.ms": "-2"}})
	w.plan(2)
	w.settle(head + tiered(byReference, ""))
	c.sets(map[string]string{"remote.storage.enable": "true"})
}

// The total by time may not sink below the local limit that another resource holds,
// and what is refused leaves both as they are.
func TestRealTiered_TotalSinksNotBelowTheLocalLimit(t *testing.T) {
	c := freshReal(t, realTiered)
	w := newWorkspace(t, "")
	with := func(total string) string {
		return c.provider("") + inMap(`"retention.ms" = `+total) + tiered(byReference, "local_retention_ms = 86400000")
	}
	w.settle(with("604800000"))
	before := c.overrides("orders")
	w.refuse(with("3600000"), `"orders": `, "retention.ms = 3600000 (1 h, this plan)", "local.retention.ms = 86400000 (1 d, set on the topic)", `"retention.ms" = "86400000"`)
	w.apply(1)
	c.sets(before)
	w.settle(with("86400000")) // the value that was offered
}

// Before 3.9 Kafka takes a switch-off and leaves the remote data behind for nobody;
// from then on it deletes it, on request. The plan knows which it speaks to, and what
// it refuses leaves the topic as it was and the resource in the state.
func TestRealTiered_SwitchingOffByRelease(t *testing.T) {
	for _, release := range kafkatest.RealVersions() {
		t.Run(release, func(t *testing.T) {
			version, err := topicconfig.ParseVersion(release)
			if err != nil {
				t.Fatal(err)
			}
			options := realTiered
			options.Version = release
			c := freshReal(t, options)
			c.foreign(nil)
			head := c.provider("")
			const on, consent = "local_retention_bytes = 1048576", "\n  delete_remote_data_on_disable = true"
			w := newWorkspace(t, "")
			w.settle(head + tiered(byName, on))
			c.moved()
			before := c.overrides("orders")

			if version.AtLeast(3, 9) {
				const title = "Error: Switching tiered storage off deletes remote data"
				w.refuse(head+tiered(byName, "enabled = false"), title)
				w.refuse(head, title)
				c.sets(before)
				c.intact()
				w.settle(head + tiered(byName, "enabled = false"+consent))
				c.emptied()
				return
			}
			w.settle(head + tiered(byName, on+consent))
			const title = "Error: This version of Kafka cannot switch tiered storage off"
			w.refuse(head+tiered(byName, "enabled = false"+consent), title, `"orders": `, "Kafka "+version.String(), "3.9", "destroy = false")
			refused := w.refuse(head, title, "destroy = false")
			w.apply(1)
			w.write(head + tiered(byName, on+"\n  copy_disabled = true"))
			w.plan(1).says(t, "Error: Tiered setting is too new for this cluster", "remote.log.copy.disable came with Kafka 3.9")
			c.sets(before)
			c.intact()
			if state, _ := w.stateOf(tieredAddress); state == nil {
				t.Error("the resource has left the state")
			}
			w.settle(head + copied(t, refused))
			c.sets(before)
			c.intact()
		})
	}
}

// What a tiered topic charges is its local tier, in exact bytes: with 4 GiB of it in
// segments of 1 GiB and indexes of 10 MiB a partition comes to 4294967296 + 1073741824
// + 2 × 10485760 × 5 = 5473566720, twelve of them to 65682800640, and two replicas of
// each to 131365601280. Its remote tier has no bound, which is no number.
func TestRealTiered_WhatIsOnLocalDisk(t *testing.T) {
	c := freshReal(t, kafkatest.RealOptions{Nodes: 2, Tiered: true})
	head := c.provider("storage_quota = { capacity_bytes = 140000000000, limit_percent = 100 }")
	const settings = `config = { "local.retention.bytes" = 4294967296, "segment.bytes" = 1073741824, "remote.storage.enable" = true }`
	const body = "replication_factor = 2\n  " + settings
	w := newWorkspace(t, head+topic("orders", 12, body))
	w.plan(2).says(t, "+ reserved_bytes     = 131365601280")
	w.settle(head + topic("orders", 12, body))
	c.sets(map[string]string{"local.retention.bytes": "4294967296", "segment.bytes": "1073741824", "remote.storage.enable": "true"})
	exactly(t, "reserved_bytes", stateTopics(t, w)["orders"]["reserved_bytes"], "131365601280")

	// The same by the tiered resource, which shows no number for what has no bound.
	w.settle(head + topic("orders", 12, "replication_factor = 2\n  config = { \"segment.bytes\" = 1073741824 }") + tiered(byReference, "local_retention_bytes = 4294967296"))
	state, _ := w.stateOf(tieredAddress)
	exactly(t, "local_reserved_bytes", state["local_reserved_bytes"], "131365601280")
	if remote := state["remote_reserved_bytes"]; remote != nil {
		t.Errorf("remote_reserved_bytes = %v", remote)
	}

	// The quota counts it to the byte.
	c.DeleteAllTopics(t)
	w = newWorkspace(t, "")
	w.refuse(c.provider("storage_quota = { capacity_bytes = 131365601279, limit_percent = 100 }")+topic("orders", 12, body), "Error: Storage limit would be exceeded", "131365601280 bytes", "131365601279 bytes", "(1 byte")
}
