// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Schema is the data source's face.
func (d *retentionTimelineDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	const optional = true
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Optional: optional, MarkdownDescription: description}
	}
	whole := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Optional: optional, MarkdownDescription: description}
	}
	required := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Required: true, MarkdownDescription: description}
	}
	attributes := map[string]schema.Attribute{
		"topic":                        text("A topic whose settings in force are taken, with the version and the intervals of its cluster. For one that is still to be created, pass its planned settings in `config`. Left out: no cluster is asked."),
		"config":                       schema.MapAttribute{Optional: optional, ElementType: types.StringType, MarkdownDescription: "Settings under Kafka's names, such as `\"retention.ms\"`. They win over those of `topic`, and over the platform's defaults."},
		"platform":                     schema.StringAttribute{Optional: optional, MarkdownDescription: "Whose rules hold: `kafka`, `event_streams`, `msk`, `msk_express` or `apsaramq`. Left out: that of the provider block.", Validators: []validator.String{stringvalidator.OneOf(timelinePlatforms...)}},
		"version":                      text("Kafka's version, such as `3.9`. Left out: the cluster's where `topic` is given, else the newest that the provider knows."),
		"throughput_bytes_per_second":  whole("What is written to the topic, in bytes per second as they are stored, spread evenly over its partitions, and no more than 2^60 for one partition up to the horizon. Either this or `messages`."),
		"batch_bytes":                  whole("Size of a producer's batch in bytes as it is stored; not with `messages`. Default: 16384."),
		"partitions":                   whole("Number of partitions that share `throughput_bytes_per_second`. Left out: those of `topic`, else 1."),
		"start":                        text("When the partition is created and writing begins, as `2026-01-31T06:00:00Z`. Moments are from 1970 to 9999. Default: when the first of `messages` is written, else `1970-01-01T00:00:00Z`, so that moments read as spans."),
		"stop":                         text("When writing ends; not with `messages`. Left out: never."),
		"tiered_from":                  text("When tiered storage is switched on, for a topic that has it in its settings. Left out: it was created tiered."),
		"horizon":                      text("How far to look from `start`, such as `90d`. What is to happen later is not looked at. One that holds more than [a timeline follows](../guides/retention.md#how-far-a-timeline-looks) is an error, which names the longest one that works. Default: from the last moment that the other inputs name, twice `retention.ms` and `segment.ms` together, at least `30d`, at most ten years; where that is more than a timeline follows, as far as it follows, if the first message goes by then."),
		"max_events":                   whole("How many events are listed: the first and the last ones, half of it each; 2 to 100000. Default: 200."),
		"check_interval_ms":            whole("How often brokers look for local segments to delete (`log.retention.check.interval.ms`). Left out: the cluster's where `topic` is given and it may be read, else 300000."),
		"task_interval_ms":             whole("How often brokers copy, and look for remote segments to delete (`remote.log.manager.task.interval.ms`). Left out: likewise, else 30000."),
		"copy_bytes_per_second":        whole("How fast a segment is copied to the remote tier; tiered topics only. Left out: at once."),
		"open_transactions":            text("For how long a transaction stays open, such as `10min`: what it may have written is not copied before. Tiered topics only. Default: none."),
		"disk_total_bytes":             whole("Size of the disk; `apsaramq` only. Left out: a disk that never fills."),
		"disk_used_bytes":              whole("What everything else on that disk occupies at `start`. Default: 0."),
		"disk_growth_bytes_per_second": whole("By how much that grows each second. Default: 0."),
		"messages": schema.ListNestedAttribute{
			Optional: optional, MarkdownDescription: "What is written to one partition, in the order of writing. Either this or `throughput_bytes_per_second`.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"at":        required("When it is written, as `2026-01-31T06:00:00Z`."),
				"bytes":     schema.Int64Attribute{Required: true, MarkdownDescription: "Its size as it is stored, in bytes."},
				"timestamp": text("Its own timestamp, where the producer says another than `at`."),
			}},
		},
		"outages": schema.ListNestedAttribute{
			Optional: optional, MarkdownDescription: "Spans in which the remote tier takes nothing, in order and apart. Tiered topics only.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"start": required("When it begins."), "stop": required("When it ends."),
			}},
		},
		apsaraMQ: schema.SingleNestedAttribute{
			Optional: optional, MarkdownDescription: "What ApsaraMQ for Kafka does not document, or leaves to the instance.",
			Attributes: map[string]schema.Attribute{
				"storage":              schema.StringAttribute{Optional: optional, MarkdownDescription: "`cloud`, `local` or `serverless`. Default: `cloud`.", Validators: []validator.String{stringvalidator.OneOf("cloud", "local", "serverless")}},
				"daily_run":            text("Local time of the daily deletion, of `cloud` storage. Default: `04:00`."),
				"utc_offset_minutes":   whole("What that clock is ahead of UTC, in minutes. Default: 480, China's time."),
				"poll_ms":              whole("Period of the deletions that are not daily. Default: 300000."),
				"purge_target_percent": whole("Use of the disk below which a purge of `cloud` storage ends, 1 to 85. Default: 85."),
			},
		},
		"wait_for": waitForAttribute(),
	}
	for name, attribute := range timelineOutputAttributes() {
		attributes[name] = attribute
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "When a topic's messages really go: segment by segment, tier by tier, for one partition. It is computed from settings alone, without a clock, so the same inputs give the same answer. " +
			"What brokers do in rounds has a window, from when its condition comes true to the end of the round that must see it.",
		Attributes: attributes,
	}
}

// timelineOutputAttributes are the computed ones.
func timelineOutputAttributes() map[string]schema.Attribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	whole := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
	}
	yes := func(description string) schema.BoolAttribute {
		return schema.BoolAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"events": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "What happens to the segments of one partition, in order.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"kind":         text("`opened`, `rolled` (closed), `copy_started`, `copied`, `expired` (can no longer be read from the tier), `purged` (leaves the disk) or `write_refused`."),
				"reason":       text("`time`, `size`, `index`, `retention` (an idle segment that is due to go), `log_start` (gone from the remote tier), `disk` or `too_large`; null where the kind says it all."),
				"tier":         text("`local` or `remote`."),
				"segment":      whole("Number of the segment, counted from 0."),
				"earliest":     text("When it happens at the earliest."),
				"latest":       text("When it happens at the latest; null where it may never happen, or not before the year 10000."),
				"certain":      yes("Whether it happens whatever the moments of the brokers' rounds are."),
				"local_bytes":  whole("What one replica of the partition then holds on the brokers, if everything is as late as it may be."),
				"remote_bytes": whole("What the remote tier then holds of it."),
			}},
		},
		"told_until":     text("Up to when the timeline tells: the horizon, unless it was not given and is more than a timeline follows, or too much depends on the moments of the brokers' rounds before it."),
		"events_omitted": whole("How many events between the listed halves are left out."),
		"first_message_gone": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "When the first message can no longer be read; null where that is not before the horizon.",
			Attributes: map[string]schema.Attribute{
				"earliest": text("At the earliest."), "latest": text("At the latest."),
				"age_ms": whole("How old it is by then, at most, in milliseconds."), "age": text("The same, readable."),
			},
		},
		"worst_message_age": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "How old any message gets before it goes.",
			Attributes: map[string]schema.Attribute{
				"ms": whole("In milliseconds."), "text": text("The same, readable."),
				"at_least": yes("Whether a message of that age is still there at the horizon, so that it gets older."),
			},
		},
		"peak_local_bytes":  whole("The most that one replica of the partition holds on the brokers, indexes apart."),
		"peak_remote_bytes": whole("The most that the remote tier holds of it."),
		"summary":           text("The outcome in a few sentences."),
		"mermaid":           text("A Gantt chart in Mermaid's language, which code hosts draw where people review."),
		"table":             text("The events as a table of fixed width."),
	}
}
