// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The words of the provider stand here and in diagnostics_gate.go. A title is
// short and holds no value; a detail says what was asked, the numbers, and what
// to do.

// nothingChanged ends the detail of an error at plan.
const nothingChanged = "Nothing was changed."

// outcome says what this run has changed before it stopped.
func outcome(done []string) string {
	if len(done) == 0 {
		return nothingChanged
	}
	const shown = 5
	list := done
	more := ""
	if len(list) > shown {
		list, more = list[:shown], fmt.Sprintf(" and %d more", len(done)-shown)
	}
	return fmt.Sprintf("This run has already %s%s; that stays, and a second apply continues from there.", strings.Join(list, ", "), more)
}

// oneOf lists the words that may be written.
func oneOf(words []string) string {
	return "one of " + strings.Join(words, ", ")
}

// unexpectedProviderData is a defect of the provider itself.
func unexpectedProviderData(got any) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Provider data of an unexpected kind",
		fmt.Sprintf("The provider handed %T to one of its own parts. This is a defect of the provider: please report it.", got))
}

// invalidProviderConfiguration is a client that cannot be made.
func invalidProviderConfiguration(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Provider configuration cannot be used",
		fmt.Sprintf("The Kafka client refused the settings of the provider block: %v.\n\nCorrect the setting it names. %s", err, nothingChanged))
}

// invalidEnvironment is a variable that cannot be what it must be.
func invalidEnvironment(at path.Path, name, value, want string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Environment variable cannot be used",
		fmt.Sprintf("%s = %q, which supplies %s, must be %s.\n\nCorrect or unset the variable, or write %s in the provider block. %s", name, value, at, want, at, nothingChanged))
}

// invalidValue is an attribute that cannot be what it must be.
func invalidValue(at path.Path, value, want string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Value cannot be used", fmt.Sprintf("%s = %q must be %s. %s", at, value, want, nothingChanged))
}

// serverWithScheme is an address written as a URL.
func serverWithScheme(at path.Path, server, source string) diag.Diagnostic {
	_, bare, _ := strings.Cut(server, "://")
	return diag.NewAttributeErrorDiagnostic(at, "Bootstrap server must be host:port without a scheme",
		fmt.Sprintf("%q names a scheme.%s Write %q, and say with tls = { enabled = … } whether the listener encrypts. %s", server, from(source), bare, nothingChanged))
}

// clusterStillUnreachable repeats it in one line for a call that cannot go on.
func clusterStillUnreachable(err error) diag.Diagnostic {
	if errors.Is(err, errNoServers) {
		return diag.NewErrorDiagnostic("No Kafka cluster is configured", "See the first error of this run.")
	}
	return diag.NewErrorDiagnostic(reachTitle(err), "See the first error of this run.")
}

// clusterUnknown is a data source that would have to ask a cluster which is not known yet.
func clusterUnknown() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Kafka cluster is not known yet",
		"The provider block holds values that are known only after apply, so the cluster cannot be asked now. Set wait_for in the data block to something that the cluster depends on; Terraform then reads it during apply. "+nothingChanged)
}

// clusterUnknownAtImport is an import without an address to ask.
func clusterUnknownAtImport(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Kafka cluster is not known yet",
		fmt.Sprintf("Topic %q cannot be imported while the provider block holds values that are known only after apply. Apply what supplies them first, for example with -target, then import. %s", name, nothingChanged))
}

// invalidSetting is a topic setting that cannot be read as its type.
func invalidSetting(at path.Path, topic string, invalid *topicconfig.InvalidError) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Topic setting cannot be used",
		fmt.Sprintf("%s: %s. %s", quoted(topic), invalid, nothingChanged))
}

// reservationTooLarge is a reservation beyond 63 bits.
func reservationTooLarge(at path.Path, topic string, tooLarge *reservation.TooLargeError) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Reservation is too large to be counted",
		fmt.Sprintf("%s: %s. Lower retention.bytes or partitions, or set retention.bytes = -1 where no bound is meant. %s", quoted(topic), tooLarge, nothingChanged))
}

// reservationNotComputable is any other failure of the rule.
func reservationNotComputable(topic string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Reservation cannot be computed", fmt.Sprintf("%s: %v. %s", quoted(topic), err, nothingChanged))
}

// topicProtected is a delete that the state forbids.
func topicProtected(topic string, done []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Topic is protected from deletion",
		fmt.Sprintf("%q would be deleted, with all its records, and its deletion_protection (in the state, else the provider's) is on.\n\n"+
			"To delete it on purpose, set deletion_protection = false on the topic and apply that; then delete it. %s", topic, outcome(done)))
}

// topicWillBeAdopted says that a create finds its topic.
func topicWillBeAdopted(topic string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Topic exists and will be taken over",
		fmt.Sprintf("%q exists in the cluster. With adopt_existing = true the apply takes it over and changes only what the configuration says; what else it sets shows in the next plan. "+
			"(A replacement looks the same at plan: there the topic is deleted first.) Later topics of the same kind are not listed.", topic))
}

// topicNotAdoptable says why an existing topic cannot become what is planned.
func topicNotAdoptable(topic string, has, planned int64, done []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Topic exists and cannot be taken over",
		fmt.Sprintf("%q exists in the cluster: it has %d partitions and the configuration %d, and Kafka cannot take partitions away.\n\n"+
			"Set partitions to %d or more, or give the new topic another name. %s", topic, has, planned, has, outcome(done)))
}

// topicPlannedTwice is two resources of one topic.
func topicPlannedTwice(topic string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Topic is planned twice",
		fmt.Sprintf("Two resources of this configuration create %q. A topic has one owner: remove one of them, or give it another name. %s", topic, nothingChanged))
}

// fewerPartitions is what Kafka cannot do.
func fewerPartitions(topic string, now, planned int64) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("partitions"), "Partitions cannot be taken away",
		fmt.Sprintf("%q has %d partitions, and the plan asks for %d. Kafka has no way to remove a partition: its records would have nowhere to go.\n\n"+
			"Set partitions to %d or more. To start over with fewer, and lose the topic's records, mark it with\n"+
			"  terraform taint ADDRESS    (the address that this plan shows)\n"+
			"which plans a replacement; -replace does not help, because it meets this error first. Or create a topic of another name and move the clients there. %s",
			topic, now, planned, now, nothingChanged))
}

// topicUnreadable is a managed topic that may not be read, which never means gone.
func topicUnreadable(topic string, err error) diag.Diagnostic {
	var answer *kafka.Error
	if errors.As(err, &answer) && kafka.IsAuthorization(err) {
		operation := "Describe"
		if answer.Request == "DescribeConfigs" {
			operation = "DescribeConfigs"
		}
		return diag.NewErrorDiagnostic("Topic may not be read",
			fmt.Sprintf("%q: %s answered %s to %s: %s.\n\nThe principal needs %s on the topic:\n  kafka-acls.sh --add --allow-principal User:… --operation %s --topic '%s'\nThe state stays as it was. %s",
				topic, answer.Broker, answer.Code, answer.Request, answer.Message, operation, operation, topic, nothingChanged))
	}
	if answer == nil {
		err = fmt.Errorf("%q: %w", topic, err)
	}
	return diag.NewErrorDiagnostic("Topic cannot be read", fmt.Sprintf("%v.\n\nThe state stays as it was. Run again when the cluster answers. %s", err, nothingChanged))
}

// topicAppeared is a topic that came up between two readings.
func topicAppeared(topic string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Topic appeared while the cluster was read",
		fmt.Sprintf("%q was not there when this run first read the cluster, and is there now. Run again. %s", topic, nothingChanged))
}

// topicToImportNotFound names what is missing, and what looks like it.
func topicToImportNotFound(name string, view *cluster) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Topic to import was not found",
		fmt.Sprintf("The cluster has no topic %q among its %d topics. The import id is the topic's name, as kafka-topics.sh --list prints it. %s", name, len(view.snapshot.Topics), nothingChanged))
}

// topicExists is a create of what is there already. A topic that is as the
// configuration asks was most likely created by a run that could not finish.
func topicExists(topic string, asAsked bool, done []string) diag.Diagnostic {
	has := ""
	if asAsked {
		has = " It has exactly the partitions, replicas and settings that this resource asks for, as a run leaves it that was ended after it had created the topic."
	}
	return diag.NewErrorDiagnostic("Topic exists already",
		fmt.Sprintf("%q exists in the cluster and not in this state.%s To manage it here, import it and plan again:\n  %s\nOr let this provider take over what exists: adopt_existing = true in the provider block, or %s=true for one run. %s",
			topic, has, importCommand(topic), envAdoptExisting, outcome(done)))
}

// importCommand takes a topic over, ready to copy but for the address.
func importCommand(topic string) string {
	return fmt.Sprintf("terraform import ADDRESS '%s'    (the address that this plan shows)", topic)
}

// writeRefused is a write that did not succeed.
func writeRefused(err error, verb, topic string, done []string) diag.Diagnostic {
	var (
		answer    *kafka.Error
		invisible *kafka.NotVisibleError
	)
	switch {
	case errors.As(err, &invisible):
		return diag.NewErrorDiagnostic("Topic was created and cannot be read yet",
			fmt.Sprintf("%v.\n\nThe topic is kept in the state, so a second apply does not meet it as a stranger. Raise timeouts.create if the cluster needs longer. %s", err, outcome(done)))
	case errors.As(err, &answer) && kafka.IsAuthorization(err):
		operation := map[string]string{"create": "Create", "delete": "Delete", "change": "Alter and AlterConfigs"}[verb]
		return diag.NewErrorDiagnostic("Not authorized to "+verb+" the topic",
			fmt.Sprintf("%v.\n\nThe principal needs %s on the topic:\n  kafka-acls.sh --add --allow-principal User:… --operation %s --topic '%s'\n%s",
				err, operation, strings.ReplaceAll(operation, " and ", " --operation "), topic, outcome(done)))
	case kafka.IsUndecided(err):
		return diag.NewErrorDiagnostic("Kafka could not tell whether it would "+verb+" the topic", sentence(err)+"\n\n"+mayBeDone(done))
	case errors.As(err, &answer) && kafka.IsUnanswered(err):
		return diag.NewErrorDiagnostic("Kafka refused to "+verb+" the topic",
			fmt.Sprintf("%s\n\nKafka's protocol says of this error that it passes: apply again. %s", sentence(err), outcome(done)))
	case errors.As(err, &answer):
		return diag.NewErrorDiagnostic("Kafka refused to "+verb+" the topic",
			fmt.Sprintf("%s\n\nCorrect what the answer names, then apply again. %s", sentence(err), outcome(done)))
	}
	return diag.NewErrorDiagnostic("Kafka did not answer when asked to "+verb+" the topic", fmt.Sprintf("%q: %s\n\n%s", topic, sentence(err), mayBeDone(done)))
}

// mayBeDone ends the detail of a write of which nobody knows what has become: it
// must not say that nothing was changed.
func mayBeDone(done []string) string {
	return "The cluster may have done it all the same. Apply again: the next plan reads what the cluster holds, and goes on from there." + soFar(done)
}

// soFar is [outcome] for whoever cannot say that nothing was changed: with nothing
// done before, it says nothing.
func soFar(done []string) string {
	if len(done) == 0 {
		return ""
	}
	return " " + outcome(done)
}

// sentence ends an error's text with one full stop: the broker's words often have one.
func sentence(err error) string {
	return strings.TrimRight(err.Error(), ". ") + "."
}

// notJudgedYet says that the gate has to wait for apply.
func notJudgedYet(name types.String) diag.Diagnostic {
	subject := "A topic whose name is not known yet"
	if !name.IsUnknown() {
		subject = quoted(name.ValueString())
	}
	return diag.NewWarningDiagnostic("Storage limit was not judged for every topic",
		subject+" depends on values that are known only after apply, so its growth is not in this plan's verdict. Apply judges it before anything is sent for it. Later topics of the same kind are not listed.")
}

// furtherNotes stands for the kinds of notes beyond those that a run gives whole.
func furtherNotes(kind noteKind) diag.Diagnostic {
	if rule, is := tieringAdvice[topicconfig.Rule(kind)]; is {
		kind = noteKind(rule.title)
	}
	return diag.NewWarningDiagnostic("Further notes are due",
		fmt.Sprintf("Notes of further kinds are not given in this run (the first of them: %s). A plan of fewer changes, for example with -target, gives them.", kind))
}

// quoted names a topic at the beginning of a sentence.
func quoted(topic string) string {
	if topic == "" {
		return "The topic"
	}
	return fmt.Sprintf("%q", topic)
}

// asWarning gives an error's words the weight of a warning.
func asWarning(d diag.Diagnostic) diag.Diagnostic {
	if at, ok := d.(diag.DiagnosticWithPath); ok {
		return diag.NewAttributeWarningDiagnostic(at.Path(), d.Summary(), d.Detail())
	}
	return diag.NewWarningDiagnostic(d.Summary(), d.Detail())
}
