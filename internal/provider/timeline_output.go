// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"math"
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

// timelineOutputs works a timeline out. The error is of the scenario.
func timelineOutputs(input timelineInput) (map[string]attr.Value, error) {
	timeline, err := retention.Forecast(input.scenario)
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

// momentValue is a moment as a text; null for one that may never come.
func momentValue(ms int64) types.String {
	if ms == math.MaxInt64 {
		return types.StringNull()
	}
	return types.StringValue(time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"))
}
