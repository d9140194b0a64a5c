// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The words for names, settings and values that cannot be. Each says what was
// written, what would be right, and, where one is near, what was probably meant.
// Plans are made in apply too, so each says what the run has done before.

// atSetting is where a setting stands in a topic's configuration.
func atSetting(key string) path.Path {
	return path.Root("config").AtMapKey(key)
}

// settingRefused is a value that no Kafka, or not this cluster, can read.
func settingRefused(topic string, invalid *topicconfig.InvalidError, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(atSetting(invalid.Key), "Topic setting cannot be used", fmt.Sprintf("%s: %s. %s", quoted(topic), invalid, outcome(done)))
}

// invalidName is a text that is no name of a topic.
func invalidName(at path.Path, err error, done []string) diag.Diagnostic {
	text := err.Error()
	var invalid *topicconfig.NameError
	if errors.As(err, &invalid) && len(invalid.Name) > topicconfig.MaxName {
		text = fmt.Sprintf("%q… %s", invalid.Name[:20], invalid.Reason)
	}
	return diag.NewAttributeErrorDiagnostic(at, "Topic name cannot be used",
		fmt.Sprintf("%s. A name has 1 to %d ASCII letters, digits, dots, underscores and dashes, and is neither \".\" nor \"..\". %s", text, topicconfig.MaxName, outcome(done)))
}

// unknownSetting is a key that neither Kafka nor this cluster has.
func unknownSetting(topic, key, value string, declared, done []string) diag.Diagnostic {
	hint := "Remove it, or write the name as the cluster lists it:\n  kafka-configs.sh --describe --all --entity-type topics --entity-name TOPIC"
	if right, translated, ok := topicconfig.TopicKey(key, value); ok {
		hint = fmt.Sprintf("%s is a setting of brokers. On a topic it is called %s:\n%s", key, right, settingLine(right, translated))
	} else if nearest := topicconfig.Nearest(key, declared); nearest != "" {
		hint = fmt.Sprintf("Did you mean %s?\n%s", nearest, settingLine(nearest, value))
	}
	return diag.NewAttributeErrorDiagnostic(atSetting(key), "Topic setting is unknown",
		fmt.Sprintf("%s: %q is no topic setting of Apache Kafka, and not among the %d that this cluster lists.\n\n%s\n%s", quoted(topic), key, len(declared), hint, outcome(done)))
}

// settingLine is a setting as a line of a config map, ready to copy.
func settingLine(key, value string) string {
	if value == "" {
		value = "…"
	}
	return fmt.Sprintf("  %q = %q", key, value)
}

// settingNotDeclared is a setting of some Kafka, and not of this one.
func settingNotDeclared(topic, key string, declared int, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(atSetting(key), "Topic setting is unknown to this cluster",
		fmt.Sprintf("%s: some versions of Apache Kafka have %q, but this cluster does not: its answer to DescribeConfigs lists %d topic settings, and not this one, so it would refuse the topic. "+
			"Remove the setting, or move the cluster to a version that has it. %s", quoted(topic), key, declared, outcome(done)))
}

// settingNotOfService is a setting that the platform's service keeps to itself.
func settingNotOfService(topic, key string, rules *topicconfig.Rules, service string, done []string) diag.Diagnostic {
	hint := ""
	if right, _, ok := topicconfig.TopicKey(key, ""); ok && rules.Allows(right) {
		hint = fmt.Sprintf(" Did you mean %s?", right)
	} else if nearest := topicconfig.Nearest(key, rules.Keys()); nearest != "" {
		hint = fmt.Sprintf(" Did you mean %s?", nearest)
	}
	return diag.NewAttributeErrorDiagnostic(atSetting(key), "Topic setting is not allowed on this platform",
		fmt.Sprintf("%s: %s does not let a topic set %q.%s Allowed are %s. Remove it: what the service itself sets stays in force. %s",
			quoted(topic), service, key, hint, strings.Join(rules.Keys(), ", "), outcome(done)))
}

// valueNotOfService is a value outside the range of the platform's service.
func valueNotOfService(topic, service string, invalid *topicconfig.InvalidError, done []string) diag.Diagnostic {
	more := ""
	if invalid.Key == topicconfig.RetentionBytes && strings.HasPrefix(strings.TrimSpace(invalid.Value), "-") {
		more = " A topic without a bound by size does not exist there."
	}
	return diag.NewAttributeErrorDiagnostic(atSetting(invalid.Key), "Topic setting is out of this platform's range",
		fmt.Sprintf("%s: %s. That is the range of %s.%s %s", quoted(topic), invalid, service, more, outcome(done)))
}

// nameTooLongForService is a name that Kafka would take, and the service does not.
func nameTooLongForService(topic, service string, most int, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Topic name is too long for this platform",
		fmt.Sprintf("%q has %d characters, and %s takes at most %d. %s", topic, len(topic), service, most, outcome(done)))
}

// replicationFactorOfService is a count that the service does not leave to its users.
func replicationFactorOfService(topic, service string, planned, fixed int64, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("replication_factor"), "Replication factor is fixed on this platform",
		fmt.Sprintf("%s: replication_factor = %d, and on %s every topic has %d replicas. Set it to %d, or leave it out. %s", quoted(topic), planned, service, fixed, fixed, outcome(done)))
}

// internalTopicCreated is a create of a topic that Kafka makes itself.
func internalTopicCreated(topic string, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Topic is internal to Kafka",
		fmt.Sprintf("%q is a topic of Kafka's own, which brokers create when they first need it, in the form that they need. It cannot be created or replaced from here.\n\n"+
			"To manage the settings of one that exists, import it:\n  terraform import ADDRESS '%s'    (the address that this plan shows)\n%s", topic, topic, outcome(done)))
}

// internalTopicDeleted is a delete of a topic that the cluster lives on.
func internalTopicDeleted(topic string, done []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Topic is internal to Kafka",
		fmt.Sprintf("%q is a topic of Kafka's own, and what it holds (offsets, transactions, the whereabouts of tiered data) is lost with it. It is never deleted from here.\n\n"+
			"To stop managing it, and leave it in the cluster:\n  terraform state rm ADDRESS    (the address that this plan shows)\n%s", topic, outcome(done)))
}

// namesCollide is two topics of one plan that Kafka cannot tell apart.
func namesCollide(topic, other string, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Topic names collide",
		fmt.Sprintf("This plan creates %q and %q. %s Give one of them another name. %s", topic, other, collisionRule, outcome(done)))
}

// collisionRule is why two names collide.
const collisionRule = "Kafka refuses the second of two topics whose names differ in dots and underscores only, because both are called the same in its metrics."

// nameCollidesWithLive warns of a topic that is in the way, unless it goes first.
func nameCollidesWithLive(topic, other string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("name"), "Topic name collides with a topic of the cluster",
		fmt.Sprintf("%q would be created while the cluster has %q. %s Unless %q is gone by then, the apply stops before it sends anything for %q. Later topics of the same kind are not listed.",
			topic, other, collisionRule, other, topic))
}

// nameTaken is the same in apply, where the other topic is still there.
func nameTaken(topic, other string, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Topic name collides with a topic of the cluster",
		fmt.Sprintf("%q was not created: the cluster has %q. %s Give the new topic another name, or delete %q first. %s", topic, other, collisionRule, other, outcome(done)))
}
