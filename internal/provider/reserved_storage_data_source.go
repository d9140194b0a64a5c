// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	_ datasource.DataSource              = (*reservedStorageDataSource)(nil)
	_ datasource.DataSourceWithConfigure = (*reservedStorageDataSource)(nil)
)

// reservedStorageDataSource shows live totals, and totals as they would be.
type reservedStorageDataSource struct {
	dataSource
}

// newReservedStorageDataSource makes the data source.
func newReservedStorageDataSource() datasource.DataSource {
	return &reservedStorageDataSource{dataSource{name: "reserved_storage"}}
}

// reservedStorageModel is the data source as Terraform holds it.
type reservedStorageModel struct {
	PlannedTopics    map[string]*plannedTopicModel `tfsdk:"planned_topics"`
	PlannedBytes     map[string]types.Int64        `tfsdk:"planned_bytes"`
	ReleasedTopics   []types.String                `tfsdk:"released_topics"`
	Enforce          types.Bool                    `tfsdk:"enforce"`
	IncludeTopics    types.Bool                    `tfsdk:"include_topics"`
	WaitFor          types.Dynamic                 `tfsdk:"wait_for"`
	LiveBytes        types.Number                  `tfsdk:"live_bytes"`
	FinalBytes       types.Number                  `tfsdk:"final_bytes"`
	PeakBytes        types.Number                  `tfsdk:"peak_bytes"`
	LimitBytes       types.Int64                   `tfsdk:"limit_bytes"`
	CapacityBytes    types.Int64                   `tfsdk:"capacity_bytes"`
	AvailableBytes   types.Number                  `tfsdk:"available_bytes"`
	ReservedPercent  types.Number                  `tfsdk:"reserved_percent"`
	LimitExceeded    types.Bool                    `tfsdk:"limit_exceeded"`
	UnboundedTopics  []types.String                `tfsdk:"unbounded_topics"`
	UnreadableTopics []types.String                `tfsdk:"unreadable_topics"`
	InternalBytes    types.Number                  `tfsdk:"internal_bytes"`
	RemoteBytes      types.Number                  `tfsdk:"remote_bytes"`
	RemoteUnbounded  []types.String                `tfsdk:"remote_unbounded_topics"`
	Topics           map[string]reservedTopicModel `tfsdk:"topics"`
}

// plannedTopicModel is a topic as a configuration plans it.
type plannedTopicModel struct {
	Partitions        types.Int64 `tfsdk:"partitions"`
	ReplicationFactor types.Int64 `tfsdk:"replication_factor"`
	Config            types.Map   `tfsdk:"config"` //< types.String
}

// reservedTopicModel is one topic's line.
type reservedTopicModel struct {
	Partitions        types.Int64 `tfsdk:"partitions"`
	ReplicationFactor types.Int64 `tfsdk:"replication_factor"`
	PerPartitionBytes types.Int64 `tfsdk:"per_partition_bytes"`
	ReservedBytes     types.Int64 `tfsdk:"reserved_bytes"`
	Unbounded         types.Bool  `tfsdk:"unbounded"`
	Tiered            types.Bool  `tfsdk:"tiered"`
	RemoteBytes       types.Int64 `tfsdk:"remote_bytes"`
}

// Read computes the totals over the first snapshot.
func (d *reservedStorageDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model reservedStorageModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	view, diags := openForDataSource(ctx, d.runtime)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	forecast := newStorageForecast(view, d.runtime.settings, model)
	resp.Diagnostics.Append(forecast.diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(forecast.enforce(model.Enforce.ValueBool(), d.runtime.done())...)
	if model.Enforce.ValueBool() && d.runtime.settings.enforceWeakened() {
		resp.Diagnostics.Append(d.runtime.notes.say(noteWeakened, enforceWeakened(d.runtime.settings))...)
	}
	forecast.fill(&model)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
