// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package reservation

import (
	"math/big"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// followTotal is the local limit that means: the same as the total (-2,
// LogConfig.java, Apache Kafka 4.4).
const followTotal = -2

// sizeLimit is what limits a topic's local data by size.
type sizeLimit struct {
	tiered bool
	key    string // empty: no key does
	bytes  int64  // negative: no limit
	fixed  bool   // the key's value cannot be changed alone
}

// limitOf reads which key limits the topic by size. While a tiered topic copies,
// that is local.retention.bytes, unless it follows the total; once copying is
// disabled, local data follows the total (UnifiedLog.java, Apache Kafka 4.4). Where the
// policy deletes nothing, the total limits nothing (KIP-1161).
func limitOf(platform Platform, policy topicconfig.Policy, settings topicconfig.Settings, retention int64) (sizeLimit, error) {
	total := sizeLimit{key: topicconfig.RetentionBytes, bytes: retention}
	if !policy.Delete {
		total.key = ""
	}
	enabled, err := isTrue(settings, topicconfig.RemoteStorageEnable)
	if err != nil || !enabled || policy.Compact || !platform.Tiers() {
		return total, err
	}
	total.tiered = true
	stopped, err := isTrue(settings, topicconfig.RemoteLogCopyDisable)
	if err != nil {
		return sizeLimit{}, err
	}
	local := int64(followTotal)
	if _, set := settings[topicconfig.LocalRetentionBytes]; set {
		if local, err = settings.Integer(topicconfig.LocalRetentionBytes); err != nil {
			return sizeLimit{}, err
		}
	}
	if stopped || local == followTotal {
		total.fixed = local != followTotal
		return total, nil
	}
	return sizeLimit{tiered: true, key: topicconfig.LocalRetentionBytes, bytes: local}, nil
}

// mostLocal is the largest local limit beside a total: Kafka lets them be equal,
// Amazon MSK wants the local one below (MSK Developer Guide, topic-level
// configuration of tiered storage).
func (p Platform) mostLocal(total int64) int64 {
	if p == MSK {
		return total - 1
	}
	return total
}

// remote is what the remote tier may come to hold: a size pass stops less than a
// segment above retention.bytes, which counts what is in both tiers once, and the tier
// keeps one copy of it (RemoteLogManager.java, Apache Kafka 4.4).
func remote(policy topicconfig.Policy, partitions, retention, segment int64) (Amount, error) {
	if retention < 0 || !policy.Delete {
		return Unbounded, nil
	}
	sum := new(big.Int).Add(big.NewInt(retention), big.NewInt(segment))
	sum.Mul(sum, big.NewInt(partitions))
	if !sum.IsInt64() {
		return Amount{}, &TooLargeError{Bytes: sum}
	}
	return Bytes(sum.Int64()), nil
}

// isTrue reads a switch, which is off where it is absent.
func isTrue(settings topicconfig.Settings, key string) (bool, error) {
	value, set := settings[key]
	if !set {
		return false, nil
	}
	normal, err := topicconfig.Normalize(key, value)
	return normal == "true", err
}
