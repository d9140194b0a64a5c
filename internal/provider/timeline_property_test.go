// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"
)

// Whatever is asked, the function answers or names an input, and ends.
func TestTimelineFunction_AnswersOrNamesAnInput(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		settings := drawSettings(t)
		outputs, err := askTimeline(settings, 500)
		if refusedInput(t, err) != "" {
			return
		}
		told, _ := outputs["told_until"].(types.String)
		if _, err := time.Parse(time.RFC3339, told.ValueString()); err != nil || len(outputs) != len(timelineTypes) {
			t.Fatalf("%d outputs, told until %s", len(outputs), told)
		}
	})
}

// drawSettings draws an argument: mostly sensible, with numbers and moments of every size, and now and then nonsense.
func drawSettings(t *rapid.T) object {
	rarely := func(name string) bool { return rapid.IntRange(0, 40).Draw(t, name+" rarely") == 29 }
	number := func(name string) any {
		n := max(1, rapid.Int64Range(1, 1<<63-1).Draw(t, name)>>rapid.IntRange(3, 62).Draw(t, name+" size"))
		if rarely(name) {
			return rapid.SampledFrom([]any{1<<63 - 1 - n, fmt.Sprint(n), -n, 0, nil, "x", true, big.NewFloat(1.5)}).Draw(t, name+" as")
		}
		return n
	}
	moments := []any{"1970-01-01T00:00:00Z", "1970-01-01T00:00:00.001Z", "1970-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-01T06:00:00Z", "2026-02-01T00:00:00Z"}
	moment := func(name string) any {
		if rarely(name) {
			return rapid.SampledFrom([]any{"9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "soon", nil, 5}).Draw(t, name+" as")
		}
		return rapid.SampledFrom(moments).Draw(t, name)
	}
	span := func(name string) any {
		if rarely(name) {
			return rapid.SampledFrom([]any{"9223372036854775807", "0", "-1", "x", nil}).Draw(t, name+" as")
		}
		return rapid.SampledFrom([]any{"1ms", "1s", "1h", "30d", "3650d", 86400000}).Draw(t, name)
	}
	settings := object{}
	// put gives an input: one in so many times where it has its place, and rarely where it has not.
	put := func(placed bool, one int, name string, draw func(string) any) {
		if placed && rapid.IntRange(1, one).Draw(t, name+" given") == 1 || !placed && rapid.IntRange(1, 150).Draw(t, name+" misplaced") == 99 {
			settings[name] = draw(name)
		}
	}
	objects := func(numbers bool, names ...string) func(string) any {
		return func(name string) any {
			all := tuple{}
			for i := range rapid.IntRange(1, 3).Draw(t, name) {
				one := object{}
				for _, part := range names {
					one[part] = moment(fmt.Sprint(name, i, part))
				}
				if numbers {
					one["bytes"] = number(fmt.Sprint(name, i, "bytes"))
				}
				all = append(all, one)
			}
			return all
		}
	}
	apsara, isTiered, listed := rapid.IntRange(0, 2).Draw(t, "apsara") == 0, rapid.Bool().Draw(t, "tiered"), rapid.IntRange(0, 3).Draw(t, "listed") == 0
	if apsara {
		settings["platform"] = apsaraMQ
	}
	if rarely("platform") {
		settings["platform"] = rapid.SampledFrom([]any{"msk", "event_streams", nil, "x"}).Draw(t, "platform")
	}
	config := object{"remote.storage.enable": isTiered}
	bits := map[string]int{
		"retention.ms": 0, "retention.bytes": 0, "local.retention.ms": 0, "local.retention.bytes": 0, "file.delete.delay.ms": 0, "segment.ms": 0, "segment.jitter.ms": 0,
		"remote.copy.lag.ms": 0, "remote.copy.lag.bytes": 0, "segment.bytes": 32, "segment.index.bytes": 34, "index.interval.bytes": 32,
	}
	for _, key := range slices.Sorted(maps.Keys(bits)) {
		if rapid.IntRange(0, 3).Draw(t, key+" given") == 0 {
			config[key] = max(2000, rapid.Int64Range(1<<40, 1<<63-1).Draw(t, key)>>rapid.IntRange(bits[key], 48).Draw(t, key+" size"))
		}
	}
	settings["config"] = config
	put(!listed, 1, "throughput_bytes_per_second", number)
	put(listed, 1, "messages", objects(true, "at", "timestamp"))
	for _, name := range []string{"batch_bytes", "partitions"} {
		put(!listed, 3, name, number)
	}
	put(!listed, 5, "stop", moment)
	for _, name := range []string{"check_interval_ms", "task_interval_ms"} {
		put(!apsara, 3, name, number)
	}
	put(!apsara, 9, "version", func(name string) any { return rapid.SampledFrom([]any{"3.6.0", "3.9", "4.4", "x", nil}).Draw(t, name) })
	put(isTiered && !apsara, 3, "copy_bytes_per_second", number)
	put(isTiered && !apsara, 3, "open_transactions", span)
	put(isTiered && !apsara, 5, "tiered_from", moment)
	put(isTiered && !apsara, 9, "outages", objects(false, "start", "stop"))
	put(apsara, 2, "disk_total_bytes", number)
	_, disk := settings["disk_total_bytes"]
	put(apsara && disk, 2, "disk_used_bytes", number)
	put(apsara && disk, 2, "disk_growth_bytes_per_second", number)
	put(apsara, 3, apsaraMQ, func(string) any {
		return rapid.SampledFrom([]any{
			nil,
			object{},
			object{"storage": "local"},
			object{"storage": "serverless", "poll_ms": 1},
			object{"poll_ms": 1},
			object{"poll_ms": int64(1 << 60)},
			object{"daily_run": "23:59", "utc_offset_minutes": -840},
			object{"purge_target_percent": 1},
			object{"storage": "x"},
			5,
		}).Draw(t, "apsara part")
	})
	put(true, 9, "start", moment)
	put(true, 2, "horizon", span)
	put(true, 9, "max_events", number)
	return settings
}
