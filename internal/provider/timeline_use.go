// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import "errors"

// hasUse refuses inputs that would be without effect, because what they are about is not there: whoever gives them expects
// something of them. One that is null is not given.
//
// Not refused is what describes a topic, its brokers or its instance, whatever else is asked: one local feeds partitions to
// a topic and to its timeline, and version, intervals and disk to timelines that are compared by platform or storage.
func (r *timelineReader) hasUse(input timelineInput) {
	unless := func(holds bool, reason string, names ...string) {
		for _, name := range names {
			if !holds && r.given(name) {
				r.fail(name, errors.New(reason))
			}
		}
	}
	apsara := input.platform == apsaraMQ
	unless(apsara, "is for platform = \"apsaramq\" only: no other platform deletes by the use of its disk",
		"disk_total_bytes", "disk_used_bytes", "disk_growth_bytes_per_second", apsaraMQ)
	copying := []string{"tiered_from", "copy_bytes_per_second", "open_transactions", "outages"}
	unless(!apsara, "has no part in platform = \"apsaramq\", which has no remote tier", copying...)
	rules := input.scenario.Rules
	unless(apsara || rules.Tiered, "needs a tiered topic: \"remote.storage.enable\" = true in config, or on topic", copying...)
	unless(apsara || !rules.CopyDisabled, "has no effect while \"remote.log.copy.disable\" is true: nothing is copied", copying...)
	messages, _ := listOf(r.attributes["messages"])
	unless(len(messages) == 0, "is about throughput_bytes_per_second: messages are those of one partition, and each tells when it is written and its size",
		"batch_bytes", "stop")
}
