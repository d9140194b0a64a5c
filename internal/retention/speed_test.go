// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// yearOfSegments is a year at a thousand segments a day: 128 MiB each, tiered, a week in all and
// twelve hours local.
func yearOfSegments(tb testing.TB) retention.Scenario {
	return retention.Scenario{
		Rules: rules(tb, topicconfig.Settings{
			"retention.ms": "604800000", "local.retention.ms": "43200000", "remote.storage.enable": "true", "segment.bytes": "134217728",
		}),
		Horizon: 365 * day, Rate: retention.Rate{BytesPerSecond: 134217728 * 1000 / 86400}, MaxEvents: 200,
	}
}

// A data source may ask for a year; it has to answer within the time of a plan.
func BenchmarkForecast_AYearAtAThousandSegmentsADay(b *testing.B) {
	s := yearOfSegments(b)
	b.ReportAllocs()
	for b.Loop() {
		timeline, err := retention.Forecast(s)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(int(timeline.Omitted)+len(timeline.Events)), "events")
	}
}

// A year without a single append, with a check each second, costs nothing.
func BenchmarkForecast_AnIdleYear(b *testing.B) {
	s := yearOfSegments(b)
	s.Rate.Stop, s.CheckMs = hour, second
	b.ReportAllocs()
	for b.Loop() {
		if _, err := retention.Forecast(s); err != nil {
			b.Fatal(err)
		}
	}
}

// The halves that are kept are the first and the last events.
func TestForecast_KeepsFirstAndLastHalves(t *testing.T) {
	t.Parallel()
	s := yearOfSegments(t)
	s.Horizon = 10 * day
	whole := s
	whole.MaxEvents = 0
	cut := forecastOf(t, s)
	all := forecastOf(t, whole)
	if len(cut.Events) != 200 || cut.Omitted != int64(len(all.Events)-200) {
		t.Fatalf("%d kept, %d omitted of %d", len(cut.Events), cut.Omitted, len(all.Events))
	}
	for i, event := range cut.Events {
		want := all.Events[i]
		if i >= 100 {
			want = all.Events[len(all.Events)-200+i]
		}
		if event != want {
			t.Fatalf("event %d is %+v, want %+v", i, event, want)
		}
	}
}
