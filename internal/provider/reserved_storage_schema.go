// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Schema is the data source's face.
func (d *reservedStorageDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "What the topics of the cluster reserve now, and what they would reserve with planned topics. " +
			"Feed it from the same `local` as the topics, not from the topic resources: Terraform does not read a data source at plan that names a resource with pending changes.",
		Attributes: map[string]schema.Attribute{
			"planned_topics": schema.MapNestedAttribute{
				MarkdownDescription: "Topics as they are to be, by name. Computed as the topic resource does it, with the live cluster's defaults; other attributes of the objects are ignored.",
				Optional:            true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"partitions": schema.Int64Attribute{
						MarkdownDescription: "Number of partitions. Left out: what the topic has, or the cluster's default.",
						Optional:            true, Validators: []validator.Int64{int64validator.AtLeast(1)},
					},
					"replication_factor": schema.Int64Attribute{
						MarkdownDescription: "Number of replicas. Left out, or `-1`: what the topic has, or the cluster's default.",
						Optional:            true, Validators: []validator.Int64{int64validator.Any(int64validator.OneOf(leftToCluster), int64validator.AtLeast(1))},
					},
					"config": schema.MapAttribute{
						MarkdownDescription: "The topic's own settings, under Kafka's names.",
						Optional:            true, ElementType: types.StringType,
					},
				}},
			},
			"planned_bytes": schema.MapAttribute{
				MarkdownDescription: "Topics as they are to be, by name, as bytes that were computed elsewhere. Null stands for unbounded.",
				Optional:            true, ElementType: types.Int64Type,
				Validators: []validator.Map{mapvalidator.ValueInt64sAre(int64validator.AtLeast(0))},
			},
			"released_topics": schema.SetAttribute{
				MarkdownDescription: "Names of topics that will go. They leave `final_bytes`, and stay in `peak_bytes`: Terraform may apply in any order.",
				Optional:            true, ElementType: types.StringType,
			},
			"enforce": schema.BoolAttribute{
				MarkdownDescription: "Fail when something planned grows and the peak is over the limit, or when something planned becomes unbounded. The provider's `enforcement` does not touch it; the environment variable `KAFKASTORAGE_ENFORCEMENT` does. Default: `false`.",
				Optional:            true,
			},
			"include_topics": schema.BoolAttribute{
				MarkdownDescription: "List every topic in `topics`. Default: `false`, the planned ones and the ten largest.",
				Optional:            true,
			},
			"wait_for":                waitForAttribute(),
			"live_bytes":              schema.NumberAttribute{Computed: true, MarkdownDescription: "What all topics with a bound reserve now, in bytes."},
			"final_bytes":             schema.NumberAttribute{Computed: true, MarkdownDescription: "What they reserve when all planned topics are applied and the released ones are gone."},
			"peak_bytes":              schema.NumberAttribute{Computed: true, MarkdownDescription: "The most that they may reserve on the way, in whatever order Terraform applies. The gate judges this number."},
			"limit_bytes":             schema.Int64Attribute{Computed: true, MarkdownDescription: limitDescription},
			"capacity_bytes":          schema.Int64Attribute{Computed: true, MarkdownDescription: capacityDescription},
			"available_bytes":         schema.NumberAttribute{Computed: true, MarkdownDescription: "`limit_bytes` − `peak_bytes`; may be negative. Null without a capacity."},
			"reserved_percent":        schema.NumberAttribute{Computed: true, MarkdownDescription: "`live_bytes` × 100 / capacity, two decimals, cut and not rounded. Null without a capacity."},
			"limit_exceeded":          schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether `peak_bytes` is over `limit_bytes`."},
			"unbounded_topics":        schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Topics without a bound, live or planned, in order. They are in no sum."},
			"unreadable_topics":       schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Topics whose settings may not be read. They are in no sum."},
			"internal_bytes":          schema.NumberAttribute{Computed: true, MarkdownDescription: "What internal topics and names that start with `__` reserve. They are in no other sum."},
			"remote_bytes":            schema.NumberAttribute{Computed: true, MarkdownDescription: "What the remote tiers of all topics may come to hold when all planned topics are applied and the released ones are gone: one copy of each partition, without those that nothing bounds. It is in no other sum, and no part of the quota."},
			"remote_unbounded_topics": schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Tiered topics whose remote tier nothing bounds by size, live or planned, in order."},
			"topics": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Topics by name: planned ones as planned, the others as they are.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"partitions":          schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of partitions; null where only bytes were given."},
					"replication_factor":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of replicas; null where only bytes were given."},
					"per_partition_bytes": schema.Int64Attribute{Computed: true, MarkdownDescription: "Reservation of one replica of one partition; null when unbounded or where only bytes were given."},
					"reserved_bytes":      schema.Int64Attribute{Computed: true, MarkdownDescription: "What the topic charges; null when unbounded."},
					"unbounded":           schema.BoolAttribute{Computed: true, MarkdownDescription: unboundedDescription},
					"tiered":              schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the topic has tiered storage, so that `reserved_bytes` is that of its local tier; null where only bytes were given."},
					"remote_bytes":        schema.Int64Attribute{Computed: true, MarkdownDescription: "What its remote tier may come to hold; 0 without tiered storage, null when nothing bounds it or where only bytes were given."},
				}},
			},
		},
	}
}
