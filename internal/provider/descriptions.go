// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

// What more than one face says of the same thing, each in one place.

// Of a topic, on resources and data sources.
const (
	topicNameDescription  = "The topic's name."
	partitionsDescription = "Number of partitions."
	replicasDescription   = "Number of replicas of each partition; the smallest where they differ."
	topicIDDescription    = "Kafka's id of the topic, which another topic of the same name does not share. Empty where the cluster gives none."
	internalDescription   = "Whether Kafka marks the topic as internal, or its name begins with `__`. Such topics are in no total."
	chargedDescription    = "Bytes that the topic charges to the quota; null when nothing bounds it."
	unboundedDescription  = "Whether nothing bounds the topic."
	// configOfTopicDescription is of the config that data sources show.
	configOfTopicDescription = "The settings that the topic sets itself, under Kafka's names, as an import takes them over: without sensitive and read-only ones, and without those of a replication throttle. Null when there are none."
)

// Of what may be done to one, on both resources.
const (
	deleteRemoteDataDescription = "Consent to lose what the remote tier holds when tiered storage is switched off. Without it a plan that switches off is refused."
	deleteTimeoutDescription    = " Terraform takes it from the state, so apply it before the delete. Default: `5m`."
)

// Of the quota, on data sources.
const (
	capacityDescription = "Configured capacity in bytes; null where none is set."
	limitDescription    = "floor(capacity × limit_percent / 100); null without a capacity."
)
