// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

var (
	// realEventStreams is an instance that enforces the rule: three nodes, replication factor 3, the service's defaults.
	realEventStreams = kafkatest.RealOptions{Nodes: 3, Policy: "event_streams", EventStreamsDefaults: true}
	// realKafka is one node with Kafka's own defaults, ready to create any topic that a client merely asks about.
	realKafka = kafkatest.RealOptions{Config: map[string]string{"auto.create.topics.enable": "true"}}
)

// servicePartition is what one partition reserves with the service's defaults:
// 1 GiB + 512 MiB + 2 × 10 MiB × (1 GiB / 512 MiB + 1).
const servicePartition = 1673527296

// realTimeout bounds what a test asks the cluster for itself.
const realTimeout = time.Minute

// realCluster is a shared cluster, emptied for one test, with a plain client.
type realCluster struct {
	*kafkatest.Real
	t      *testing.T
	client *kafkatest.RealClient
}

// freshReal empties the cluster of these options; nothing is enforced.
func freshReal(t *testing.T, options kafkatest.RealOptions) realCluster {
	t.Helper()
	real := kafkatest.SharedReal(t, options)
	real.Reset(t)
	return realCluster{Real: real, t: t, client: real.Client(t)}
}

// do asks the cluster for something and settles it on all brokers.
func (c realCluster) do(what func(ctx context.Context) error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), realTimeout)
	defer cancel()
	if err := what(ctx); err != nil {
		c.t.Fatal(err)
	}
	c.Settle(c.t)
}

// create creates a topic behind Terraform's back; what it reserves is not judged.
func (c realCluster) create(topic kafkatest.RealTopic) {
	c.t.Helper()
	c.do(func(ctx context.Context) error { return c.client.Create(ctx, topic) })
}

// overrides are the settings that a topic itself sets; nil where there is no such topic.
func (c realCluster) overrides(topic string) map[string]string {
	c.t.Helper()
	var overrides map[string]string
	c.do(func(ctx context.Context) (err error) {
		overrides, err = c.client.Overrides(ctx, topic)
		return err
	})
	return overrides
}

// describe returns a topic's partitions and id; 0 where there is no such topic.
func (c realCluster) describe(topic string) (partitions int, id string) {
	c.t.Helper()
	c.do(func(ctx context.Context) (err error) {
		partitions, id, err = c.client.Describe(ctx, topic)
		return err
	})
	return partitions, id
}

// has says whether a topic exists.
func (c realCluster) has(topic string) bool {
	c.t.Helper()
	partitions, _ := c.describe(topic)
	return partitions > 0
}

// provider configures the provider for this cluster; more is more of the block.
func (c realCluster) provider(more string) string {
	return providerBlock(c.Bootstrap(), more)
}

// eventStreams configures it for platform event_streams with a capacity.
func (c realCluster) eventStreams(capacity int64) string {
	return c.provider(fmt.Sprintf("platform = \"event_streams\"\n  storage_quota = { capacity_bytes = %d }", capacity))
}

// eventStreamsSettings are the same for a process of the driver.
func (c realCluster) eventStreamsSettings(capacity int64) fields {
	settings := at(c.Bootstrap())
	settings["platform"], settings["storage_quota"] = "event_streams", fields{"capacity_bytes": capacity, "accounting": "reserved"}
	return settings
}

// process starts a process of the driver.
func (c realCluster) process(settings fields) *process {
	c.t.Helper()
	p, err := startProcess(c.t.Context(), settings)
	if err != nil {
		c.t.Fatal(err)
	}
	if len(p.said.errors()) > 0 {
		c.t.Fatal(p.said)
	}
	return p
}

// imported is the state of a resource that exists.
func (c realCluster) imported(p *process, kind, name string) *instance {
	c.t.Helper()
	state, said, err := p.importOne(c.t.Context(), kind, name)
	if err != nil || state == nil {
		c.t.Fatalf("import of %s %s: %v, %s", kind, name, err, said)
	}
	return state
}

// capacityFor is the smallest capacity of which 90 percent make the limit: a limit
// can be any number of bytes.
func capacityFor(limit int64) int64 {
	n := new(big.Int).Mul(big.NewInt(limit), big.NewInt(100))
	n.Add(n, big.NewInt(89))
	return n.Quo(n, big.NewInt(90)).Int64()
}

// stateTopics are the topics of a workspace's state, by resource name and key.
func stateTopics(t *testing.T, w *workspace) map[string]fields {
	t.Helper()
	var state struct {
		Values struct {
			RootModule struct {
				Resources []struct {
					Address, Type string
					Values        fields
				}
			} `json:"root_module"`
		}
	}
	w.show(&state)
	topics := map[string]fields{}
	for _, resource := range state.Values.RootModule.Resources {
		if resource.Type == topicKind {
			topics[strings.TrimPrefix(resource.Address, topicKind+".")] = resource.Values
		}
	}
	return topics
}

// planChanges are the changes of a saved plan, by resource name and key.
func planChanges(t *testing.T, w *workspace, file string) map[string]tfChange {
	t.Helper()
	var plan struct {
		ResourceChanges []struct {
			Address string
			tfChange
		} `json:"resource_changes"`
	}
	w.show(&plan, file)
	changes := map[string]tfChange{}
	for _, one := range plan.ResourceChanges {
		if one.Type == topicKind {
			changes[strings.TrimPrefix(one.Address, topicKind+".")] = one.tfChange
		}
	}
	return changes
}

// exactly compares a number of Terraform's JSON with all its digits.
func exactly(t *testing.T, what string, got any, want string) {
	t.Helper()
	if number, ok := got.(json.Number); !ok || number.String() != want {
		t.Errorf("%s = %v, want %s", what, got, want)
	}
}
