// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"strings"
	"testing"
	"time"
)

func TestRealCreate(t *testing.T) {
	// 90 % of this is three partitions to the byte.
	const capacity = 3 * realPerPartition / 9 * 10
	c := freshReal(t, realEventStreams, capacity-1)
	answer, err := c.probe("exact", 3)
	c.refused(err)
	for _, number := range []string{"'exact'", "5020581888", "5020581887"} {
		if !strings.Contains(answer.ErrMessage, number) {
			t.Errorf("the message %q lacks %s", answer.ErrMessage, number)
		}
	}
	c.refused(c.create("exact", 3))
	c.reserves(nil)

	c.SetCapacity(t, capacity)
	_, err = c.probe("exact", 3)
	c.accepted(err)
	c.reserves(nil)
	c.accepted(c.create("exact", 3))
	c.reserves(map[string]int64{"exact": 3 * realPerPartition})
	c.refused(c.create("more", 1, "retention.bytes", "0"))
	c.refused(c.create("more", 1, "cleanup.policy", "compact"))
}

func TestRealUnbounded(t *testing.T) {
	c := freshReal(t, realEventStreams, 1<<50)
	c.refused(c.create("endless", 1, "retention.bytes", "-1"))
	c.accepted(c.create("bounded", 1))
	c.refused(c.set("bounded", "retention.bytes", "-1"))
	c.SetCapacity(t, 0)
	c.accepted(c.create("endless", 1, "retention.bytes", "-1"))
	c.reserves(map[string]int64{"bounded": realPerPartition, "endless": -1})
	c.SetCapacity(t, 1<<50)
	c.accepted(c.set("endless", "segment.bytes", "1048576"))
	c.accepted(c.set("endless", "retention.bytes", ""))
	c.reserves(map[string]int64{"bounded": realPerPartition, "endless": realGiB + 1<<20 + 20<<20*1025})
}

func TestRealCompacted(t *testing.T) {
	c := freshReal(t, realEventStreams, 1<<50)
	c.accepted(c.create("compact", 2, "cleanup.policy", "compact", "retention.bytes", "-1"))
	c.accepted(c.create("both", 2, "cleanup.policy", "compact,delete"))
	c.reserves(map[string]int64{"compact": 2 * realGiB, "both": 2 * realPerPartition})
	c.refused(c.set("compact", "cleanup.policy", "delete"))
	c.accepted(c.set("both", "cleanup.policy", "compact"))
	c.reserves(map[string]int64{"compact": 2 * realGiB, "both": 2 * realGiB})
}

func TestRealAlter(t *testing.T) {
	c := freshReal(t, realEventStreams, 4*realPerPartition)
	c.accepted(c.create("a", 1))
	c.accepted(c.create("b", 1, "retention.bytes", "0"))
	small := int64(512<<20 + 20<<20)
	c.reserves(map[string]int64{"a": realPerPartition, "b": small})
	c.refused(c.set("a", "retention.bytes", "8589934592"))
	c.accepted(c.set("a", "retention.bytes", "2147483648"))
	c.refused(c.create("c", 3))
	bigger := int64(2*realGiB + 512<<20 + 20<<20*5)
	c.reserves(map[string]int64{"a": bigger, "b": small})

	// Over the limit by now, a shrink and an unrelated change pass, and a growth does not.
	c.SetCapacity(t, 1)
	c.accepted(c.set("a", "retention.ms", "1000"))
	c.refused(c.set("b", "retention.bytes", "1"))
	c.refused(c.set("b", "retention.bytes", ""))
	c.accepted(c.set("a", "retention.bytes", ""))
	c.accepted(c.set("a", "segment.index.bytes", "1048576"))
	c.reserves(map[string]int64{"a": realGiB + 512<<20 + 2<<20*3, "b": small})
}

// One request with many topics is judged as if they came one after the other, and a probe leaves nothing behind.
func TestRealBatch(t *testing.T) {
	c := freshReal(t, realEventStreams, 3*realPerPartition)
	for range 20 {
		_, err := c.probe("probe", 2)
		c.accepted(err)
		_, err = c.probe("other", 2)
		c.accepted(err)
	}
	answers, err := c.admin.CreateTopics(c.ctx, 1, -1, nil, "a", "b", "c", "d")
	c.accepted(err)
	refused := 0
	for _, answer := range answers {
		if answer.Err != nil {
			c.refused(answer.Err)
			refused++
		}
	}
	if refused != 2 {
		t.Errorf("%d of 4 refused, want 2: %v", refused, answers)
	}
}

// Each verdict sees every request that was answered before it, and none is lost to the brokers' lag.
func TestRealNoLag(t *testing.T) {
	c := freshReal(t, realEventStreams, 1<<50)
	begin := time.Now()
	for round := range 20 {
		// 90 % of it is two partitions and a bit.
		c.SetCapacity(t, 2*realPerPartition/9*10+10)
		c.accepted(c.create("a", 1))
		c.accepted(c.create("b", 1))
		c.refused(c.create("c", 1))
		if _, err := c.admin.DeleteTopic(c.ctx, "a"); err != nil {
			t.Fatal(err)
		}
		c.accepted(c.create("c", 1))
		c.refused(c.set("b", "segment.bytes", "1073741824"))
		c.accepted(c.set("c", "segment.bytes", "268435456"))
		if _, err := c.admin.DeleteTopics(c.ctx, "b", "c"); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	t.Logf("a round of 8 requests took %v", time.Since(begin)/20)
}

func TestRealReplicasCountOnKafka(t *testing.T) {
	opts := realEventStreams
	opts.Policy = "kafka"
	begin := time.Now()
	c := freshReal(t, opts, 0)
	t.Logf("ready after %v", time.Since(begin))
	// 85 % of it is 51 partition replicas to the byte.
	c.SetCapacity(t, 60*realPerPartition)
	c.refused(c.create("topic", 18))
	c.accepted(c.create("topic", 17))
	c.reserves(map[string]int64{"topic": 51 * realPerPartition})
	c.refused(c.set("topic", "retention.bytes", "1073741825"))
	c.accepted(c.set("topic", "retention.bytes", "1073741823"))
}

// Kafka shows added partitions to no policy: the hole that only a check before the request can close.
func TestRealPartitionsPassThePolicy(t *testing.T) {
	c := freshReal(t, realEventStreams, 2*realPerPartition)
	c.accepted(c.create("topic", 1))
	// Asked apart from Kafka it does judge them, by the same rule: 90 % of the capacity is one partition and a bit.
	if words := c.JudgePartitions(t, "topic", 1); words != "" {
		t.Errorf("refuses what is there: %s", words)
	}
	if words := c.JudgePartitions(t, "topic", 2); !strings.Contains(words, "3347054592") {
		t.Errorf("says %q to two partitions", words)
	}
	answers, err := c.admin.UpdatePartitions(c.ctx, 5, "topic")
	c.accepted(err)
	c.accepted(answers["topic"].Err)
	c.reserves(map[string]int64{"topic": 5 * realPerPartition})
}
