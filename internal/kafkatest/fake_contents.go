// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// FakeTopic is a topic as the fake cluster holds it.
type FakeTopic struct {
	// ID is the topic's id in Kafka's own spelling.
	ID string
	// Partitions and ReplicationFactor are its counts.
	Partitions, ReplicationFactor int
	// Overrides are the settings that it sets itself.
	Overrides map[string]string
}

// Contents returns everything that the cluster holds. Only the names travel through
// the protocol; the rest is taken from the cluster itself.
func (f *Fake) Contents(ctx context.Context) (map[string]FakeTopic, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(f.Cluster.ListenAddrs()...))
	if err != nil {
		return nil, fmt.Errorf("listing topics: %w", err)
	}
	defer client.Close()
	listed, err := kadm.NewClient(client).ListTopicsWithInternal(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing topics: %w", err)
	}
	contents := map[string]FakeTopic{}
	for _, name := range listed.Names() {
		info := f.Cluster.TopicInfo(name)
		if info == nil {
			continue
		}
		contents[name] = FakeTopic{
			ID:         base64.RawURLEncoding.EncodeToString(info.TopicID[:]),
			Partitions: f.Partitions(name), ReplicationFactor: info.NumReplicas,
			Overrides: f.Overrides(name),
		}
	}
	return contents, nil
}
