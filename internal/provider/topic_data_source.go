// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

var (
	_ datasource.DataSource              = (*topicDataSource)(nil)
	_ datasource.DataSourceWithConfigure = (*topicDataSource)(nil)
)

// topicDataSource shows one topic with everything that the cluster tells of it.
type topicDataSource struct {
	dataSource
}

// newTopicDataSource makes the data source.
func newTopicDataSource() datasource.DataSource {
	return &topicDataSource{dataSource{name: "topic"}}
}

// topicDataModel is the data source as Terraform holds it.
type topicDataModel struct {
	Name              types.String                 `tfsdk:"name"`
	WaitFor           types.Dynamic                `tfsdk:"wait_for"`
	Partitions        types.Int64                  `tfsdk:"partitions"`
	ReplicationFactor types.Int64                  `tfsdk:"replication_factor"`
	TopicID           types.String                 `tfsdk:"topic_id"`
	Internal          types.Bool                   `tfsdk:"internal"`
	Config            types.Map                    `tfsdk:"config"` //< types.String
	Settings          map[string]topicSettingModel `tfsdk:"settings"`
	Replicas          []topicReplicasModel         `tfsdk:"replicas"`
	ReservedBytes     types.Int64                  `tfsdk:"reserved_bytes"`
	Reservation       types.Object                 `tfsdk:"reservation"` //< reservationAttributes
}

// topicSettingModel is one setting in force.
type topicSettingModel struct {
	Value     types.String `tfsdk:"value"`
	Source    types.String `tfsdk:"source"`
	ReadOnly  types.Bool   `tfsdk:"read_only"`
	Sensitive types.Bool   `tfsdk:"sensitive"`
}

// topicReplicasModel is where one partition is.
type topicReplicasModel struct {
	Partition int64       `tfsdk:"partition"`
	Brokers   []int64     `tfsdk:"brokers"`
	Leader    types.Int64 `tfsdk:"leader"`
	InSync    []int64     `tfsdk:"in_sync"`
}

// Read fills the data source.
func (d *topicDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model topicDataModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	view, diags := openForDataSource(ctx, d.runtime)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	topic, diags := d.find(ctx, view, model.Name.ValueString())
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	model.fill(view, topic)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// find takes the topic from the snapshot. Once this process has written, and for a
// name that the snapshot does not hold, it asks anew: a data source that Terraform
// has put off until apply is to show what the apply has made.
func (d *topicDataSource) find(ctx context.Context, view *cluster, name string) (kafka.Topic, diag.Diagnostics) {
	if topic, ok := view.snapshot.Topics[name]; ok && len(d.runtime.done()) == 0 {
		return topic, nil
	}
	if err, denied := view.snapshot.Unreadable[name]; denied {
		return kafka.Topic{}, diag.Diagnostics{topicUnreadable(name, err)}
	}
	topic, err := d.runtime.client.Reread(ctx, name)
	switch {
	case kafka.IsUnknownTopic(err):
		return topic, diag.Diagnostics{topicNotFound(name, len(view.snapshot.Topics))}
	case err != nil:
		return topic, diag.Diagnostics{topicUnreadable(name, err)}
	}
	return topic, nil
}

// fill shows a topic.
func (m *topicDataModel) fill(view *cluster, topic kafka.Topic) {
	computed := view.shownReservation(topic)
	m.Partitions, m.ReplicationFactor = types.Int64Value(topic.Partitions), types.Int64Value(topic.ReplicationFactor)
	m.TopicID, m.Internal = types.StringValue(topic.ID), types.BoolValue(topic.Internal || !view.counts(topic.Name))
	m.Config = importedConfig(topic)
	m.ReservedBytes, m.Reservation = reservedBytes(computed), reservationParts(computed)
	m.Settings = map[string]topicSettingModel{}
	for key, entry := range topic.Entries {
		setting := topicSettingModel{Value: types.StringNull(), Source: types.StringValue(entry.Source), ReadOnly: types.BoolValue(entry.ReadOnly), Sensitive: types.BoolValue(entry.Sensitive)}
		if entry.HasValue {
			setting.Value = types.StringValue(entry.Value)
		}
		m.Settings[key] = setting
	}
	m.Replicas = []topicReplicasModel{}
	for _, assignment := range topic.Assignments {
		replicas := topicReplicasModel{Partition: assignment.Partition, Brokers: assignment.Replicas, Leader: types.Int64Null(), InSync: assignment.InSync}
		if assignment.Leader >= 0 {
			replicas.Leader = types.Int64Value(assignment.Leader)
		}
		m.Replicas = append(m.Replicas, replicas)
	}
}

// importedConfig is what an import of the topic would hold as its config, so that a
// resource which is fed with it plans no change.
func importedConfig(topic kafka.Topic) types.Map {
	return mergeConfig(types.MapNull(types.StringType), topic, true)
}

// shownReservation is what a live topic reserves.
func (c *cluster) shownReservation(topic kafka.Topic) reservation.Reservation {
	return c.shown(reservation.Topic{
		Partitions: topic.Partitions, ReplicationFactor: max(topic.ReplicationFactor, 1), Settings: topic.Effective().Over(c.defaults),
	})
}

// reservedBytes is what a topic charges; null when unbounded.
func reservedBytes(computed reservation.Reservation) types.Int64 {
	if computed.Unbounded {
		return types.Int64Null()
	}
	return types.Int64Value(computed.ReservedBytes)
}
