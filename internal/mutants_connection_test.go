// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package internal_test

// connectionMutants are rules about reaching a cluster and about writing to one that
// is not well.
var connectionMutants = []mutant{
	{
		"connection", "a secret hides from printers",
		"internal/kafka/secret.go", "func (Secret) GoString() string { return hidden }", "func (s Secret) GoString() string { return s.Reveal() }", inKafka, "TestSecret_IsHiddenFromEveryPrinter",
	},
	{
		"connection", "the configuration beats the environment",
		"internal/provider/provider_settings_tls.go", "if !isBlank(value) && p.configured(name, value) {", "if !isBlank(value) && p.configured(name, value) && false {", inProvider, "TestConnectionSettings_EveryAttributeHasItsVariablesInOrder",
	},
	{
		"connection", "a scheme gets a message of its own",
		"internal/provider/provider_servers.go", `if strings.Contains(text, "://") {`, "if false {", inProvider, "TestConnectionSettings_Addresses",
	},
	{
		"connection", "two PEM blocks may touch",
		"internal/kafka/pem.go", `"----------BEGIN", "-----\n-----BEGIN"`, `"----------BEGIN", "----------BEGIN"`, inKafka, "TestTLS_MendsWhatCopyingDoesToPEM",
	},
	{
		"connection", "a cluster that is starting is tried again",
		"internal/kafka/connect_error.go", "case NameNotFound, Refused, NoRoute, NoAnswer, Silent, Closed, Other:\n\t\treturn true", "case NameNotFound, Refused, NoRoute, NoAnswer, Silent, Closed, Other:\n\t\treturn false", inKafka, "TestReach_WaitsForAClusterThatStarts",
	},
	{
		"connection", "one verdict serves the whole run",
		"internal/kafka/reach.go", "\t\t\tc.reach.keep(failed)\n", "", inKafka, "TestReach_GivesUpOnceForTheRun",
	},
	{
		"connection", "a silent broker leaves time for another one",
		"internal/kafka/attempts.go", "c.RequestTimeout/attemptsPerRequest)", "c.RequestTimeout)", inKafka, "TestWrites_ASilentBrokerLeavesTimeForAnother",
	},
	{
		"connection", "what Kafka calls retriable goes again",
		"internal/kafka/insist.go", "isRetriable(err) && !IsUnknownTopic(err)", "false && isRetriable(err)", inKafka, "TestWrites_AreSentAgainWhereKafkaCallsThatOfUse",
	},
	{
		"connection", "a topic that does not exist is no reason to try again",
		"internal/kafka/insist.go", "isRetriable(err) && !IsUnknownTopic(err)", "isRetriable(err)", inKafka, "TestWrites_WhatIsNotThereIsNotAskedForAgain",
	},
	{
		"connection", "a creation waits for a broker that restarts",
		"internal/kafka/create.go", "return c.brokersAreAway(topic.ReplicationFactor, err)\n", "return false\n", inKafka, "TestCreate_WaitsForABrokerThatRestarts",
	},
	{
		"connection", "a broker that restarts refuses no plan",
		"internal/kafka/away.go", "int64(len(answer.Brokers)) < c.orDefault(factor)", "len(answer.Brokers) < 0", inKafka, "TestProbes_ABrokerThatRestartsRefusesNothing",
	},
	{
		"connection", "what is given up is not done later",
		"internal/kafka/dial.go", "_ = tcp.SetLinger(0)", "_ = tcp", inKafka, "TestClient_ResetsWhatItGivesUp",
	},
	{
		"connection", "a setting of a former life is removed",
		"internal/kafka/write.go", "\t\tc.layGhosts(ctx, name, change, err)\n", "", inKafka, "TestChange_RemovesAGhost",
	},
	{
		"connection", "a creation whose answer was lost is recognised",
		"internal/kafka/create.go", "if unsure && err != nil {\n\t\tif found", "if false {\n\t\tif found", inKafka, "TestCreate_IsRecognisedWhenItsAnswerWasLost",
	},
	{
		"connection", "a stranger's topic is nobody's lost creation",
		"internal/kafka/create.go", "createdAsAsked(asked, found) == nil &&", "true &&", inKafka, "TestCreate_DoesNotTakeAStrangersTopic",
	},
}
