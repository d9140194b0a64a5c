// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// timelineEventTypes are one event's attributes.
var timelineEventTypes = map[string]attr.Type{
	"kind": types.StringType, "reason": types.StringType, "tier": types.StringType, "segment": types.Int64Type,
	"earliest": types.StringType, "latest": types.StringType, "certain": types.BoolType,
	"local_bytes": types.Int64Type, "remote_bytes": types.Int64Type,
}

// firstMessageGoneTypes are when the first message goes.
var firstMessageGoneTypes = map[string]attr.Type{
	"earliest": types.StringType, "latest": types.StringType, "age_ms": types.Int64Type, "age": types.StringType,
}

// worstMessageAgeTypes are how old a message gets.
var worstMessageAgeTypes = map[string]attr.Type{"ms": types.Int64Type, "text": types.StringType, "at_least": types.BoolType}

// timelineTypes are the outputs of the function, and the computed attributes of the
// data source.
var timelineTypes = map[string]attr.Type{
	"events":             types.ListType{ElemType: types.ObjectType{AttrTypes: timelineEventTypes}},
	"events_omitted":     types.Int64Type,
	"told_until":         types.StringType,
	"first_message_gone": types.ObjectType{AttrTypes: firstMessageGoneTypes},
	"worst_message_age":  types.ObjectType{AttrTypes: worstMessageAgeTypes},
	"peak_local_bytes":   types.Int64Type,
	"peak_remote_bytes":  types.Int64Type,
	"summary":            types.StringType,
	"mermaid":            types.StringType,
	"table":              types.StringType,
}

// timelineOutputs works a timeline out. The error is a [*timelineError].
func timelineOutputs(input timelineInput) (map[string]attr.Value, error) {
	timeline, err := forecast(&input)
	if err != nil {
		return nil, err
	}
	events := make([]attr.Value, 0, len(timeline.Events))
	for _, event := range timeline.Events {
		events = append(events, timelineEvent(event))
	}
	return map[string]attr.Value{
		"events":             types.ListValueMust(types.ObjectType{AttrTypes: timelineEventTypes}, events),
		"events_omitted":     types.Int64Value(timeline.Omitted),
		"told_until":         momentValue(timeline.Decided),
		"first_message_gone": firstMessageGone(timeline.FirstGone),
		"worst_message_age": types.ObjectValueMust(worstMessageAgeTypes, map[string]attr.Value{
			"ms": types.Int64Value(timeline.WorstAge.Ms), "text": types.StringValue(units.ReadableMs(timeline.WorstAge.Ms)), "at_least": types.BoolValue(timeline.WorstAge.AtLeast),
		}),
		"peak_local_bytes":  types.Int64Value(timeline.PeakLocalBytes),
		"peak_remote_bytes": types.Int64Value(timeline.PeakRemoteBytes),
		"summary":           types.StringValue(retention.Summary(input.scenario, timeline)),
		"mermaid":           types.StringValue(retention.Mermaid(input.scenario, timeline)),
		"table":             types.StringValue(retention.Table(input.scenario, timeline)),
	}, nil
}

// forecast works the scenario out. A horizon that nobody asked for ends sooner where it is more than can be followed, if
// the timeline still tells when the first message goes; else it would hide the answer, and is an error too.
func forecast(input *timelineInput) (retention.Timeline, error) {
	timeline, err := retention.Forecast(input.scenario)
	var tooLong *retention.TooLongError
	if !errors.As(err, &tooLong) {
		return timeline, ofInput(err)
	}
	if input.chosen && tooLong.FitsMs > 0 {
		sooner := input.scenario
		sooner.Horizon = sooner.Start + tooLong.FitsMs
		if timeline, err := retention.Forecast(sooner); err == nil && timeline.FirstGone.Goes {
			input.scenario = sooner
			return timeline, nil
		}
	}
	return retention.Timeline{}, &timelineError{attribute: "horizon", reason: timelineTooLong(input, tooLong)}
}

// timelineFields are the inputs that fields of a scenario come from.
var timelineFields = map[string]string{
	"Start": "start", "Horizon": "horizon", "MaxEvents": "max_events", "Version": "version", "Rules": "config", "TieredFrom": "tiered_from",
	"CheckMs": "check_interval_ms", "TaskMs": "task_interval_ms", "CopyBytesPerSecond": "copy_bytes_per_second", "OpenTransactionMs": "open_transactions",
	"Outages": "outages", "Messages": "messages", "Ts": "timestamp", "Append": "at", "Bytes": "bytes",
	"Rate.BytesPerSecond": "throughput_bytes_per_second", "Rate.BatchBytes": "batch_bytes", "Rate.Start": "start", "Rate.Stop": "stop",
	"Apsara": apsaraMQ, "Storage": "storage", "DailyRunMs": "daily_run", "ZoneOffsetMinutes": "utc_offset_minutes", "PollMs": "poll_ms", "PurgeTargetPercent": "purge_target_percent",
	"Apsara.DiskTotalBytes": "disk_total_bytes", "Apsara.DiskUsedBytes": "disk_used_bytes", "Apsara.DiskGrowthBytesPerSecond": "disk_growth_bytes_per_second",
}

// ofInput names the input of which a scenario's field is, in an error about that.
func ofInput(err error) error {
	var wrong *retention.ScenarioError
	if !errors.As(err, &wrong) {
		return err
	}
	reason := errors.New(wrong.Reason)
	if attribute, whole := timelineFields[wrong.Field]; whole {
		return &timelineError{attribute: attribute, reason: reason}
	}
	field, part, _ := strings.Cut(wrong.Field, ".")
	field, index, isElement := strings.Cut(field, "[")
	e := &timelineError{attribute: timelineFields[field], reason: reason}
	if isElement {
		e.within = "[" + index
	}
	if name := timelineFields[part]; name != "" {
		e.within += "." + name
	}
	return e
}

// timelineEvent is one event.
func timelineEvent(event retention.Event) attr.Value {
	reason := types.StringNull()
	if event.Reason != "" {
		reason = types.StringValue(string(event.Reason))
	}
	return types.ObjectValueMust(timelineEventTypes, map[string]attr.Value{
		"kind": types.StringValue(string(event.Kind)), "reason": reason, "tier": types.StringValue(string(event.Tier)), "segment": types.Int64Value(event.Segment),
		"earliest": momentValue(event.Earliest), "latest": momentValue(event.Latest), "certain": types.BoolValue(!event.Maybe),
		"local_bytes": types.Int64Value(event.LocalBytes), "remote_bytes": types.Int64Value(event.RemoteBytes),
	})
}

// firstMessageGone is when the first message goes; null where it does not before the horizon.
func firstMessageGone(gone retention.Gone) attr.Value {
	if !gone.Goes {
		return types.ObjectNull(firstMessageGoneTypes)
	}
	return types.ObjectValueMust(firstMessageGoneTypes, map[string]attr.Value{
		"earliest": momentValue(gone.Earliest), "latest": momentValue(gone.Latest),
		"age_ms": types.Int64Value(gone.AgeMs), "age": types.StringValue(units.ReadableMs(gone.AgeMs)),
	})
}

// momentValue is a moment as a text; null for one that may never come, or not before the year 10000.
func momentValue(ms int64) types.String {
	if ms > latestMomentMs {
		return types.StringNull()
	}
	return types.StringValue(time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"))
}
