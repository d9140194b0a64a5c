// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	_ datasource.DataSource              = (*topicsDataSource)(nil)
	_ datasource.DataSourceWithConfigure = (*topicsDataSource)(nil)
)

// topicsDataSource shows many topics at the cost of the one snapshot.
type topicsDataSource struct {
	dataSource
}

// newTopicsDataSource makes the data source.
func newTopicsDataSource() datasource.DataSource {
	return &topicsDataSource{dataSource{name: "topics"}}
}

// topicsModel is the data source as Terraform holds it.
type topicsModel struct {
	NamePrefix       types.String               `tfsdk:"name_prefix"`
	NameRegex        types.String               `tfsdk:"name_regex"`
	IncludeInternal  types.Bool                 `tfsdk:"include_internal"`
	WaitFor          types.Dynamic              `tfsdk:"wait_for"`
	Topics           map[string]foundTopicModel `tfsdk:"topics"`
	Names            []types.String             `tfsdk:"names"`
	UnreadableTopics []types.String             `tfsdk:"unreadable_topics"`
}

// foundTopicModel is one topic, with the attributes of the resource under the
// resource's names.
type foundTopicModel struct {
	Partitions        types.Int64  `tfsdk:"partitions"`
	ReplicationFactor types.Int64  `tfsdk:"replication_factor"`
	Config            types.Map    `tfsdk:"config"` //< types.String
	TopicID           types.String `tfsdk:"topic_id"`
	ReservedBytes     types.Int64  `tfsdk:"reserved_bytes"`
	Unbounded         types.Bool   `tfsdk:"unbounded"`
	Internal          types.Bool   `tfsdk:"internal"`
}

// Schema is the data source's face.
func (d *topicsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The topics of the cluster, all or a choice of them, as they were when the run first read it. However many there are, they cost no request of their own.",
		Attributes: map[string]schema.Attribute{
			"name_prefix":       schema.StringAttribute{Optional: true, MarkdownDescription: namePrefixDescription},
			"name_regex":        schema.StringAttribute{Optional: true, MarkdownDescription: nameRegexDescription, Validators: []validator.String{regularExpression{}}},
			"include_internal":  schema.BoolAttribute{Optional: true, MarkdownDescription: includeInternalDescription},
			"wait_for":          waitForAttribute(),
			"names":             schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Their names, in order."},
			"unreadable_topics": schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Names that the filter lets through and whose topics may not be read. They are in none of the others."},
			"topics": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The topics by name, fit for the `for_each` of `kafkastorage_topic` and for `planned_topics`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"partitions":         schema.Int64Attribute{Computed: true, MarkdownDescription: partitionsDescription},
					"replication_factor": schema.Int64Attribute{Computed: true, MarkdownDescription: replicasDescription},
					"config":             schema.MapAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: configOfTopicDescription},
					"topic_id":           schema.StringAttribute{Computed: true, MarkdownDescription: "Kafka's id of the topic. Empty where the cluster gives none."},
					"reserved_bytes":     schema.Int64Attribute{Computed: true, MarkdownDescription: chargedDescription},
					"unbounded":          schema.BoolAttribute{Computed: true, MarkdownDescription: unboundedDescription},
					"internal":           schema.BoolAttribute{Computed: true, MarkdownDescription: internalDescription},
				}},
			},
		},
	}
}

// Read fills the data source from the first snapshot.
func (d *topicsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model topicsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	filter, diags := newTopicFilter(model.NamePrefix, model.NameRegex, model.IncludeInternal)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	view, diags := openForDataSource(ctx, d.runtime)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	names := filter.topics(view)
	model.Names, model.UnreadableTopics = texts(names), texts(filter.unreadable(view))
	model.Topics = make(map[string]foundTopicModel, len(names))
	for _, name := range names {
		topic := view.snapshot.Topics[name]
		computed := view.shownReservation(topic)
		model.Topics[name] = foundTopicModel{
			Partitions: types.Int64Value(topic.Partitions), ReplicationFactor: types.Int64Value(topic.ReplicationFactor),
			Config: importedConfig(topic), TopicID: types.StringValue(topic.ID), Internal: types.BoolValue(!view.counts(name)),
			ReservedBytes: reservedBytes(computed), Unbounded: types.BoolValue(computed.Unbounded),
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}
