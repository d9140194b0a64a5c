// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The words of the filter, which the data source of many topics and the list
// resource share.
const (
	namePrefixDescription      = "Only topics whose name begins with this."
	nameRegexDescription       = "Only topics whose name matches this [RE2](https://github.com/google/re2/wiki/Syntax) regular expression. It may match anywhere in the name: `^` and `$` tie it to the ends. Given together with `name_prefix`, both must hold."
	includeInternalDescription = "Also internal topics: those that Kafka marks as internal, and names that begin with `__`. Default: `false`."
)

// topicFilter chooses topics by name.
type topicFilter struct {
	prefix          string
	regex           *regexp.Regexp // nil matches every name
	includeInternal bool
}

// newTopicFilter reads the three attributes of a filter; what is null does not narrow it.
func newTopicFilter(prefix, regex types.String, includeInternal types.Bool) (topicFilter, diag.Diagnostics) {
	filter := topicFilter{prefix: prefix.ValueString(), includeInternal: includeInternal.ValueBool()}
	if regex.IsNull() {
		return filter, nil
	}
	compiled, err := regexp.Compile(regex.ValueString())
	if err != nil {
		return filter, diag.Diagnostics{invalidRegularExpression(path.Root("name_regex"), regex.ValueString(), err)}
	}
	filter.regex = compiled
	return filter, nil
}

// passes says whether a topic is chosen.
func (f topicFilter) passes(view *cluster, name string) bool {
	return strings.HasPrefix(name, f.prefix) && (f.regex == nil || f.regex.MatchString(name)) && (f.includeInternal || view.counts(name))
}

// topics lists the chosen topics in order.
func (f topicFilter) topics(view *cluster) []string {
	return f.choose(view, view.snapshot.TopicNames())
}

// unreadable lists those that would be chosen and may not be read, in order.
func (f topicFilter) unreadable(view *cluster) []string {
	return f.choose(view, view.snapshot.UnreadableNames())
}

// choose keeps the names that pass.
func (f topicFilter) choose(view *cluster, names []string) []string {
	var chosen []string
	for _, name := range names {
		if f.passes(view, name) {
			chosen = append(chosen, name)
		}
	}
	return chosen
}

// regularExpression refuses what is no regular expression, before a cluster is asked.
type regularExpression struct{}

var _ validator.String = regularExpression{}

// Description says what is wanted.
func (regularExpression) Description(context.Context) string {
	return "must be " + wantRegularExpression
}

// MarkdownDescription says what is wanted.
func (v regularExpression) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

// ValidateString checks a value that is known.
func (regularExpression) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := regexp.Compile(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.Append(invalidRegularExpression(req.Path, req.ConfigValue.ValueString(), err))
	}
}
