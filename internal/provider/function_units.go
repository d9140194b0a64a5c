// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

var (
	_ function.Function = (*parseBytesFunction)(nil)
	_ function.Function = (*formatBytesFunction)(nil)
	_ function.Function = (*segmentCountFunction)(nil)
	_ function.Function = (*parseDurationFunction)(nil)
)

// parseBytesFunction is parse_bytes.
type parseBytesFunction struct{ functionBase }

// newParseBytesFunction makes the function.
func newParseBytesFunction() function.Function {
	return parseBytesFunction{functionBase{"parse_bytes"}}
}

// Definition is the function's face.
func (parseBytesFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Bytes from a text such as 10GiB",
		MarkdownDescription: "Reads whole bytes (`\"1048576\"`) or a number with an IEC unit (`\"10GiB\"`, `\"1.5 TiB\"`), exactly. " +
			"Bare K, M, G and KB, MB, GB are refused: programs disagree on whether they mean powers of 1000 or of 1024.",
		Parameters: []function.Parameter{function.StringParameter{Name: "text", MarkdownDescription: "The text to read."}},
		Return:     function.Int64Return{},
	}
}

// Run reads the text.
func (parseBytesFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	runParser(ctx, req, resp, units.ParseBytes)
}

// runParser reads a whole number from the one argument.
func runParser(ctx context.Context, req function.RunRequest, resp *function.RunResponse, parse func(text string) (int64, error)) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	number, err := parse(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, number)
}

// formatBytesFunction is format_bytes.
type formatBytesFunction struct{ functionBase }

// newFormatBytesFunction makes the function.
func newFormatBytesFunction() function.Function {
	return formatBytesFunction{functionBase{"format_bytes"}}
}

// Definition is the function's face.
func (formatBytesFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Bytes as a readable text, exactly",
		MarkdownDescription: "Prints bytes in the largest IEC unit that needs at most three decimals, else in bytes: `10737418240` is `10 GiB`, `1073741825` is `1073741825 B`. " +
			"`parse_bytes` reads every such text back to the same number.",
		Parameters: []function.Parameter{function.Int64Parameter{Name: "bytes", MarkdownDescription: "The number of bytes."}},
		Return:     function.StringReturn{},
	}
}

// Run prints the number.
func (formatBytesFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var bytes int64
	if resp.Error = req.Arguments.Get(ctx, &bytes); resp.Error != nil {
		return
	}
	resp.Error = resp.Result.Set(ctx, units.FormatBytes(bytes))
}

// segmentCountFunction is segment_count.
type segmentCountFunction struct{ functionBase }

// newSegmentCountFunction makes the function.
func newSegmentCountFunction() function.Function {
	return segmentCountFunction{functionBase{"segment_count"}}
}

// Definition is the function's face.
func (segmentCountFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "How many segments a partition may hold",
		MarkdownDescription: "floor(retention_bytes / segment_bytes) + 1: the closed segments that retention keeps, and the active one.",
		Parameters: []function.Parameter{
			function.Int64Parameter{Name: "retention_bytes", MarkdownDescription: "retention.bytes, 0 or more."},
			function.Int64Parameter{Name: "segment_bytes", MarkdownDescription: "segment.bytes, 1 or more."},
		},
		Return: function.Int64Return{},
	}
}

// Run counts the segments.
func (segmentCountFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var retention, segment int64
	if resp.Error = req.Arguments.Get(ctx, &retention, &segment); resp.Error != nil {
		return
	}
	switch {
	case retention < 0:
		resp.Error = function.NewArgumentFuncError(0, fmt.Sprintf("retention_bytes must be at least 0, got %d: without a bound the number of segments has none either", retention))
	case segment < 1:
		resp.Error = function.NewArgumentFuncError(1, fmt.Sprintf("segment_bytes must be at least 1, got %d", segment))
	default:
		resp.Error = resp.Result.Set(ctx, reservation.SegmentCount(retention, segment))
	}
}

// parseDurationFunction is parse_duration_ms.
type parseDurationFunction struct{ functionBase }

// newParseDurationFunction makes the function.
func newParseDurationFunction() function.Function {
	return parseDurationFunction{functionBase{"parse_duration_ms"}}
}

// Definition is the function's face.
func (parseDurationFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Milliseconds from a text such as 7d",
		MarkdownDescription: "Reads whole milliseconds (`\"604800000\"`), or whole numbers with `w`, `d`, `h`, `min` (or `m`), `s` or `ms`, added up (`\"7d\"`, `\"1d 12h\"`), exactly.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "text", MarkdownDescription: "The text to read."}},
		Return:              function.Int64Return{},
	}
}

// Run reads the text.
func (parseDurationFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	runParser(ctx, req, resp, units.ParseMs)
}
