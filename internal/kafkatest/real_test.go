// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"context"
	"errors"
	"math/big"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(M{M: m}) }

// realPerPartition is the reservation of one partition with the Event Streams defaults, worked out by hand:
// 1 GiB + 512 MiB + 2 x 10 MiB x (1 GiB / 512 MiB + 1).
const realPerPartition = 1673527296

const realGiB = 1 << 30

var realEventStreams = RealOptions{Nodes: 3, Policy: "event_streams", EventStreamsDefaults: true}

type realCluster struct {
	*testing.T
	*Real
	admin *kadm.Client
	ctx   context.Context
}

// freshReal returns the shared cluster, empty, with this capacity.
func freshReal(t *testing.T, opts RealOptions, capacity int64) realCluster {
	t.Helper()
	real := SharedReal(t, opts)
	real.Reset(t)
	real.SetCapacity(t, capacity)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return realCluster{T: t, Real: real, admin: real.Admin(t), ctx: ctx}
}

func topicSettings(pairs ...string) map[string]*string {
	all := map[string]*string{}
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i]] = &pairs[i+1]
	}
	return all
}

func (c realCluster) create(name string, partitions int32, pairs ...string) error {
	_, err := c.admin.CreateTopic(c.ctx, partitions, -1, topicSettings(pairs...), name)
	return err
}

func (c realCluster) probe(name string, partitions int32) (kadm.CreateTopicResponse, error) {
	answers, err := c.admin.ValidateCreateTopics(c.ctx, partitions, -1, nil, name)
	if err != nil {
		return kadm.CreateTopicResponse{}, err
	}
	return answers[name], answers[name].Err
}

func (c realCluster) set(name, key, value string) error {
	alter := kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &value}
	if value == "" {
		alter = kadm.AlterConfig{Op: kadm.DeleteConfig, Name: key}
	}
	answers, err := c.admin.AlterTopicConfigs(c.ctx, []kadm.AlterConfig{alter}, name)
	if err != nil {
		return err
	}
	return answers[0].Err
}

func (c realCluster) accepted(err error) {
	c.Helper()
	if err != nil {
		c.Fatalf("want it accepted, got %v", err)
	}
}

func (c realCluster) refused(err error) {
	c.Helper()
	if !errors.Is(err, kerr.PolicyViolation) {
		c.Fatalf("want POLICY_VIOLATION, got %v", err)
	}
}

func (c realCluster) reserves(want map[string]int64) {
	c.Helper()
	total := big.NewInt(0)
	view := PolicyView{Total: total, Topics: map[string]PolicyTopic{}}
	for name, bytes := range want {
		view.Topics[name] = PolicyTopic{Bytes: big.NewInt(bytes)}
		if bytes < 0 {
			view.Topics[name] = PolicyTopic{Unbounded: true}
			continue
		}
		total.Add(total, big.NewInt(bytes))
	}
	same := cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 })
	if diff := cmp.Diff(view, c.PolicyReserved(c.T), same); diff != "" {
		c.Fatalf("reserved storage (-want +got):\n%s", diff)
	}
}

func TestRealOneNode(t *testing.T) {
	begin := time.Now()
	var address string
	t.Run("runs", func(t *testing.T) {
		real := StartReal(t, RealOptions{})
		t.Logf("ready after %v", time.Since(begin))
		address = real.Bootstrap()
		c := realCluster{T: t, Real: real, admin: real.Admin(t), ctx: t.Context()}
		c.accepted(c.create("plain", 2))
		c.Settle(t)
		topics, err := c.admin.ListTopics(c.ctx)
		if err != nil || !topics.Has("plain") || len(topics["plain"].Partitions) != 2 {
			t.Fatalf("topics %v, error %v", topics, err)
		}
		c.reserves(map[string]int64{"plain": -1})
		real.DeleteAllTopics(t)
		c.reserves(nil)
		begin = time.Now()
	})
	t.Logf("stopped after %v", time.Since(begin))
	if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		_ = conn.Close()
		t.Error("the broker outlived its test")
	}
}

// What the options' own words promise about the defaults of a topic.
func TestRealEventStreamsDefaults(t *testing.T) {
	c := freshReal(t, realEventStreams, 0)
	c.accepted(c.create("topic", -1))
	c.Settle(t) // Any broker may be asked next.
	topics, err := c.admin.ListTopics(c.ctx, "topic")
	if err != nil || len(topics["topic"].Partitions) != 1 || len(topics["topic"].Partitions[0].Replicas) != 3 {
		t.Fatalf("topic %v, error %v", topics["topic"], err)
	}
	configs, err := c.admin.DescribeTopicConfigs(c.ctx, "topic")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, config := range configs[0].Configs {
		got[config.Key] = config.MaybeValue()
	}
	for key, want := range map[string]string{
		"retention.bytes": "1073741824", "segment.bytes": "536870912", "segment.index.bytes": "10485760",
		"retention.ms": "86400000", "min.insync.replicas": "2", "cleanup.policy": "delete",
	} {
		if got[key] != want {
			t.Errorf("%s = %s, want %s", key, got[key], want)
		}
	}
}

func TestRealPomAndFolderAgree(t *testing.T) {
	pom, err := os.ReadFile("java/pom.xml")
	if err != nil {
		t.Fatal(err)
	}
	for version, classifier := range map[string]string{realKafkaVersion: "test-fixtures", "4.1.1": "test"} {
		text := string(pomOf(pom, version))
		if !strings.Contains(text, "<kafka.version>"+version+"<") || !strings.Contains(text, "<classifier>"+classifier+"<") {
			t.Errorf("the pom asks for another version than %s:\n%s", version, text)
		}
	}
}
