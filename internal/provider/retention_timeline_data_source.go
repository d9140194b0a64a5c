// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	_ datasource.DataSource              = (*retentionTimelineDataSource)(nil)
	_ datasource.DataSourceWithConfigure = (*retentionTimelineDataSource)(nil)
)

// retentionTimelineDataSource works out when a topic's messages really go. It asks
// the cluster only about a topic.
type retentionTimelineDataSource struct {
	dataSource
}

// newRetentionTimelineDataSource makes the data source.
func newRetentionTimelineDataSource() datasource.DataSource {
	return &retentionTimelineDataSource{dataSource{name: "retention_timeline"}}
}

// Read works the timeline out.
func (d *retentionTimelineDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	attributes := config.Attributes()
	assumed, diags := d.assume(ctx, attributes["topic"], attributes["config"])
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	input, err := readTimeline(attributes, assumed)
	if err != nil {
		resp.Diagnostics.Append(timelineInputRefused(err))
		return
	}
	outputs, err := timelineOutputs(input)
	if err != nil {
		resp.Diagnostics.Append(timelineInputRefused(err))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		attributes[name] = outputs[name]
	}
	state, diags := types.ObjectValue(config.AttributeTypes(ctx), attributes)
	resp.Diagnostics.Append(diags...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
	}
}

// assume is what the inputs are laid over: a topic's settings and its cluster's ways,
// or Kafka's own where no topic is named. A topic that is not there yet, but has a
// config here, gets the cluster's defaults under it.
func (d *retentionTimelineDataSource) assume(ctx context.Context, name, config attr.Value) (timelineDefaults, diag.Diagnostics) {
	topic, _ := name.(types.String)
	if topic.IsNull() || topic.ValueString() == "" {
		assumed := timelineDefaults{platform: timelinePlatforms[0]}
		if d.runtime != nil {
			assumed.platform = string(d.runtime.settings.platform)
		}
		return assumed, nil
	}
	view, diags := openForDataSource(ctx, d.runtime)
	if diags.HasError() {
		return timelineDefaults{}, diags
	}
	assumed := timelineDefaults{platform: string(view.platform), settings: view.defaults, partitions: view.snapshot.Defaults.Partitions}
	live, isLive := view.snapshot.Topics[topic.ValueString()]
	if err, denied := view.snapshot.Unreadable[topic.ValueString()]; denied {
		return assumed, diag.Diagnostics{topicUnreadable(topic.ValueString(), err)}
	}
	if !isLive && isNull(config) {
		return assumed, diag.Diagnostics{timelineTopicNotFound(topic.ValueString())}
	}
	if isLive {
		assumed.settings, assumed.partitions = live.Effective().Over(view.defaults), live.Partitions
	}
	capabilities, err := d.runtime.client.Capabilities(ctx)
	if err == nil {
		assumed.version, assumed.checkMs, assumed.taskMs = capabilities.Version, capabilities.CheckIntervalMs, capabilities.TaskIntervalMs
	}
	return assumed, nil
}

// timelineInputRefused words an input that cannot be used, at the attribute.
func timelineInputRefused(err error) diag.Diagnostic {
	at := path.Empty()
	var refused *timelineError
	if errors.As(err, &refused) {
		at = path.Root(refused.attribute)
	}
	return timelineRefused(at, err)
}
