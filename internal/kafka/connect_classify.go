// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
)

// classify says what a failed connection means, from the evidence alone.
func (c *Client) classify(server string, failed failure) *ConnectError {
	err := failed.err
	e := &ConnectError{Kind: Other, Server: server, Cause: err}
	var at *stageError
	if !errors.As(err, &at) {
		at = &stageError{stageKafka, err}
	}
	if c.tellLogin(e, err) || c.tellServerCertificate(e, err) || c.tellAlert(e, err) || tellBytes(e, failed.first, c.config.TLS != nil) {
		return e
	}
	tellNetwork(e, at.stage, failed)
	if e.Kind == Other {
		e.Detail = redact(err.Error(), c.config.secrets())
	}
	return e
}

// tellLogin reads failures of logging in.
func (c *Client) tellLogin(e *ConnectError, err error) bool {
	if token, ok := isToken(err); ok {
		e.Kind, e.Detail, e.passing = NoToken, fmt.Sprintf("%s: %s", token.From, redact(token.Reason, c.config.secrets())), token.Passing
		return true
	}
	var answer *kerr.Error
	if !errors.As(err, &answer) {
		if c.config.SASL != nil && strings.Contains(err.Error(), "OAUTHBEARER authentication failed") {
			e.Kind, e.Detail = LoginRefused, redact(err.Error(), c.config.secrets())+c.config.SASL.loginHint(time.Now())
			return true
		}
		return false
	}
	switch answer.Code {
	case kerr.UnsupportedSaslMechanism.Code:
		e.Kind = WrongMechanism
	case kerr.IllegalSaslState.Code:
		e.Kind = LoginUnwanted
	case kerr.SaslAuthenticationFailed.Code:
		e.Kind = LoginRefused
		e.Detail = strings.TrimRight(redact(strings.TrimPrefix(err.Error(), answer.Error()+": "), c.config.secrets()), ".")
		if c.config.SASL != nil {
			e.Detail += c.config.SASL.loginHint(time.Now())
		}
	default:
		return false
	}
	return true
}

// tellServerCertificate reads what crypto/x509 holds against the broker's certificate.
func (c *Client) tellServerCertificate(e *ConnectError, err error) bool {
	var (
		unverified *tls.CertificateVerificationError
		authority  x509.UnknownAuthorityError
		name       x509.HostnameError
		invalid    x509.CertificateInvalidError
	)
	if !errors.As(err, &unverified) {
		return false
	}
	switch {
	case errors.As(err, &name):
		e.Kind, e.Detail = WrongName, "for "+namesOf(name.Certificate)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		e.Kind, e.Detail = ServerExpired, validity(invalid.Cert)
	case errors.As(err, &authority):
		e.Kind = UnknownAuthority
		if len(unverified.UnverifiedCertificates) > 0 {
			shown := unverified.UnverifiedCertificates
			e.Detail = fmt.Sprintf("issued by %q", shown[len(shown)-1].Issuer)
		}
	default:
		e.Kind, e.Detail = ServerCertificate, unverified.Err.Error()
	}
	return true
}

// namesOf lists the names that a certificate is for.
func namesOf(certificate *x509.Certificate) string {
	names := slices.Clone(certificate.DNSNames)
	for _, ip := range certificate.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no name at all (subject " + certificate.Subject.String() + ")"
	}
	const shown = 5
	if len(names) > shown {
		names = append(names[:shown], fmt.Sprintf("%d more", len(names)-shown))
	}
	return strings.Join(names, ", ")
}

// validity is when a certificate is valid, to the second, in UTC.
func validity(certificate *x509.Certificate) string {
	return fmt.Sprintf("valid from %s to %s", certificate.NotBefore.UTC().Format(time.RFC3339), certificate.NotAfter.UTC().Format(time.RFC3339))
}

// alertOf finds the alert by which the other side ended TLS. crypto/tls has no type
// for it; the texts are its own (crypto/tls/alert.go, Go 1.26).
func alertOf(err error) (string, bool) {
	var remote *net.OpError
	if !errors.As(err, &remote) || remote.Op != "remote error" {
		return "", false
	}
	return strings.TrimPrefix(remote.Err.Error(), "tls: "), true
}

// tellAlert reads an alert.
func (c *Client) tellAlert(e *ConnectError, err error) bool {
	alert, ok := alertOf(err)
	if !ok || c.config.TLS == nil {
		return false
	}
	e.Detail = alert
	aboutUs := slices.ContainsFunc([]string{"certificate", "access denied"}, func(part string) bool { return strings.Contains(e.Detail, part) })
	own := c.ownCertificate()
	switch {
	case e.Detail == "unrecognized name":
		e.Kind = WrongName
	case own != nil && !validNow(own) && (aboutUs || e.Detail == "handshake failure"):
		e.Kind, e.Detail = ClientExpired, validity(own)
	case own == nil && (aboutUs || e.Detail == "handshake failure"):
		e.Kind = ClientMissing
	case aboutUs:
		e.Kind = ClientRefused
		e.Detail += fmt.Sprintf("; it is %q, issued by %q", own.Subject, own.Issuer)
	default:
		e.Kind = Handshake
	}
	return true
}

// ownCertificate is the client's; nil where it shows none.
func (c *Client) ownCertificate() *x509.Certificate {
	if c.dialer.tls == nil || len(c.dialer.tls.Certificates) == 0 {
		return nil
	}
	return c.dialer.tls.Certificates[0].Leaf
}

// validNow says whether a certificate is valid today.
func validNow(certificate *x509.Certificate) bool {
	now := time.Now()
	return !now.Before(certificate.NotBefore) && !now.After(certificate.NotAfter)
}

// tellBytes knows others than Kafka by their first bytes.
func tellBytes(e *ConnectError, first []byte, secured bool) bool {
	// A TLS record: alert or handshake, of version 3.x.
	tlsRecord := len(first) >= 3 && (first[0] == 21 || first[0] == 22) && first[1] == 3
	switch {
	case secured && tlsRecord:
		return false
	case tlsRecord:
		e.Kind = WantsTLS
		return true
	}
	if other := nameOther(first); other != "" {
		e.Kind, e.Detail = NotKafka, other
		return true
	}
	return false
}

// nameOther names who begins to speak with these bytes; "" where it may be Kafka. An
// answer of Kafka begins with its length, whose first byte is 0 below 16 MiB.
func nameOther(first []byte) string {
	text := string(first)
	switch {
	case strings.HasPrefix(text, "HTTP/"):
		return "an HTTP server"
	case strings.HasPrefix(text, "SSH-"):
		return "an SSH server"
	case len(first) >= 4 && first[0] >= ' ' && first[0] < 127:
		return fmt.Sprintf("a server whose first bytes are %q", text)
	}
	return ""
}

// tellNetwork reads what the network itself says.
func tellNetwork(e *ConnectError, at stage, failed failure) {
	err := failed.err
	var (
		name    *net.DNSError
		timeout net.Error
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &name):
		e.Kind, e.Detail = NameNotFound, strings.TrimSpace(name.Err)
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Kind = Refused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		e.Kind = NoRoute
	case errors.As(err, &record):
		e.Kind = Closed // what came is no TLS; a probe finds out what it is
	case failed.silent, errors.Is(err, errSilent):
		e.Kind = Silent
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		if e.Kind = Silent; at == stageDial {
			e.Kind = NoAnswer
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		e.Kind = Closed
	}
}
