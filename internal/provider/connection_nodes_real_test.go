// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// One of three nodes hangs, or is gone: a plan passes without a word about it, whichever
// node it is, and within request_timeout, which is 30 s here. The active
// controller is not paused: what goes to it the brokers hold up themselves.
func TestRealConnection_OneNodeOfThreeIsMissing(t *testing.T) {
	cluster := kafkatest.StartSeparate(t, kafkatest.RealOptions{Nodes: 3})
	cluster.AwaitWhole(t.Context(), t)
	servers := []any{}
	for server := range strings.SplitSeq(cluster.Bootstrap(), ",") {
		servers = append(servers, server)
	}
	for _, node := range cluster.Nodes() {
		for what, miss := range map[string]struct{ take, give func() error }{
			"paused": {node.Pause, node.Resume},
			"killed": {func() error { node.Kill(); return nil }, node.Start},
		} {
			if what == "paused" && node.ID() == cluster.Controller(t.Context(), t).ID() {
				continue
			}
			t.Run(fmt.Sprintf("%d %s", node.ID(), what), func(t *testing.T) {
				if err := miss.take(); err != nil {
					t.Fatal(err)
				}
				defer func() {
					if err := miss.give(); err != nil {
						t.Error(err)
					}
					cluster.AwaitWhole(t.Context(), t)
				}()
				for range 3 { // which server comes first is chosen by chance
					p, err := startProcess(t.Context(), fields{"bootstrap_servers": servers, "tls": fields{"enabled": false}, "storage_quota": fields{"accounting": "reserved"}})
					if err != nil {
						t.Fatal(err)
					}
					start := time.Now()
					planned, err := p.plan(t.Context(), topicKind, nil, fields{"name": "t", "partitions": 1})
					took := time.Since(start)
					p.end()
					if err != nil || len(planned.said) > 0 {
						t.Errorf("%v %s", err, planned.said)
					}
					t.Logf("%s", took.Round(time.Millisecond))
					if took > 30*time.Second {
						t.Errorf("took %s", took)
					}
				}
			})
		}
	}
}
