// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// The words for who owns a topic's tiered settings, and how they change hands.

// tieredSettingsTwice is one topic whose tiered settings have two owners. inMap says
// that it is the topic's own call that carries the error.
func tieredSettingsTwice(topic string, lists []string, inMap bool, done []string) diag.Diagnostic {
	at := path.Root("topic")
	if inMap {
		at = atSetting(lists[0])
	}
	return diag.NewAttributeErrorDiagnostic(at, "Tiered settings have two owners",
		fmt.Sprintf("%q has tiered settings in the config of its kafkastorage_topic (%s) and a kafkastorage_topic_tiered_storage beside it. Each would undo the other: keep one.\n\n"+
			"To hand them to the tiered resource, take them out of config in the same plan; nothing is sent for that.\n"+
			"To hand them to config, replace the resource block of the tiered resource by\n%s\n%s", topic, strings.Join(lists, ", "), removedBlock, outcome(done)))
}

// tieredResourceTwice is one topic with two tiered resources.
func tieredResourceTwice(topic string, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("topic"), "Tiered settings have two owners",
		fmt.Sprintf("Two kafkastorage_topic_tiered_storage resources of this configuration manage %q. Keep one. Where the other is in the state already, replace its block by\n%s"+
			"For one that has moved to another address, write a moved block; -replace of it would switch tiered storage off in between. %s", topic, removedBlock, outcome(done)))
}

// tieredHandedOverByDelete is a tiered resource that goes while the topic's config
// keeps tiering on: the delete would switch it off.
func tieredHandedOverByDelete(topic string, done []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Tiered settings would be lost on their way",
		fmt.Sprintf("The config of %q keeps tiered storage on, and this plan deletes the topic's kafkastorage_topic_tiered_storage, which would switch it off and delete what the remote tier holds.\n\n"+
			"To hand the settings over, replace the resource block of the tiered resource by\n%s%s", topic, removedBlock, outcome(done)))
}

// tieringReleased notes that a topic's config gives its tiered settings up.
func tieringReleased(topic string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("config"), "Tiered settings are no longer managed here",
		fmt.Sprintf("%q no longer lists remote.storage.enable in its config. That never switches tiered storage off: the topic keeps its tiered settings as they are, and this resource leaves them alone from now on. "+
			"To switch off, write \"remote.storage.enable\" = \"false\" and delete_remote_data_on_disable = true. Later topics of the same kind are not listed.", topic))
}

// tieredTopicNotSeen is a tiered resource of a topic that is neither in the cluster
// nor, so far, in the plan.
func tieredTopicNotSeen(topic string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("topic"), "Topic is not known to this plan yet",
		fmt.Sprintf("%q is not in the cluster, and nothing planned so far creates it, so its tiered settings were not judged. Where the same configuration creates it, refer to it, so that Terraform plans and applies it first:\n"+
			"  topic = kafkastorage_topic.NAME.name\nIn apply the topic has to be there before its tiered settings are sent. Later topics of the same kind are not listed.", topic))
}

// tieredWaitsForTopic is a refusal that the topic's own plan may turn.
func tieredWaitsForTopic(topic string, refusal diag.Diagnostic) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("topic"), "Tiered settings depend on the topic's own plan",
		fmt.Sprintf("As the topic %q is now, these settings would be refused:\n  %s\n  %s\n\nIts own plan in this run may change that. Refer to it, so that Terraform plans and applies it first:\n"+
			"  topic = kafkastorage_topic.NAME.name\nUntil then apply stops before it sends anything for these settings, if the topic has not changed by then. Later topics of the same kind are not listed.",
			topic, refusal.Summary(), firstLine(refusal.Detail())))
}

// firstLine is the first paragraph of a detail.
func firstLine(detail string) string {
	line, _, _ := strings.Cut(detail, "\n")
	return line
}

// tieredTopicMissing is an apply for a topic that is not there.
func tieredTopicMissing(topic string, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("topic"), "Topic of the tiered settings does not exist",
		fmt.Sprintf("The cluster has no topic %q, so there is nothing to set. Where the same configuration creates it, refer to it, so that Terraform applies it first:\n  topic = kafkastorage_topic.NAME.name\n%s", topic, outcome(done)))
}

// platformDoesNotTier is a tiered resource where no topic can be tiered.
func platformDoesNotTier(topic string, platform reservation.Platform, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("topic"), "Platform has no tiered storage",
		fmt.Sprintf("%s: topics on the platform %q have no tiers that could be set. Remove the resource. %s", quoted(topic), string(platform), outcome(done)))
}
