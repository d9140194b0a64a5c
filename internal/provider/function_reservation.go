// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

var (
	_ function.Function = (*reservedBytesFunction)(nil)
	_ function.Function = (*reservationFunction)(nil)
)

// reservationParameters are those of both functions of the rule. They are dynamic
// because a topic is any object: a local's own, with whatever else it carries.
func reservationParameters() []function.Parameter {
	return []function.Parameter{
		function.DynamicParameter{
			Name:                "topic",
			MarkdownDescription: "An object with `partitions`, `replication_factor` and `config` (a map under Kafka's names). Other attributes are ignored; null ones count as left out.",
		},
		function.DynamicParameter{
			Name:                "cluster",
			MarkdownDescription: "`{ platform = \"…\", defaults = { … } }`, or the whole of `data.kafkastorage_cluster`. Without `platform`: `kafka`. Without `defaults`: the platform's own.",
		},
	}
}

// reservedBytesFunction is reserved_bytes.
type reservedBytesFunction struct{ functionBase }

// newReservedBytesFunction makes the function.
func newReservedBytesFunction() function.Function {
	return reservedBytesFunction{functionBase{"reserved_bytes"}}
}

// Definition is the function's face.
func (reservedBytesFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Bytes that a topic reserves",
		MarkdownDescription: "Computes the bytes that a topic charges to the quota, without asking a cluster. Null when nothing bounds the topic.",
		Parameters:          reservationParameters(),
		Return:              function.Int64Return{},
	}
}

// Run computes the reservation.
func (reservedBytesFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	computed, funcErr := runReservation(ctx, req)
	if funcErr != nil {
		resp.Error = funcErr
		return
	}
	result := types.Int64Null()
	if !computed.Unbounded {
		result = types.Int64Value(computed.ReservedBytes)
	}
	resp.Error = resp.Result.Set(ctx, result)
}

// reservationFunction is reservation.
type reservationFunction struct{ functionBase }

// newReservationFunction makes the function.
func newReservationFunction() function.Function {
	return reservationFunction{functionBase{"reservation"}}
}

// reservationAttributes are the parts that the function returns.
var reservationAttributes = map[string]attr.Type{
	"partitions":          types.Int64Type,
	"copies":              types.Int64Type,
	"segments":            types.Int64Type,
	"retention_bytes":     types.Int64Type,
	"segment_bytes":       types.Int64Type,
	"index_bytes":         types.Int64Type,
	"per_partition_bytes": types.Int64Type,
	"reserved_bytes":      types.Int64Type,
	"unbounded":           types.BoolType,
	"tiered":              types.BoolType,
	"remote_bytes":        types.Int64Type,
}

// Definition is the function's face.
func (reservationFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A topic's reservation with all its parts",
		MarkdownDescription: "Computes what a topic reserves, without asking a cluster, and returns the parts: " +
			"`retention_bytes`, `segment_bytes` and `index_bytes` of one partition, which add up to `per_partition_bytes` (a compacted topic's flat 1 GiB is its `retention_bytes`); " +
			"`segments`, how many a partition may hold; `partitions` and `copies` (replicas that count), which multiply it to `reserved_bytes`; and `unbounded`. " +
			"For a `tiered` topic these are the parts of its local tier, and `remote_bytes` is what the remote tier may come to hold: one copy, no part of `reserved_bytes`, null when nothing bounds it by size. " +
			"Byte counts and segments are null when nothing bounds the topic.",
		Parameters: reservationParameters(),
		Return:     function.ObjectReturn{AttributeTypes: reservationAttributes},
	}
}

// Run computes the reservation.
func (reservationFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	computed, funcErr := runReservation(ctx, req)
	if funcErr != nil {
		resp.Error = funcErr
		return
	}
	resp.Error = resp.Result.Set(ctx, reservationParts(computed))
}

// reservationParts are the parts of a reservation as Terraform has them; byte
// counts and segments are null when nothing bounds the topic.
func reservationParts(computed reservation.Reservation) types.Object {
	bounded := func(n int64) types.Int64 {
		if computed.Unbounded {
			return types.Int64Null()
		}
		return types.Int64Value(n)
	}
	return types.ObjectValueMust(reservationAttributes, map[string]attr.Value{
		"partitions":          types.Int64Value(computed.Partitions),
		"copies":              types.Int64Value(computed.Copies),
		"segments":            bounded(computed.Segments),
		"retention_bytes":     bounded(computed.RetentionBytes),
		"segment_bytes":       bounded(computed.SegmentBytes),
		"index_bytes":         bounded(computed.IndexBytes),
		"per_partition_bytes": bounded(computed.PerPartitionBytes),
		"reserved_bytes":      bounded(computed.ReservedBytes),
		"unbounded":           types.BoolValue(computed.Unbounded),
		"tiered":              types.BoolValue(computed.Tiered),
		"remote_bytes":        amountValue(computed.Remote),
	})
}

// runReservation reads both arguments and applies the rule.
func runReservation(ctx context.Context, req function.RunRequest) (reservation.Reservation, *function.FuncError) {
	var topic, cluster types.Dynamic
	if funcErr := req.Arguments.Get(ctx, &topic, &cluster); funcErr != nil {
		return reservation.Reservation{}, funcErr
	}
	platform, defaults, err := readClusterArgument(cluster)
	if err != nil {
		return reservation.Reservation{}, function.NewArgumentFuncError(1, err.Error())
	}
	planned, err := readTopicArgument(topic, platform, defaults)
	if err != nil {
		return reservation.Reservation{}, function.NewArgumentFuncError(0, err.Error())
	}
	computed, err := reservation.Of(platform, planned)
	if err != nil {
		return reservation.Reservation{}, function.NewArgumentFuncError(0, err.Error())
	}
	return computed, nil
}
