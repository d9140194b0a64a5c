// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// tieredStorageModel is a topic's tiered storage as Terraform holds it.
type tieredStorageModel struct {
	ID                  types.String   `tfsdk:"id"`
	Topic               types.String   `tfsdk:"topic"`
	Enabled             types.Bool     `tfsdk:"enabled"`
	LocalRetentionMs    types.Int64    `tfsdk:"local_retention_ms"`
	LocalRetentionBytes types.Int64    `tfsdk:"local_retention_bytes"`
	CopyDisabled        types.Bool     `tfsdk:"copy_disabled"`
	DeleteRemoteData    types.Bool     `tfsdk:"delete_remote_data_on_disable"`
	LocalReservedBytes  types.Int64    `tfsdk:"local_reserved_bytes"`
	RemoteReservedBytes types.Int64    `tfsdk:"remote_reserved_bytes"`
	Timeouts            timeouts.Value `tfsdk:"timeouts"`
}

// Schema is the resource's face.
func (r *tieredStorageResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	const sameAsTotal = " `-2` is the same as the topic's total, `-1` no limit. Left out: the topic has no such setting of its own, and the cluster's default holds."
	resp.Schema = schema.Schema{
		MarkdownDescription: "The tiered storage of a topic that exists, or that somebody else owns. Where the topic itself is managed here, its `config` is the better place for these settings: " +
			"one request then creates the topic tiered, and it charges its local tier only. A topic has one owner of its tiered settings: the same setting in both is refused.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				MarkdownDescription: topicNameDescription,
				Computed:            true,
			},
			"topic": schema.StringAttribute{
				MarkdownDescription: "The topic's name. Refer to the topic's resource where the same configuration has it (`kafkastorage_topic.orders.name`): then both are judged together, and the topic is applied first.",
				Required:            true,
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"enabled": schema.BoolAttribute{
				MarkdownDescription: "Whether closed segments are copied to the remote tier (`remote.storage.enable`). Switching off deletes what the remote tier holds, and needs `delete_remote_data_on_disable`. Default: `true`.",
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
			},
			"local_retention_ms": schema.Int64Attribute{
				MarkdownDescription: "How long a copied segment stays on the brokers, in milliseconds (`local.retention.ms`)." + sameAsTotal,
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(-2)},
			},
			"local_retention_bytes": schema.Int64Attribute{
				MarkdownDescription: "How many bytes of a partition stay on the brokers once they are copied (`local.retention.bytes`)." + sameAsTotal,
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(-2)},
			},
			"copy_disabled": schema.BoolAttribute{
				MarkdownDescription: "Read-only mode (`remote.log.copy.disable`, Kafka 3.9 and later): nothing more is copied, what the remote tier holds stays readable until it expires, and the brokers keep new data for the topic's total retention. The gentle way out of tiered storage. Left out: the topic has no such setting of its own.",
				Optional:            true,
			},
			"delete_remote_data_on_disable": schema.BoolAttribute{
				MarkdownDescription: deleteRemoteDataDescription + " For a destroy the value in the state counts, so apply it first. Default: `false`.",
				Optional:            true,
			},
			"local_reserved_bytes": schema.Int64Attribute{
				MarkdownDescription: "Bytes that the topic charges to the quota with these settings: those of its local tier. Null when nothing bounds it; known at plan where the topic exists.",
				Computed:            true,
			},
			"remote_reserved_bytes": schema.Int64Attribute{
				MarkdownDescription: "Bytes that the remote tier may come to hold, one copy of each partition; they are no part of the quota. 0 without tiered storage, null when the topic's total has no bound by size.",
				Computed:            true,
			},
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
				Create: true, CreateDescription: "How long the first change of the topic's settings may take. Default: `5m`.",
				Update: true, UpdateDescription: "How long a later change may take. Default: `5m`.",
				Delete: true, DeleteDescription: "How long switching tiered storage off may take." + deleteTimeoutDescription,
			}),
		},
	}
}
