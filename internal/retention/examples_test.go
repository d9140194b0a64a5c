// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

const (
	second = int64(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
	mib    = int64(1 << 20)
	gib    = int64(1 << 30)
)

func rules(t testing.TB, settings topicconfig.Settings) retention.Rules {
	t.Helper()
	r, err := retention.ReadRules(settings)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at is one expected event: kind, tier, segment and the millisecond.
type at struct {
	kind    retention.Kind
	tier    retention.Tier
	segment int64
	ms      int64
}

func happens(t testing.TB, timeline retention.Timeline, want ...at) {
	t.Helper()
	for _, w := range want {
		found := false
		for _, event := range timeline.Events {
			if event.Kind == w.kind && event.Tier == w.tier && event.Segment == w.segment {
				found = true
				if event.Earliest != w.ms || event.Latest != w.ms {
					t.Errorf("%s %s of segment %d at %d to %d, want %d", w.tier, w.kind, w.segment, event.Earliest, event.Latest, w.ms)
				}
			}
		}
		if !found {
			t.Errorf("%s %s of segment %d never, want %d", w.tier, w.kind, w.segment, w.ms)
		}
	}
}

// never says that something does not happen to a segment in the local tier.
func never(t testing.TB, timeline retention.Timeline, kind retention.Kind, segment int64) {
	t.Helper()
	for _, event := range timeline.Events {
		if event.Kind == kind && event.Tier == retention.LocalTier && event.Segment == segment {
			t.Errorf("%s of segment %d at %d, want never", kind, segment, event.Earliest)
		}
	}
}

// mskWalkThrough is the case that Amazon MSK's page "Tiered storage" (section on how
// segments are copied and deleted, T0 to T3) tells: five days in all, two of them local, two segments, and
// tiering switched on at noon of the first day. Segment 0 has records from 00:00 to 06:00, segment 1
// one each hour from 07:00 on. Brokers check every 5 min, tasks run every 30 s, files go a minute later.
func mskWalkThrough(t testing.TB, stop int64) retention.Scenario {
	s := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{
			"retention.ms": "432000000", "local.retention.ms": "172800000", "remote.storage.enable": "true", "segment.bytes": "7000",
		}),
		Horizon: 13 * day, TieredFrom: 12 * hour,
	}
	for h := int64(0); h*hour <= stop; h++ {
		bytes := int64(1000)
		if h > 6 {
			bytes = 10
		} else if h == 6 {
			bytes = 995 // 6995 bytes: the next record no longer fits
		}
		s.Messages = append(s.Messages, retention.Message{Ts: h * hour, Bytes: bytes})
	}
	return s
}

// The page's own course, worked out by hand: copied at the first task after tiering begins; removed locally
// at the first check at which its newest record (06:00) is more than two days old, which the check at
// exactly two days is not; gone remotely at exactly five days. A producer that goes on keeps
// segment 1 open until an append comes more than segment.ms (seven days) after its first record.
func TestExampleA_MSKWalkThroughWithALiveProducer(t *testing.T) {
	t.Parallel()
	timeline := simulate(t, mskWalkThrough(t, 13*day))
	happens(
		t, timeline,
		at{retention.CopyStarted, retention.RemoteTier, 0, 43200000},
		at{retention.Copied, retention.RemoteTier, 0, 43200000},
		at{retention.Expired, retention.LocalTier, 0, 194700000},
		at{retention.Purged, retention.LocalTier, 0, 194760000},
		at{retention.Expired, retention.RemoteTier, 0, 453600000},
		at{retention.Rolled, retention.LocalTier, 1, 633600000},
		at{retention.Copied, retention.RemoteTier, 1, 633630000},
		at{retention.Expired, retention.LocalTier, 1, 803100000},
		at{retention.Expired, retention.RemoteTier, 1, 1062000000},
	)
	if want := int64(453600000); timeline.FirstGone.Latest != want || timeline.FirstGone.AgeMs != want {
		t.Errorf("the first message, written at 0, goes %+v, want at %d", timeline.FirstGone, want)
	}
}

// A producer that stops at noon leaves an idle segment: from Kafka 3.7 on the check closes it when
// its newest record is more than two days old, and from there it goes its way. Before, it stayed.
func TestExampleA_MSKWalkThroughWithAnIdleEnd(t *testing.T) {
	t.Parallel()
	s := mskWalkThrough(t, 12*hour)
	happens(
		t, simulate(t, s),
		at{retention.Expired, retention.LocalTier, 0, 194700000},
		at{retention.Rolled, retention.LocalTier, 1, 216300000},
		at{retention.Copied, retention.RemoteTier, 1, 216330000},
		at{retention.Expired, retention.LocalTier, 1, 216600000},
		at{retention.Purged, retention.LocalTier, 1, 216660000},
		at{retention.Expired, retention.RemoteTier, 1, 475200000},
	)
	s.Version = retention.Version{Major: 3, Minor: 6, Patch: 2}
	old := simulate(t, s)
	happens(t, old, at{retention.Expired, retention.RemoteTier, 0, 453600000})
	never(t, old, retention.Rolled, 1)
	never(t, old, retention.Expired, 1)
	if !old.WorstAge.AtLeast || old.WorstAge.Ms != s.Horizon-7*hour {
		t.Errorf("worst age %+v, want at least that of the record of 07:00 at the horizon", old.WorstAge)
	}
}

// apsara is example B: 8 KiB a second from midnight, three days, a daily run at 04:00 of the scenario's own clock.
func apsara(rate int64, change func(a *retention.Apsara)) retention.Scenario {
	a := retention.DefaultApsara()
	a.ZoneOffsetMinutes = 0
	if change != nil {
		change(&a)
	}
	return retention.Scenario{
		Rules:   retention.Rules{SegmentBytes: gib, RetentionMs: retention.AtMost(3 * day)},
		Horizon: 6 * day, Apsara: &a,
		Rate: retention.Rate{BytesPerSecond: rate, BatchBytes: 1024},
	}
}

// disk gives the instance a disk of 300 GB that others fill to a permille, the partition's own first
// three days apart.
func disk(permille int64) func(a *retention.Apsara) {
	return func(a *retention.Apsara) {
		a.DiskTotalBytes = 300e9
		a.DiskUsedBytes = 300e9/1000*permille - 3<<30
	}
}

// Example B: 1 GiB takes 36 h 24 min 32 s, 72 h later the segment may go. Then it depends on the disk.
func TestExampleB_ApsaraMQCloudStorageInEveryBand(t *testing.T) {
	t.Parallel()
	closes := at{retention.Rolled, retention.LocalTier, 0, 131072000}

	quiet := simulate(t, apsara(8192, nil))
	happens(t, quiet, closes, at{retention.Expired, retention.LocalTier, 0, 446400000}) // the run of day 5, 04:00
	if quiet.FirstGone.AgeMs != 124*hour {
		t.Errorf("the first message lives %d ms, want 124 h", quiet.FirstGone.AgeMs)
	}
	closed := int64(0)
	for _, event := range quiet.Events {
		if event.Kind == retention.Rolled && event.Latest <= 446400000 {
			closed++
		}
		if event.Kind == retention.Expired && event.LocalBytes != 3656908800-1024 { // 446400 s × 8192; the batch of that moment comes after
			t.Errorf("%d bytes are written by then, want 3656907776", event.LocalBytes)
		}
	}
	if closed != 3 {
		t.Errorf("%d segments are closed by then, want 3", closed)
	}

	happens(t, simulate(t, apsara(8192, disk(800))), closes, at{retention.Expired, retention.LocalTier, 0, 390300000}) // the next round

	// From 85 % on age does not count: the first round after the segment closes takes it.
	purged := simulate(t, apsara(8192, disk(870)))
	happens(t, purged, closes, at{retention.Expired, retention.LocalTier, 0, 131100000})
	for _, event := range purged.Events {
		if event.Kind == retention.Expired && event.Reason != retention.ByDisk {
			t.Errorf("segment %d expires by %s, want by disk", event.Segment, event.Reason)
		}
	}

	full := simulate(t, apsara(8192, disk(950)))
	happens(t, full, at{retention.WriteRefused, retention.LocalTier, 0, 125}) // the very first batch
	if full.Books.Written != 0 {
		t.Errorf("%d bytes were taken by a full disk", full.Books.Written)
	}
}

// The bands are half-open: 75 % belongs to the second one. The disk is 1000 GiB, and what others
// occupy is chosen so that at the round of 390300000 the use is just that.
func TestExampleB_BandsBeginAtTheirPercentage(t *testing.T) {
	t.Parallel()
	own := int64(390300000)*8192/1000 - 1024 // what is appended at the round comes after it
	for missing, want := range map[int64]int64{0: 390300000, 1: 446400000} {
		s := apsara(8192, func(a *retention.Apsara) {
			a.DiskTotalBytes = 1000 * gib
			a.DiskUsedBytes = 750*gib - own - missing
		})
		s.Rate.Stop = 390299999
		happens(t, simulate(t, s), at{retention.Expired, retention.LocalTier, 0, want})
	}
}

// Local storage: up to a tenth of the partition goes at once from 83 % on, writes stop at 88 %. Serverless
// knows age only. 1 MiB/s fills a segment in 1024 s.
func TestExampleB_ApsaraMQLocalStorageAndServerless(t *testing.T) {
	t.Parallel()
	s := apsara(mib, func(a *retention.Apsara) {
		a.Storage, a.DiskTotalBytes, a.DiskUsedBytes = retention.LocalStorage, 1000*gib, 835*gib
	})
	s.Horizon = 4 * hour
	timeline := simulate(t, s)
	// A whole segment is a tenth of the partition when ten are full: from 10240 s on, so at the round of 10500 s.
	happens(t, timeline, at{retention.Expired, retention.LocalTier, 0, 10500000})
	exactly := s
	exactly.Rate.Stop = 10240 * second
	happens(t, simulate(t, exactly), at{retention.Expired, retention.LocalTier, 0, 10500000})
	short := exactly
	short.Rate.Stop -= second
	never(t, simulate(t, short), retention.Expired, 0)
	never(t, timeline, retention.WriteRefused, 0)

	s = apsara(mib, func(a *retention.Apsara) {
		a.Storage, a.DiskTotalBytes, a.DiskUsedBytes = retention.LocalStorage, 1000*gib, 880*gib
	})
	s.Horizon = hour
	happens(t, simulate(t, s), at{retention.WriteRefused, retention.LocalTier, 0, 1}) // 1024 bytes take 1 ms

	s = apsara(8192, func(a *retention.Apsara) {
		a.Storage, a.DiskTotalBytes, a.DiskUsedBytes = retention.ServerlessStorage, 1000, 990
	})
	happens(t, simulate(t, s), at{retention.Expired, retention.LocalTier, 0, 390300000})
}

// The vendor's page gives no figures; these are the closed form by hand: full after 1 GiB / rate,
// 72 h, then the next 04:00. Dates of January 2026, first write on the 1st at 00:00.
func TestApsaraMQ_AgesOfAFewRates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		rate         int64
		closes, gone int64
		hours        int64
	}{
		{"T1", 1 << 10, 12*day + 3*hour + 16*minute + 16*second, 15*day + 4*hour, 364},
		{"T2", 10 << 10, day + 5*hour + 7*minute + 37600, 5*day + 4*hour, 124},
		{"T3", 100 << 10, 2*hour + 54*minute + 45760, 3*day + 4*hour, 76},
		{"T4", 1 << 20, 17*minute + 4*second, 3*day + 4*hour, 76},
	} {
		s := apsara(tt.rate, nil)
		s.Horizon = 16 * day
		timeline := simulate(t, s)
		happens(t, timeline, at{retention.Rolled, retention.LocalTier, 0, tt.closes}, at{retention.Expired, retention.LocalTier, 0, tt.gone})
		if timeline.FirstGone.AgeMs != tt.hours*hour {
			t.Errorf("%s: the first message lives %d ms, want %d h", tt.name, timeline.FirstGone.AgeMs, tt.hours)
		}
	}
	// T5: 1 KiB/s for a day never fills a segment, so nothing ever goes.
	s := apsara(1<<10, nil)
	s.Rate.Stop, s.Horizon = day, 400*day
	timeline := simulate(t, s)
	if timeline.FirstGone.Goes || !timeline.WorstAge.AtLeast || timeline.WorstAge.Ms != 400*day {
		t.Errorf("first gone %+v, worst age %+v: want never", timeline.FirstGone, timeline.WorstAge)
	}
}

// The zone of the daily run is an input: 04:00 in China is 20:00 the day before in UTC.
func TestApsaraMQ_TheDailyRunIsInItsOwnZone(t *testing.T) {
	t.Parallel()
	s := apsara(8192, func(a *retention.Apsara) { a.ZoneOffsetMinutes = 480 })
	happens(t, simulate(t, s), at{retention.Expired, retention.LocalTier, 0, 4*day + 20*hour})
}
