// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"fmt"
	"strings"
)

// ConnectKind is a way in which reaching a cluster fails.
type ConnectKind string

// The kinds. Each is one thing for a reader to correct.
const (
	// NameNotFound: no name server knows the address.
	NameNotFound ConnectKind = "name not found"
	// Refused: the machine is there, and nothing listens on the port.
	Refused ConnectKind = "refused"
	// NoRoute: the network knows no way.
	NoRoute ConnectKind = "no route"
	// NoAnswer: nobody answered the dial: a firewall, or a machine that is gone.
	NoAnswer ConnectKind = "no answer"
	// Silent: the connection stands, and nothing came back over it.
	Silent ConnectKind = "silent"
	// Closed: the other side ended the connection without a word.
	Closed ConnectKind = "closed"
	// WantsTLS: the listener speaks TLS, and the client does not.
	WantsTLS ConnectKind = "wants TLS"
	// WantsPlaintext: the client speaks TLS, and the listener does not.
	WantsPlaintext ConnectKind = "wants plaintext"
	// UnknownAuthority: nobody trusted has signed the broker's certificate.
	UnknownAuthority ConnectKind = "unknown authority"
	// WrongName: the broker's certificate is for other names.
	WrongName ConnectKind = "wrong name"
	// ServerExpired: the broker's certificate is not valid today.
	ServerExpired ConnectKind = "server certificate expired"
	// ServerCertificate: the broker's certificate cannot be accepted for another reason.
	ServerCertificate ConnectKind = "server certificate"
	// ClientMissing: the broker wants a certificate, and the client has none.
	ClientMissing ConnectKind = "client certificate missing"
	// ClientExpired: the client's certificate is not valid today.
	ClientExpired ConnectKind = "client certificate expired"
	// ClientRefused: the broker does not take the client's certificate.
	ClientRefused ConnectKind = "client certificate refused"
	// Handshake: the TLS handshake failed for another reason.
	Handshake ConnectKind = "handshake"
	// LoginMissing: the listener wants a login, and none is configured.
	LoginMissing ConnectKind = "login missing"
	// LoginUnwanted: a login is configured, and the listener takes none.
	LoginUnwanted ConnectKind = "login unwanted"
	// WrongMechanism: the broker does not offer the mechanism.
	WrongMechanism ConnectKind = "wrong mechanism"
	// LoginRefused: the broker does not take the name and password, token or signature.
	LoginRefused ConnectKind = "login refused"
	// NoToken: what the login needs could not be had.
	NoToken ConnectKind = "no token"
	// NotKafka: something else listens there.
	NotKafka ConnectKind = "not Kafka"
	// Other: none of these.
	Other ConnectKind = "other"
)

// passing are the kinds that a cluster shows while it starts, so that trying again is
// worth it.
func (k ConnectKind) passing() bool {
	switch k {
	case NameNotFound, Refused, NoRoute, NoAnswer, Silent, Closed, Other:
		return true
	default:
		return false
	}
}

// forAll are the kinds that are the same at every broker of a cluster, so that the
// others need not be asked.
func (k ConnectKind) forAll() bool {
	switch k {
	case ClientMissing, ClientExpired, ClientRefused, LoginMissing, LoginUnwanted, WrongMechanism, LoginRefused, NoToken:
		return true
	default:
		return false
	}
}

// ConnectError says why a broker could not be reached. It holds no secret.
type ConnectError struct {
	// Kind is what is wrong.
	Kind ConnectKind
	// Server is the address that was tried, as host:port.
	Server string
	// Detail is what the other side said or showed: an alert, names of a certificate, a
	// date, the first bytes, the broker's own words. May be empty.
	Detail string
	// Offered are the mechanisms that the broker offers, for the kinds about logging in.
	Offered []string
	// Tries is how often the cluster was tried, and Others are further servers that
	// failed alike or otherwise, each with its kind.
	Tries  int
	Others []string
	// Cause is the failure itself, for errors.Is. Its text is for no message: it may
	// repeat what was sent.
	Cause error

	passing bool // for NoToken
}

// Error is one line.
func (e *ConnectError) Error() string {
	text := fmt.Sprintf("%s: %s", e.Server, e.Kind)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if len(e.Offered) > 0 {
		text += " (offered: " + strings.Join(e.Offered, ", ") + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *ConnectError) Unwrap() error { return e.Cause }

// passes says that trying again may help.
func (e *ConnectError) passes() bool { return e.Kind.passing() || e.passing }
