// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"maps"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Every setting of tls and sasl may come out of a resource of the same apply: a
// password that is drawn, a certificate that is issued, a token that is handed out.
func TestRealConnectionUnknown_EveryWayInFromTheSameApply(t *testing.T) {
	c := freshSecure(t)
	ways := c.waysIn()
	client := c.clientCertificate()
	opened, _ := pem.Decode([]byte(client.Key))
	//nolint:staticcheck // in use all the same
	encrypted, err := x509.EncryptPEMBlock(rand.Reader, opened.Type, opened.Bytes, []byte("of the key"), x509.PEMCipherAES256)
	if err != nil {
		t.Fatal(err)
	}
	ways["mutual TLS, encrypted key"] = wayIn{kafkatest.ListenerMutual, fields{"tls": fields{
		"ca_pem": c.Authority.PEM, "certificate_pem": client.PEM, "private_key_pem": string(pem.EncodeToMemory(encrypted)), "private_key_passphrase": "of the key",
	}}, nil}
	for name, way := range ways {
		if way.env != nil {
			continue // the environment is never unknown
		}
		t.Run(name, func(t *testing.T) {
			settings := c.settings(way.listener, way.more)
			delete(settings, "storage_quota")
			w := newWorkspace(t, laterBlock(settings, false)+topic("late", 1, ""))
			maps.Copy(w.env, way.env)
			w.unknownAtPlan(t)
		})
	}
}
