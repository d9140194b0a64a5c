// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafka_test

import (
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A quota of two topics a second (KIP-599) lets a burst through and refuses what is
// beyond it. All are created in the end, although that takes longer than a request may.
func TestRealCreate_WaitsForTheMutationQuota(t *testing.T) {
	const topics, timeout = 60, 6 * time.Second
	real := kafkatest.StartReal(t, kafkatest.RealOptions{})
	admin := real.Admin(t)
	id := "throttled"
	altered, err := admin.AlterClientQuotas(t.Context(), []kadm.AlterClientQuotaEntry{{
		Entity: kadm.ClientQuotaEntity{{Type: "client-id", Name: &id}},
		Ops:    []kadm.AlterClientQuotaOp{{Key: "controller_mutation_rate", Value: 2}},
	}})
	if err != nil || altered[0].Err != nil {
		t.Fatal(err, altered)
	}
	client, err := kafka.New(kafka.Config{Servers: strings.Split(real.Bootstrap(), ","), ClientID: id, Version: "1.0.0", RequestTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if _, err := client.Snapshot(deadline(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	ctx := deadline(t, 2*time.Minute)
	start := time.Now()
	together(topics, func(name string) {
		if _, err := client.Create(ctx, kafka.NewTopic{Name: name, Partitions: 1, ReplicationFactor: 1}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	took := time.Since(start)
	t.Logf("%d topics in %v", topics, took.Round(time.Millisecond))
	if took < timeout {
		t.Errorf("%d topics took %v: the quota held nothing back", topics, took)
	}
	listed, err := admin.ListTopics(t.Context())
	if err != nil || len(listed) != topics {
		t.Errorf("%d topics: %v", len(listed), err)
	}
}
