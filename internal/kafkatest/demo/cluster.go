// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// capacity is the storage of the demo's instance, as the quickstart takes it: the smallest one that
// Event Streams sells.
const capacity = "2TiB"

// fleetJSON are the topics that other teams have on the cluster. Partitions and settings follow
// those of real fleets; the names are invented, and every topic has a retention.bytes, without
// which it would be unbounded on some platforms.
//
//go:embed fleet.json
var fleetJSON []byte

// fleetTopic is one topic of the fleet.
type fleetTopic struct {
	Name       string            `json:"name"`
	Partitions int32             `json:"partitions"`
	Config     map[string]string `json:"config"`
}

// readFleet reads the embedded fleet.
func readFleet() ([]fleetTopic, error) {
	var fleet []fleetTopic
	if err := json.Unmarshal(fleetJSON, &fleet); err != nil {
		return nil, fmt.Errorf("reading fleet.json: %w", err)
	}
	return fleet, nil
}

// demoCluster is the fake with the fleet on it.
type demoCluster struct {
	*kafkatest.Fake
	fleet []fleetTopic
}

// startCluster starts the fake with the defaults of Event Streams and creates the fleet. The caller
// closes it.
func startCluster() (*demoCluster, error) {
	fleet, err := readFleet()
	if err != nil {
		return nil, err
	}
	fake, err := kafkatest.NewFake(kafkatest.EventStreamsFake())
	if err != nil {
		return nil, err
	}
	for _, topic := range fleet {
		if err := fake.AddTopic(topic.Name, topic.Partitions, topic.Config); err != nil {
			fake.Close()
			return nil, fmt.Errorf("seeding the fleet: %w", err)
		}
	}
	return &demoCluster{Fake: fake, fleet: fleet}, nil
}

// count says how many of the topics the cluster has.
func (c *demoCluster) count(names []string) int {
	n := 0
	for _, name := range names {
		if c.Has(name) {
			n++
		}
	}
	return n
}
