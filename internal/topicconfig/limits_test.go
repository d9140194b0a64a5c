// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A value that no Kafka takes is refused before anything is asked, with what would
// be right, and the value beside it that Kafka takes passes. The bounds are those
// of LogConfig.java and CompressionType.java of Apache Kafka 4.4, typed off by hand.
func TestValidate_RefusesWhatNoKafkaTakesAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, allowed, refused, want string }{
		{"compression.gzip.level", "-1", "0", "-1, or from 1 to 9"},
		{"compression.gzip.level", "9", "10", "-1, or from 1 to 9"},
		{"compression.lz4.level", "1", "0", "from 1 to 17"},
		{"compression.lz4.level", "17", "18", "from 1 to 17"},
		{"compression.zstd.level", "-131072", "-131073", "from -131072 to 22"},
		{"compression.zstd.level", "22", "23", "from -131072 to 22"},
		{"delete.retention.ms", "0", "-1", "at least 0"},
		{"file.delete.delay.ms", "0", "-1", "at least 0"},
		{"flush.messages", "1", "-1", "at least 0"},
		{"flush.ms", "0", "-1", "at least 0"},
		{"index.interval.bytes", "0", "-1", "at least 0"},
		{"local.retention.bytes", "-2", "-3", "at least -2"},
		{"local.retention.ms", "-2", "-3", "at least -2"},
		{"max.compaction.lag.ms", "1", "0", "at least 1"},
		{"max.decompressed.message.bytes", "1", "0", "from 1 to 2147483639"},
		{"max.decompressed.message.bytes", "2147483639", "2147483640", "from 1 to 2147483639"},
		{"max.message.bytes", "0", "-1", "at least 0"},
		{"message.timestamp.after.max.ms", "0", "-1", "at least 0"},
		{"message.timestamp.before.max.ms", "0", "-1", "at least 0"},
		{"min.cleanable.dirty.ratio", "0", "-0.01", "from 0 to 1"},
		{"min.cleanable.dirty.ratio", "1.0", "1.01", "from 0 to 1"},
		{"min.compaction.lag.ms", "0", "-1", "at least 0"},
		{"min.insync.replicas", "1", "0", "at least 1"},
		{"remote.copy.lag.bytes", "-1", "-2", "at least -1"},
		{"remote.copy.lag.ms", "-1", "-2", "at least -1"},
		{"retention.bytes", "-9223372036854775808", "-9223372036854775809", "whole number from"},
		{"retention.ms", "-1", "-2", "at least -1"},
		{"retention.ms", "9223372036854775807", "9223372036854775808", "whole number from"},
		{"segment.bytes", "14", "13", "at least 14"},
		{"segment.index.bytes", "4", "3", "at least 4"},
		{"segment.jitter.ms", "0", "-1", "at least 0"},
		{"segment.ms", "1", "0", "at least 1"},
		{"compression.type", "uncompressed", "none", "uncompressed, zstd, lz4, snappy, gzip, producer"},
		{"compression.type", " zstd ", "ZSTD", `did you mean "zstd"?`},
		{"message.timestamp.type", "LogAppendTime", "logappendtime", `did you mean "LogAppendTime"?`},
		{"preallocate", "False", "0", "true or false"},
		{"remote.storage.enable", "true", "yes", "true or false"},
		{"cleanup.policy", "compact", "Compact", `did you mean "compact"?`},
		{"cleanup.policy", "compact,compact,delete", "compact;delete", `did you mean "delete,compact"?`},
		{"cleanup.policy", "delete, compact", "CLEANUP_POLICY_COMPACT", "delete, compact, or both separated by a comma"},
		{"cleanup.policy", "delete", "delete,", "delete, compact, or both separated by a comma"},
		{"cleanup.policy", "delete", " ", "delete, compact, or both separated by a comma"},
		{"leader.replication.throttled.replicas", "0:1,1:2", "0", "partition:broker"},
		{"leader.replication.throttled.replicas", "*", "*,0:1", "partition:broker"},
		{"follower.replication.throttled.replicas", "", "none", "partition:broker"},
	} {
		if errs := (topicconfig.Settings{c.key: c.allowed}).Validate(); len(errs) != 0 {
			t.Errorf("%s = %q is refused: %v", c.key, c.allowed, errs)
		}
		errs := topicconfig.Settings{c.key: c.refused}.Validate()
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want) || !strings.Contains(errs[0].Error(), strconv.Quote(c.refused)) {
			t.Errorf("%s = %q: %v, want one error with %q", c.key, c.refused, errs, c.want)
		}
	}
}

// Every setting of the table is judged by a bound, by words, or by its type alone;
// whichever it is, Kafka's own default passes.
func TestValidate_TakesEveryDefault(t *testing.T) {
	t.Parallel()
	if errs := topicconfig.KafkaDefaults().Validate(); len(errs) != 0 {
		t.Error(errs)
	}
}

// A bound is a bound for all numbers: what is inside passes, what is outside does not.
func TestValidate_BoundsHoldForAllNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(topicconfig.Specs()).Draw(t, "spec")
		held, bounded := topicconfig.LimitsOf(spec.Key)
		if !bounded || spec.Type != topicconfig.Int && spec.Type != topicconfig.Long {
			t.Skip("not a bounded whole number")
		}
		n := rapid.Int64().Draw(t, "n")
		least, most := held.Least, held.Most
		if spec.Type == topicconfig.Int {
			most = min(most, math.MaxInt32)
		}
		inside := n >= least && n <= most && (n != 0 || !held.NotZero)
		if errs := (topicconfig.Settings{spec.Key: fmt.Sprint(n)}).Validate(); inside != (len(errs) == 0) {
			t.Fatalf("%s = %d: inside %v, %v", spec.Key, n, inside, errs)
		}
	})
}

// A cluster's own type for a key is what its values are read as.
func TestCheckAs_ReadsAsTheClusterDeclares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		as             topicconfig.Type
		right, wrong   string
		same, notQuite string
	}{
		{topicconfig.Bool, "true", "yes", " TRUE", "false"},
		{topicconfig.Int, "5", "5000000000", "05", "6"},
		{topicconfig.Long, "5000000000", "much", " 5000000000", "5000000001"},
		{topicconfig.Double, "0.5", "half", "0.50", "0.51"},
		{topicconfig.List, "a,b", "", "a, b", "b,a"},
		{topicconfig.Text, "x", "", " x", "X"},
	} {
		if err := topicconfig.CheckAs(c.as, "vendor.key", c.right); err != nil {
			t.Errorf("%q: %v", c.right, err)
		}
		if err := topicconfig.CheckAs(c.as, "vendor.key", c.wrong); c.wrong != "" && (err == nil || err.Key != "vendor.key") {
			t.Errorf("%q is taken", c.wrong)
		}
		if !topicconfig.EqualAs(c.as, "vendor.key", c.right, c.same) || topicconfig.EqualAs(c.as, "vendor.key", c.right, c.notQuite) {
			t.Errorf("%q must equal %q and not %q", c.right, c.same, c.notQuite)
		}
	}
}

// A service takes less than Kafka. Ranges: the FAQ of IBM Event Streams, in binary
// units; 5 minutes are 300000 ms, 30 days 2592000000 ms.
func TestEventStreamsRules_KeysAndRanges(t *testing.T) {
	t.Parallel()
	rules := topicconfig.EventStreamsRules()
	want := []string{"cleanup.policy", "message.audit.enable", "retention.bytes", "retention.ms", "segment.bytes", "segment.index.bytes", "segment.ms"}
	if diff := cmp.Diff(want, rules.Keys()); diff != "" {
		t.Error(diff)
	}
	if rules.MaxName != 200 || rules.ReplicationFactor != 3 || rules.Allows("max.message.bytes") || rules.Allows("remote.storage.enable") {
		t.Errorf("%+v", rules)
	}
	for _, c := range []struct{ key, allowed, refused string }{
		{"retention.bytes", "102400", "102399"},
		{"retention.bytes", "2199023255552", "2199023255553"},
		{"retention.bytes", "1073741824", "-1"},
		{"segment.bytes", "102400", "102399"},
		{"segment.bytes", "2147483647", "2147483648"},
		{"segment.index.bytes", "102400", "102399"},
		{"segment.index.bytes", "1073741824", "1073741825"},
		{"segment.ms", "300000", "299999"},
		{"segment.ms", "2592000000", "2592000001"},
		{"retention.ms", "-1", "-2"},
		{"cleanup.policy", "compact,delete", "Compact"},
		{"message.audit.enable", "true", "on"},
	} {
		if err := rules.Check(c.key, c.allowed); err != nil {
			t.Errorf("%s = %s is refused: %v", c.key, c.allowed, err)
		}
		if rules.Check(c.key, c.refused) == nil {
			t.Errorf("%s = %s is taken", c.key, c.refused)
		}
	}
	for n, fits := range map[int64]bool{102399: false, 102400: true, 1 << 41: true, 1 << 50: true} {
		fit, ok := rules.Fit("retention.bytes", n)
		if ok != fits || ok && (fit > n || rules.Check("retention.bytes", fmt.Sprint(fit)) != nil) {
			t.Errorf("Fit(%d) = %d, %v", n, fit, ok)
		}
	}
}

// Express brokers give topics no say in segments, indexes and tiers. Keys and the
// 7 days (604800000 ms): MSK Developer Guide, read and write configurations.
func TestMSKExpressRules_KeysAndRanges(t *testing.T) {
	t.Parallel()
	rules := topicconfig.MSKExpressRules()
	want := []string{
		"cleanup.policy", "compression.type", "delete.retention.ms", "max.compaction.lag.ms", "max.message.bytes",
		"message.timestamp.after.max.ms", "message.timestamp.before.max.ms", "message.timestamp.type",
		"min.compaction.lag.ms", "retention.bytes", "retention.ms",
	}
	if diff := cmp.Diff(want, rules.Keys()); diff != "" {
		t.Error(diff)
	}
	if rules.MaxName != 249 || rules.ReplicationFactor != 3 {
		t.Errorf("%+v", rules)
	}
	for _, key := range append(topicconfig.TieredKeys(), "segment.bytes", "segment.ms", "segment.index.bytes", "min.insync.replicas") {
		if rules.Allows(key) {
			t.Errorf("%s is allowed", key)
		}
	}
	for _, c := range []struct{ key, allowed, refused string }{
		{"max.compaction.lag.ms", "604800000", "604799999"},
		{"retention.bytes", "-1", "much"},
		{"retention.ms", "0", "-2"},
		{"cleanup.policy", "compact", "none"},
		{"message.timestamp.type", "LogAppendTime", "append"},
	} {
		if err := rules.Check(c.key, c.allowed); err != nil {
			t.Errorf("%s = %s is refused: %v", c.key, c.allowed, err)
		}
		if rules.Check(c.key, c.refused) == nil {
			t.Errorf("%s = %s is taken", c.key, c.refused)
		}
	}
	if fit, ok := rules.Fit("retention.bytes", 12345); !ok || fit != 12345 {
		t.Errorf("retention.bytes has no range, and fits %d, %v", fit, ok)
	}
	if _, ok := rules.Fit("local.retention.bytes", 12345); ok {
		t.Error("what is not allowed fits nothing")
	}
}
