// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

// Why the cluster cannot be reached or read: one message a run.

// reachWords are the words for one kind of failure: %[1]s is the server, %[2]s what the
// other side said or showed.
type reachWords struct {
	title string
	at    string // the attribute to correct, as "tls.ca_pem"; "" for none
	what  string
	todo  string
}

// reachTexts are the words for each kind of failure.
var reachTexts = map[kafka.ConnectKind]reachWords{
	kafka.NameNotFound: {
		"Kafka server name cannot be resolved", "bootstrap_servers",
		"No name server knows the host of %[1]s (%[2]s).",
		"Correct the name, or run where it can be resolved: names of private clusters are known inside their network only.",
	},
	kafka.Refused: {
		"Kafka server refuses connections", "bootstrap_servers",
		"%[1]s: connection refused. The machine answers, and nothing listens on that port.",
		"Correct the port, or start the broker.",
	},
	kafka.NoRoute: {
		"Kafka server cannot be routed to", "bootstrap_servers",
		"The network of this machine knows no way to %[1]s.",
		"Correct the address, or run where the cluster's network can be reached.",
	},
	kafka.NoAnswer: {
		"Kafka server does not answer", "bootstrap_servers",
		"%[1]s did not answer the attempt to connect: the time ran out.",
		"A firewall or a security group may drop the packets, or the address may be wrong. Open the way from this machine, or correct the address.",
	},
	kafka.Silent: {
		"Kafka server accepts connections and says nothing", "bootstrap_servers",
		"%[1]s accepted the connection and sent no answer in time.",
		"A proxy or load balancer without a broker behind it, or an overloaded broker, behaves like that. Check what listens there; request_timeout says how long to try.",
	},
	kafka.Closed: {
		"Kafka server closes connections", "bootstrap_servers",
		"%[1]s accepted the connection and closed it without a word.",
		"A load balancer without a broker behind it, a listener for other clients, or one that wants TLS or a login in another way, behaves like that. Check what listens there.",
	},
	kafka.WantsTLS: {
		"Kafka listener expects TLS", "tls.enabled",
		"%[1]s speaks TLS, and TLS is off in this run.",
		"Remove tls = { enabled = false } (and unset KAFKASTORAGE_TLS_ENABLED and KAFKA_ENABLE_TLS), or use the plaintext listener's port.",
	},
	kafka.WantsPlaintext: {
		"Kafka listener does not speak TLS", "tls.enabled",
		"%[1]s is a listener of Kafka without TLS, and this run expects TLS, which is on unless switched off.",
		"Set tls = { enabled = false }, or use the TLS listener's port.",
	},
	kafka.UnknownAuthority: {
		"Broker's certificate is signed by an unknown authority", "tls.ca_pem",
		"The certificate that %[1]s shows is %[2]s, which is not among the certificates trusted here.",
		"Set tls.ca_pem to the certificate of that issuer, or of the root above it.",
	},
	kafka.WrongName: {
		"Broker's certificate is for another name", "tls.server_name",
		"The certificate that %[1]s shows is %[2]s.",
		"Use one of those names in bootstrap_servers, or set tls.server_name to one of them.",
	},
	kafka.ServerExpired: {
		"Broker's certificate has expired or is not valid yet", "",
		"The certificate that %[1]s shows is %[2]s.",
		"Renew it on the broker, or set this machine's clock.",
	},
	kafka.ServerCertificate: {
		"Broker's certificate cannot be accepted", "tls.ca_pem",
		"The certificate that %[1]s shows: %[2]s.",
		"Correct the certificate on the broker, or tls.ca_pem here.",
	},
	kafka.ClientMissing: {
		"Kafka listener wants a client certificate", "tls.certificate_pem",
		"%[1]s ended the handshake (%[2]s), and no client certificate is configured.",
		"Set tls.certificate_pem and tls.private_key_pem, or use a listener that asks for none.",
	},
	kafka.ClientExpired: {
		"Client certificate has expired or is not valid yet", "tls.certificate_pem",
		"%[1]s ended the handshake. The client certificate is %[2]s.",
		"Renew tls.certificate_pem, or set this machine's clock.",
	},
	kafka.ClientRefused: {
		"Kafka listener refuses the client certificate", "tls.certificate_pem",
		"%[1]s ended the handshake over the client certificate: %[2]s.",
		"Use a certificate that the brokers' truststore knows the issuer of, with its intermediates in tls.certificate_pem.",
	},
	kafka.Handshake: {
		"TLS handshake with the Kafka listener fails", "tls",
		"%[1]s ended the handshake: %[2]s.",
		"Both sides need a TLS version (1.2 or 1.3) and a cipher in common.",
	},
	kafka.LoginMissing: {
		"Kafka listener wants a login", "sasl",
		"%[1]s serves only clients that log in, and no sasl is configured.",
		"Set sasl = { mechanism, … }, or use a listener without SASL.",
	},
	kafka.LoginUnwanted: {
		"Kafka listener takes no login", "sasl",
		"%[1]s is a listener without SASL, and sasl is configured.",
		"Remove sasl (and its variables), or use the port of the SASL listener.",
	},
	kafka.WrongMechanism: {
		"Kafka listener does not offer the mechanism", "sasl.mechanism",
		"%[1]s does not log in by that mechanism.",
		"Set sasl.mechanism to one that it offers.",
	},
	kafka.LoginRefused: {
		"Kafka cluster refuses the login", "sasl",
		"%[1]s refused the login: %[2]s.",
		"Check the name and the secret, and that they belong to this cluster and to this mechanism.",
	},
	kafka.NoToken: {
		"Login token cannot be had", "sasl",
		"To log in at %[1]s a token is needed, and there is none from %[2]s.",
		"Correct that source; the cluster itself has not been asked to log in.",
	},
	kafka.NotKafka: {
		"Server is not a Kafka broker", "bootstrap_servers",
		"%[1]s is %[2]s.",
		"Correct the address: the port of a Kafka listener belongs there, not that of a REST API, a console or a schema registry.",
	},
}

// advertisedTodo is what to do about an address that the cluster itself has given.
const advertisedTodo = "Run where %[1]s can be reached, or have the brokers advertise what can be reached from here: advertised.listeners of the listener that bootstrap_servers points at. No setting of the provider can replace that address."

// reachTitle is the title of a failure to reach the cluster.
func reachTitle(err error) string {
	var failed *kafka.ConnectError
	if errors.As(err, &failed) {
		if words, ok := reachTexts[failed.Kind]; ok {
			return words.title
		}
	}
	return "Kafka cluster cannot be reached"
}

// clusterUnreachable explains the first failed connection of a run.
func clusterUnreachable(err error, settings providerSettings) diag.Diagnostic {
	var (
		answer      *kafka.Error
		unsupported *kafka.UnsupportedError
		failed      *kafka.ConnectError
	)
	switch {
	case errors.Is(err, errNoServers):
		return diag.NewAttributeErrorDiagnostic(path.Root("bootstrap_servers"), "No Kafka cluster is configured",
			fmt.Sprintf("This run needs the cluster, and nothing says where it is. Set bootstrap_servers in the provider block, or %s or %s in the environment. %s",
				envBootstrapServers, envIncumbentServers, nothingChanged))
	case errors.As(err, &unsupported):
		return diag.NewErrorDiagnostic("Kafka cluster is too old",
			fmt.Sprintf("The cluster at %s does not know the request %s, without which no topic can be planned. Kafka has it since %s.\n\nUpgrade the brokers. %s",
				strings.Join(settings.kafka.Servers, ", "), unsupported.Request, sinceVersion(unsupported.Request), nothingChanged))
	case errors.As(err, &answer) && kafka.IsAuthorization(err):
		return clusterForbidden(answer)
	case errors.As(err, &answer):
		return diag.NewErrorDiagnostic("Kafka cluster refused to be read", fmt.Sprintf("%v.\n\nWithout that answer no topic can be planned. %s", answer, nothingChanged))
	case errors.As(err, &failed):
		if words, ok := reachTexts[failed.Kind]; ok {
			return connectFailed(failed, words, settings)
		}
	}
	return diag.NewErrorDiagnostic("Kafka cluster cannot be reached",
		fmt.Sprintf("Tried %s %s, for %s: %v.\n\nCheck the addresses, that this machine may reach them, and that both sides agree on TLS; then run again. request_timeout says how long to try. %s",
			strings.Join(settings.kafka.Servers, ", "), securityWords(settings.kafka), settings.kafka.RequestTimeout, err, nothingChanged))
}

// connectFailed puts one kind of failure into words.
func connectFailed(failed *kafka.ConnectError, words reachWords, settings providerSettings) diag.Diagnostic {
	detail := failed.Detail
	if detail == "" {
		detail = "without a reason"
	}
	text := strings.NewReplacer("%[1]s", failed.Server, "%[2]s", detail).Replace(words.what)
	if settings.kafka.SASL != nil && failed.Kind == kafka.WrongMechanism {
		text += fmt.Sprintf(" Asked for: %s.", settings.kafka.SASL.Mechanism.OnTheWire())
	}
	if len(failed.Offered) > 0 {
		text += fmt.Sprintf(" It offers %s.", strings.Join(failed.Offered, ", "))
	}
	todo, where := words.todo, words.at
	if advertised := failed.Server != "" && !slices.Contains(settings.kafka.Servers, failed.Server); advertised {
		text += fmt.Sprintf(" This address stands in no setting: the cluster, which was reached at %s, gave it as that of a broker (advertised.listeners).", strings.Join(settings.kafka.Servers, " or "))
		switch {
		case failed.Kind == kafka.WrongName:
			todo = "Have the broker advertise one of those names (advertised.listeners), or set tls.server_name to one of them where all brokers have it."
		case where == "bootstrap_servers": // that setting is right: it has led to the cluster
			todo, where = fmt.Sprintf(advertisedTodo, failed.Server), ""
		}
	}
	text += " Tried " + securityWords(settings.kafka)
	if failed.Tries > 1 {
		text += fmt.Sprintf(", %d times within request_timeout = %s", failed.Tries, settings.kafka.RequestTimeout)
	}
	text += "."
	if len(failed.Others) > 0 {
		text += " Also tried: " + strings.Join(failed.Others, ", ") + "."
	}
	text += "\n\n" + todo + " " + nothingChanged
	if where == "" {
		return diag.NewErrorDiagnostic(words.title, text)
	}
	at := path.Empty()
	for i, step := range strings.Split(where, ".") {
		if i == 0 {
			at = path.Root(step)
		} else {
			at = at.AtName(step)
		}
	}
	return providerAttributeError(at, words.title, text)
}

// providerAttributeError is an error about the provider block that a resource's call
// brings: a path would be looked for in the resource, so it stands in the text.
func providerAttributeError(at path.Path, title, text string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(title, text+fmt.Sprintf("\n\nIn the provider block: %s%s.", at, environmentHint(at)))
}

// securityWords say how the connection was tried.
func securityWords(config kafka.Config) string {
	words := "with TLS (tls = { enabled = false } switches it off)"
	if config.TLS == nil {
		words = "without TLS"
	}
	if config.SASL != nil {
		words += fmt.Sprintf(", logging in by %s", config.SASL.Mechanism.OnTheWire())
		if config.SASL.Username != "" {
			words += fmt.Sprintf(" as %q", config.SASL.Username)
		}
	}
	return words
}

// sinceVersion is the first Kafka with a request (the message files of Apache Kafka,
// clients/src/main/resources/common/message, and the KIPs that they cite).
func sinceVersion(request string) string {
	switch request {
	case "DescribeConfigs", "AlterConfigs":
		return "0.11"
	case "IncrementalAlterConfigs":
		return "2.3"
	case "AlterPartitionAssignments", "ListPartitionReassignments":
		return "2.4"
	case "DescribeCluster":
		return "2.8"
	}
	return "1.0"
}

// clusterForbidden is a reading that the principal is not allowed.
func clusterForbidden(answer *kafka.Error) diag.Diagnostic {
	operation, resource := rightFor(answer)
	return diag.NewErrorDiagnostic("Kafka cluster may not be read",
		fmt.Sprintf("%v.\n\nThe principal needs %s on %s:\n  kafka-acls.sh --add --allow-principal User:… --operation %s %s\n%s",
			answer, operation, resource, operation, aclResource(answer.Topic), nothingChanged))
}

// rightFor is the operation that a request needs, and on what.
func rightFor(answer *kafka.Error) (operation, resource string) {
	resource = "the cluster"
	if answer.Topic != "" {
		resource = fmt.Sprintf("the topic %q", answer.Topic)
	}
	switch answer.Request {
	case "DescribeConfigs":
		return "DescribeConfigs", resource
	case "AlterConfigs", "IncrementalAlterConfigs":
		return "AlterConfigs", resource
	case "CreateTopics":
		return "Create", resource
	case "DeleteTopics":
		return "Delete", resource
	case "CreatePartitions", "AlterPartitionAssignments":
		return "Alter", resource
	}
	return "Describe", resource
}

// aclResource is the resource in the words of kafka-acls.sh.
func aclResource(topic string) string {
	if topic != "" {
		return fmt.Sprintf("--topic '%s'", topic)
	}
	return "--cluster"
}
