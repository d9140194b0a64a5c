// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	_ list.ListResource              = (*tieredStorageListResource)(nil)
	_ list.ListResourceWithConfigure = (*tieredStorageListResource)(nil)
)

// tieredStorageListResource finds tiered topics for terraform query.
type tieredStorageListResource struct {
	tieredStorageResource
}

// newTieredStorageListResource makes the list resource.
func newTieredStorageListResource() list.ListResource {
	return &tieredStorageListResource{tieredStorageResource{resourceBase{name: tieredStorageTypeName}}}
}

// ListResourceConfigSchema is the list block's face.
func (r *tieredStorageListResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The topics of the cluster that have tiered storage, all or a choice of them.",
		Attributes:          filterAttributes(),
	}
}

// List streams the tiered topics of the one snapshot in the order of their names.
func (r *tieredStorageListResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	search, diags := newTopicSearch(ctx, r.runtime, req)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	search.keep(func(name string) bool { return isTiered(search.view.snapshot.Topics[name].Effective()) })
	search.result = tieredResult
	stream.Results = func(push func(list.ListResult) bool) { search.push(ctx, push) }
}

// tieredResult is one topic's tiered storage.
func tieredResult(ctx context.Context, s topicSearch, name string) list.ListResult {
	return resultOf(ctx, s, name, tieredIdentity{Topic: types.StringValue(name)}, "topic", (*tieredStorageModel).fill)
}
