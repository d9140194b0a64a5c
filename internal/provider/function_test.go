// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// evaluate plans outputs of the given expressions, offline, and returns their values.
func evaluate(t *testing.T, expressions map[string]string) map[string]any {
	t.Helper()
	var configuration strings.Builder
	for name, expression := range expressions {
		fmt.Fprintf(&configuration, "output %q {\n  value = %s\n}\n", name, expression)
	}
	return newWorkspace(t, configuration.String()).outputs()
}

const fn = "provider::kafkastorage::"

// Topics come as whatever object a local holds: mixed values, nulls and other
// attributes; what is left out comes from the cluster's defaults or the platform.
func TestFunctionArgumentsMixedAndNull(t *testing.T) {
	t.Parallel()
	got := evaluate(t, map[string]string{
		"numbers":   fn + `reserved_bytes({ partitions = 3, config = { "retention.bytes" = 1073741824, "segment.bytes" = "536870912", "preallocate" = false } }, { platform = "event_streams" })`,
		"nulls":     fn + `reserved_bytes({ partitions = 3, replication_factor = null, config = { "retention.bytes" = null }, note = ["ignored"] }, { platform = "event_streams", defaults = null })`,
		"no_config": fn + `reserved_bytes({ partitions = "3" }, { platform = "event_streams" })`,
		"a_map":     fn + `reserved_bytes({ partitions = 3, config = tomap({ "retention.bytes" = "1073741824" }) }, { platform = "event_streams" })`,
		"defaults":  fn + `reserved_bytes({ config = { "retention.bytes" = 1000000000 } }, { defaults = { "num.partitions" = 2, "default.replication.factor" = "3", "segment.bytes" = 536870912 } })`,
		"kafka":     fn + `reserved_bytes({ partitions = 1, replication_factor = 1, config = { "retention.bytes" = 1000000000, "cleanup.policy" = "compact,delete" } }, {})`,
		"compact":   fn + `reserved_bytes({ partitions = 12, config = { "cleanup.policy" = "compact" } }, { platform = "event_streams" })`,
		"exact":     fn + `reserved_bytes({ partitions = 1, replication_factor = 1, config = { "retention.bytes" = "9007199254740993" } }, { platform = "kafka" })`,
		"unbounded": fn + `reserved_bytes({ partitions = 1, replication_factor = 1 }, { platform = "kafka" }) == null`,
	})
	want := map[string]string{
		"numbers": "5020581888", "nulls": "5020581888", "no_config": "5020581888", "a_map": "5020581888",
		"defaults": "9472883712", // 2 × 3 × 1578813952
		"kafka":    "2094713344", "compact": "12884901888", "exact": "9183122209898497", "unbounded": "true",
	}
	for name, value := range want {
		if fmt.Sprint(got[name]) != value {
			t.Errorf("%s = %v, want %s", name, got[name], value)
		}
	}
}

// The parts that a reader sees must be those that the number is made of.
func TestFunctionReservation_ReturnsAllParts(t *testing.T) {
	t.Parallel()
	got := evaluate(t, map[string]string{
		"bounded":   fn + `reservation({ partitions = 2, replication_factor = 3, config = { "retention.bytes" = 1073741824, "segment.bytes" = 536870912 } }, { platform = "kafka" })`,
		"compact":   fn + `reservation({ partitions = 2, config = { "cleanup.policy" = "compact" } }, { platform = "event_streams" })`,
		"unbounded": fn + `reservation({ partitions = 2, replication_factor = 3 }, { platform = "kafka" })`,
	})
	for name, want := range map[string]map[string]string{
		"bounded": {
			"partitions": "2", "copies": "3", "segments": "3", "retention_bytes": "1073741824", "segment_bytes": "536870912", "index_bytes": "62914560",
			"per_partition_bytes": "1673527296", "reserved_bytes": "10041163776", "unbounded": "false", "tiered": "false", "remote_bytes": "0",
		},
		"compact": {
			"partitions": "2", "copies": "1", "segments": "0", "retention_bytes": "1073741824", "segment_bytes": "0", "index_bytes": "0",
			"per_partition_bytes": "1073741824", "reserved_bytes": "2147483648", "unbounded": "false", "tiered": "false", "remote_bytes": "0",
		},
		"unbounded": {
			"partitions": "2", "copies": "3", "segments": "null", "retention_bytes": "null", "segment_bytes": "null", "index_bytes": "null",
			"per_partition_bytes": "null", "reserved_bytes": "null", "unbounded": "true", "tiered": "false", "remote_bytes": "0",
		},
	} {
		values, _ := got[name].(map[string]any)
		var keys []string
		for key := range want {
			keys = append(keys, key)
		}
		if diff := cmp.Diff(want, pickJSON(values, keys...)); diff != "" || len(values) != len(want) {
			t.Errorf("%s: %v\n%s", name, values, diff)
		}
	}
}

// An argument that cannot be used is named, with the attribute in it.
func TestFunctionArguments_ErrorsNameArgumentAndAttribute(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][]string{
		`reserved_bytes({ replication_factor = 1 }, { platform = "kafka" })`:                                        {`"topic"`, "partitions is missing", "num.partitions"},
		`reserved_bytes({ partitions = 1 }, { platform = "kafka" })`:                                                {`"topic"`, "replication_factor is missing"},
		`reserved_bytes({ partitions = 0, replication_factor = 1 }, {})`:                                            {"partitions must be a whole number of at least 1, got 0"},
		`reserved_bytes({ partitions = 1.5, replication_factor = 1 }, {})`:                                          {"partitions must be a whole number"},
		`reserved_bytes({ partitions = [1], replication_factor = 1 }, {})`:                                          {"partitions must be a text, a number or a boolean"},
		`reserved_bytes({ partitions = 1, replication_factor = 1, config = { "retention.bytes" = "1GiB" } }, {})`:   {"config", `retention.bytes = "1GiB"`, "whole number"},
		`reserved_bytes({ partitions = 1, replication_factor = 1, config = { "cleanup.policy" = "Compact" } }, {})`: {"delete, compact, or both"},
		`reserved_bytes({ partitions = 1, replication_factor = 1, config = "x" }, {})`:                              {"config must be a map"},
		`reserved_bytes({ partitions = 1, replication_factor = 1, config = { "a" = { "b" = 1 } } }, {})`:            {`config["a"] must be`},
		`reserved_bytes("t", {})`:                                           {`"topic"`, "must be an object"},
		`reserved_bytes({ partitions = 1 }, "kafka")`:                       {`"cluster"`, "must be an object"},
		`reserved_bytes({ partitions = 1 }, { platform = "eventstreams" })`: {`"cluster"`, `"event_streams"`},
		`reserved_bytes({ partitions = 1, replication_factor = 1, config = { "retention.bytes" = 9223372036854775807 } }, {})`: {"more than 9223372036854775807"},
		`segment_count(-1, 1)`:     {`"retention_bytes"`, "at least 0, got -1"},
		`segment_count(1, 0)`:      {`"segment_bytes"`, "at least 1, got 0"},
		`parse_bytes("10GB")`:      {`"text"`, "GiB"},
		`parse_bytes("10G")`:       {"GiB"},
		`parse_bytes("1.0001KiB")`: {"whole number of bytes"},
	} {
		newWorkspace(t, "output \"x\" {\n  value = "+fn+expression+"\n}\n").plan(1).says(t, want...)
	}
}

// The small functions, exactly.
func TestFunctionUnits_AreExact(t *testing.T) {
	t.Parallel()
	got := evaluate(t, map[string]string{
		"parsed": fn + `parse_bytes("10GiB")`, "half": fn + `parse_bytes("1.5 TiB")`, "plain": fn + `parse_bytes("9223372036854775807")`,
		"printed": fn + "format_bytes(10737418240)", "odd": fn + "format_bytes(1073741825)", "free": fn + "format_bytes(-1536)",
		"segments": fn + "segment_count(1073741824, 536870912)", "one": fn + "segment_count(1, 536870912)",
		"round": fn + "parse_bytes(" + fn + "format_bytes(1673527296))",
	})
	for name, want := range map[string]string{
		"parsed": "10737418240", "half": "1649267441664", "plain": "9223372036854775807", "printed": "10 GiB", "odd": "1073741825 B", "free": "-1.5 KiB",
		"segments": "3", "one": "1", "round": "1673527296",
	} {
		if fmt.Sprint(got[name]) != want {
			t.Errorf("%s = %v, want %s", name, got[name], want)
		}
	}
}

// Functions serve where nothing else can: in a variable's own validation.
func TestFunction_InVariableValidation(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, `
variable "retention" {
  type    = string
  default = "10GiB"
  validation {
    condition     = provider::kafkastorage::parse_bytes(var.retention) <= 10737418240
    error_message = "At most 10 GiB."
  }
}
output "x" {
  value = var.retention
}
`)
	w.plan(2)
	w.plan(1, "-var=retention=11GiB").says(t, "At most 10 GiB.")
	w.plan(1, "-var=retention=10GB").says(t, "GiB")
}

// sum() fails on null, so a list with unbounded topics has to be filtered first.
func TestFunctionNullInSum(t *testing.T) {
	t.Parallel()
	const topics = `
locals {
  topics = {
    a = { partitions = 1, config = { "retention.bytes" = 1073741824 } }
    b = { partitions = 1, config = { "retention.bytes" = -1 } }
  }
  bytes = [for topic in local.topics : provider::kafkastorage::reserved_bytes(topic, { platform = "event_streams" })]
}
`
	w := newWorkspace(t, topics+"output \"x\" {\n  value = sum(local.bytes)\n}\n")
	w.plan(1).says(t, "sum")
	w.write(topics + "output \"x\" {\n  value = sum([for n in local.bytes : n if n != null])\n}\n")
	w.plan(2).says(t, "+ x = 1673527296")
}
