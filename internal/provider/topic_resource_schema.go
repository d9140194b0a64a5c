// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// topicModel is a topic as Terraform holds it.
type topicModel struct {
	ID                types.String   `tfsdk:"id"`
	Name              types.String   `tfsdk:"name"`
	Partitions        types.Int64    `tfsdk:"partitions"`
	ReplicationFactor types.Int64    `tfsdk:"replication_factor"`
	Config            types.Map      `tfsdk:"config"` //< types.String
	TopicID           types.String   `tfsdk:"topic_id"`
	ReservedBytes     types.Int64    `tfsdk:"reserved_bytes"`
	Reservation       types.String   `tfsdk:"reservation"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`

	DeletionProtection types.Bool `tfsdk:"deletion_protection"`
	DeleteRemoteData   types.Bool `tfsdk:"delete_remote_data_on_disable"`

	Throughput types.Int64 `tfsdk:"throughput_bytes_per_second"`
}

// Schema is the topic's face. It stays small on purpose: every attribute costs
// Terraform CPU time on every topic of every plan.
func (r *topicResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A Kafka topic. The plan shows what the topic will reserve, and fails when the cluster's quota would be exceeded.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: topicNameDescription,
				Computed:            true,
			},
			"name": schema.StringAttribute{
				MarkdownDescription: "The topic's name: 1 to 249 ASCII letters, digits, dots, underscores and dashes. Another name is another topic, so a change replaces it.",
				Required:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"partitions": schema.Int64Attribute{
				MarkdownDescription: "Number of partitions. It can grow in place, which sends new records of a key to another partition than old ones; Kafka cannot take partitions away. Left out: the cluster's default at creation, afterwards what the topic has.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int64{int64validator.Between(1, 1<<31-1)},
			},
			"replication_factor": schema.Int64Attribute{
				MarkdownDescription: "Number of replicas of each partition, not more than there are brokers. It changes in place: replicas are moved, as few as possible, and `timeouts.update` is how long to wait for that. Left out, or `-1`: the cluster's default at creation, afterwards what the topic has.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.Int64{int64validator.Any(int64validator.OneOf(leftToCluster), int64validator.Between(1, 1<<15-1))},
			},
			"config": schema.MapAttribute{
				MarkdownDescription: "The topic's own settings, under Kafka's names, such as `\"retention.bytes\"`. The map is authoritative: a setting that it does not list falls back to the cluster's default. Values are compared by meaning, so `\"0.50\"` and `\"0.5\"` are equal. Numbers may be written without quotes, and null counts as not written.",
				ElementType:         types.StringType,
				Optional:            true,
			},
			"topic_id": schema.StringAttribute{
				MarkdownDescription: topicIDDescription,
				Computed:            true,
			},
			"reserved_bytes": schema.Int64Attribute{
				MarkdownDescription: "Bytes that the topic charges to the quota; known at plan. Null when nothing bounds the topic: `retention.bytes` is -1, or `cleanup.policy` is empty.",
				Computed:            true,
			},
			"reservation": schema.StringAttribute{
				MarkdownDescription: "The rule behind `reserved_bytes` with this topic's numbers, on one line.",
				Computed:            true,
			},
			"deletion_protection": schema.BoolAttribute{
				MarkdownDescription: "Whether the topic is protected from deletion, by a replacement too. The value in the state counts: to delete a protected topic, apply `false` first. Left out: the provider's `deletion_protection`.",
				Optional:            true,
			},
			"delete_remote_data_on_disable": schema.BoolAttribute{
				MarkdownDescription: deleteRemoteDataDescription + " It goes with `\"remote.storage.enable\" = \"false\"` in `config`; deleting the topic does not need it. Default: `false`.",
				Optional:            true,
			},
			"throughput_bytes_per_second": schema.Int64Attribute{
				MarkdownDescription: "What is written to the topic, in bytes per second as they are stored, over all partitions. Nothing is sent for it: with it a plan can say that segments fill later than data is to go, or never.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
			},
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
				Read: true, ReadDescription: "How long reading the topic may take beyond the one reading of the whole cluster that all topics share. Default: `5m`.",
				Create: true, CreateDescription: "How long the creation may take until the topic can be read, such as `30s` or `2m`. Default: `5m`.",
				Update: true, UpdateDescription: "How long a change of the topic may take. Moving replicas copies data, which takes as long as there is data; a run that ends before goes on with the next apply. Default: `5m`.",
				Delete: true, DeleteDescription: "How long deleting the topic may take." + deleteTimeoutDescription,
			}),
		},
	}
}
