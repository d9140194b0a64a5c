// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

var _ function.Function = (*retentionTimelineFunction)(nil)

// retentionTimelineFunction is retention_timeline.
type retentionTimelineFunction struct{ functionBase }

// newRetentionTimelineFunction makes the function.
func newRetentionTimelineFunction() function.Function {
	return retentionTimelineFunction{functionBase{"retention_timeline"}}
}

// Definition is the function's face.
func (retentionTimelineFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "When a topic's messages really go",
		MarkdownDescription: "Works out, without asking a cluster or a clock, when the messages of one partition go: segment by segment, tier by tier. " +
			"It takes the inputs of [`data.kafkastorage_retention_timeline`](../data-sources/retention_timeline.md) except `topic` as one object, and returns its outputs.",
		Parameters: []function.Parameter{function.DynamicParameter{
			Name:                "settings",
			MarkdownDescription: "An object such as `{ platform = \"msk\", config = { \"retention.ms\" = 259200000 }, throughput_bytes_per_second = 8192 }`. Left out is what the data source says; `platform`: `kafka`.",
		}},
		Return: function.ObjectReturn{AttributeTypes: timelineTypes},
	}
}

// Run works the timeline out.
func (retentionTimelineFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var argument types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &argument); resp.Error != nil {
		return
	}
	input, err := readTimelineArgument(argument)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	outputs, err := timelineOutputs(input)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, types.ObjectValueMust(timelineTypes, outputs))
}

// unknownTimelineInput is a name that is none of them: what it says would be ignored.
func unknownTimelineInput(name string) error {
	if nearest := topicconfig.Nearest(name, timelineInputs); nearest != "" {
		return fmt.Errorf("settings has no input %q: did you mean %q?", name, nearest)
	}
	return fmt.Errorf("settings has no input %q: use %s", name, oneOf(timelineInputs))
}

// readTimelineArgument reads the function's one argument.
func readTimelineArgument(argument types.Dynamic) (timelineInput, error) {
	attributes, err := attributesOf("settings", argument)
	if err != nil {
		return timelineInput{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if !slices.Contains(timelineInputs, name) {
			return timelineInput{}, unknownTimelineInput(name)
		}
	}
	return readTimeline(attributes, timelineDefaults{platform: string(reservation.Kafka)})
}
