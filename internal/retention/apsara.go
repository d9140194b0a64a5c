// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// Storage is how an ApsaraMQ for Kafka instance keeps a topic.
type Storage int

// The kinds of storage.
const (
	// CloudStorage replicates below Kafka; the usual kind of a non-serverless instance.
	CloudStorage Storage = iota
	// LocalStorage is Kafka's own replication.
	LocalStorage
	// ServerlessStorage knows no disk that could fill.
	ServerlessStorage
)

// Apsara are the rules by which ApsaraMQ for Kafka deletes, as its pages "When are
// historical messages deleted" and "Why is an expired message retained" (2025 and 2026
// editions) tell them. Only closed segments go, and a segment closes only when it is full:
// not by time, and not by the check that closes idle segments in Apache Kafka.
//
// Cloud storage, by the disk's use: below 75 % what is expired goes in a daily run; from 75 % on it
// goes periodically, until the use is below 75 %; from 85 % on the oldest segments go, expired or
// not; from 90 % on writes are refused. Local storage: what is expired goes periodically; from 83 % on
// up to a tenth of each partition goes, oldest first, expired or not; from 88 % on writes are
// refused. Serverless: what is expired goes periodically.
//
// The pages tell neither the period nor how far a purge goes nor the zone of the daily run,
// so these are inputs.
type Apsara struct {
	Storage Storage
	// DailyRunMs is the time of day of the daily run, ZoneOffsetMinutes what that
	// clock is ahead of the scenario's (of UTC, if moments are Unix time).
	DailyRunMs, ZoneOffsetMinutes int64
	// PollMs is the period of everything that is not daily.
	PollMs int64
	// PurgeTargetPercent is the use below which a purge of the oldest segments ends.
	PurgeTargetPercent int64
	// DiskTotalBytes is the disk; 0 is one that never fills. DiskUsedBytes and
	// DiskGrowthBytesPerSecond are what everything but this partition occupies at
	// the start, and by how much that grows.
	DiskTotalBytes, DiskUsedBytes, DiskGrowthBytesPerSecond int64
}

// DefaultApsara is the daily run at 04:00 in China's time zone, a period of five minutes and purges
// down to 85 %, on a disk that never fills.
func DefaultApsara() Apsara {
	return Apsara{DailyRunMs: 4 * 3600000, ZoneOffsetMinutes: 8 * 60, PollMs: 300000, PurgeTargetPercent: 85}
}

const (
	dayMs = 24 * 3600000

	cloudPeriodic, cloudPurge, cloudRefuse = 75, 85, 90
	localPurge, localRefuse                = 83, 88
	localPurgeShare                        = 10
)

func (a Apsara) normal() Apsara {
	a.PollMs = orDefault(a.PollMs, 300000)
	a.PurgeTargetPercent = orDefault(a.PurgeTargetPercent, cloudPurge)
	return a
}

// refuse is the use in percent from which writes are refused.
func (a *Apsara) refuse() int64 {
	if a.Storage == LocalStorage {
		return localRefuse
	}
	return cloudRefuse
}

// limited says that the disk can fill.
func (a *Apsara) limited() bool { return a.DiskTotalBytes > 0 && a.Storage != ServerlessStorage }

// daily is the first daily run at or after a moment; never where there is none.
func (a *Apsara) daily(t int64) int64 {
	if a.Storage != CloudStorage {
		return never
	}
	offset := ((a.DailyRunMs-a.ZoneOffsetMinutes*60000)%dayMs + dayMs) % dayMs
	return beat{offset, offset, dayMs}.next(offset, t)
}

// above says that so many bytes are at least a percentage of the disk.
func (a *Apsara) above(used, percent int64) bool {
	return used >= ceilMulDiv(percent, 1, a.DiskTotalBytes, 100)
}
