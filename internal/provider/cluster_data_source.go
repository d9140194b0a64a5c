// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

var (
	_ datasource.DataSource              = (*clusterDataSource)(nil)
	_ datasource.DataSourceWithConfigure = (*clusterDataSource)(nil)
)

// clusterDataSource shows what the provider knows of the cluster.
type clusterDataSource struct {
	dataSource
}

// newClusterDataSource makes the data source.
func newClusterDataSource() datasource.DataSource {
	return &clusterDataSource{dataSource{name: "cluster"}}
}

// clusterModel is the data source as Terraform holds it.
type clusterModel struct {
	WaitFor           types.Dynamic `tfsdk:"wait_for"`
	Platform          types.String  `tfsdk:"platform"`
	ClusterID         types.String  `tfsdk:"cluster_id"`
	Version           types.String  `tfsdk:"version"`
	TieredStorage     types.Bool    `tfsdk:"tiered_storage"`
	Brokers           []brokerModel `tfsdk:"brokers"`
	Defaults          types.Map     `tfsdk:"defaults"` //< types.String
	CapacityBytes     types.Int64   `tfsdk:"capacity_bytes"`
	LimitBytes        types.Int64   `tfsdk:"limit_bytes"`
	Enforcement       types.String  `tfsdk:"enforcement"`
	EnforcementSource types.String  `tfsdk:"enforcement_source"`
}

// brokerModel is one broker.
type brokerModel struct {
	ID   types.Int64  `tfsdk:"id"`
	Rack types.String `tfsdk:"rack"`
}

// Schema is the data source's face.
func (d *clusterDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The cluster as the provider sees it: platform, version, brokers, what a new topic would get, and the quota in force. Pass it whole to the functions `reserved_bytes` and `reservation`.",
		Attributes: map[string]schema.Attribute{
			"wait_for":       waitForAttribute(),
			"platform":       schema.StringAttribute{Computed: true, MarkdownDescription: "The platform of the provider block."},
			"cluster_id":     schema.StringAttribute{Computed: true, MarkdownDescription: "Kafka's id of the cluster."},
			"version":        schema.StringAttribute{Computed: true, MarkdownDescription: "Kafka's version as the broker that answers tells it, such as `4.1`; null where it does not."},
			"tiered_storage": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the brokers have tiered storage (`remote.log.storage.system.enable`); null where that may not be read."},
			"brokers": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The brokers, ordered by id.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":   schema.Int64Attribute{Computed: true, MarkdownDescription: "Node id."},
					"rack": schema.StringAttribute{Computed: true, MarkdownDescription: "`broker.rack`; null where none is set."},
				}},
			},
			"defaults": schema.MapAttribute{
				Computed: true, ElementType: types.StringType,
				MarkdownDescription: "What a new topic gets for what it leaves out, under Kafka's topic names, together with `num.partitions` and `default.replication.factor`. Without the right to read them (`DescribeConfigs` on the cluster), those of the platform.",
			},
			"capacity_bytes":     schema.Int64Attribute{Computed: true, MarkdownDescription: capacityDescription},
			"limit_bytes":        schema.Int64Attribute{Computed: true, MarkdownDescription: limitDescription},
			"enforcement":        schema.StringAttribute{Computed: true, MarkdownDescription: "The enforcement in force: `error`, `warn` or `off`."},
			"enforcement_source": schema.StringAttribute{Computed: true, MarkdownDescription: "Where it comes from: `default`, `configuration` or `environment`."},
		},
	}
}

// Read fills the data source from the first snapshot.
func (d *clusterDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model clusterModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	view, diags := openForDataSource(ctx, d.runtime)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	settings := d.runtime.settings
	model.Platform = types.StringValue(string(view.platform))
	model.ClusterID = types.StringValue(view.snapshot.ClusterID)
	model.fillCapabilities(ctx, d.runtime)
	model.Brokers = []brokerModel{}
	for _, broker := range view.snapshot.Brokers {
		b := brokerModel{ID: types.Int64Value(broker.ID), Rack: types.StringNull()}
		if broker.Rack != "" {
			b.Rack = types.StringValue(broker.Rack)
		}
		model.Brokers = append(model.Brokers, b)
	}
	model.Defaults = settingsMap(view.defaultsWithCounts())
	model.CapacityBytes, model.LimitBytes = capacityAndLimit(settings)
	model.Enforcement = types.StringValue(string(settings.quota.Enforcement))
	model.EnforcementSource = types.StringValue(settings.enforcementSource)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// fillCapabilities shows what the cluster can do, as far as it tells.
func (m *clusterModel) fillCapabilities(ctx context.Context, r *runtime) {
	m.Version, m.TieredStorage = types.StringNull(), types.BoolNull()
	capabilities, err := r.client.Capabilities(ctx)
	if err != nil {
		return
	}
	if capabilities.Version.Known() {
		m.Version = types.StringValue(capabilities.Version.String())
	}
	if capabilities.TieredStorage != topicconfig.SupportUnknown {
		m.TieredStorage = types.BoolValue(capabilities.TieredStorage == topicconfig.SupportOn)
	}
}

// capacityAndLimit are null without a capacity.
func capacityAndLimit(settings providerSettings) (capacity, limit types.Int64) {
	if !settings.quota.HasCapacity() {
		return types.Int64Null(), types.Int64Null()
	}
	return types.Int64Value(settings.quota.CapacityBytes), types.Int64Value(settings.quota.LimitBytes())
}

// settingsMap is a map of strings.
func settingsMap(settings topicconfig.Settings) types.Map {
	elements := make(map[string]attr.Value, len(settings))
	for key, value := range settings {
		elements[key] = types.StringValue(value)
	}
	return types.MapValueMust(types.StringType, elements)
}
