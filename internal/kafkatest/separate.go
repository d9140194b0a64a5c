// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Separate is a real cluster with a process for each node, so that one can be stopped, killed or paused while the others
// go on, and with a [Proxy] before each node.
//
// Its Client and Admin reach the brokers directly, over the listener that the brokers use among themselves. Whoever
// begins with Proxied stays behind the proxies: that listener tells the proxies' addresses.
type Separate struct {
	*Real
	nodes []*SeparateNode
	fire  *Fire
}

// separateProperties let a cluster notice within seconds that a node is gone, and keep running meanwhile.
func separateProperties() map[string]string {
	return map[string]string{
		"listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,CLIENT:PLAINTEXT",
		"broker.session.timeout.ms":      "6000",
		"broker.heartbeat.interval.ms":   "500",
		// A stop hands the leaders over first, as a rolling restart expects.
		"controlled.shutdown.enable": "true",
	}
}

// StartSeparate starts such a cluster for one test. Of the options Version, Nodes, Racks and Config count.
func StartSeparate(tb testing.TB, opts RealOptions) *Separate {
	tb.Helper()
	tools := requireRealTools(tb)
	fixture, err := prepareRealFixture(tools, opts.version())
	if err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
	s := &Separate{Real: &Real{opts: opts}, fire: newFire()}
	dir := tb.TempDir() // before the clean-up, so that it outlives the processes
	tb.Cleanup(func() {
		for _, node := range s.nodes {
			if tb.Failed() && node.process != nil {
				tb.Logf("end of node %d's log:\n%s", node.id, node.process.tail())
			}
			node.end()
		}
		s.fire.close()
	})
	if err := s.prepare(tools, fixture, dir); err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
	if err := s.startAll(); err != nil {
		tb.Fatalf("kafkatest: %v", err)
	}
	return s
}

// prepare writes the nodes' property files and opens their proxies.
func (s *Separate) prepare(tools realTools, fixture realFixture, dir string) error {
	count := s.opts.nodes()
	ports, err := freePorts(3 * count)
	if err != nil {
		return err
	}
	var voters []string
	for n := range count {
		voters = append(voters, fmt.Sprintf("%d@127.0.0.1:%d", n+1, ports[3*n]))
	}
	cluster := clusterID()
	for n := range count {
		broker, client := fmt.Sprintf("127.0.0.1:%d", ports[3*n+1]), fmt.Sprintf("127.0.0.1:%d", ports[3*n+2])
		proxy, err := s.fire.before(n+1, client)
		if err != nil {
			return err
		}
		properties := sharedProperties(s.opts)
		maps.Copy(properties, separateProperties())
		properties["node.id"] = strconv.Itoa(n + 1)
		properties["listeners"] = fmt.Sprintf("PLAINTEXT://%s,CLIENT://%s,CONTROLLER://127.0.0.1:%d", broker, client, ports[3*n])
		properties["advertised.listeners"] = fmt.Sprintf("PLAINTEXT://%s,CLIENT://%s", broker, proxy)
		properties["controller.quorum.voters"] = strings.Join(voters, ",")
		properties["log.dirs"] = filepath.Join(dir, fmt.Sprintf("data-%d", n+1))
		if n < len(s.opts.Racks) {
			properties["broker.rack"] = s.opts.Racks[n]
		}
		maps.Copy(properties, s.opts.Config)
		file := filepath.Join(dir, fmt.Sprintf("node-%d.properties", n+1))
		if err := os.WriteFile(file, propertyText(properties), 0o600); err != nil {
			return err
		}
		arguments := append([]string{"-Dkafkastorage.stop.seconds=10"}, fixture.arguments(s.opts, cluster, []string{file})...)
		s.nodes = append(s.nodes, &SeparateNode{id: n + 1, tools: tools, arguments: arguments, dir: dir})
		s.brokers = append(s.brokers, broker)
	}
	return nil
}

// Proxied returns the proxies' addresses, separated by commas.
func (s *Separate) Proxied() string { return strings.Join(s.fire.addresses(), ",") }

// Fire is what disturbs the connections of those who come through the proxies.
func (s *Separate) Fire() *Fire { return s.fire }

// Nodes returns the nodes, by id.
func (s *Separate) Nodes() []*SeparateNode { return s.nodes }
