// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// RealOptions says what kind of real cluster a test wants.
type RealOptions struct {
	// Version is the release of Apache Kafka, such as "4.1.1"; "" is the newest that the tests know. See [RealVersions].
	Version string
	// Nodes is the number of combined broker and controller nodes, 1 (also for 0) to 3 or so.
	Nodes int
	// Policy is the platform whose reserved-storage rule the cluster enforces: "event_streams" (partitions
	// count, 90 %), "kafka" (replicas count, 85 %) or "" for no enforcement. It enforces nothing until
	// SetCapacity has been called. "min_insync" is a house rule instead, which the provider does not model:
	// min.insync.replicas must be 2, at creation and afterwards.
	Policy string
	// EventStreamsDefaults gives topics the defaults of an Event Streams instance: 1 GiB retention, 512 MiB
	// segments, 10 MiB indexes, one day, replication factor 3 and min.insync.replicas 2 (less where there
	// are fewer nodes).
	EventStreamsDefaults bool
	// Tiered gives the cluster tiered storage, with a folder as its remote tier and intervals so short that a segment
	// is copied and deleted within seconds. Tests wait for it with the Await methods.
	Tiered bool
	// Racks are the nodes' racks, the first node's first; nodes beyond the list have none.
	Racks []string
	// Security adds listeners with TLS and logins, an authorizer, and users; one node only. The plain listener stays,
	// and whoever comes over it may do everything. See [Real.Security].
	Security bool
	// Config holds further broker properties, for all nodes; they win over everything else.
	Config map[string]string
}

// Real is a running Apache Kafka cluster of one's own.
type Real struct {
	opts    RealOptions
	brokers []string
	control string
	tier    string // the folder that is the remote tier
	process *realProcess

	security *RealSecurity
}

// StartReal starts a cluster for one test and stops it when the test ends.
func StartReal(tb testing.TB, opts RealOptions) *Real {
	tb.Helper()
	tools := requireRealTools(tb)
	real, err := startReal(tools, opts, tb.TempDir())
	if err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
	tb.Cleanup(func() {
		real.logWhenFailed(tb)
		if err := real.process.stop(); err != nil {
			tb.Errorf("kafkatest: %v", err)
		}
	})
	return real
}

// RequireReal skips the test where no real cluster can be started for want of Java or Maven; under CI=true it fails it,
// because there a skipped tier would be a hole that nobody sees.
func RequireReal(tb testing.TB) {
	tb.Helper()
	requireRealTools(tb)
}

func requireRealTools(tb testing.TB) realTools {
	tb.Helper()
	tools, err := findRealTools()
	if err == nil {
		return tools
	}
	message := fmt.Sprintf("real Kafka: %v (Debian: apt-get install openjdk-17-jdk-headless maven)", err)
	if os.Getenv("CI") == "true" {
		tb.Fatal(message)
	}
	tb.Skip(message)
	return realTools{}
}

// Bootstrap returns the addresses of all brokers, separated by commas.
func (r *Real) Bootstrap() string { return strings.Join(r.brokers, ",") }

// Admin returns a client of the cluster, closed when the test ends. It trusts its own copy of the metadata for 10 ms
// only: with the default of some seconds a test reads what it has just changed in its old form.
func (r *Real) Admin(tb testing.TB) *kadm.Client {
	tb.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(r.brokers...), kgo.MetadataMinAge(10*time.Millisecond))
	if err != nil {
		tb.Fatalf("kafkatest: client: %v", err)
	}
	admin := kadm.NewClient(client)
	tb.Cleanup(admin.Close)
	return admin
}

func (r *Real) logWhenFailed(tb testing.TB) {
	tb.Helper()
	if tb.Failed() {
		tb.Logf("end of the broker's log:\n%s", r.process.tail())
	}
}

// startReal picks ports, writes the property files and waits until all nodes serve. Another process may take a port
// between the choice and the use, so a start that fails for that is tried once more.
func startReal(tools realTools, opts RealOptions, dir string) (*Real, error) {
	fixture, err := prepareRealFixture(tools, opts.version())
	if err != nil {
		return nil, err
	}
	real, err := startRealOnce(tools, fixture, opts, dir)
	if err != nil && strings.Contains(err.Error(), "Address already in use") {
		return startRealOnce(tools, fixture, opts, dir)
	}
	return real, err
}

func startRealOnce(tools realTools, fixture realFixture, opts RealOptions, dir string) (*Real, error) {
	run, err := os.MkdirTemp(dir, "kafka-")
	if err != nil {
		return nil, err
	}
	files, brokers, security, err := writeRealConfig(opts, run)
	if err != nil {
		return nil, err
	}
	process, err := startRealProcess(tools, fixture.arguments(opts, clusterID(), files), run)
	if err != nil {
		return nil, err
	}
	real := &Real{opts: opts, brokers: brokers, tier: tierFolder(run), process: process, security: security}
	ready, err := process.awaitReady()
	if err == nil && (opts.Tiered || opts.Config["remote.log.storage.system.enable"] == "true") {
		err = process.awaitTiering(len(brokers))
	}
	if err != nil {
		process.kill()
		return nil, fmt.Errorf("%w; end of its log:\n%s", err, process.tail())
	}
	real.control = "http://127.0.0.1:" + ready
	return real, nil
}
