// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// drawn is a topic's settings as numbers, so that the oracle needs no parser.
type drawn struct {
	tiered, stopped                          bool
	totalMs, localMs, totalBytes, localBytes int64
	lagMs, lagBytes                          int64
}

// draw draws settings that are near each other more often than not.
func draw(t *rapid.T) drawn {
	near := rapid.SampledFrom([]int64{0, 1, 2, 999, 1000, 1001, 259199999, 259200000, 604800000, math.MaxInt64})
	total := func(name string, least int64) int64 {
		return rapid.OneOf(near, rapid.SampledFrom([]int64{-1, -1, least})).Draw(t, name)
	}
	local := func(name string) int64 {
		return rapid.OneOf(near, rapid.SampledFrom([]int64{-2, -2, -1})).Draw(t, name)
	}
	lag := rapid.SampledFrom([]int64{-1, 0, 0, 0, 1, 1000})
	return drawn{
		tiered: rapid.Bool().Draw(t, "tiered"), stopped: rapid.Bool().Draw(t, "stopped"),
		totalMs: total("retention.ms", -1), localMs: local("local.retention.ms"),
		totalBytes: total("retention.bytes", -9), localBytes: local("local.retention.bytes"),
		lagMs: lag.Draw(t, "lag ms"), lagBytes: lag.Draw(t, "lag bytes"),
	}
}

// settings writes the numbers down.
func (d drawn) settings() topicconfig.Settings {
	return topicconfig.Settings{
		"remote.storage.enable": strconv.FormatBool(d.tiered), "remote.log.copy.disable": strconv.FormatBool(d.stopped),
		"retention.ms": fmt.Sprint(d.totalMs), "local.retention.ms": fmt.Sprint(d.localMs),
		"retention.bytes": fmt.Sprint(d.totalBytes), "local.retention.bytes": fmt.Sprint(d.localBytes),
		"remote.copy.lag.ms": fmt.Sprint(d.lagMs), "remote.copy.lag.bytes": fmt.Sprint(d.lagBytes),
	}.Over(topicconfig.KafkaDefaults())
}

// kafkaTakes is Kafka's rule written a second time, as its validation walks: sizes,
// times, and what disabled copying asks for (LogConfig.java, Apache Kafka 4.4, without the
// copy lag).
func (d drawn) kafkaTakes() bool {
	if !d.tiered {
		return true
	}
	if d.totalBytes > -1 && d.localBytes != -2 {
		if d.localBytes == -1 || d.localBytes > d.totalBytes {
			return false
		}
	}
	if d.totalMs > -1 && d.localMs != -2 {
		if d.localMs == -1 || d.localMs > d.totalMs {
			return false
		}
	}
	if d.stopped {
		if d.localBytes != -2 && d.localBytes != d.totalBytes {
			return false
		}
		if d.localMs != -2 && d.localMs != d.totalMs {
			return false
		}
	}
	return true
}

// What Kafka refuses is refused, and nothing else.
func TestJudge_RefusesLocalRetentionExactlyWhereKafkaDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		tiering := on(rapid.SampledFrom([]string{"", "3.9", "4.0", "4.1", "4.4"}).Draw(t, "version"))
		refused := slices.ContainsFunc(tiering.Judge(topicconfig.TieredChange{After: d.settings()}), func(f topicconfig.Finding) bool {
			return f.Refused && (f.Rule == topicconfig.RuleLocalUnlimited || f.Rule == topicconfig.RuleLocalAboveTotal || f.Rule == topicconfig.RuleCopyDisabledLocal)
		})
		if refused == d.kafkaTakes() {
			t.Fatalf("%+v: refused %v", d, refused)
		}
	})
}

// A value is offered only if it works: with it the rule has nothing more to say, and no
// setting is refused that was not refused before.
func TestJudge_TheOfferedValueWorks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		after := d.settings()
		for _, choice := range [][]string{
			{"segment.bytes", "1", "14", "1048575", "1048576", "50331648", "2147483647"},
			{"segment.index.bytes", "4", "11", "12", "24", "1048576", "10485760"},
			{"index.interval.bytes", "0", "4096", "2147483647"},
			{"segment.ms", "1", "599999", "600000", "604800000"},
			{"cleanup.policy", "delete", "compact", "compact,delete", ""},
			{"message.timestamp.after.max.ms", "3600000", "9223372036854775807"},
		} {
			after[choice[0]] = rapid.SampledFrom(choice[1:]).Draw(t, choice[0])
		}
		tiering := on(rapid.SampledFrom([]string{"", "3.6", "3.9", "4.0", "4.1", "4.4"}).Draw(t, "version"))
		tiering.MSK = rapid.Bool().Draw(t, "msk")
		change := topicconfig.TieredChange{After: after, Overrides: func(string) bool { return true }}
		if tiering.Version.Before(4, 4) {
			change.Overrides = func(key string) bool { return key == "retention.ms" }
		}
		if rapid.Bool().Draw(t, "exists") {
			change.Before = draw(t).settings()
			change.MayDelete = rapid.Bool().Draw(t, "consent")
		}
		if touched := rapid.SampledFrom([]string{"", "retention.ms", "retention.bytes", "segment.bytes", "remote.log.copy.disable"}).Draw(t, "touched"); touched != "" {
			change.Touched = func(key string) bool { return key == touched }
		}
		findings := tiering.Judge(change)
		change.Touched = nil // what is offered has to do for every rule
		all := tiering.Judge(change)
		for _, f := range findings {
			if f.Near == "" {
				continue
			}
			cured, overrides := change, change.Overrides
			cured.Overrides = func(key string) bool { return key == f.Key || overrides(key) }
			cured.After = topicconfig.Settings{f.Key: f.Near}.Over(after)
			if (topicconfig.Settings{f.Key: f.Near}).Validate() != nil {
				t.Fatalf("%+v offers what no Kafka takes", f)
			}
			for _, g := range tiering.Judge(cured) {
				same := func(f topicconfig.Finding) bool { return f.Refused && (f.Key == g.Key || f.Other == g.Key) }
				if g.Rule == f.Rule && g.Key == f.Key && g.Other == f.Other || g.Refused && !slices.ContainsFunc(all, same) {
					t.Fatalf("%+v with %v: still %+v", f, after, g)
				}
			}
		}
	})
}

// Whatever the numbers, nothing wraps: what is counted is never negative, but for what has no end.
func TestJudge_NoNumberWraps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		wild := topicconfig.Settings{}
		for _, spec := range topicconfig.Specs() {
			switch spec.Type {
			case topicconfig.Int:
				wild[spec.Key] = fmt.Sprint(rapid.Int32().Draw(t, spec.Key))
			case topicconfig.Long:
				wild[spec.Key] = fmt.Sprint(rapid.Int64().Draw(t, spec.Key))
			case topicconfig.Bool:
				wild[spec.Key] = strconv.FormatBool(rapid.Bool().Draw(t, spec.Key))
			case topicconfig.Text, topicconfig.Double, topicconfig.List:
				wild[spec.Key] = spec.Default
			}
		}
		before := topicconfig.Settings{"remote.storage.enable": "true"}.Over(wild)
		for _, f := range on("4.4").Judge(topicconfig.TieredChange{Before: before, After: wild, MayDelete: true}) {
			if f.Number < topicconfig.Endless || f.Bytes < topicconfig.Endless {
				t.Fatalf("%+v", f)
			}
		}
	})
}
