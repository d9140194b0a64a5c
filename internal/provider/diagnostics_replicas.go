// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tooManyReplicas is a number of replicas that the brokers cannot hold.
func tooManyReplicas(topic string, wanted, brokers int64, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("replication_factor"), "More replicas than brokers",
		fmt.Sprintf("%s: replication_factor = %d, and the cluster has %s. A broker holds at most one replica of a partition.\n\n"+
			"Set replication_factor to at most %d, or let the missing brokers join first. %s",
			quoted(topic), wanted, count(int(brokers), "available broker"), brokers, outcome(done)))
}

// topicMoving is somebody else's move, which is not started over.
func topicMoving(topic string, wanted int64, moves []kafka.Move, done []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("replication_factor"), "Topic is being reassigned already",
		fmt.Sprintf("%q: replicas are being moved, and not to replication_factor = %d:\n%s\n"+
			"Somebody else has started that, and starting over it would leave it half done. Wait until it has ended, or let whoever started it cancel it; then run again:\n"+
			"  kafka-reassign-partitions.sh --list\n%s",
			topic, wanted, moveLines(moves), outcome(done)))
}

// moveUnfinished is a wait that ended before the move.
func moveUnfinished(topic string, wanted int64, unfinished *kafka.UnfinishedError, done []string) diag.Diagnostic {
	if len(unfinished.Moves) == 0 {
		return diag.NewAttributeErrorDiagnostic(path.Root("replication_factor"), "Replicas were not moved as planned",
			fmt.Sprintf("%q, to replication_factor = %d: %v.\n\nThe next plan shows what the topic has. %s", topic, wanted, unfinished.Cause, outcome(done)))
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("replication_factor"), "Replicas are still being moved",
		fmt.Sprintf("%q, to replication_factor = %d: the wait has ended before the move (%v). Still moving when last seen:\n%s\n"+
			"The cluster goes on with it, without a throttle of this provider. Apply again to wait for the rest: it joins this move and does not start it anew. Where there is much to copy, raise timeouts.update. %s",
			topic, wanted, unfinished.Cause, moveLines(unfinished.Moves), outcome(done)))
}

// notAuthorizedToMove names the right that a move needs.
func notAuthorizedToMove(err error, topic string, done []string) diag.Diagnostic {
	var answer *kafka.Error
	if !errors.As(err, &answer) {
		return writeRefused(err, "change", topic, done)
	}
	operation := map[string]string{
		"AlterPartitionReassignments": "Alter", "ListPartitionReassignments": "Describe", "Metadata": "Describe",
		"DescribeConfigs": "DescribeConfigs", "IncrementalAlterConfigs": "AlterConfigs",
	}[answer.Request]
	resource, option, why := "cluster", "--cluster", ""
	switch {
	case answer.Request == "AlterPartitionReassignments" || answer.Request == "ListPartitionReassignments": // rights on the cluster, whatever topic they name
	case answer.Topic != "":
		resource, option = "topic", fmt.Sprintf("--topic '%s'", answer.Topic)
	default:
		why = " That is for replication_throttle_bytes_per_second, which is set on brokers."
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("replication_factor"), "Not authorized to move replicas",
		fmt.Sprintf("%q: %s answered %s to %s: %s.\n\nThe principal needs %s on the %s:\n  kafka-acls.sh --add --allow-principal User:… --operation %s %s\n%s %s",
			topic, answer.Broker, answer.Code, answer.Request, strings.TrimSuffix(answer.Message, "."), operation, resource, operation, option, strings.TrimSpace(why), outcome(done)))
}

// throttleNotRemoved is a throttle that outlives its move.
func throttleNotRemoved(left *kafka.ThrottleError, done []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Replication throttle could not be removed",
		fmt.Sprintf("%q: %v.\n\nUntil it is gone, brokers may copy more slowly than they could. The next plan finds it and removes it. %s", left.Topic, left.Cause, outcome(done)))
}

// throttleFound is what an interrupted run has left, found in time.
func throttleFound(topic string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("An interrupted run has left its replication throttle",
		fmt.Sprintf("%q still has %s and %s from a run that was stopped while it moved replicas, and brokers may have the rates that belong to them. This plan removes both. Later topics of the same kind are not listed.",
			topic, topicconfig.LeaderThrottledReplicas, topicconfig.FollowerThrottledReplicas))
}

// replicaCountsDiffer says that replicas are not all where they shall be.
func replicaCountsDiffer(topic kafka.Topic, moves []kafka.Move, movesKnown bool) diag.Diagnostic {
	var text strings.Builder
	fmt.Fprintf(&text, "%q:\n", topic.Name)
	for i, partition := range topic.Uneven {
		if i == maxNamed {
			fmt.Fprintf(&text, "  and %d more\n", len(topic.Uneven)-maxNamed)
			break
		}
		if partition.Replicas == 0 {
			fmt.Fprintf(&text, "  partition %d shows no replicas", partition.Partition)
		} else {
			fmt.Fprintf(&text, "  partition %d has %s", partition.Partition, count(int(partition.Replicas), "replica"))
		}
		fmt.Fprintf(&text, ", most have %d\n", topic.UsualReplicas)
	}
	text.WriteString(moveLines(moves))
	switch {
	case len(moves) > 0:
		text.WriteString("A reassignment is under way, and shows old and new replicas together. ")
	case movesKnown:
		text.WriteString("No reassignment is under way: one has ended a moment ago, or was cancelled, or a broker is not up to date. Where it stays so, kafka-reassign-partitions.sh puts it right. ")
	}
	text.WriteString("No change of replication_factor is planned for that; the state keeps the number it had. Later topics of the same kind are not listed.")
	return diag.NewAttributeWarningDiagnostic(path.Root("replication_factor"), "Partitions have different numbers of replicas", text.String())
}

// keysMove says what more partitions do to records with keys.
func keysMove(topic string, before, after int64) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("partitions"), "Records of one key may go to another partition",
		fmt.Sprintf("%q: partitions %d -> %d. Producers usually choose the partition of a record by its key and the number of partitions. Whether this topic's records have keys cannot be seen from here; "+
			"where they do, new records of a key may follow its older ones in another partition: their order is lost across the change, consumers with state per partition see a key move, and compaction keeps both. "+
			"Records without keys are not affected, and nothing that is stored moves. Later topics of the same kind are not listed.",
			topic, before, after))
}

// moveLines names the first moves, a line each, and counts the rest.
func moveLines(moves []kafka.Move) string {
	var text strings.Builder
	for i, move := range moves {
		if i == maxNamed {
			fmt.Fprintf(&text, "  and %d more\n", len(moves)-maxNamed)
			break
		}
		fmt.Fprintf(&text, "  partition %d: to %s (adding %s; removing %s)\n", move.Partition, brokerList(move.Target), brokerList(move.Adding), brokerList(move.Removing))
	}
	return text.String()
}

// brokerList names brokers by id.
func brokerList(ids []int32) string {
	if len(ids) == 0 {
		return "none"
	}
	texts := make([]string, 0, len(ids))
	for _, id := range ids {
		texts = append(texts, fmt.Sprint(id))
	}
	return strings.Join(texts, ", ")
}
