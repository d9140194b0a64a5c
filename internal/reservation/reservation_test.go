// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package reservation_test

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
	tib = 1 << 40
)

// topic builds the effective settings of one topic.
func topic(partitions, replicas, retention, segment, index int64, policy string) reservation.Topic {
	return reservation.Topic{
		Partitions: partitions, ReplicationFactor: replicas,
		Settings: topicconfig.Settings{
			topicconfig.CleanupPolicy:     policy,
			topicconfig.RetentionBytes:    strconv.FormatInt(retention, 10),
			topicconfig.SegmentBytes:      strconv.FormatInt(segment, 10),
			topicconfig.SegmentIndexBytes: strconv.FormatInt(index, 10),
		},
	}
}

// The rule's known answers, worked out by hand from the vendor's formula. A
// rounding or an index term left out changes most of them.
func TestOf_KnownAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                                  string
		retention, segment, index, partitions int64
		policy                                string
		segments, want                        int64
	}{
		{"service defaults", gib, 512 * mib, 10 * mib, 1, "delete", 3, 1673527296},
		{"one byte less is a segment less", gib - 1, 512 * mib, 10 * mib, 1, "delete", 2, 1652555775},
		{"just below three segments", 1610612735, 512 * mib, 10 * mib, 1, "delete", 3, 2210398207},
		{"exactly three segments", 1610612736, 512 * mib, 10 * mib, 1, "delete", 4, 2231369728},
		{"segment larger than retention", 100 * mib, 512 * mib, 10 * mib, 1, "delete", 1, 662700032},
		{"fifty gibibytes", 50 * gib, 512 * mib, 10 * mib, 1, "delete", 101, 56342085632},
		{"small segments", gib, 128 * mib, 10 * mib, 1, "delete", 9, 1396703232},
		{"compact, whatever the rest", 7, 11, 13, 12, "compact", 0, 12884901888},
		{"compact and delete is not compact", gib, 512 * mib, 10 * mib, 10, "compact,delete", 3, 16735272960},
		{"six partitions", 10 * gib, gib, 10 * mib, 6, "delete", 11, 72251080704},
		{"twelve partitions", 10 * gib, gib, 10 * mib, 12, "delete", 11, 144502161408},
		{"decimal retention", 1000000000, 512 * mib, 10 * mib, 1, "delete", 2, 1578813952},
		{"uneven division", 700 * mib, 200 * mib, 10 * mib, 1, "delete", 4, 1027604480},
		{"two tebibytes", 2 * tib, 512 * mib, 10 * mib, 1, "delete", 4097, 2285480443904},
		{"all minima", 100 * kib, 100 * kib, 100 * kib, 1, "delete", 2, 614400},
		{"a gigabyte over ten partitions", 100 * mib, 512 * mib, 10 * mib, 10, "delete", 1, 6627000320},
		{"the same, smaller segments", 100 * mib, 100 * mib, 10 * mib, 10, "delete", 2, 2516582400},
		{"the same, small segments and indexes", 100 * mib, 10 * mib, mib, 10, "delete", 11, 1384120320},
		{"little retention", 100 * kib, 512 * mib, 10 * mib, 1, "delete", 1, 557944832},
		{"sixty partitions", 20 * gib, 512 * mib, 10 * mib, 60, "delete", 41, 1372292382720},
		{"the same, thirty gibibytes", 30 * gib, 512 * mib, 10 * mib, 60, "delete", 61, 2041703301120},
		{"the same, compacted", 20 * gib, 512 * mib, 10 * mib, 60, "compact", 0, 64424509440},
		{"indexes larger than the data", 100 * gib, 10 * mib, 10 * mib, 10, "delete", 10241, 3221540044800},
		{"the last digit of a 64-bit number", 9007199254740993, gib, 10 * mib, 1, "delete", 8388609, 9183122209898497},
		{"segments of 300 MiB", gib, 300 * mib, 10 * mib, 3, "delete", 4, 4416602112},
		{"retention of two segments", 100 * mib, 50 * mib, 10 * mib, 2, "delete", 3, 440401920},
		{"fifteen partitions of 3.5 GiB", 3758096384, 512 * mib, 10 * mib, 15, "delete", 8, 66941091840},
	} {
		// Replicas do not count here, so a wrong multiplication would show.
		got, err := reservation.Of(reservation.EventStreams, topic(c.partitions, 3, c.retention, c.segment, c.index, c.policy))
		if err != nil || got.ReservedBytes != c.want || got.Segments != c.segments || got.Unbounded {
			t.Errorf("%s: %+v, %v; want %d bytes in %d segments", c.name, got, err, c.want, c.segments)
		}
		onKafka, err := reservation.Of(reservation.Kafka, topic(c.partitions, 3, c.retention, c.segment, c.index, c.policy))
		if want := 3 * c.want; err != nil || onKafka.ReservedBytes != want || onKafka.Copies != 3 {
			t.Errorf("%s with three counted replicas: %d, %v; want %d", c.name, onKafka.ReservedBytes, err, want)
		}
	}
}

// A platform's constants serve where no broker is asked, so the same topic
// without sizes differs between platforms.
func TestDefaults_DifferByPlatform(t *testing.T) {
	t.Parallel()
	for platform, want := range map[reservation.Platform]int64{reservation.Kafka: 2094713344, reservation.EventStreams: 1578813952} {
		settings := topicconfig.Settings{"cleanup.policy": "compact,delete", "retention.bytes": "1000000000"}.Over(platform.Defaults())
		got, err := reservation.Of(platform, reservation.Topic{Partitions: 1, ReplicationFactor: 1, Settings: settings})
		if err != nil || got.ReservedBytes != want {
			t.Errorf("%s: %d, %v; want %d", platform, got.ReservedBytes, err, want)
		}
	}
}

// Unbounded is a state: no number may come out of -1.
func TestOf_UnboundedIsNeverANumber(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]reservation.Topic{
		"minus one":                     topic(3, 3, -1, gib, mib, "delete"),
		"any negative":                  topic(3, 3, -5, gib, mib, "compact,delete"),
		"nothing is ever deleted":       topic(3, 3, gib, gib, mib, ""),
		"Kafka's defaults":              {Partitions: 1, ReplicationFactor: 1, Settings: topicconfig.KafkaDefaults()},
		"negative and without a policy": topic(1, 1, -1, gib, mib, " , "),
	} {
		got, err := reservation.Of(reservation.Kafka, in)
		if err != nil || !got.Unbounded || got.ReservedBytes != 0 || got.PerPartitionBytes != 0 || !got.Amount().IsUnbounded() {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if !strings.HasPrefix(got.String(), "unbounded") {
			t.Errorf("%s reads %q", name, got)
		}
	}
	compact, err := reservation.Of(reservation.Kafka, topic(1, 1, -1, gib, mib, "compact"))
	if err != nil || compact.Unbounded || compact.ReservedBytes != gib {
		t.Errorf("compact bounds itself: %+v, %v", compact, err)
	}
}

// Beyond 63 bits an exact refusal, never a wrap.
func TestOf_BeyondSixtyThreeBitsIsAnError(t *testing.T) {
	t.Parallel()
	var tooLarge *reservation.TooLargeError
	_, err := reservation.Of(reservation.Kafka, topic(1, 1, math.MaxInt64, gib, 10*mib, "delete"))
	if !errors.As(err, &tooLarge) {
		t.Fatalf("one partition of 2^63-1 bytes: %v", err)
	}
	_, err = reservation.Of(reservation.Kafka, topic(9000, 3, 2*tib*200, gib, 10*mib, "delete"))
	if !errors.As(err, &tooLarge) || tooLarge.Bytes.Cmp(big.NewInt(math.MaxInt64)) <= 0 {
		t.Fatalf("9000 partitions of 400 TiB: %v", err)
	}
	_, err = reservation.Of(reservation.Kafka, topic(math.MaxInt32, 3, -1, 1, math.MaxInt32, "compact"))
	if err != nil {
		t.Fatalf("2^31-1 compacted partitions still fit: %v", err)
	}
}

// Input that would divide by zero or count backwards is named.
func TestOf_RefusesWhatCannotBeCounted(t *testing.T) {
	t.Parallel()
	for want, in := range map[string]reservation.Topic{
		"partitions must be at least 1":         topic(0, 1, gib, gib, mib, "delete"),
		"replication_factor must be at least 1": topic(1, 0, gib, gib, mib, "delete"),
		"segment.bytes":                         topic(1, 1, gib, 0, mib, "delete"),
		"segment.index.bytes":                   topic(1, 1, gib, gib, -1, "delete"),
		"cleanup.policy":                        topic(1, 1, gib, gib, mib, "Compact"),
		"retention.bytes":                       {Partitions: 1, ReplicationFactor: 1, Settings: topicconfig.Settings{"cleanup.policy": "delete", "retention.bytes": "x"}},
	} {
		if _, err := reservation.Of(reservation.Kafka, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	if _, err := reservation.Of(reservation.EventStreams, topic(1, 0, gib, gib, mib, "delete")); err != nil {
		t.Errorf("replicas are not looked at where they do not count: %v", err)
	}
}

// The reader of a plan must be able to check the number by hand.
func TestString_IsTheFormulaWithItsNumbers(t *testing.T) {
	t.Parallel()
	for want, in := range map[string]reservation.Topic{
		"3 partitions × 2 replicas × (retention.bytes 1073741824 + segment.bytes 536870912 + 2 × segment.index.bytes 10485760 × 3 segments) = 10041163776 bytes (9.3 GiB)": topic(3, 2, gib, 512*mib, 10*mib, "delete"),
		"1 partition × 1073741824 (cleanup.policy compact) = 1073741824 bytes (1.0 GiB)":                                                                                   topic(1, 1, gib, 512*mib, 10*mib, "compact"),
	} {
		got, err := reservation.Of(reservation.Kafka, in)
		if err != nil || got.String() != want {
			t.Errorf("reads %q, %v; want %q", got, err, want)
		}
	}
}

// genTopic draws settings of every size, not only round ones.
func genTopic(t *rapid.T) reservation.Topic {
	size := func(name string, least, most int64) int64 {
		return max(least, rapid.Int64Range(least, most).Draw(t, name)>>rapid.IntRange(0, 40).Draw(t, name+" shift"))
	}
	policy := rapid.SampledFrom([]string{"delete", "delete", "compact", "compact,delete", "delete, compact", " delete,compact "}).Draw(t, "policy")
	return topic(rapid.Int64Range(1, 5000).Draw(t, "partitions"), rapid.Int64Range(1, 5).Draw(t, "replicas"),
		size("retention", 0, 1<<45), size("segment", 1, math.MaxInt32), size("index", 4, math.MaxInt32), policy)
}

// Parts add up to the whole, nothing is negative, and more partitions or more
// retention never reserve less.
func TestOf_PartsSumToTheWholeAndGrowthIsMonotone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		platform := rapid.SampledFrom(reservation.Platforms()).Draw(t, "platform")
		in := genTopic(t)
		r, err := reservation.Of(platform, in)
		var tooLarge *reservation.TooLargeError
		if errors.As(err, &tooLarge) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.RetentionBytes+r.SegmentBytes+r.IndexBytes != r.PerPartitionBytes || r.PerPartitionBytes*r.Partitions*r.Copies != r.ReservedBytes {
			t.Fatalf("parts do not add up: %+v", r)
		}
		if min(r.RetentionBytes, r.SegmentBytes, r.IndexBytes, r.PerPartitionBytes, r.ReservedBytes, r.Segments) < 0 {
			t.Fatalf("a negative part: %+v", r)
		}
		more := in
		more.Partitions++
		retention, _ := in.Settings.Integer(topicconfig.RetentionBytes)
		longer := in
		longer.Settings = topicconfig.Settings{topicconfig.RetentionBytes: strconv.FormatInt(retention+rapid.Int64Range(1, gib).Draw(t, "more"), 10)}.Over(in.Settings)
		for _, grown := range []reservation.Topic{more, longer} {
			if g, err := reservation.Of(platform, grown); err == nil && g.ReservedBytes < r.ReservedBytes {
				t.Fatalf("%+v reserves less than %+v", g, r)
			}
		}
		spelled := in
		spelled.Settings = topicconfig.Settings{}
		for key, value := range in.Settings {
			if normal, err := topicconfig.Normalize(key, value); err == nil {
				spelled.Settings[key] = normal
			}
		}
		if s, err := reservation.Of(platform, spelled); err != nil || s.ReservedBytes != r.ReservedBytes {
			t.Fatalf("the spelling changed the number: %d, %v; want %d", s.ReservedBytes, err, r.ReservedBytes)
		}
	})
}

// What a message says would fit must fit exactly: it does, and one more does not.
func TestFit_TheMostThatFitsAndNoMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		platform := rapid.SampledFrom(reservation.Platforms()).Draw(t, "platform")
		in := genTopic(t)
		budget := big.NewInt(rapid.Int64Range(-1, 1<<50).Draw(t, "budget"))
		within := func(in reservation.Topic) bool {
			r, err := reservation.Of(platform, in)
			return err == nil && big.NewInt(r.ReservedBytes).Cmp(budget) <= 0
		}
		partitions := reservation.FitPartitions(platform, in, budget)
		fitting, one := in, in
		fitting.Partitions, one.Partitions = partitions, partitions+1
		if partitions > 0 && !within(fitting) || partitions < math.MaxInt32 && within(one) {
			t.Fatalf("%d partitions are not the most that fit %s", partitions, budget)
		}
		_, retention, ok := reservation.FitRetention(platform, in, budget)
		with := func(bytes int64) reservation.Topic {
			changed := in
			changed.Settings = topicconfig.Settings{topicconfig.RetentionBytes: strconv.FormatInt(bytes, 10)}.Over(in.Settings)
			return changed
		}
		policy, _ := in.Settings.Policy()
		switch {
		case !policy.Delete && ok:
			t.Fatal("retention.bytes plays no part in a compacted topic")
		case ok && (!within(with(retention)) || within(with(retention+1))):
			t.Fatalf("retention.bytes %d is not the most that fits %s", retention, budget)
		case !ok && policy.Delete && within(with(0)):
			t.Fatal("retention.bytes 0 fits and was not found")
		}
	})
}

// A platform's name is written by people.
func TestParsePlatform_NamesTheChoices(t *testing.T) {
	t.Parallel()
	for _, platform := range reservation.Platforms() {
		if got, err := reservation.ParsePlatform(string(platform)); err != nil || got != platform {
			t.Errorf("%s: %v, %v", platform, got, err)
		}
	}
	if _, err := reservation.ParsePlatform("eventstreams"); err == nil || !strings.Contains(err.Error(), "\"event_streams\"") {
		t.Errorf("a wrong name must list the right ones: %v", err)
	}
	if reservation.EventStreams.LimitPercent() != 90 || reservation.Kafka.LimitPercent() != 85 {
		t.Error("limits: Event Streams 90 %, Kafka 85 %")
	}
}
