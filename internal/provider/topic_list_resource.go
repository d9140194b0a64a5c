// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

var (
	_ list.ListResource              = (*topicListResource)(nil)
	_ list.ListResourceWithConfigure = (*topicListResource)(nil)
)

// topicListResource finds topics for terraform query. It comes by its runtime as the
// resource that it lists does.
type topicListResource struct {
	topicResource
}

// newTopicListResource makes the list resource.
func newTopicListResource() list.ListResource {
	return &topicListResource{topicResource{resourceBase{name: topicTypeName}}}
}

// topicListModel is the configuration of a list block.
type topicListModel struct {
	NamePrefix      types.String `tfsdk:"name_prefix"`
	NameRegex       types.String `tfsdk:"name_regex"`
	IncludeInternal types.Bool   `tfsdk:"include_internal"`
}

// ListResourceConfigSchema is the list block's face.
func (r *topicListResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The topics of the cluster, all or a choice of them.",
		Attributes:          filterAttributes(),
	}
}

// filterAttributes choose topics in a list block.
func filterAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name_prefix":      schema.StringAttribute{Optional: true, MarkdownDescription: namePrefixDescription},
		"name_regex":       schema.StringAttribute{Optional: true, MarkdownDescription: nameRegexDescription, Validators: []validator.String{regularExpression{}}},
		"include_internal": schema.BoolAttribute{Optional: true, MarkdownDescription: includeInternalDescription},
	}
}

// List streams the topics of the one snapshot in the order of their names. That
// snapshot has read them by a few hundred to a request; a result is made when
// Terraform asks for the next one, and costs no request.
func (r *topicListResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	search, diags := newTopicSearch(ctx, r.runtime, req)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	search.result = topicResult
	stream.Results = func(push func(list.ListResult) bool) { search.push(ctx, push) }
}

// topicSearch is one list block's search.
type topicSearch struct {
	view    *cluster
	names   []string
	request list.ListRequest
	said    diag.Diagnostics // what the first result carries
	result  func(ctx context.Context, search topicSearch, name string) list.ListResult
}

// newTopicSearch reads a list block and finds the topics that it chooses.
func newTopicSearch(ctx context.Context, r *runtime, req list.ListRequest) (topicSearch, diag.Diagnostics) {
	var config topicListModel
	diags := req.Config.Get(ctx, &config)
	filter, invalid := newTopicFilter(config.NamePrefix, config.NameRegex, config.IncludeInternal)
	if diags.Append(invalid...); diags.HasError() {
		return topicSearch{}, diags
	}
	if r.settings.unknown {
		return topicSearch{}, diag.Diagnostics{clusterUnknownAtQuery()}
	}
	view, _, err := r.open(ctx)
	if err != nil {
		return topicSearch{}, r.unreachableAgain(err)
	}
	search := topicSearch{view: view, names: filter.topics(view), request: req}
	if unreadable := filter.unreadable(view); len(unreadable) > 0 {
		search.said.Append(topicsNotListed(unreadable))
	}
	return search, nil
}

// keep narrows the search.
func (s *topicSearch) keep(wanted func(name string) bool) {
	s.names = slices.DeleteFunc(s.names, func(name string) bool { return !wanted(name) })
}

// push hands results out until there are no more, enough, or nobody wants them.
func (s topicSearch) push(ctx context.Context, push func(list.ListResult) bool) {
	names := s.names
	if limit := s.request.Limit; limit > 0 && limit < int64(len(names)) {
		names = names[:limit]
	}
	if len(names) == 0 && len(s.said) > 0 {
		push(list.ListResult{Diagnostics: s.said})
	}
	for i, name := range names {
		result := s.result(ctx, s, name)
		if i == 0 {
			result.Diagnostics.Append(s.said...)
		}
		if ctx.Err() != nil || !push(result) {
			return
		}
	}
}

// topicResult is one topic.
func topicResult(ctx context.Context, s topicSearch, name string) list.ListResult {
	return resultOf(ctx, s, name, topicIdentity{Name: types.StringValue(name)}, "name", (*topicModel).fill)
}

// resultOf is one result: its identity and, where Terraform wants it, the state that an
// import would give, in which the topic's name is an attribute and fill does the rest.
func resultOf[M any](ctx context.Context, s topicSearch, name string, identity any, attribute string, fill func(*M, *cluster, kafka.Topic)) list.ListResult {
	result := s.request.NewListResult(ctx)
	result.DisplayName = name
	result.Diagnostics.Append(result.Identity.Set(ctx, identity)...)
	if !s.request.IncludeResource {
		return result
	}
	var model M
	result.Diagnostics.Append(result.Resource.SetAttribute(ctx, path.Root(attribute), name)...)
	result.Diagnostics.Append(result.Resource.Get(ctx, &model)...)
	fill(&model, s.view, s.view.snapshot.Topics[name])
	result.Diagnostics.Append(result.Resource.Set(ctx, &model)...)
	return result
}
