// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"fmt"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// realTiered is one node that tiers within seconds.
var realTiered = kafkatest.RealOptions{Tiered: true}

// tieredAddress is the resource that [tiered] writes.
const tieredAddress = "kafkastorage_topic_tiered_storage.t"

// What [realCluster.fill] makes of segments of 1 MiB: records of 100 kB, ten to a
// segment (1048576 / 100000 = 10), so that of 45 four segments are closed and five
// records stand in the open one. With a local limit of 1 MiB three whole segments may
// go: 4.5 MB are 3.45 MB above it.
const (
	filledRecords  = 45
	filledClosed   = 4
	filledBytes    = 100_000
	filledLocal    = 30 // the first offset that the broker still has then
	smallSegments  = `"segment.bytes" = 1048576, "retention.ms" = 3600000`
	smallLocal     = `"local.retention.bytes" = 1048576`
	enabledSetting = `"remote.storage.enable" = true`
)

// filledTopic is the topic of these tests, in the state and in the cluster.
const filledTopic = "orders"

// fill writes closed segments into a topic of small ones.
func (c realCluster) fill(topic string) {
	c.t.Helper()
	c.Produce(c.t, topic, filledRecords, filledBytes)
}

// foreign creates the topic with small segments behind Terraform's back and fills it.
func (c realCluster) foreign(more map[string]string) {
	c.t.Helper()
	settings := map[string]string{"segment.bytes": "1048576", "retention.ms": "3600000"}
	for key, value := range more {
		settings[key] = value
	}
	c.create(kafkatest.RealTopic{Name: filledTopic, Partitions: 1, ReplicationFactor: 1, Settings: settings})
	c.fill(filledTopic)
}

// alter changes a topic's settings behind Terraform's back.
func (c realCluster) alter(topic string, change kafkatest.RealChange) {
	c.t.Helper()
	c.do(func(ctx context.Context) error { return c.client.Alter(ctx, topic, change) })
}

// moved waits until the closed segments of the topic are in the remote tier and
// those beyond the local limit have left the broker, and reads all records back.
func (c realCluster) moved() {
	c.t.Helper()
	c.AwaitSegments(c.t, filledTopic, 0, filledClosed)
	got := c.AwaitOffsets(c.t, filledTopic, 0, func(o kafkatest.Offsets) bool { return o.EarliestLocal == filledLocal })
	if got.Earliest != 0 || got.Latest != filledRecords {
		c.t.Errorf("%s: %+v", filledTopic, got)
	}
	c.intact()
}

// intact says that the tier still holds every closed segment of the topic, and
// that every record can be read.
func (c realCluster) intact() {
	c.t.Helper()
	if segments := c.TierSegments(c.t, filledTopic, 0); len(segments) != filledClosed {
		c.t.Errorf("the tier holds %v of %s", segments, filledTopic)
	}
	if n := c.ConsumeAll(c.t, filledTopic); n != filledRecords {
		c.t.Errorf("read %d records of %s", n, filledTopic)
	}
}

// emptied waits until the tier holds nothing of the topic any more, and says that reading
// starts where the broker's own data does.
func (c realCluster) emptied() {
	c.t.Helper()
	c.AwaitSegments(c.t, filledTopic, 0, 0)
	c.AwaitOffsets(c.t, filledTopic, 0, func(o kafkatest.Offsets) bool { return o.Earliest == filledLocal && o.EarliestLocal == filledLocal })
	if n := c.ConsumeAll(c.t, filledTopic); n != filledRecords-filledLocal {
		c.t.Errorf("read %d records of %s", n, filledTopic)
	}
}

// sets says what the topic itself sets.
func (c realCluster) sets(want map[string]string) {
	c.t.Helper()
	if diff := cmp.Diff(want, c.overrides(filledTopic)); diff != "" {
		c.t.Errorf("%s (-want +got):\n%s", filledTopic, diff)
	}
}

// settle applies a configuration and plans again, which must find nothing to do.
func (w *workspace) settle(configuration string) outcome {
	w.t.Helper()
	w.write(configuration)
	got := w.apply(0)
	w.plan(0)
	return got
}

// refuse plans a configuration that is refused with one error, and says it.
func (w *workspace) refuse(configuration string, texts ...string) outcome {
	w.t.Helper()
	w.write(configuration)
	got := w.plan(1)
	got.says(w.t, append(texts, "Nothing was changed.")...)
	if n := got.count("Error:"); n != 1 {
		w.t.Errorf("%d errors:\n%s", n, got.text)
	}
	return got
}

// forget is the block that stops managing a resource and leaves what it manages.
func forget(address string) string {
	return fmt.Sprintf("removed {\n  from = %s\n  lifecycle {\n    destroy = false\n  }\n}\n", address)
}

// inMap is the topic with these settings in its config.
func inMap(settings string) string {
	return topic(filledTopic, 1, "config = { "+settings+" }")
}
