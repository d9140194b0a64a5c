// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// Limits say which values a setting takes, of those that its type can read.
type Limits struct {
	// Least and Most bound a number; both are allowed.
	Least, Most int64
	// NotZero excludes 0 from the numbers between.
	NotZero bool
	// Words are the words that a text may be, or a list may consist of, exactly as
	// Kafka spells them. None: any text.
	Words []string
	// Filled says that a list may not be empty.
	Filled bool
	// Replicas says that a list consists of partition:broker, or is a single *.
	Replicas bool
}

// from is a number with a lower bound only.
func from(least int64) Limits {
	return Limits{Least: least, Most: math.MaxInt64}
}

// between is a number with both bounds.
func between(least, most int64) Limits {
	return Limits{Least: least, Most: most}
}

// limits hold what every Kafka refuses that has the setting, by LogConfig.java,
// BrokerCompressionType.java and CompressionType.java of Apache Kafka 4.4. Three bounds are
// wider than that version's own, because older brokers take more and the broker
// that is asked has the last word: segment.bytes (14 before 4.1, 1048576 since), flush.messages
// (0 before 4.0) and cleanup.policy with a word twice. retention.bytes has no
// bound: Kafka reads any negative number as none.
//
// One rule is narrower. Kafka takes an empty cleanup.policy in some versions (up to 4.0,
// and from 4.2 on, where it means to keep everything) and refuses it in 4.1: a
// policy that somebody forgot to fill in is caught here, and who wants to keep
// everything can say so with retention.ms and retention.bytes.
var limits = map[string]Limits{
	CleanupPolicy:                     {Words: []string{"delete", "compact"}, Filled: true},
	"compression.gzip.level":          {Least: -1, Most: 9, NotZero: true},
	"compression.lz4.level":           between(1, 17),
	"compression.type":                {Words: []string{"uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"}},
	"compression.zstd.level":          between(-131072, 22),
	"delete.retention.ms":             from(0),
	FileDeleteDelayMs:                 from(0),
	"flush.messages":                  from(0),
	"flush.ms":                        from(0),
	FollowerThrottledReplicas:         {Replicas: true},
	IndexIntervalBytes:                from(0),
	LeaderThrottledReplicas:           {Replicas: true},
	LocalRetentionBytes:               from(-2),
	LocalRetentionMs:                  from(-2),
	"max.compaction.lag.ms":           from(1),
	"max.decompressed.message.bytes":  between(1, 2147483639),
	MaxMessageBytes:                   from(0),
	MessageTimestampAfterMaxMs:        from(0),
	"message.timestamp.before.max.ms": from(0),
	MessageTimestampType:              {Words: []string{"CreateTime", "LogAppendTime"}},
	"min.cleanable.dirty.ratio":       between(0, 1),
	"min.compaction.lag.ms":           from(0),
	"min.insync.replicas":             from(1),
	RemoteCopyLagBytes:                from(-1),
	RemoteCopyLagMs:                   from(-1),
	RetentionMs:                       from(-1),
	SegmentBytes:                      from(14),
	SegmentIndexBytes:                 from(4),
	SegmentJitterMs:                   from(0),
	SegmentMs:                         from(1),
}

// IsUnlisted says that Kafka takes a setting which brokers list only where it is
// set (ConfigDef.defineInternal in LogConfig.java, Apache Kafka 4.4).
func IsUnlisted(key string) bool {
	return key == "internal.segment.bytes"
}

// LimitsOf returns what a key is held to; false where its type is the only rule.
func LimitsOf(key string) (Limits, bool) {
	found, ok := limits[key]
	return found, ok
}

// Validate checks every value: that its type can read it, and that no Kafka would
// refuse it. The errors come in the order of the keys. What is left to the broker
// are bounds that depend on its version, and rules between settings.
func (s Settings) Validate() []*InvalidError {
	var invalid []*InvalidError
	for _, key := range s.Keys() {
		spec, _ := SpecOf(key)
		held, _ := LimitsOf(key)
		if err := spec.check(held, s[key]); err != nil {
			invalid = append(invalid, err)
		}
	}
	return invalid
}

// CheckAs checks that a value can be read as the type that a cluster declares for
// the key.
func CheckAs(declared Type, key, value string) *InvalidError {
	return Spec{Key: key, Type: declared}.check(Limits{}, value)
}

// check reads a value as the setting's type and holds it against limits; zero
// limits hold nothing.
func (s Spec) check(held Limits, value string) *InvalidError {
	normal, err := s.normalize(value)
	if err != nil {
		invalid, _ := err.(*InvalidError) //nolint:errorlint // normalize returns no other
		return invalid
	}
	if !held.allow(s.Type, value, normal) {
		return held.invalid(s.Key, value)
	}
	return nil
}

// allow says whether a value, written and in normal form, keeps to the limits.
func (l Limits) allow(as Type, written, normal string) bool {
	switch {
	case as == Double && l.bounded():
		n, err := strconv.ParseFloat(normal, 64)
		return err == nil && n >= float64(l.Least) && n <= float64(l.Most)
	case l.bounded():
		n, err := strconv.ParseInt(normal, 10, 64)
		return err == nil && n >= l.Least && n <= l.Most && (n != 0 || !l.NotZero)
	case as == List:
		return l.allowList(written)
	}
	return len(l.Words) == 0 || slices.Contains(l.Words, normal)
}

// allowList judges a list item by item as it was written: Kafka refuses an item
// that is empty, as after a trailing comma.
func (l Limits) allowList(written string) bool {
	if strings.TrimSpace(written) == "" {
		return !l.Filled
	}
	items := strings.Split(written, ",")
	for _, item := range items {
		item = strings.TrimSpace(item)
		switch {
		case len(l.Words) > 0 && !slices.Contains(l.Words, item):
			return false
		case l.Replicas && !isReplica(item) && (item != "*" || len(items) > 1):
			return false
		}
	}
	return true
}

// isReplica says whether a text is partition:broker.
func isReplica(text string) bool {
	partition, broker, two := strings.Cut(text, ":")
	return two && isDigits(partition) && isDigits(broker)
}

// isDigits says whether a text consists of decimal digits.
func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// bounded says that the limits are about a number.
func (l Limits) bounded() bool {
	return l.Least != 0 || l.Most != 0
}

// invalid words a value outside the limits.
func (l Limits) invalid(key, value string) *InvalidError {
	return &InvalidError{Key: key, Value: value, Want: l.want(key), Near: nearestWords(value, l.Words)}
}

// want completes the sentence "must be …".
func (l Limits) want(key string) string {
	switch {
	case key == CleanupPolicy:
		return "delete, compact, or both separated by a comma"
	case l.Replicas:
		return "*, or a list of partition:broker such as 0:1,1:2"
	case len(l.Words) > 0:
		return "one of " + strings.Join(l.Words, ", ")
	case l.NotZero:
		return fmt.Sprintf("%d, or from 1 to %d", l.Least, l.Most)
	case l.Most == math.MaxInt64:
		return "at least " + amountOf(key, l.Least)
	}
	return "from " + amountOf(key, l.Least) + " to " + amountOf(key, l.Most)
}

// amountOf prints a bound, with a readable unit beside large numbers of bytes.
func amountOf(key string, n int64) string {
	text := strconv.FormatInt(n, 10)
	readable := units.FormatBytes(n)
	if !strings.HasSuffix(key, ".bytes") || n < 1<<10 || strings.HasSuffix(readable, " B") {
		return text
	}
	return text + " (" + readable + ")"
}
