// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// object and tuple are values as a configuration has them.
type (
	object = map[string]any
	tuple  = []any
)

// terraformValue is what Terraform would pass for a value of a configuration.
func terraformValue(value any) attr.Value {
	switch v := value.(type) {
	case nil:
		return types.DynamicNull()
	case bool:
		return types.BoolValue(v)
	case string:
		return types.StringValue(v)
	case int:
		return types.NumberValue(big.NewFloat(float64(v)))
	case int64:
		return types.NumberValue(new(big.Float).SetInt64(v))
	case *big.Float:
		return types.NumberValue(v)
	case tuple:
		var kinds []attr.Type
		var values []attr.Value
		for _, element := range v {
			values = append(values, terraformValue(element))
			kinds = append(kinds, values[len(values)-1].Type(context.Background()))
		}
		return types.TupleValueMust(kinds, values)
	case object:
		kinds, values := map[string]attr.Type{}, map[string]attr.Value{}
		for name, element := range v {
			values[name] = terraformValue(element)
			kinds[name] = values[name].Type(context.Background())
		}
		return types.ObjectValueMust(kinds, values)
	}
	panic(fmt.Sprintf("%T is no value of a configuration", value))
}

// askTimeline calls the function, which may take so many steps; 0 is as many as it ever may.
func askTimeline(settings object, steps int64) (map[string]attr.Value, error) {
	input, err := readTimelineArgument(types.DynamicValue(terraformValue(settings)))
	if err != nil {
		return nil, err
	}
	input.scenario.MaxSteps = steps
	return timelineOutputs(input)
}

// refusedInput is the input that an error names; empty if there is no error.
func refusedInput(t rapid.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var refused *timelineError
	if !errors.As(err, &refused) || !slices.Contains(timelineInputs, refused.attribute) {
		t.Fatalf("%v names no input", err)
	}
	return refused.attribute
}

var tiered = object{"remote.storage.enable": true}

// An input that could have no effect is a mistake of somebody who expects one. What describes a topic, its brokers or its
// instance is not: one local feeds it to all that is asked of them.
func TestTimelineInputs_WhatHasNoUseIsRefused(t *testing.T) {
	t.Parallel()
	const flow, at = "throughput_bytes_per_second", "2026-01-01T00:00:00Z"
	outage, message := tuple{object{"start": at, "stop": "2026-01-02T00:00:00Z"}}, tuple{object{"at": at, "bytes": 1}}
	for _, tt := range []struct {
		refused  string
		settings object
	}{
		{"tiered_from", object{flow: 1, "tiered_from": at}},
		{"copy_bytes_per_second", object{flow: 1, "copy_bytes_per_second": 1}},
		{"open_transactions", object{flow: 1, "open_transactions": "1h"}},
		{"outages", object{flow: 1, "outages": outage}},
		{"outages", object{flow: 1, "outages": outage, "config": object{"remote.storage.enable": true, "remote.log.copy.disable": true}}},
		{"", object{flow: 1, "task_interval_ms": 5, "check_interval_ms": 5, "version": "3.9"}},
		{"", object{flow: 1, "outages": nil, "tiered_from": nil}},
		{"", object{flow: 1, "config": tiered, "outages": outage, "tiered_from": at, "copy_bytes_per_second": 1000, "open_transactions": "1h", "task_interval_ms": 5}},
		{"", object{flow: 1, "platform": apsaraMQ, "version": "3.9", "check_interval_ms": 5, "task_interval_ms": 5}},
		{"outages", object{flow: 1, "platform": apsaraMQ, "outages": outage, "config": tiered}},
		{"disk_total_bytes", object{flow: 1, "disk_total_bytes": 5}},
		{apsaraMQ, object{flow: 1, apsaraMQ: object{}}},
		{"disk_total_bytes", object{flow: 1, "platform": apsaraMQ, "disk_used_bytes": 5}},
		{"", object{flow: 1, "platform": apsaraMQ, "disk_total_bytes": 9, "disk_used_bytes": 5, apsaraMQ: object{"storage": "serverless", "purge_target_percent": 80}}},
		{"", object{flow: 1, "platform": apsaraMQ, apsaraMQ: object{"storage": "local", "daily_run": "04:00"}}},
		{"", object{flow: 1, "platform": apsaraMQ, "disk_total_bytes": 1000000, apsaraMQ: object{"poll_ms": 60000, "purge_target_percent": 80, "daily_run": "05:00"}}},
		{"", object{flow: 1, "platform": apsaraMQ, apsaraMQ: object{"storage": "local", "poll_ms": 60000}}},
		{"", object{"messages": message, "partitions": 2}},
		{"batch_bytes", object{"messages": message, "batch_bytes": 2}},
		{"stop", object{"messages": message, "stop": "2026-01-02T00:00:00Z"}},
		{"", object{flow: 9, "messages": tuple{}, "partitions": 2, "batch_bytes": 2, "stop": at}},
	} {
		if _, err := askTimeline(tt.settings, 0); refusedInput(t, err) != tt.refused {
			t.Errorf("%v: got %v, want %q refused", tt.settings, err, tt.refused)
		}
	}
}

// Each name is read: a value that no input can have is an error about it.
func TestTimelineInputs_NoneIsIgnored(t *testing.T) {
	t.Parallel()
	for _, name := range timelineInputs {
		settings := object{"throughput_bytes_per_second": 1000, "config": tiered}
		if strings.HasPrefix(name, "disk_") || name == apsaraMQ {
			settings = object{"throughput_bytes_per_second": 1000, "platform": apsaraMQ, "disk_total_bytes": 1000}
		}
		settings[name] = object{"nonsense": object{}}
		if _, err := askTimeline(settings, 0); refusedInput(t, err) != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, part := range timelineParts {
		for _, within := range slices.Concat(part.needed, part.optional) {
			whole := object{}
			for _, needed := range part.needed {
				whole[needed] = "1970-01-01T00:00:00Z"
			}
			whole[within] = object{"nonsense": object{}}
			settings := object{"config": tiered, name: tuple{whole}, "throughput_bytes_per_second": 1000}
			if name == apsaraMQ {
				settings = object{"platform": apsaraMQ, name: whole, "throughput_bytes_per_second": 1000, "disk_total_bytes": 1000}
			}
			if _, err := askTimeline(settings, 0); refusedInput(t, err) != name || !strings.Contains(err.Error(), "."+within+": ") {
				t.Errorf("%s.%s: %v", name, within, err)
			}
		}
	}
}

// The data source's schema and the readers have the same names: a name that only one of them knows would be ignored, or
// could not be written.
func TestTimelineInputs_AreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	var resp datasource.SchemaResponse
	newRetentionTimelineDataSource().Schema(t.Context(), datasource.SchemaRequest{}, &resp)
	var inputs []string
	parts := map[string][]string{}
	for name, attribute := range resp.Schema.Attributes {
		if attribute.IsComputed() || name == "topic" || name == "wait_for" {
			continue
		}
		inputs = append(inputs, name)
		switch a := attribute.(type) {
		case schema.ListNestedAttribute:
			parts[name] = slices.Sorted(maps.Keys(a.NestedObject.Attributes))
		case schema.SingleNestedAttribute:
			parts[name] = slices.Sorted(maps.Keys(a.Attributes))
		}
	}
	read := map[string][]string{}
	for name, part := range timelineParts {
		read[name] = slices.Sorted(slices.Values(slices.Concat(part.needed, part.optional)))
	}
	slices.Sort(inputs)
	if diff := cmp.Diff(slices.Sorted(slices.Values(timelineInputs)), inputs); diff != "" {
		t.Errorf("readers (-), schema (+):\n%s", diff)
	}
	if diff := cmp.Diff(read, parts); diff != "" {
		t.Errorf("readers (-), schema (+):\n%s", diff)
	}
}

// A scenario that the core refuses has to be told in the user's own names.
func TestTimelineFields_NameAnInputForEveryField(t *testing.T) {
	t.Parallel()
	inner := []string{"Phases", "JitterMs", "MaxSteps", "MaxHeld", "Rate", "AtZero", "Records"} // no inputs, or by their own fields
	var missing []string
	look := func(prefix string, kind reflect.Type) {
		for i := range kind.NumField() {
			name := kind.Field(i).Name
			if timelineFields[prefix+name] == "" && timelineFields[name] == "" && !slices.Contains(inner, name) {
				missing = append(missing, prefix+name)
			}
		}
	}
	look("", reflect.TypeFor[retention.Scenario]())
	look("Rate.", reflect.TypeFor[retention.Rate]())
	look("", reflect.TypeFor[retention.Message]())
	look("Apsara.", reflect.TypeFor[retention.Apsara]())
	if len(missing) > 0 {
		t.Errorf("no input for %v", missing)
	}
	for field, want := range map[string]string{
		"Messages[3].Ts": "messages[3].timestamp: is wrong", "Outages[0]": "outages[0]: is wrong", "Apsara.PollMs": "apsaramq.poll_ms: is wrong",
		"Apsara.DiskUsedBytes": "disk_used_bytes: is wrong", "Rules.SegmentBytes": "config: is wrong", "Rate.BytesPerSecond": "throughput_bytes_per_second: is wrong",
	} {
		if got := ofInput(&retention.ScenarioError{Field: field, Reason: "is wrong"}).Error(); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
}

// Numbers and moments at the ends of what can be written are computed with, or refused by the input's name.
func TestTimelineInputs_EndsOfTheScale(t *testing.T) {
	t.Parallel()
	const flow, most = "throughput_bytes_per_second", int64(1<<63 - 1)
	late, early := "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"
	beyond, _ := new(big.Float).SetString("1e40")
	for _, tt := range []struct {
		refused, says string
		settings      object
	}{
		{"horizon", "after the year 9999", object{flow: 1, "start": "2026-01-01T00:00:00Z", "horizon": "9000000d"}},
		{"horizon", "at most", object{flow: 1, "horizon": fmt.Sprint(most)}},
		{"start", "1970 to 9999", object{flow: 1, "start": early}},
		{"start", "1970 to 9999", object{flow: 1, "start": "1969-12-31T23:59:59.999Z"}},
		{"start", "1970 to 9999", object{flow: 1, "start": "9999-12-31T23:59:59-23:00"}},
		{"", "", object{flow: 1, "start": late}},
		{"start", "year 10000", object{flow: 1, "start": "9999-12-31T23:59:59.999Z"}},
		{"stop", "1970 to 9999", object{flow: 1, "stop": early}},
		{"", "", object{flow: 1, "stop": late, "horizon": "30d"}},
		{"tiered_from", "1970 to 9999", object{flow: 1, "config": tiered, "tiered_from": early}},
		{"", "", object{flow: 1, "config": tiered, "tiered_from": late, "horizon": "30d"}},
		{"outages", "[0].start", object{flow: 1, "config": tiered, "outages": tuple{object{"start": early, "stop": late}}}},
		{"outages", "[1]", object{flow: 1, "config": tiered, "outages": tuple{object{"start": "2026-01-01T00:00:00Z", "stop": late}, object{"start": "2027-01-01T00:00:00Z", "stop": late}}}},
		{"outages", "[0]", object{flow: 1, "config": tiered, "outages": tuple{object{"start": late, "stop": late}}}},
		{"messages", "[0].timestamp", object{"messages": tuple{object{"at": late, "bytes": 1, "timestamp": early}}}},
		{"messages", "[0].bytes", object{"messages": tuple{object{"at": late, "bytes": most}}}},
		{"messages", "[1].at: must not be before", object{"messages": tuple{object{"at": late, "bytes": 1}, object{"at": "2026-01-01T00:00:00Z", "bytes": 1}}}},
		{flow, "at most", object{flow: most}},
		{flow, "at most", object{flow: beyond}},
		{flow, "2^60 bytes up to the horizon", object{flow: int64(1 << 60)}},
		{"", "", object{flow: most / 16, "partitions": most / 16}},
		{"batch_bytes", "at most", object{flow: 1, "batch_bytes": most}},
		{"", "", object{flow: 1, "batch_bytes": int64(1 << 60)}},
		{"partitions", "at most", object{flow: 1, "partitions": most}},
		{"open_transactions", "at most", object{flow: 1, "config": tiered, "open_transactions": fmt.Sprint(most)}},
		{"", "", object{flow: 1, "config": tiered, "open_transactions": fmt.Sprint(int64(1 << 60)), "copy_bytes_per_second": 1}},
		{"check_interval_ms", "at most", object{flow: 1, "check_interval_ms": most}},
		{"", "", object{flow: 1, "check_interval_ms": int64(1 << 60), "config": object{"retention.ms": most, "segment.ms": most, "file.delete.delay.ms": most}}},
		{"", "", object{flow: 1000, "config": object{"retention.ms": most, "retention.bytes": most, "local.retention.ms": most - 1, "local.retention.bytes": most - 1, "remote.storage.enable": true}}},
		{"task_interval_ms", "at least 1", object{flow: 1, "task_interval_ms": -most}},
		{"max_events", "at most", object{flow: 1, "max_events": most}},
		{"disk_total_bytes", "at most", object{flow: 1, "platform": apsaraMQ, "disk_total_bytes": most}},
		{"", "", object{flow: int64(1 << 30), "platform": apsaraMQ, "disk_total_bytes": int64(1 << 60), "disk_used_bytes": int64(1 << 60), "disk_growth_bytes_per_second": int64(1 << 60)}},
		{apsaraMQ, ".poll_ms", object{flow: 1, "platform": apsaraMQ, "disk_total_bytes": 5, apsaraMQ: object{"poll_ms": most}}},
		{apsaraMQ, ".purge_target_percent: must be at most 85", object{flow: 1, "platform": apsaraMQ, "disk_total_bytes": 5, apsaraMQ: object{"purge_target_percent": 86}}},
	} {
		_, err := askTimeline(tt.settings, 0)
		if refusedInput(t, err) != tt.refused || tt.refused != "" && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v: got %v, want %q refused with %q", tt.settings, err, tt.refused, tt.says)
		}
	}
}

// A message is appended when it says so, also at the first moment of all.
func TestTimelineInputs_AMessageAtTheFirstMoment(t *testing.T) {
	t.Parallel()
	input, err := readTimelineArgument(types.DynamicValue(terraformValue(object{
		"messages": tuple{object{"at": "1970-01-01T00:00:00Z", "bytes": 10, "timestamp": "1970-01-05T00:00:00Z"}},
	})))
	if err != nil {
		t.Fatal(err)
	}
	input.scenario.Horizon = 1000
	if timeline, err := retention.Forecast(input.scenario); err != nil || timeline.Books.Written != 10 {
		t.Errorf("%+v, %v; want 10 bytes written in the first second", timeline.Books, err)
	}
}

// A horizon that nobody asked for reaches beyond everything that the inputs name, and messages begin the timeline.
func TestTimelineInputs_TheChosenHorizonSeesEverythingNamed(t *testing.T) {
	t.Parallel()
	const days = int64(dayMs)
	from2026 := func(day int) string { return fmt.Sprintf("2026-01-%02dT00:00:00Z", day) }
	const flow = "throughput_bytes_per_second"
	for want, settings := range map[int64]object{
		30 * days:        {flow: 1, "config": object{"retention.ms": days}},
		34*days + 8*days: {flow: 1, "stop": "1970-01-09T00:00:00Z", "config": object{"segment.ms": 7 * days, "retention.ms": 10 * days}},
		3660 * days:      {flow: 1, "config": object{"retention.ms": int64(1<<63 - 1)}},
		30*days + 10*days: {
			"messages": tuple{object{"at": from2026(1), "bytes": 1}, object{"at": from2026(11), "bytes": 1}}, "config": object{"retention.ms": days},
		},
		30*days + 4*days: {flow: 1, "start": from2026(1), "outages": tuple{object{"start": from2026(2), "stop": from2026(5)}}, "tiered_from": from2026(4), "config": object{"retention.ms": days, "remote.storage.enable": true}},
	} {
		input, err := readTimelineArgument(types.DynamicValue(terraformValue(settings)))
		if err != nil || input.scenario.Horizon-input.scenario.Start != want {
			t.Errorf("%v: %d days, %v, want %d", settings, (input.scenario.Horizon-input.scenario.Start)/days, err, want/days)
		}
	}
}

// A horizon that holds too much says how much, and offers one that works: exactly that is asked then.
func TestTimeline_TooLongOffersAHorizonThatFits(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]object{
		"asked":   {"throughput_bytes_per_second": 1000000000, "horizon": "3650d", "config": object{"segment.bytes": 1048576}},
		"unasked": {"throughput_bytes_per_second": 1000000000, "config": object{"segment.ms": 1}},
		"rounds":  {"throughput_bytes_per_second": 1, "platform": apsaraMQ, "disk_total_bytes": 1000000000, apsaraMQ: object{"poll_ms": 1}},
	} {
		const steps = 20_000
		_, err := askTimeline(settings, steps)
		if refusedInput(t, err) != "horizon" {
			t.Fatalf("%s: %v", name, err)
		}
		_, rest, _ := strings.Cut(err.Error(), "Set horizon to at most \"")
		offer, _, found := strings.Cut(rest, "\"")
		if !found {
			t.Fatalf("%s offers nothing: %v", name, err)
		}
		settings["horizon"] = offer
		if _, err := askTimeline(settings, steps); err != nil {
			t.Errorf("%s: %s was offered, and does not fit: %v", name, offer, err)
		}
	}
}

// A horizon that nobody asked for ends sooner where it holds too much, as long as the first message's end is told.
func TestTimeline_AChosenHorizonIsCutToWhatFits(t *testing.T) {
	t.Parallel()
	// A segment of a mebibyte each second: 10,000 steps are some 5,000 seconds of the 30 days.
	settings := object{"throughput_bytes_per_second": 1 << 20, "config": object{"retention.ms": 60000, "segment.bytes": 1 << 20}}
	outputs, err := askTimeline(settings, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	told, _ := outputs["told_until"].(types.String)
	if !strings.HasPrefix(told.ValueString(), "1970-01-01T01:2") || outputs["first_message_gone"].IsNull() {
		t.Errorf("told until %s; the first message goes %v", told, outputs["first_message_gone"])
	}
	settings["config"] = object{"retention.ms": 6000000, "segment.bytes": 1 << 20}
	if _, err := askTimeline(settings, 10_000); refusedInput(t, err) != "horizon" || !strings.Contains(err.Error(), "it is not set") {
		t.Errorf("a horizon before the first message goes hides the answer: %v", err)
	}
}

// An error of the data source hangs on the attribute.
func TestTimeline_ErrorsHangOnTheAttribute(t *testing.T) {
	t.Parallel()
	_, err := askTimeline(object{"messages": tuple{object{"at": "x", "bytes": 1}}}, 0)
	if d := timelineInputRefused(err); !strings.Contains(d.Detail(), "messages[0].at") {
		t.Error(d)
	} else if at, is := d.(interface{ Path() path.Path }); !is || !at.Path().Equal(path.Root("messages")) {
		t.Errorf("%v hangs on no attribute", d)
	}
}

// A span is offered in one unit, and never longer than what fits.
func TestSpanBelow_IsReadBackAndFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(1, 1<<60).Draw(t, "ms") >> rapid.IntRange(0, 59).Draw(t, "size")
		got, err := units.ParseMs(spanBelow(ms))
		if err != nil || got > ms || got < ms-ms/10 {
			t.Fatalf("%s of %d: %d, %v", spanBelow(ms), ms, got, err)
		}
	})
}
