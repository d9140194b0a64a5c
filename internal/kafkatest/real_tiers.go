// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// realTierPatience is for what the brokers do in the background. Kafka 3.6 knows no shorter first delay than 30 s.
const realTierPatience = time.Minute

// tierFolder is the remote tier of a cluster that runs in a folder.
func tierFolder(dir string) string { return filepath.Join(dir, "tier") }

// tieredProperties switch tiered storage on, in seconds instead of minutes.
func tieredProperties(tier string) map[string]string {
	const rlmm = "rlmm.config.remote.log.metadata."
	return map[string]string{
		"remote.log.storage.system.enable":          "true",
		"remote.log.storage.manager.class.name":     "org.apache.kafka.server.log.remote.storage.LocalTieredStorage",
		"remote.log.storage.manager.impl.prefix":    "rsm.config.",
		"rsm.config.dir":                            tier,
		"remote.log.metadata.manager.class.name":    "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
		"remote.log.metadata.manager.listener.name": "PLAINTEXT",
		"remote.log.metadata.manager.impl.prefix":   "rlmm.config.",
		// One broker cannot keep what the defaults ask for.
		rlmm + "topic.replication.factor":         "1",
		rlmm + "topic.num.partitions":             "1",
		rlmm + "topic.min.isr":                    "1",
		rlmm + "initialization.retry.interval.ms": "200",
		"remote.log.manager.task.interval.ms":     "500",
		"log.retention.check.interval.ms":         "500",
		"log.initial.task.delay.ms":               "500",
		"log.segment.delete.delay.ms":             "200",
	}
}

// Offsets are the four ends of a partition.
type Offsets struct {
	// Earliest is the first offset that can be read, from whichever tier; EarliestLocal the first that a broker keeps.
	Earliest, EarliestLocal int64
	// LatestTiered is the last offset in the remote tier, -1 where there is none; Latest the one that comes next.
	LatestTiered, Latest int64
}

// The timestamps that ask ListOffsets for them (ListOffsetsRequest.java, Apache Kafka 4.4).
const (
	offsetLatest        = -1
	offsetEarliest      = -2
	offsetEarliestLocal = -4
	offsetLatestTiered  = -5
)

// Offsets asks a partition's leader. What its version cannot answer, which is LatestTiered before 3.9, is -1.
func (r *Real) Offsets(tb testing.TB, topic string, partition int32) Offsets {
	tb.Helper()
	var offsets Offsets
	if err := r.withClient(func(ctx context.Context, client *kgo.Client) (err error) {
		offsets, err = listOffsets(ctx, client, topic, partition)
		return err
	}); err != nil {
		tb.Fatalf("kafkatest: offsets of %s: %v", topic, err)
	}
	return offsets
}

func listOffsets(ctx context.Context, client *kgo.Client, topic string, partition int32) (Offsets, error) {
	var offsets Offsets
	for _, each := range []struct {
		timestamp int64
		into      *int64
	}{
		{offsetEarliest, &offsets.Earliest},
		{offsetEarliestLocal, &offsets.EarliestLocal},
		{offsetLatestTiered, &offsets.LatestTiered},
		{offsetLatest, &offsets.Latest},
	} {
		request := kmsg.NewPtrListOffsetsRequest()
		wanted := kmsg.NewListOffsetsRequestTopicPartition()
		wanted.Partition, wanted.Timestamp = partition, each.timestamp
		request.Topics = append(request.Topics, kmsg.ListOffsetsRequestTopic{Topic: topic, Partitions: []kmsg.ListOffsetsRequestTopicPartition{wanted}})
		response, err := request.RequestWith(ctx, client)
		if err != nil {
			return offsets, err
		}
		if len(response.Topics) != 1 || len(response.Topics[0].Partitions) != 1 {
			return offsets, errors.New("the answer is not about that partition")
		}
		answer := response.Topics[0].Partitions[0]
		*each.into = answer.Offset
		if err := kerr.ErrorForCode(answer.ErrorCode); errors.Is(err, kerr.UnsupportedVersion) {
			*each.into = -1
		} else if err != nil {
			return offsets, err
		}
	}
	return offsets, nil
}

// TierSegments lists the segments of a partition in the remote tier by their first offsets, in order and with all
// leading zeros. A topic that was deleted and made again has only its own.
func (r *Real) TierSegments(tb testing.TB, topic string, partition int32) []string {
	tb.Helper()
	var segments []string
	err := r.withClient(func(ctx context.Context, client *kgo.Client) (err error) {
		segments, err = r.tierSegments(ctx, client, topic, partition)
		return err
	})
	if err != nil {
		tb.Fatalf("kafkatest: tier of %s: %v", topic, err)
	}
	return segments
}

// tierSegments reads a folder TOPIC-PARTITION-ID with files OFFSET-ID.log. A segment on its way is there already: what has
// arrived, [Offsets.LatestTiered] says.
func (r *Real) tierSegments(ctx context.Context, client *kgo.Client, topic string, partition int32) ([]string, error) {
	topics, err := kadm.NewClient(client).ListTopics(ctx, topic)
	if err != nil {
		return nil, err
	}
	detail := topics[topic]
	id := base64.RawURLEncoding.EncodeToString(detail.ID[:])
	if detail.Err != nil { // what a deleted topic has left
		id = strings.Repeat("?", len(id))
	}
	files, err := filepath.Glob(filepath.Join(r.tier, "*", fmt.Sprintf("%s-%d-%s", topic, partition, id), "*.log"))
	var segments []string
	for _, file := range files {
		offset, _, _ := strings.Cut(filepath.Base(file), "-")
		segments = append(segments, offset)
	}
	slices.Sort(segments)
	return segments, err
}

// AwaitSegments waits until exactly that many segments of a partition are in the remote tier.
func (r *Real) AwaitSegments(tb testing.TB, topic string, partition int32, segments int) {
	tb.Helper()
	var last []string
	r.awaitTier(tb, func(ctx context.Context, client *kgo.Client) (met bool, err error) {
		last, err = r.tierSegments(ctx, client, topic, partition)
		return len(last) == segments, err
	}, func() string {
		return fmt.Sprintf("%d segments of %s-%d in the tier, last seen %v", segments, topic, partition, last)
	})
}

// AwaitOffsets waits until a partition's offsets satisfy a test, and returns them.
func (r *Real) AwaitOffsets(tb testing.TB, topic string, partition int32, met func(Offsets) bool) Offsets {
	tb.Helper()
	var last Offsets
	r.awaitTier(tb, func(ctx context.Context, client *kgo.Client) (_ bool, err error) {
		last, err = listOffsets(ctx, client, topic, partition)
		return met(last), err
	}, func() string { return fmt.Sprintf("offsets of %s-%d, last seen %+v", topic, partition, last) })
	return last
}

// awaitTier polls with one client until the answer is yes. An error is a reason to ask again: a leader may be moving.
func (r *Real) awaitTier(tb testing.TB, ask func(context.Context, *kgo.Client) (bool, error), what func() string) {
	tb.Helper()
	err := r.withClient(func(ctx context.Context, client *kgo.Client) error {
		var last error
		err := realPoll(realTierPatience, func() (met bool, _ error) {
			met, last = ask(ctx, client)
			return met && last == nil, ctx.Err()
		})
		return errors.Join(err, last)
	})
	if err != nil {
		tb.Fatalf("kafkatest: waiting for %s: %v", what(), err)
	}
}

// Produce writes records of that many bytes to a topic's first partition, one a batch and each acknowledged before it
// returns. Their bytes do not compress, because nothing compresses them.
func (r *Real) Produce(tb testing.TB, topic string, records, size int) {
	tb.Helper()
	options := []kgo.Opt{
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.ProducerBatchMaxBytes(int32(max(1<<20, size+1<<10))), kgo.RequiredAcks(kgo.AllISRAcks()),
	}
	err := r.withClient(func(ctx context.Context, client *kgo.Client) error {
		value := bytes.Repeat([]byte{'x'}, size)
		for range records {
			if err := client.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: value}).FirstErr(); err != nil {
				return err
			}
		}
		return nil
	}, options...)
	if err != nil {
		tb.Fatalf("kafkatest: producing to %s: %v", topic, err)
	}
}

// ConsumeAll reads a topic from the earliest offset of each partition to where it ends now, and returns how many records
// there were.
func (r *Real) ConsumeAll(tb testing.TB, topic string) int {
	tb.Helper()
	records := 0
	err := r.withClient(func(ctx context.Context, client *kgo.Client) error {
		ends, err := kadm.NewClient(client).ListEndOffsets(ctx, topic)
		if err != nil {
			return err
		}
		starts, err := kadm.NewClient(client).ListStartOffsets(ctx, topic)
		if err != nil {
			return err
		}
		left, from := map[int32]int64{}, map[int32]kgo.Offset{}
		for partition, end := range ends[topic] {
			if start := starts[topic][partition]; start.Offset < end.Offset {
				left[partition], from[partition] = end.Offset, kgo.NewOffset().At(start.Offset)
			}
		}
		client.AddConsumePartitions(map[string]map[int32]kgo.Offset{topic: from})
		for len(left) > 0 {
			fetches := client.PollFetches(ctx)
			if err := errors.Join(fetches.Err(), ctx.Err()); err != nil {
				return err
			}
			fetches.EachRecord(func(record *kgo.Record) {
				records++
				if record.Offset+1 >= left[record.Partition] {
					delete(left, record.Partition)
				}
			})
		}
		return nil
	}, kgo.ConsumeResetOffset(kgo.NoResetOffset()))
	if err != nil {
		tb.Fatalf("kafkatest: consuming %s: %v after %d records", topic, err, records)
	}
	return records
}

// withClient does something with a client of its own, within the patience for tiers.
func (r *Real) withClient(do func(context.Context, *kgo.Client) error, options ...kgo.Opt) error {
	client, err := kgo.NewClient(append(options, kgo.SeedBrokers(r.brokers...), kgo.MetadataMinAge(10*time.Millisecond))...)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), realTierPatience+10*time.Second)
	defer cancel()
	return do(ctx, client)
}
