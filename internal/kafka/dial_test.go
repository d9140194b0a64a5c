// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"testing"
	"time"
)

// The zone of an IPv6 address belongs to this machine: no certificate bears it.
func TestDial_TheZoneOfAnAddressIsNoPartOfTheName(t *testing.T) {
	key := must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "broker"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP("fe80::1")},
	}
	der := must[[]byte](t)(x509.CreateCertificate(rand.Reader, template, template, key.Public(), key))
	roots := x509.NewCertPool()
	roots.AddCert(must[*x509.Certificate](t)(x509.ParseCertificate(der)))
	for address, fits := range map[string]bool{"[fe80::1%eth0]:9093": true, "[fe80::1]:9093": true, "[fe80::2%eth0]:9093": false} {
		dialer := newDialer(&tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}, 5*time.Second, func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() {
				_ = tls.Server(theirs, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}).HandshakeContext(t.Context()) // the client says what came of it
				_ = theirs.Close()
			}()
			return ours, nil
		})
		conn, err := dialer.dial(t.Context(), "tcp", address)
		if (err == nil) != fits {
			t.Errorf("%s: %v", address, err)
		}
		if conn != nil {
			_ = conn.Close()
		}
	}
}
