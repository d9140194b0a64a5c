// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Address is where the registry serves the provider.
const Address = "registry.terraform.io/kafkastorage/kafkastorage"

// typePrefix is the first part of every resource's and data source's name.
const typePrefix = "kafkastorage"

var (
	_ provider.Provider                  = (*kafkastorageProvider)(nil)
	_ provider.ProviderWithFunctions     = (*kafkastorageProvider)(nil)
	_ provider.ProviderWithListResources = (*kafkastorageProvider)(nil)
)

// kafkastorageProvider is the provider of one process.
type kafkastorageProvider struct {
	version string
	options options
}

// New returns what the plugin server starts: a provider of the given version.
func New(version string) func() provider.Provider {
	return func() provider.Provider {
		return &kafkastorageProvider{version: version, options: options{getenv: osEnvironment}}
	}
}

// Metadata names the provider.
func (p *kafkastorageProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typePrefix
	resp.Version = p.version
}

// Schema is the provider block.
func (p *kafkastorageProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerSchema()
}

// Configure reads the provider block and makes the runtime. It does no I/O.
func (p *kafkastorageProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var model providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	settings, diags := readProviderSettings(ctx, model, p.options.getenv)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	settings.kafka.Dial = p.options.dial
	runtime, err := newRuntime(settings, p.version)
	if err != nil {
		resp.Diagnostics.Append(invalidProviderConfiguration(err))
		return
	}
	if settings.gateWeakened() {
		resp.Diagnostics.Append(runtime.notes.say(noteWeakened, gateWeakened(settings))...)
	}
	resp.ResourceData = runtime
	resp.DataSourceData = runtime
	resp.ListResourceData = runtime
}

// Resources lists the resources.
func (p *kafkastorageProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{newTopicResource, newTieredStorageResource}
}

// DataSources lists the data sources.
func (p *kafkastorageProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{newClusterDataSource, newReservedStorageDataSource, newTopicDataSource, newTopicsDataSource, newRetentionTimelineDataSource}
}

// ListResources lists what terraform query can find.
func (p *kafkastorageProvider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{newTopicListResource, newTieredStorageListResource}
}

// Functions lists the functions.
func (p *kafkastorageProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		newReservedBytesFunction, newReservationFunction, newSegmentCountFunction, newParseBytesFunction, newFormatBytesFunction, newParseDurationFunction, newRetentionTimelineFunction,
	}
}
