// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
)

// probeRefusal is what a message about a refused probe is made of.
type probeRefusal struct {
	answer   *kafka.Error
	at       path.Path
	topic    string
	verb     string         // create or change
	standing *quota.Verdict // the ledger's numbers, for a policy
	done     []string       // what this run has changed already
}

// words quotes the cluster.
func (r probeRefusal) words() string {
	return fmt.Sprintf("%q: %s answered %s to %s, asked with validate-only:\n  %s\n\n",
		r.topic, r.answer.Broker, r.answer.Code, r.answer.Request, strings.ReplaceAll(strings.TrimSpace(r.answer.Message), "\n", "\n  "))
}

// probeRefusedByPolicy is a rule of the cluster's own, heard at plan, beside our numbers.
func probeRefusedByPolicy(r probeRefusal) diag.Diagnostic {
	text := r.words()
	if r.standing != nil {
		text += storageByOurNumbers(*r.standing)
	}
	return diag.NewAttributeErrorDiagnostic(r.at, "The cluster's policy refuses this topic", text+outcome(r.done))
}

// probeRefused is any other refusal, heard at plan.
func probeRefused(r probeRefusal) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(r.at, "The cluster refuses this topic",
		fmt.Sprintf("%sAn apply would be answered the same. plan_validation = \"offline\" plans without asking the cluster. %s", r.words(), outcome(r.done)))
}

// probeNotAuthorized is a right that a probe has found missing.
func probeNotAuthorized(r probeRefusal) diag.Diagnostic {
	operation := map[string]kafka.Operation{
		"CreateTopics": kafka.OperationCreate, "CreatePartitions": kafka.OperationAlter, "IncrementalAlterConfigs": kafka.OperationAlterConfigs,
	}[r.answer.Request]
	return diag.NewAttributeErrorDiagnostic(r.at, notAuthorized(r.verb), r.words()+grant(operation, r.topic)+outcome(r.done))
}

// rightMissing is a right that the cluster's own list shows to be missing.
func rightMissing(at path.Path, verb, topic string, operation kafka.Operation, done []string) diag.Diagnostic {
	text := fmt.Sprintf("%q: this plan would %s it, and of the rights on the topic that the cluster lists for this principal %s is not one.\n\n%s%s",
		topic, verb, operation, grant(operation, topic), outcome(done))
	if at.Equal(path.Empty()) { // a delete has no attribute to point at
		return diag.NewErrorDiagnostic(notAuthorized(verb), text)
	}
	return diag.NewAttributeErrorDiagnostic(at, notAuthorized(verb), text)
}

// notAuthorized is the title of a missing right.
func notAuthorized(verb string) string {
	return "Not authorized to " + verb + " the topic"
}

// grant says how to give a right.
func grant(operation kafka.Operation, topic string) string {
	return fmt.Sprintf("Grant it:\n  kafka-acls.sh --add --allow-principal User:… --operation %s --topic '%s'\n", operation, topic)
}

// defaultsDenied says that the numbers of a plan rest on defaults that may be others.
func defaultsDenied(topic string, answer *kafka.Error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("The cluster's defaults may not be read",
		fmt.Sprintf("%q: what it does not set itself comes from the defaults of the platform, or is not known before apply, and not from the defaults of this cluster, because %s answered %s to DescribeConfigs of a broker. Where they differ, what is shown and judged as reserved is wrong. The principal needs DescribeConfigs on the cluster:\n"+
			"  kafka-acls.sh --add --allow-principal User:… --operation DescribeConfigs --cluster\nLater topics of the same kind are not listed.",
			topic, answer.Broker, answer.Code))
}

// topicToCreateExists says that a planned creation meets a topic, in words that are
// true for a replacement too.
func topicToCreateExists(topic string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("name"), "Topic to create exists already",
		fmt.Sprintf("%q is in the cluster, and this plan creates it. If the same plan deletes it (a replacement, or a resource that moves to another address), nothing is wrong. "+
			"If it does not, apply stops there and changes nothing of the topic. To manage it here, import it and plan again:\n  %s\nLater topics of the same kind are not listed.", topic, importCommand(topic)))
}

// writeNotKept is a write that the cluster has acknowledged and not kept.
func writeNotKept(lost *kafka.NotKeptError, at path.Path, done []string) diag.Diagnostic {
	more := ""
	if lost.More > 0 {
		more = fmt.Sprintf(" %s of the same write is not kept either.", count(lost.More, "more"))
	}
	return diag.NewAttributeErrorDiagnostic(at, "The cluster did not keep what was written",
		fmt.Sprintf("%q: the cluster has acknowledged %s = %s, and holds %s.%s\n\nThis service overrules or ignores the setting: remove it from the configuration, or write the value that the cluster holds. %s",
			lost.Topic, lost.Key, valueOrDefault(lost.Wanted), valueOrDefault(lost.Actual), more, outcome(done)))
}

// valueOrDefault prints a value of a topic, or that it has none.
func valueOrDefault(value *string) string {
	if value == nil {
		return "no value of the topic's own"
	}
	return fmt.Sprintf("%q", *value)
}

// writeNotVerified is a change that was made and could not be read back.
func writeNotVerified(err *kafka.UnverifiedError, done []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Change could not be read back",
		fmt.Sprintf("%q: the cluster has acknowledged the change, and what it holds now could not be read: %s\n\nApply again: the next plan shows it, and changes what is still missing.%s",
			err.Topic, sentence(err.Cause), soFar(done)))
}
