// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// The whole use of tiers: brokers keep what is young, the tier keeps the rest, and
// readers notice nothing. It has to come about whichever way the settings are
// written, and whether the topic is born tiered or gets there with data in it.
func TestRealTiered_ClosedSegmentsMoveAndAllRecordsStayReadable(t *testing.T) {
	const whole = smallSegments + ", " + enabledSetting + ", " + smallLocal
	want := map[string]string{"segment.bytes": "1048576", "retention.ms": "3600000", "remote.storage.enable": "true", "local.retention.bytes": "1048576"}

	t.Run("created tiered by its config", func(t *testing.T) {
		c := freshReal(t, realTiered)
		w := newWorkspace(t, "")
		w.settle(c.provider("") + inMap(whole))
		c.sets(want)
		c.fill("orders")
		c.moved()
		w.plan(0)
	})
	t.Run("tiered later by its config", func(t *testing.T) {
		c := freshReal(t, realTiered)
		w := newWorkspace(t, "")
		w.settle(c.provider("") + inMap(smallSegments))
		c.fill("orders")
		w.settle(c.provider("") + inMap(whole))
		c.sets(want)
		c.moved()
		w.plan(0)
	})
	t.Run("somebody else's topic, by the tiered resource", func(t *testing.T) {
		c := freshReal(t, realTiered)
		c.foreign(nil)
		w := newWorkspace(t, "")
		w.settle(c.provider("") + tiered(`"orders"`, "local_retention_bytes = 1048576"))
		c.sets(want)
		c.moved()
		w.plan(0)
	})
}

// Read-only mode is the gentle way out: what is in the tier stays readable, and
// nothing is added to it.
func TestRealTiered_ReadOnlyCopiesNothingMoreAndStaysReadable(t *testing.T) {
	const total = smallSegments + `, "retention.bytes" = 1073741824`
	const inConfig = total + ", " + enabledSetting
	for way, configuration := range map[string]struct{ before, strict, after string }{
		"config": {
			inMap(inConfig + ", " + smallLocal),
			inMap(inConfig + ", " + smallLocal + `, "remote.log.copy.disable" = true`),
			inMap(inConfig + `, "remote.log.copy.disable" = true`),
		},
		"resource": {
			inMap(total) + tiered(byReference, "local_retention_bytes = 1048576"),
			inMap(total) + tiered(byReference, "local_retention_bytes = 1048576\n  copy_disabled = true"),
			inMap(total) + tiered(byReference, "copy_disabled = true"),
		},
	} {
		t.Run(way, func(t *testing.T) {
			c := freshReal(t, realTiered)
			head := c.provider("")
			w := newWorkspace(t, "")
			w.settle(head + configuration.before)
			c.fill("orders")
			c.moved()

			// What is copied no more has to stay on the broker for the whole retention.
			w.refuse(head+configuration.strict, "Error: Local retention must be the total while copying is disabled", "local.retention.bytes = 1048576", "-2")
			w.settle(head + configuration.after)
			c.intact()

			c.Produce(t, "orders", 20, filledBytes) // closes two more
			// Another topic that is copied from now on shows that copying goes on.
			c.create(kafkatest.RealTopic{Name: "control", Partitions: 1, Settings: map[string]string{"segment.bytes": "1048576", "remote.storage.enable": "true"}})
			c.fill("control")
			c.AwaitSegments(t, "control", 0, filledClosed)
			if segments := c.TierSegments(t, "orders", 0); len(segments) != filledClosed {
				t.Errorf("copied in read-only mode: %v", segments)
			}
			if n := c.ConsumeAll(t, "orders"); n != filledRecords+20 {
				t.Errorf("read %d records", n)
			}
			w.plan(0)
		})
	}
}

// lostFromTier is what a switch-off loses of the topics here: by time the local tier
// has no limit of its own, by size the remote tier holds a total of 1 GiB minus 1 MiB.
const lostFromTier = "what only the remote tier holds: by time nothing, by size up to 1,023.0 MiB (1072693248 bytes) of each partition"

// Switching off deletes what only the tier has. Nobody does that by leaving a line
// out or by a destroy: each way is refused at plan with the three ways to go on, and
// with consent it says what goes, does it, and leaves the next plan empty.
func TestRealTiered_SwitchingOffTakesConsent(t *testing.T) {
	bounded := map[string]string{"retention.bytes": "1073741824"}
	const title = "Error: Switching tiered storage off deletes remote data"
	ways := []string{title, `"orders": `, "delete_remote_data_on_disable = true", "until it expires", "To keep tiered storage as it is", lostFromTier}
	const on, consent = "local_retention_bytes = 1048576", "\n  delete_remote_data_on_disable = true"
	off := map[string]string{"segment.bytes": "1048576", "retention.ms": "3600000", "retention.bytes": "1073741824", "remote.storage.enable": "false", "remote.log.delete.on.disable": "true"}

	const settings = smallSegments + `, "retention.bytes" = 1073741824, `
	byMap := func(t *testing.T) (c realCluster, w *workspace, head string) { // tiered by its own config, with data in both tiers
		t.Helper()
		c = freshReal(t, realTiered)
		head, w = c.provider(""), newWorkspace(t, "")
		w.settle(head + inMap(settings+enabledSetting+", "+smallLocal))
		c.fill("orders")
		c.moved()
		return c, w, head
	}

	t.Run("resource", func(t *testing.T) {
		c := freshReal(t, realTiered)
		c.foreign(bounded)
		head := c.provider("")
		w := newWorkspace(t, "")
		w.settle(head + tiered(`"orders"`, on))
		c.moved()
		before := c.overrides("orders")

		w.refuse(head+tiered(`"orders"`, "enabled = false"), append(ways, "copy_disabled = true", "destroy = false")...)
		w.refuse(head, append(ways, "copy_disabled = true", "apply it, and then destroy")...)
		w.write(head + tiered(`"orders"`, on))
		w.plan(1, "-destroy").says(t, append(ways, "apply it, and then destroy", "destroy = false")...)
		w.apply(1, "-destroy")
		// Consent that only the configuration has does not count for what is destroyed.
		w.write(head + tiered(`"orders"`, on+consent))
		w.plan(1, "-destroy").says(t, ways...)
		c.sets(before)
		c.intact()

		w.settle(head+tiered(`"orders"`, "enabled = false"+consent)).says(t, "Warning: Remote data will be deleted", `"orders": `, lostFromTier, "Older offsets can no longer be read")
		c.sets(off)
		c.emptied()
		w.destroy(0)
		c.sets(off)
	})
	t.Run("config", func(t *testing.T) {
		c, w, head := byMap(t)
		before := c.overrides("orders")

		w.refuse(head+inMap(settings+`"remote.storage.enable" = false`), append(ways, `"remote.log.copy.disable" = "true"`)...)
		c.sets(before)
		c.intact()

		w.settle(head+topic("orders", 1, "config = { "+settings+`"remote.storage.enable" = false }`+consent)).says(t, "Warning: Remote data will be deleted", `"orders": `, lostFromTier)
		c.sets(off)
		c.emptied()
		w.destroy(0)
	})
	t.Run("config, with Kafka's own key", func(t *testing.T) {
		c, w, head := byMap(t)
		w.settle(head+inMap(settings+`"remote.storage.enable" = false, "remote.log.delete.on.disable" = true`)).says(t, "Warning: Remote data will be deleted")
		c.sets(off)
		c.emptied()
		// The flag is never drift, whether it is listed or not.
		w.write(head + inMap(settings+`"remote.storage.enable" = false`))
		w.apply(0)
		w.plan(0)
	})
	t.Run("destroy", func(t *testing.T) {
		c := freshReal(t, realTiered)
		c.foreign(bounded)
		head := c.provider("")
		w := newWorkspace(t, "")
		w.settle(head + tiered(`"orders"`, on+consent))
		c.moved()
		w.settle(head).says(t, "Warning: Remote data will be deleted", lostFromTier, "1 destroyed")
		c.sets(off)
		c.emptied()
	})
}
