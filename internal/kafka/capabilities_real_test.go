// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafka_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// realCapabilities asks a real cluster.
func realCapabilities(t *testing.T, options kafkatest.RealOptions) kafka.Capabilities {
	t.Helper()
	real := kafkatest.StartReal(t, options)
	client, err := kafka.New(kafka.Config{Servers: strings.Split(real.Bootstrap(), ","), ClientID: "test", Version: "1.0.0", RequestTimeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	got, err := client.Capabilities(deadline(t, time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Each release is known by its first two numbers. The intervals are those that the
// tiered test cluster sets.
func TestRealCapabilities_TellVersionAndTier(t *testing.T) {
	for _, release := range kafkatest.RealVersions() {
		t.Run(release, func(t *testing.T) {
			version, _ := topicconfig.ParseVersion(release)
			want := kafka.Capabilities{Version: version, TieredStorage: topicconfig.SupportOn, CheckIntervalMs: 500, TaskIntervalMs: 500}
			if diff := cmp.Diff(want, realCapabilities(t, kafkatest.RealOptions{Version: release, Tiered: true})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A cluster without tiered storage says so. It shows the interval that its brokers would
// have: 30 s, Kafka's default.
func TestRealCapabilities_TellWhereThereIsNoTier(t *testing.T) {
	want := kafka.Capabilities{Version: topicconfig.Version{Major: 4, Minor: 4}, TieredStorage: topicconfig.SupportOff, CheckIntervalMs: 1000, TaskIntervalMs: 30000}
	if diff := cmp.Diff(want, realCapabilities(t, kafkatest.RealOptions{})); diff != "" {
		t.Error(diff)
	}
}
