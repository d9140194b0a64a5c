// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package reservation

import (
	"fmt"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Platform is the world that a cluster belongs to. It decides whether replicas
// count, which part of the capacity may be reserved, and which defaults hold
// where no broker can be asked.
type Platform string

// The platforms that the provider knows.
const (
	// Kafka is Apache Kafka as one runs it oneself: disk is raw, so every replica counts.
	Kafka Platform = "kafka"
	// EventStreams is IBM Event Streams: storage is sold as usable storage behind a
	// fixed replication factor of 3, so a partition counts once.
	EventStreams Platform = "event_streams"
	// MSK is Amazon MSK with Standard brokers: provisioned disk is raw, so every
	// replica counts, and topics can be tiered under MSK's own rules.
	MSK Platform = "msk"
	// MSKExpress is Amazon MSK with Express brokers: the replication factor is 3 and
	// every replica counts; the service tiers by itself, and topics have no say in it.
	MSKExpress Platform = "msk_express"
)

// Platforms returns every platform, the default first.
func Platforms() []Platform {
	return []Platform{Kafka, EventStreams, MSK, MSKExpress}
}

// ParsePlatform reads a platform's name.
func ParsePlatform(name string) (Platform, error) {
	names := make([]string, 0, len(Platforms()))
	for _, platform := range Platforms() {
		if name == string(platform) {
			return platform, nil
		}
		names = append(names, fmt.Sprintf("%q", string(platform)))
	}
	return "", fmt.Errorf("%q is not a platform: use %s", name, strings.Join(names, " or "))
}

// Tiers says whether a topic's settings can move closed segments to a remote tier
// (KIP-405). Event Streams has no such settings, and neither have Express brokers.
func (p Platform) Tiers() bool {
	return p != EventStreams && p != MSKExpress
}

// CountsReplicas says whether a topic reserves its bytes once for each replica.
func (p Platform) CountsReplicas() bool {
	return p != EventStreams
}

// LimitPercent is the part of the capacity, in whole percent, that may be
// reserved where the configuration names no other: 90 on Event Streams (its own
// documented limit), 85 elsewhere, where brokers need room for what the formula
// leaves out (ingest between two retention checks, deleted files that linger).
func (p Platform) LimitPercent() int64 {
	if p == EventStreams {
		return 90
	}
	return 85
}

// Defaults returns what a topic gets on this platform where no broker can be
// asked. On Event Streams those are the service's documented defaults (1 GiB,
// 512 MiB, 10 MiB, one day), else Kafka's own.
func (p Platform) Defaults() topicconfig.Settings {
	defaults := topicconfig.KafkaDefaults()
	if p != EventStreams {
		return defaults
	}
	return topicconfig.Settings{
		topicconfig.RetentionBytes:    "1073741824",
		topicconfig.SegmentBytes:      "536870912",
		topicconfig.SegmentIndexBytes: "10485760",
		topicconfig.RetentionMs:       "86400000",
	}.Over(defaults)
}
