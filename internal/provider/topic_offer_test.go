// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"math/big"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// What is offered is the setting that limits the topic: of a tiered one its local
// limit. 4 GiB in segments of 1 GiB with indexes of 10 MiB take 5473566720 bytes.
func TestOffer_NamesTheSettingThatLimitsTheTopic(t *testing.T) {
	t.Parallel()
	tiered := func(retention, local string) topicconfig.Settings {
		return topicconfig.Settings{"remote.storage.enable": "true", "retention.bytes": retention, "local.retention.bytes": local}
	}
	for _, c := range []struct {
		platform reservation.Platform
		settings topicconfig.Settings
		budget   int64
		says     string
	}{
		{reservation.Kafka, topicconfig.Settings{"retention.bytes": "107374182400"}, 5473566720, `"retention.bytes" = "4294967296" # 4.0 GiB`},
		{reservation.Kafka, tiered("107374182400", "53687091200"), 5473566720, `"local.retention.bytes" = "4294967296" # 4.0 GiB`},
		{reservation.Kafka, tiered("107374182400", "-2"), 5473566720, `"retention.bytes" = "4294967296" # 4.0 GiB`},
		{reservation.Kafka, tiered("107374182400", "53687091200"), 1, "nor a smaller local.retention.bytes makes"},
		{reservation.Kafka, topicconfig.Settings{"cleanup.policy": "compact"}, 1, "nor a smaller retention.bytes makes"},
		{reservation.MSKExpress, topicconfig.Settings{"retention.bytes": "107374182400"}, 5473566720, `"retention.bytes" = "4294967296" # 4.0 GiB`},
	} {
		got := whatFits(refusal{
			platform: c.platform,
			offer:    offerSetting,
			topic:    reservation.Topic{Partitions: 1, ReplicationFactor: 1, Settings: c.settings.Over(topicconfig.KafkaDefaults())},
			verdict:  quota.Verdict{Topic: "t", Budget: big.NewInt(c.budget)},
		})
		if !strings.Contains(got, c.says) {
			t.Errorf("%s, %v: %q, want %q", c.platform, c.settings, got, c.says)
		}
	}
}

// A service's rules hold on its own platform, and nowhere else.
func TestRulesOf_EachPlatformHasItsOwn(t *testing.T) {
	t.Parallel()
	for platform, tiers := range map[reservation.Platform]bool{
		reservation.Kafka: true, reservation.EventStreams: false, reservation.MSK: true, reservation.MSKExpress: false,
	} {
		rules, service := rulesOf(platform)
		if (rules == nil) != tiers || (service == "") != tiers || rules != nil && rules.Allows("remote.storage.enable") {
			t.Errorf("%s: %+v of %q", platform, rules, service)
		}
	}
}
