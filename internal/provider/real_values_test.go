// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A real broker lists its settings with their types, on the first topic or none:
// a typo, a broker's name and a setting of another version are plan errors, what
// brokers take unlisted is not, and a policy with a word twice does not drift.
func TestRealTopicKeys_AreHeldAgainstTheBrokersOwnList(t *testing.T) {
	real := kafkatest.SharedReal(t, kafkatest.RealOptions{})
	real.Reset(t)
	head := providerBlock(real.Bootstrap(), "")
	w := newWorkspace(t, "")
	refuses := func() {
		t.Helper()
		for setting, says := range map[string]string{
			`"retention.byte" = 5`:         "Did you mean retention.bytes?",
			`"log.retention.hours" = 168`:  `"retention.ms" = "604800000"`,
			`"message.format.version" = 1`: "unknown to this cluster",
		} {
			w.write(head + configured("t", setting))
			w.plan(1).says(t, says, `"t"`)
		}
	}
	refuses() // on an empty cluster, by the controller's answer alone
	w.write(head + configured("t", `"cleanup.policy" = "compact,compact,delete", "internal.segment.bytes" = 65536, "min.cleanable.dirty.ratio" = "0.50", "preallocate" = "TRUE"`))
	w.apply(0)
	w.plan(0)
	refuses()
}

// The broker's own refusal and ours agree on names that collide, and nothing is
// sent for the second.
func TestRealTopicName_CollisionStopsTheApply(t *testing.T) {
	real := kafkatest.SharedReal(t, kafkatest.RealOptions{})
	real.Reset(t)
	head := providerBlock(real.Bootstrap(), "")
	first := labelled("one", "stock.levels", "")
	w := newWorkspace(t, head+first)
	w.apply(0)
	w.write(head + first + labelled("two", "stock_levels", ""))
	w.plan(2).says(t, "Warning: Topic name collides with a topic of the cluster")
	w.apply(1).says(t, "Error: Topic name collides with a topic of the cluster")
	w.write(head + labelled("one", "stock_levels", "")) // a rename deletes the other first
	w.apply(0)
	w.plan(0)
	for i, name := range []string{"billing.DataStaged", "123", "-x", "_schemas", "A", "a"} {
		head += labelled(fmt.Sprintf("t%d", i), name, "")
	}
	w.write(head + labelled("one", "stock_levels", ""))
	w.apply(0).says(t, "6 added")
	w.plan(0)
}
