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

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Schema is the data source's face.
func (d *topicDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "One topic as it is: its settings with where each comes from, where its replicas are, and what it reserves. A topic that does not exist is an error.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				MarkdownDescription: "The topic's name. Internal topics can be read, too.",
				Required:            true,
				Validators:          []validator.String{stringvalidator.LengthBetween(1, topicconfig.MaxName)},
			},
			"wait_for":           waitForAttribute(),
			"partitions":         schema.Int64Attribute{Computed: true, MarkdownDescription: partitionsDescription},
			"replication_factor": schema.Int64Attribute{Computed: true, MarkdownDescription: replicasDescription},
			"topic_id":           schema.StringAttribute{Computed: true, MarkdownDescription: topicIDDescription},
			"internal":           schema.BoolAttribute{Computed: true, MarkdownDescription: internalDescription},
			"config":             schema.MapAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: configOfTopicDescription},
			"settings": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "All settings in force, inherited ones included, under Kafka's names.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"value":     schema.StringAttribute{Computed: true, MarkdownDescription: "The value; null for a sensitive setting, whose value is never read."},
					"source":    schema.StringAttribute{Computed: true, MarkdownDescription: "Where it comes from, as Kafka calls it: `DYNAMIC_TOPIC_CONFIG` (the topic itself), `DYNAMIC_BROKER_CONFIG`, `DYNAMIC_DEFAULT_BROKER_CONFIG`, `STATIC_BROKER_CONFIG` or `DEFAULT_CONFIG`."},
					"read_only": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the broker marks it as read-only."},
					"sensitive": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the broker marks it as sensitive."},
				}},
			},
			"replicas": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Where the replicas are, by partition.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"partition": schema.Int64Attribute{Computed: true, MarkdownDescription: "The partition's id."},
					"brokers":   schema.ListAttribute{Computed: true, ElementType: types.Int64Type, MarkdownDescription: "Ids of the brokers that hold it, the preferred leader first."},
					"leader":    schema.Int64Attribute{Computed: true, MarkdownDescription: "Id of the broker that leads it; null while none does."},
					"in_sync":   schema.ListAttribute{Computed: true, ElementType: types.Int64Type, MarkdownDescription: "Ids of the brokers that are in sync."},
				}},
			},
			"reserved_bytes": schema.Int64Attribute{Computed: true, MarkdownDescription: chargedDescription},
			"reservation": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The same number with all its parts, as the function `reservation` returns them. Byte counts and segments are null when nothing bounds the topic.",
				Attributes: map[string]schema.Attribute{
					"partitions":          schema.Int64Attribute{Computed: true, MarkdownDescription: partitionsDescription},
					"copies":              schema.Int64Attribute{Computed: true, MarkdownDescription: "Replicas that count."},
					"segments":            schema.Int64Attribute{Computed: true, MarkdownDescription: "How many segments a partition may hold."},
					"retention_bytes":     schema.Int64Attribute{Computed: true, MarkdownDescription: "The part of one partition for data that retention keeps, on a tiered topic locally; 1 GiB for a compacted topic."},
					"segment_bytes":       schema.Int64Attribute{Computed: true, MarkdownDescription: "The part of one partition for the active segment."},
					"index_bytes":         schema.Int64Attribute{Computed: true, MarkdownDescription: "The part of one partition for the indexes of its segments."},
					"per_partition_bytes": schema.Int64Attribute{Computed: true, MarkdownDescription: "The sum of the three."},
					"reserved_bytes":      schema.Int64Attribute{Computed: true, MarkdownDescription: "`per_partition_bytes` × `partitions` × `copies`."},
					"unbounded":           schema.BoolAttribute{Computed: true, MarkdownDescription: unboundedDescription},
					"tiered":              schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether closed segments move to the remote tier, so that the topic charges its local tier only."},
					"remote_bytes":        schema.Int64Attribute{Computed: true, MarkdownDescription: "What the remote tier may come to hold, one copy of each partition; 0 for a topic that is not tiered, null when nothing bounds it by size."},
				},
			},
		},
	}
}
