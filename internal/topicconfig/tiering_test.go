// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

const dayMs = 24 * 60 * 60 * 1000

// settings reads "key=value key=value" over Kafka's defaults.
func settings(text string) topicconfig.Settings {
	return overrides(text).Over(topicconfig.KafkaDefaults())
}

// overrides reads the text alone.
func overrides(text string) topicconfig.Settings {
	own := topicconfig.Settings{}
	for field := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(field, "=")
		own[key] = value
	}
	return own
}

// change is a change from one set of overrides to another, with its own overrides
// known and every key touched.
func change(before, after string) topicconfig.TieredChange {
	own := overrides(after)
	c := topicconfig.TieredChange{After: settings(after), Overrides: func(key string) bool { _, has := own[key]; return has }}
	if before != "" {
		c.Before = settings(before)
	}
	return c
}

// on is a cluster that tiers.
func on(version string) topicconfig.Tiering {
	v, err := topicconfig.ParseVersion(version)
	if err != nil {
		panic(err)
	}
	return topicconfig.Tiering{Version: v, System: topicconfig.SupportOn}
}

// about returns what one rule says of a key.
func about(findings []topicconfig.Finding, rule topicconfig.Rule, key string) *topicconfig.Finding {
	for _, f := range findings {
		if f.Rule == rule && f.Key == key {
			return &f
		}
	}
	return nil
}

// boundary is a rule on both sides of its boundary.
type boundary struct {
	rule           topicconfig.Rule
	key            string
	refused        bool
	before         string // overrides now
	speaks, silent string // overrides planned
	near           string
	number         int64
	version        string
	msk            bool
}

// hold checks the boundaries.
func hold(t *testing.T, all []boundary) {
	t.Helper()
	for _, b := range all {
		name := fmt.Sprintf("%s of %s, %q", b.rule, b.key, b.speaks)
		tiering := on(b.version)
		tiering.MSK = b.msk
		got := about(tiering.Judge(change(b.before, b.speaks)), b.rule, b.key)
		if got == nil {
			t.Errorf("%s: says nothing", name)
			continue
		}
		if got.Refused != b.refused || got.Near != b.near || got.Number != b.number {
			t.Errorf("%s: %+v, want refused %v, near %q, number %d", name, *got, b.refused, b.near, b.number)
		}
		if got := about(tiering.Judge(change(b.before, b.silent)), b.rule, b.key); got != nil {
			t.Errorf("%s: speaks of %q: %+v", name, b.silent, *got)
		}
	}
}

const tiered = "remote.storage.enable=true "

// Kafka's own refusals: LogConfig.java of Apache Kafka 4.4, and of the version named.
func TestJudge_RefusesWhatKafkaRefuses(t *testing.T) {
	t.Parallel()
	hold(t, []boundary{
		{rule: topicconfig.RuleTieredCompact, key: "cleanup.policy", refused: true, speaks: tiered + "cleanup.policy=compact", silent: tiered + "cleanup.policy=delete", near: "delete"},
		{rule: topicconfig.RuleTieredCompact, key: "cleanup.policy", refused: true, speaks: tiered + "cleanup.policy=delete,compact", silent: "cleanup.policy=compact", near: "delete"},
		{rule: topicconfig.RuleTieredEmptyPolicy, key: "cleanup.policy", refused: true, speaks: tiered + "cleanup.policy=", silent: tiered, near: "delete", version: "4.1"},
		{rule: topicconfig.RuleTieredEmptyPolicy, key: "cleanup.policy", speaks: tiered + "cleanup.policy=", silent: "cleanup.policy=", near: "delete", version: "4.2"},
		{rule: topicconfig.RuleTieredEmptyPolicy, key: "cleanup.policy", speaks: tiered + "cleanup.policy=", silent: tiered, near: "delete", version: "4.0"},
		{rule: topicconfig.RuleSegmentTooSmall, key: "segment.bytes", refused: true, speaks: "segment.bytes=1048575", silent: "segment.bytes=1048576", near: "1048576", version: "4.1"},
		{rule: topicconfig.RuleSegmentTooSmall, key: "segment.bytes", speaks: "segment.bytes=1048575", silent: "segment.bytes=1048576", near: "1048576", version: "4.0"},
		{rule: topicconfig.RuleSegmentTooSmall, key: "segment.bytes", refused: true, speaks: "segment.bytes=13", silent: "segment.bytes=14", near: "14", version: "3.9"},
		{rule: topicconfig.RuleSegmentTooSmall, key: "segment.bytes", refused: true, speaks: "segment.bytes=13", silent: "segment.bytes=14", near: "1048576"},
		{rule: topicconfig.RuleLocalUnlimited, key: "local.retention.ms", refused: true, speaks: tiered + "local.retention.ms=-1", silent: tiered + "local.retention.ms=-1 retention.ms=-1", near: "-2"},
		{rule: topicconfig.RuleLocalUnlimited, key: "local.retention.bytes", refused: true, speaks: tiered + "local.retention.bytes=-1 retention.bytes=0", silent: tiered + "local.retention.bytes=-1", near: "-2"},
		{rule: topicconfig.RuleLocalAboveTotal, key: "local.retention.ms", refused: true, speaks: tiered + "local.retention.ms=604800001", silent: tiered + "local.retention.ms=604800000", near: "604800000"},
		{rule: topicconfig.RuleLocalAboveTotal, key: "local.retention.bytes", refused: true, speaks: tiered + "local.retention.bytes=2 retention.bytes=1", silent: tiered + "local.retention.bytes=2 retention.bytes=2", near: "1"},
		{rule: topicconfig.RuleLocalAboveTotal, key: "local.retention.bytes", refused: true, speaks: tiered + "local.retention.bytes=1 retention.bytes=0", silent: tiered + "local.retention.bytes=1 retention.bytes=-7", near: "0"},
		{rule: topicconfig.RuleLocalAboveTotal, key: "local.retention.ms", refused: true, speaks: tiered + "local.retention.ms=2 retention.ms=1", silent: "local.retention.ms=2 retention.ms=1", near: "1"},
		{rule: topicconfig.RuleCopyDisabledLocal, key: "local.retention.ms", refused: true, speaks: tiered + "remote.log.copy.disable=true local.retention.ms=1000", silent: tiered + "remote.log.copy.disable=true local.retention.ms=604800000", near: "-2"},
		{rule: topicconfig.RuleCopyDisabledLocal, key: "local.retention.bytes", refused: true, speaks: tiered + "remote.log.copy.disable=true local.retention.bytes=1000", silent: tiered + "remote.log.copy.disable=true local.retention.bytes=-1", near: "-2"},
		{rule: topicconfig.RuleCopyDisabledLocal, key: "local.retention.bytes", refused: true, speaks: tiered + "remote.log.copy.disable=true local.retention.bytes=-1 retention.bytes=-5", silent: tiered + "local.retention.bytes=-1 retention.bytes=-5", near: "-2"},
		{rule: topicconfig.RuleCopyLagAboveLocal, key: "remote.copy.lag.ms", refused: true, speaks: tiered + "local.retention.ms=1000 remote.copy.lag.ms=1001", silent: tiered + "local.retention.ms=1000 remote.copy.lag.ms=1000", near: "1000", version: "4.4"},
		{rule: topicconfig.RuleCopyLagAboveLocal, key: "remote.copy.lag.ms", refused: true, speaks: tiered + "remote.copy.lag.ms=604800001", silent: tiered + "remote.copy.lag.ms=604800000", near: "604800000"},
		{rule: topicconfig.RuleCopyLagAboveLocal, key: "remote.copy.lag.bytes", refused: true, speaks: tiered + "local.retention.bytes=0 remote.copy.lag.bytes=1", silent: tiered + "remote.copy.lag.bytes=1", near: "0", version: "4.4"},
		{rule: topicconfig.RuleKeyTooNew, key: "remote.log.copy.disable", refused: true, speaks: "remote.log.copy.disable=false", silent: tiered, version: "3.8"},
		{rule: topicconfig.RuleKeyTooNew, key: "remote.copy.lag.ms", refused: true, speaks: tiered + "remote.copy.lag.ms=0", silent: tiered + "remote.log.copy.disable=true", version: "4.3"},
		{rule: topicconfig.RuleDisableKeepsRemote, key: "remote.storage.enable", refused: true, before: tiered, speaks: "remote.storage.enable=false", silent: tiered + "retention.ms=1", near: "true", version: "3.9"},
		{rule: topicconfig.RuleDisableKeepsRemote, key: "remote.storage.enable", refused: true, before: tiered + "local.retention.ms=86400000", speaks: "retention.ms=1", silent: tiered, near: "true", number: 6 * dayMs},
		{rule: topicconfig.RuleIndexTooSmall, key: "segment.index.bytes", refused: true, speaks: "segment.index.bytes=11", silent: "segment.index.bytes=12", near: "3144984"},
	})
}

// Amazon MSK asks for more. 48 MiB are 50331648 bytes, 3 days 259200000 ms.
func TestJudge_RefusesWhatMSKRefuses(t *testing.T) {
	t.Parallel()
	const fine = tiered + "segment.bytes=50331648 segment.ms=600000 retention.ms=259200000 "
	if got := (topicconfig.Tiering{MSK: true, System: topicconfig.SupportOn}).Judge(change("", fine+"local.retention.ms=3600000")); len(got) != 0 && got[0].Refused {
		t.Errorf("the smallest settings are refused: %+v", got)
	}
	hold(t, []boundary{
		{rule: topicconfig.RuleMSKSegmentTooSmall, key: "segment.bytes", refused: true, speaks: tiered + "segment.bytes=50331647", silent: tiered + "segment.bytes=50331648", near: "50331648", msk: true},
		{rule: topicconfig.RuleMSKSegmentTooSmall, key: "segment.bytes", refused: true, speaks: tiered + "segment.bytes=1", silent: "segment.bytes=14", near: "50331648", msk: true},
		{rule: topicconfig.RuleMSKSegmentTooShort, key: "segment.ms", refused: true, speaks: tiered + "segment.ms=599999", silent: tiered + "segment.ms=600000", near: "600000", msk: true},
		{rule: topicconfig.RuleMSKRetentionTooShort, key: "retention.ms", refused: true, speaks: tiered + "retention.ms=259199999", silent: tiered + "retention.ms=259200000", near: "259200000", msk: true},
		{rule: topicconfig.RuleMSKRetentionTooShort, key: "retention.ms", refused: true, speaks: tiered + "retention.ms=0", silent: tiered + "retention.ms=-1", near: "259200000", msk: true},
		{rule: topicconfig.RuleMSKRetentionInherited, key: "retention.ms", refused: true, speaks: tiered, silent: fine, near: "604800000", msk: true},
		{rule: topicconfig.RuleLocalNotBelowTotal, key: "local.retention.ms", refused: true, speaks: fine + "local.retention.ms=259200000", silent: fine + "local.retention.ms=259199999", near: "259199999", msk: true},
		{rule: topicconfig.RuleLocalNotBelowTotal, key: "local.retention.bytes", refused: true, speaks: fine + "local.retention.bytes=0 retention.bytes=0", silent: fine + "local.retention.bytes=-2 retention.bytes=0", near: "-2", msk: true},
		{rule: topicconfig.RuleLocalUnlimited, key: "local.retention.ms", refused: true, speaks: fine + "local.retention.ms=-1", silent: fine + "local.retention.ms=-2", near: "-2", msk: true},
		{rule: topicconfig.RuleMSKPolicyFixed, key: "cleanup.policy", refused: true, before: tiered + "cleanup.policy=delete", speaks: "cleanup.policy=compact", silent: tiered + "cleanup.policy=delete,delete", near: "delete", msk: true},
		{rule: topicconfig.RuleTieredCompact, key: "cleanup.policy", refused: true, before: fine, speaks: fine + "cleanup.policy=compact", silent: fine, near: "delete", msk: true},
		{rule: topicconfig.RuleDisableKeepsRemote, key: "remote.storage.enable", refused: true, before: tiered, speaks: "retention.ms=-1", silent: fine, near: "true", version: "3.6", msk: true},
	})
	again := change("cleanup.policy=delete", fine)
	msk := topicconfig.Tiering{MSK: true}
	if about(msk.Judge(again), topicconfig.RuleMSKDisabledForEver, "remote.storage.enable") != nil {
		t.Error("a topic that was never switched off may be tiered")
	}
	again.WasDisabled = true
	if got := about(msk.Judge(again), topicconfig.RuleMSKDisabledForEver, "remote.storage.enable"); got == nil || !got.Refused {
		t.Errorf("switched off once is for ever: %+v", got)
	}
	if about(on("").Judge(again), topicconfig.RuleMSKDisabledForEver, "remote.storage.enable") != nil {
		t.Error("Kafka itself lets a topic be tiered again")
	}
}

// Advice, each on both sides of its boundary.
func TestJudge_AdvisesWhatWouldSurprise(t *testing.T) {
	t.Parallel()
	hold(t, []boundary{
		{rule: topicconfig.RuleNoLocalLimit, key: "local.retention.ms", speaks: tiered, silent: tiered + "local.retention.bytes=1"},
		{rule: topicconfig.RuleNoLocalLimit, key: "local.retention.ms", speaks: tiered, silent: tiered + "remote.log.copy.disable=true"},
		{rule: topicconfig.RuleFollowUnresolved, key: "local.retention.ms", speaks: tiered, silent: tiered + "local.retention.ms=1", near: "604800000", version: "3.8"},
		{rule: topicconfig.RuleFollowUnresolved, key: "local.retention.bytes", speaks: tiered + "retention.bytes=9", silent: tiered, near: "9", version: "3.6"},
		{rule: topicconfig.RuleIdleSegmentStays, key: "remote.storage.enable", speaks: tiered, silent: "local.retention.ms=1", version: "3.6"},
		{rule: topicconfig.RuleLocalBelowCheck, key: "local.retention.ms", speaks: tiered + "local.retention.ms=299999", silent: tiered + "local.retention.ms=300000", near: "300000", number: 300000, version: "3.7"},
		{rule: topicconfig.RuleLocalBelowCheck, key: "local.retention.ms", speaks: tiered + "local.retention.ms=5 retention.ms=9", silent: tiered + "local.retention.ms=-2 retention.ms=9", number: 300000},
		{rule: topicconfig.RuleLocalBelowCheck, key: "local.retention.bytes", speaks: tiered + "local.retention.bytes=0", silent: tiered + "local.retention.bytes=1", near: "1073741824", number: 1073741824},
		{rule: topicconfig.RuleLocalBelowSegment, key: "local.retention.bytes", speaks: tiered + "local.retention.bytes=1073741823", silent: tiered + "local.retention.bytes=1073741824", near: "1073741824", number: 1073741824},
		{rule: topicconfig.RuleSegmentOutlivesLimit, key: "segment.ms", speaks: tiered + "local.retention.ms=86400000", silent: tiered + "local.retention.ms=86400000 segment.ms=86400000", near: "86400000", number: 6 * dayMs},
		{rule: topicconfig.RuleSegmentOutlivesLimit, key: "segment.ms", speaks: "retention.ms=604799999", silent: "retention.ms=604800000", near: "604799999", number: 1},
		{rule: topicconfig.RuleSegmentOutlivesLimit, key: "segment.ms", speaks: "retention.ms=0", silent: "retention.ms=0 cleanup.policy=compact", number: 7 * dayMs},
		{rule: topicconfig.RuleSegmentOutlivesLimit, key: "segment.ms", speaks: tiered + "local.retention.ms=5 retention.ms=6 remote.log.copy.disable=true", silent: tiered + "retention.ms=-1 remote.log.copy.disable=true", near: "6", number: 7*dayMs - 6},
		{rule: topicconfig.RuleMessageAboveSegment, key: "max.message.bytes", speaks: "segment.bytes=1048587", silent: "segment.bytes=1048588", near: "1048587", number: 1048587},
		{rule: topicconfig.RuleLocalUnused, key: "local.retention.ms", speaks: "local.retention.ms=604800001", silent: "local.retention.ms=604800000", near: "604800000"},
		{rule: topicconfig.RuleLocalUnused, key: "local.retention.bytes", speaks: "local.retention.bytes=-1 retention.bytes=5", silent: "local.retention.bytes=-1", near: "5"},
		{rule: topicconfig.RuleTotalBelowSegment, key: "retention.bytes", speaks: "retention.bytes=1073741823", silent: "retention.bytes=1073741824", near: "1073741824", number: 2147483646},
		{rule: topicconfig.RuleTotalBelowSegment, key: "retention.bytes", speaks: "retention.bytes=0", silent: "retention.bytes=-1", near: "1073741824", number: 1073741823},
		{rule: topicconfig.RuleRemoteUnbounded, key: "retention.ms", speaks: tiered + "retention.ms=-1", silent: tiered + "retention.ms=-1 retention.bytes=5"},
		{rule: topicconfig.RuleFutureTimestamps, key: "message.timestamp.after.max.ms", speaks: "message.timestamp.after.max.ms=31536000001", silent: "message.timestamp.after.max.ms=31536000000", near: "3600000", number: 31536000001},
		{rule: topicconfig.RuleFutureTimestamps, key: "message.timestamp.after.max.ms", speaks: tiered + "message.timestamp.after.max.ms=9223372036854775807 retention.ms=-1", silent: "message.timestamp.after.max.ms=9223372036854775807 retention.ms=-1", near: "3600000", number: 9223372036854775807},
		{rule: topicconfig.RuleFutureTimestamps, key: "message.timestamp.after.max.ms", speaks: "message.timestamp.after.max.ms=31536000001", silent: "message.timestamp.after.max.ms=31536000001 message.timestamp.type=LogAppendTime", near: "3600000", number: 31536000001},
		// 1 MiB holds 87381 entries; 87380 of them, each for 4097 bytes, are 357995860.
		{rule: topicconfig.RuleIndexEndsSegment, key: "segment.index.bytes", speaks: "segment.index.bytes=1048576 segment.bytes=357995861", silent: "segment.index.bytes=1048576 segment.bytes=357995860", near: "1048584", number: 357995860},
		{rule: topicconfig.RuleIndexEndsSegment, key: "segment.index.bytes", speaks: "segment.index.bytes=23 segment.bytes=14", silent: "segment.index.bytes=24 segment.bytes=14", near: "24"},
	})
	slow := on("4.4")
	slow.CheckIntervalMs = 1000
	if got := slow.Judge(change("", tiered+"local.retention.ms=1000")); about(got, topicconfig.RuleLocalBelowCheck, "local.retention.ms") != nil {
		t.Errorf("the cluster's own interval counts: %+v", got)
	}
}

// On a cluster that does not tier, and on one that does not say.
func TestJudge_TheClusterItselfMustTier(t *testing.T) {
	t.Parallel()
	for support, want := range map[topicconfig.Support]topicconfig.Rule{
		topicconfig.SupportOff: topicconfig.RuleSystemOff, topicconfig.SupportUnknown: topicconfig.RuleSystemUnknown, topicconfig.SupportOn: "",
	} {
		tiering := topicconfig.Tiering{System: support}
		for _, rule := range []topicconfig.Rule{topicconfig.RuleSystemOff, topicconfig.RuleSystemUnknown} {
			got := about(tiering.Judge(change("", tiered)), rule, "remote.storage.enable")
			if (got != nil) != (rule == want) || got != nil && got.Refused != (rule == topicconfig.RuleSystemOff) {
				t.Errorf("support %d, %s: %+v", support, rule, got)
			}
			if got := about(tiering.Judge(change("", "local.retention.ms=5")), rule, "remote.storage.enable"); got != nil {
				t.Errorf("support %d: an untiered topic needs none: %+v", support, got)
			}
		}
	}
}

// Switching off takes consent, and a version that can: KIP-950 came with 3.9.
func TestJudge_SwitchingOffByVersionAndConsent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version  string
		msk      bool
		consent  bool
		want     topicconfig.Rule
		byChoice bool
	}{
		{"", false, false, topicconfig.RuleDisableKeepsRemote, false},
		{"", false, true, topicconfig.RuleRemoteDataLost, false},
		{"3.9", false, false, topicconfig.RuleDisableKeepsRemote, false},
		{"3.9", false, true, topicconfig.RuleRemoteDataLost, false},
		{"3.8", false, false, topicconfig.RuleCannotDisable, true},
		{"3.8", false, true, topicconfig.RuleCannotDisable, true},
		{"3.6", true, false, topicconfig.RuleDisableKeepsRemote, true},
		{"3.6", true, true, topicconfig.RuleRemoteDataLost, false},
		{"4.1", true, true, topicconfig.RuleRemoteDataLost, false},
	} {
		tiering := on(c.version)
		tiering.MSK = c.msk
		off := change(tiered+"retention.ms=864000000 local.retention.ms=86400000 retention.bytes=107374182400 local.retention.bytes=4294967296", "retention.ms=864000000")
		off.MayDelete = c.consent
		for _, rule := range []topicconfig.Rule{topicconfig.RuleDisableKeepsRemote, topicconfig.RuleCannotDisable, topicconfig.RuleRemoteDataLost} {
			got := about(tiering.Judge(off), rule, "remote.storage.enable")
			switch {
			case (got != nil) != (rule == c.want):
				t.Errorf("%+v: %s says %+v", c, rule, got)
			case got == nil:
			case got.Refused == (rule == topicconfig.RuleRemoteDataLost), got.ByChoice != c.byChoice, got.Number != 9*dayMs, got.Bytes != 103079215104, !got.HasBytes:
				t.Errorf("%+v: %+v", c, *got)
			}
		}
	}
}

// Consent is for one change: the flag of an earlier one is none, though a broker goes by it.
func TestJudge_AnEarlierFlagIsNoConsent(t *testing.T) {
	t.Parallel()
	off := change(tiered+"remote.log.delete.on.disable=true", "remote.storage.enable=false remote.log.delete.on.disable=true")
	got := about(on("4.4").Judge(off), topicconfig.RuleDisableKeepsRemote, "remote.storage.enable")
	if got == nil || !got.Refused || !got.ByChoice {
		t.Errorf("%+v", got)
	}
}

// What would be lost is what the total reaches beyond the local limit.
func TestJudge_WhatASwitchOffLoses(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]topicconfig.Finding{
		"":                                     {},
		"retention.bytes=10":                   {HasBytes: true},
		"local.retention.bytes=4":              {Bytes: topicconfig.Endless, HasBytes: true},
		"local.retention.ms=-2":                {},
		"local.retention.ms=600":               {Number: 604799400},
		"retention.ms=-1":                      {},
		"retention.ms=-1 local.retention.ms=5": {Number: topicconfig.Endless},
		"retention.bytes=10 local.retention.bytes=4":                        {Bytes: 6, HasBytes: true},
		"retention.bytes=10 local.retention.bytes=10 local.retention.ms=-2": {HasBytes: true},
	} {
		off := change(tiered+before, "retention.ms=-1")
		off.MayDelete = true
		got := about(on("4.4").Judge(off), topicconfig.RuleRemoteDataLost, "remote.storage.enable")
		if got == nil || got.Number != want.Number || got.Bytes != want.Bytes || got.HasBytes != want.HasBytes {
			t.Errorf("%q: %+v, want %+v", before, got, want)
		}
	}
}

// The version table: what each of four versions says about the same changes.
func TestJudge_TheVersionsDiffer(t *testing.T) {
	t.Parallel()
	versions := []string{"3.9", "4.0", "4.1", "4.4"}
	for after, want := range map[string][4]string{
		"segment.bytes=1048575 max.message.bytes=5": {"", "advice", "refused", "refused"},
		tiered + "cleanup.policy=":                  {"advice", "advice", "refused", "advice"},
		tiered + "remote.copy.lag.ms=0":             {"refused", "refused", "refused", ""},
		tiered + "remote.copy.lag.bytes=-1":         {"refused", "refused", "refused", ""},
		tiered + "remote.log.copy.disable=true":     {"", "", "", ""},
		tiered + "local.retention.ms=604800001":     {"refused", "refused", "refused", "refused"},
		tiered + "cleanup.policy=compact":           {"refused", "refused", "refused", "refused"},
	} {
		for i, version := range versions {
			c := change("", after)
			c.After["local.retention.bytes"] = map[bool]string{true: "-2", false: "2147483648"}[strings.Contains(after, "copy.disable")]
			c.After["segment.ms"] = "60000"
			got := ""
			if findings := on(version).Judge(c); len(findings) > 0 {
				got = map[bool]string{true: "refused", false: "advice"}[findings[0].Refused]
			}
			if got != want[i] {
				t.Errorf("%s on %s: %q, want %q", after, version, got, want[i])
			}
		}
	}
}

// A rule that needs an unknown value is silent; whatever else is known still counts.
func TestJudge_UnknownValuesSilenceTheirRulesOnly(t *testing.T) {
	t.Parallel()
	c := change("", tiered+"local.retention.ms=604800001 local.retention.bytes=5 retention.bytes=4")
	c.Unknown = func(key string) bool { return key == "retention.ms" }
	got := on("4.4").Judge(c)
	if about(got, topicconfig.RuleLocalAboveTotal, "local.retention.ms") != nil || about(got, topicconfig.RuleLocalAboveTotal, "local.retention.bytes") == nil {
		t.Errorf("%+v", got)
	}
	c.Unknown = func(string) bool { return true }
	if got := on("4.4").Judge(c); len(got) != 0 {
		t.Errorf("with nothing known: %+v", got)
	}
	if got := on("4.4").Judge(topicconfig.TieredChange{Before: settings(tiered), After: topicconfig.Settings{"remote.storage.enable": "true", "retention.ms": "x", "local.retention.ms": "5"}}); len(got) != 1 || got[0].Rule != topicconfig.RuleLocalBelowCheck {
		t.Errorf("with values absent or unreadable: %+v", got)
	}
}

// A rule speaks of what the change touches, and the finding hangs on what to change back.
func TestJudge_SpeaksOfWhatIsTouched(t *testing.T) {
	t.Parallel()
	touching := func(keys ...string) topicconfig.TieredChange {
		c := change(tiered+"local.retention.ms=5000", tiered+"local.retention.ms=5000 retention.ms=1000 cleanup.policy=compact")
		c.Touched = func(key string) bool { return slices.Contains(keys, key) }
		return c
	}
	for touched, want := range map[string][]topicconfig.Finding{
		"flush.ms":              nil,
		"cleanup.policy":        {{Rule: topicconfig.RuleTieredCompact, Refused: true, Key: "cleanup.policy", Other: "remote.storage.enable", Near: "delete"}},
		"retention.ms":          {{Rule: topicconfig.RuleLocalAboveTotal, Refused: true, Key: "retention.ms", Other: "local.retention.ms", Near: "5000"}},
		"local.retention.ms":    {{Rule: topicconfig.RuleLocalAboveTotal, Refused: true, Key: "local.retention.ms", Other: "retention.ms", Near: "1000"}},
		"remote.storage.enable": {{Rule: topicconfig.RuleTieredCompact, Refused: true, Key: "cleanup.policy", Other: "remote.storage.enable", Near: "delete"}, {Rule: topicconfig.RuleLocalAboveTotal, Refused: true, Key: "local.retention.ms", Other: "retention.ms", Near: "1000"}},
	} {
		got := slices.DeleteFunc(on("4.4").Judge(touching(touched)), func(f topicconfig.Finding) bool { return !f.Refused })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", touched, diff)
		}
	}
}

// Refusals come first, and the order never changes.
func TestJudge_RefusalsFirstInAFixedOrder(t *testing.T) {
	t.Parallel()
	c := change("", tiered+"cleanup.policy=compact segment.bytes=15 local.retention.ms=0 local.retention.bytes=7 retention.bytes=6 retention.ms=1 segment.index.bytes=5")
	first := on("4.1").Judge(c)
	if len(first) < 6 {
		t.Fatalf("%+v", first)
	}
	for range 20 {
		c.After = maps.Clone(c.After)
		if diff := cmp.Diff(first, on("4.1").Judge(c)); diff != "" {
			t.Fatal(diff)
		}
	}
	if !slices.IsSortedFunc(first, func(a, b topicconfig.Finding) int {
		return map[bool]int{true: 0, false: 1}[a.Refused] - map[bool]int{true: 0, false: 1}[b.Refused]
	}) {
		t.Errorf("advice before a refusal: %+v", first)
	}
}
