// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// minInsyncPolicy is the policy that has nothing to do with storage.
const minInsyncPolicy = "min_insync"

// nodes is the number of nodes, with its default.
func (o RealOptions) nodes() int { return max(1, o.Nodes) }

// key names the options, so that tests that want the same cluster can share it.
func (o RealOptions) key() string {
	var key strings.Builder
	fmt.Fprintf(&key, "%s %d %q %t %t %q", o.version(), o.nodes(), o.Policy, o.EventStreamsDefaults, o.Tiered, o.Racks)
	for _, name := range slices.Sorted(maps.Keys(o.Config)) {
		fmt.Fprintf(&key, " %q=%q", name, o.Config[name])
	}
	return key.String()
}

// writeRealConfig writes a property file for each node and returns the files and the brokers' addresses.
func writeRealConfig(opts RealOptions, dir string) (files, brokers []string, err error) {
	nodes := opts.nodes()
	ports, err := freePorts(2 * nodes)
	if err != nil {
		return nil, nil, err
	}
	var voters []string
	for n := range nodes {
		voters = append(voters, fmt.Sprintf("%d@127.0.0.1:%d", n+1, ports[nodes+n]))
	}
	for n := range nodes {
		broker := fmt.Sprintf("127.0.0.1:%d", ports[n])
		properties := sharedProperties(opts)
		properties["node.id"] = strconv.Itoa(n + 1)
		properties["listeners"] = fmt.Sprintf("PLAINTEXT://%s,CONTROLLER://127.0.0.1:%d", broker, ports[nodes+n])
		properties["advertised.listeners"] = "PLAINTEXT://" + broker
		properties["controller.quorum.voters"] = strings.Join(voters, ",")
		properties["log.dirs"] = filepath.Join(dir, fmt.Sprintf("data-%d", n+1))
		if n < len(opts.Racks) {
			properties["broker.rack"] = opts.Racks[n]
		}
		if opts.Tiered {
			maps.Copy(properties, tieredProperties(tierFolder(dir)))
		}
		maps.Copy(properties, opts.Config)
		file := filepath.Join(dir, fmt.Sprintf("node-%d.properties", n+1))
		if err := os.WriteFile(file, propertyText(properties), 0o600); err != nil {
			return nil, nil, err
		}
		files, brokers = append(files, file), append(brokers, broker)
	}
	return files, brokers, nil
}

// sharedProperties are the settings that all nodes have in common. The small numbers keep a cluster light; nothing here
// changes what a topic inherits unless the options ask for it, because tests compare with Kafka's own defaults.
func sharedProperties(opts RealOptions) map[string]string {
	properties := map[string]string{
		"process.roles":                            "broker,controller",
		"controller.listener.names":                "CONTROLLER",
		"inter.broker.listener.name":               "PLAINTEXT",
		"listener.security.protocol.map":           "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
		"auto.create.topics.enable":                "false",
		"offsets.topic.replication.factor":         "1",
		"offsets.topic.num.partitions":             "1",
		"transaction.state.log.replication.factor": "1",
		"transaction.state.log.num.partitions":     "1",
		"transaction.state.log.min.isr":            "1",
		"group.initial.rebalance.delay.ms":         "0",
		"num.network.threads":                      "2",
		"num.io.threads":                           "4",
		// The cleaner's default buffer of 128 MiB does not fit into our heap.
		"log.cleaner.dedupe.buffer.size": "4194304",
		// Half a minute without any deletion is no use in a test.
		"log.initial.task.delay.ms":       "500",
		"log.retention.check.interval.ms": "1000",
		// How long the controller collects writes before it commits them: a price per write.
		"controller.quorum.append.linger.ms": "2",
	}
	if opts.EventStreamsDefaults {
		maps.Copy(properties, map[string]string{
			"log.retention.bytes":        strconv.Itoa(1 << 30),
			"log.segment.bytes":          strconv.Itoa(512 << 20),
			"log.index.size.max.bytes":   strconv.Itoa(10 << 20),
			"log.retention.ms":           strconv.Itoa(24 * 60 * 60 * 1000),
			"default.replication.factor": strconv.Itoa(min(3, opts.nodes())),
			"min.insync.replicas":        strconv.Itoa(min(2, opts.nodes())),
			"num.partitions":             "1",
		})
	}
	if opts.Policy != "" {
		rule := "ReservedStorage"
		if opts.Policy == minInsyncPolicy {
			rule = "MinInsync"
		}
		properties["create.topic.policy.class.name"] = "kafkastorage." + rule + "CreatePolicy"
		properties["alter.config.policy.class.name"] = "kafkastorage." + rule + "AlterPolicy"
	}
	return properties
}

// propertyText writes Java's property format; the backslash is its only character that matters in a value.
func propertyText(properties map[string]string) []byte {
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		fmt.Fprintf(&text, "%s=%s\n", key, strings.ReplaceAll(properties[key], `\`, `\\`))
	}
	return []byte(text.String())
}

// freePorts asks the kernel for n different ports. They are held together until all are known.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = listener.Close() }()
		address, err := net.ResolveTCPAddr("tcp", listener.Addr().String())
		if err != nil {
			return nil, err
		}
		ports[i] = address.Port
	}
	return ports, nil
}
