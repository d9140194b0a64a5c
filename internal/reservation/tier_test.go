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

// tier adds tiered settings to a topic; local "" leaves the key out.
func tier(in reservation.Topic, local string) reservation.Topic {
	more := topicconfig.Settings{"remote.storage.enable": "true"}
	if local != "" {
		more["local.retention.bytes"] = local
	}
	in.Settings = more.Over(in.Settings)
	return in
}

// with sets one more setting.
func with(in reservation.Topic, key, value string) reservation.Topic {
	in.Settings = topicconfig.Settings{key: value}.Over(in.Settings)
	return in
}

// Known answers, by hand: 4 GiB local in segments of 1 GiB are 5 segments, so
// 4294967296 + 1073741824 + 2 × 10485760 × 5 = 5473566720; untiered, 100 GiB
// are 101: 107374182400 + 1073741824 + 2118123520 = 110566047744. The remote tier holds
// 107374182400 + 1073741824 = 108447924224 for each partition, once.
func TestOf_ATieredTopicChargesItsLocalTier(t *testing.T) {
	t.Parallel()
	const local, total, remote = 5473566720, 110566047744, 108447924224
	big := topic(1, 1, 100*gib, gib, 10*mib, "delete")
	twelve := topic(12, 2, 100*gib, gib, 10*mib, "delete")
	for name, c := range map[string]struct {
		in           reservation.Topic
		tiered       bool
		limit        string
		want, remote int64
	}{
		"untiered":                       {big, false, "retention.bytes", total, 0},
		"untiered with a local limit":    {with(big, "local.retention.bytes", "4294967296"), false, "retention.bytes", total, 0},
		"tiered":                         {tier(big, "4294967296"), true, "local.retention.bytes", local, remote},
		"twelve partitions, two copies":  {tier(twelve, "4294967296"), true, "local.retention.bytes", 131365601280, 12 * remote},
		"local follows the total":        {tier(big, "-2"), true, "retention.bytes", total, remote},
		"local is left out":              {tier(big, ""), true, "retention.bytes", total, remote},
		"copying is disabled":            {with(tier(big, "4294967296"), "remote.log.copy.disable", "TRUE"), true, "retention.bytes", total, remote},
		"compacted, so not tiered":       {with(tier(big, "4294967296"), "cleanup.policy", "compact,delete"), false, "retention.bytes", total, 0},
		"compacted flatly":               {with(tier(big, "4294967296"), "cleanup.policy", "compact"), false, "", gib, 0},
		"nothing is kept but the active": {tier(big, "0"), true, "local.retention.bytes", 1073741824 + 2*10485760, remote},
	} {
		got, err := reservation.Of(reservation.Kafka, c.in)
		remote, bounded := got.Remote.Bounded()
		if err != nil || got.Unbounded || got.ReservedBytes != c.want || got.Tiered != c.tiered || got.Limit != c.limit || remote != c.remote || !bounded {
			t.Errorf("%s: %+v, %v; want %d, remote %d", name, got, err, c.want, c.remote)
		}
	}
	for _, platform := range []reservation.Platform{reservation.EventStreams, reservation.MSKExpress} {
		got, err := reservation.Of(platform, tier(big, "4294967296"))
		if err != nil || got.Tiered || got.PerPartitionBytes != total || platform.Tiers() {
			t.Errorf("%s has no tiers: %+v, %v", platform, got, err)
		}
	}
	if got, err := reservation.Of(reservation.MSK, tier(twelve, "4294967296")); err != nil || got.ReservedBytes != 131365601280 || !reservation.MSK.Tiers() {
		t.Errorf("msk: %+v, %v", got, err)
	}
}

// Each tier is bounded or not by itself.
func TestOf_EachTierHasItsOwnBound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in            reservation.Topic
		local, remote bool // bounded
		limit, text   string
	}{
		"no total":                  {tier(topic(1, 1, -1, gib, 10*mib, "delete"), "4294967296"), true, false, "local.retention.bytes", "; remote tier unbounded"},
		"no limit at all":           {tier(topic(1, 1, -1, gib, 10*mib, "delete"), "-2"), false, false, "retention.bytes", "unbounded: retention.bytes = -1 sets no bound by size; remote tier unbounded"},
		"no local limit":            {tier(topic(1, 1, gib, gib, 10*mib, "delete"), "-1"), false, true, "local.retention.bytes", "unbounded: local.retention.bytes = -1 sets no bound by size; remote tier 2147483648 bytes (2.0 GiB), one copy"},
		"nothing is ever deleted":   {tier(topic(1, 1, gib, gib, 10*mib, ""), "-2"), false, false, "", "unbounded: an empty cleanup.policy deletes nothing; remote tier unbounded"},
		"but local copies are":      {tier(topic(1, 1, gib, gib, 10*mib, ""), "4294967296"), true, false, "local.retention.bytes", "local.retention.bytes 4294967296"},
		"both, and it can be shown": {tier(topic(12, 2, 100*gib, gib, 10*mib, "delete"), "4294967296"), true, true, "local.retention.bytes", "12 partitions × 2 replicas × (local.retention.bytes 4294967296 + segment.bytes 1073741824 + 2 × segment.index.bytes 10485760 × 5 segments) = 131365601280 bytes (122.3 GiB); remote tier 1301375090688 bytes (1.1 TiB), one copy"},
	} {
		got, err := reservation.Of(reservation.Kafka, c.in)
		if err != nil || got.Unbounded == c.local || got.Remote.IsUnbounded() == c.remote || got.Limit != c.limit || !strings.Contains(got.String(), c.text) {
			t.Errorf("%s: %+v, %v\n%s", name, got, err, got)
		}
	}
}

// What cannot be counted is named, in either tier.
func TestOf_RefusesTiersThatCannotBeCounted(t *testing.T) {
	t.Parallel()
	var tooLarge *reservation.TooLargeError
	if _, err := reservation.Of(reservation.Kafka, tier(topic(4, 1, 1<<62, gib, mib, "delete"), "1")); !errors.As(err, &tooLarge) || tooLarge.Bytes.Cmp(big.NewInt(math.MaxInt64)) <= 0 {
		t.Errorf("four partitions of 2^62 bytes: %v", err)
	}
	base := tier(topic(1, 1, gib, gib, mib, "delete"), "1")
	for key, value := range map[string]string{"remote.storage.enable": "yes", "remote.log.copy.disable": "1", "local.retention.bytes": "much"} {
		if _, err := reservation.Of(reservation.Kafka, with(base, key, value)); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s = %s: %v", key, value, err)
		}
	}
}

// Tiering alone changes nothing, and a local limit below the total only frees.
func TestOf_ALocalLimitNeverReservesMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := genTopic(t)
		in.Settings[topicconfig.CleanupPolicy] = "delete"
		platform := rapid.SampledFrom(reservation.Platforms()).Draw(t, "platform")
		untiered, err := reservation.Of(platform, in)
		if err != nil {
			t.Skip("too large")
		}
		same, err := reservation.Of(platform, tier(in, "-2"))
		if err != nil || same.ReservedBytes != untiered.ReservedBytes || same.PerPartitionBytes != untiered.PerPartitionBytes || same.Tiered != platform.Tiers() {
			t.Fatalf("%+v, %v; untiered %+v", same, err, untiered)
		}
		total, _ := in.Settings.Integer(topicconfig.RetentionBytes)
		local := rapid.Int64Range(0, total).Draw(t, "local")
		less, err := reservation.Of(platform, tier(in, strconv.FormatInt(local, 10)))
		if err != nil || less.ReservedBytes > untiered.ReservedBytes || platform.Tiers() && less.RetentionBytes != local {
			t.Fatalf("local %d: %+v, %v; untiered %+v", local, less, err, untiered)
		}
	})
}

// What is offered is the key that limits the topic, and just fits.
func TestFitRetention_NamesTheKeyThatLimits(t *testing.T) {
	t.Parallel()
	base := topic(1, 1, 100*gib, gib, 10*mib, "delete")
	// 4 GiB local take 5473566720, and one byte more is still the same number of segments.
	budget := big.NewInt(5473566720)
	for name, c := range map[string]struct {
		platform reservation.Platform
		in       reservation.Topic
		key      string
		bytes    int64
		ok       bool
	}{
		"untiered":                             {reservation.Kafka, base, "retention.bytes", 4294967296, true},
		"local":                                {reservation.Kafka, tier(base, "53687091200"), "local.retention.bytes", 4294967296, true},
		"follows the total":                    {reservation.Kafka, tier(base, "-2"), "retention.bytes", 4294967296, true},
		"local without a total":                {reservation.Kafka, tier(with(base, "retention.bytes", "-1"), "-1"), "local.retention.bytes", 4294967296, true},
		"never above the total":                {reservation.Kafka, tier(with(base, "retention.bytes", "1000"), "5"), "local.retention.bytes", 1000, true},
		"below it on MSK":                      {reservation.MSK, tier(with(base, "retention.bytes", "1000"), "5"), "local.retention.bytes", 999, true},
		"nothing is below no bytes":            {reservation.MSK, tier(with(base, "retention.bytes", "0"), "5"), "local.retention.bytes", -1, false},
		"copying is disabled":                  {reservation.Kafka, with(tier(base, "-2"), "remote.log.copy.disable", "true"), "retention.bytes", 4294967296, true},
		"both would have to change":            {reservation.Kafka, with(tier(base, "107374182400"), "remote.log.copy.disable", "true"), "retention.bytes", 0, false},
		"no key limits what deletes nothing":   {reservation.Kafka, with(tier(base, "-2"), "cleanup.policy", ""), "", 0, false},
		"no key limits what is only compacted": {reservation.Kafka, with(tier(base, "5"), "cleanup.policy", "compact"), "", 0, false},
		"no tiers":                             {reservation.EventStreams, tier(base, "5"), "retention.bytes", 4294967296, true},
	} {
		key, bytes, ok := reservation.FitRetention(c.platform, c.in, budget)
		if key != c.key || bytes != c.bytes || ok != c.ok {
			t.Errorf("%s: %q, %d, %v; want %q, %d, %v", name, key, bytes, ok, c.key, c.bytes, c.ok)
		}
	}
}

// Unbounded is above every number, in any order.
func TestMax_UnboundedIsAboveEveryNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   []reservation.Amount
		want reservation.Amount
	}{
		{nil, reservation.Bytes(0)},
		{[]reservation.Amount{reservation.Bytes(3), reservation.Bytes(7), reservation.Bytes(5)}, reservation.Bytes(7)},
		{[]reservation.Amount{reservation.Unbounded, reservation.Bytes(math.MaxInt64)}, reservation.Unbounded},
		{[]reservation.Amount{reservation.Bytes(math.MaxInt64), reservation.Unbounded}, reservation.Unbounded},
	} {
		if got := reservation.Max(c.of...); got != c.want {
			t.Errorf("%v: %v", c.of, got)
		}
	}
}
