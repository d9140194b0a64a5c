// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who comes from Java's or Kubernetes' files is told what the file is, and how PEM
// comes of it; and of a key nothing is repeated.
func TestPEM_WhatIsNoneIsNamed(t *testing.T) {
	private := must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	root := selfSigned(t, private)
	rootBlock, _ := pem.Decode([]byte(root))
	keyDER := must[[]byte](t)(x509.MarshalPKCS8PrivateKey(private))
	key := block("PRIVATE KEY", keyDER)
	folder := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	//nolint:staticcheck // in use all the same
	legacy := must[*pem.Block](t)(x509.EncryptPEMBlock(rand.Reader, "PRIVATE KEY", keyDER, []byte("open sesame"), x509.PEMCipherAES256))
	encoded := base64.StdEncoding.EncodeToString
	for name, one := range map[string]struct {
		settings TLS
		want     string
	}{
		"certificate in DER":           {TLS{CA: file("ca.der", string(rootBlock.Bytes))}, "a certificate in DER: openssl x509 -inform der"},
		"key in DER":                   {TLS{Certificate: root, Key: NewSecret(file("key.der", string(keyDER)))}, "a private key in DER: openssl pkey -inform der"},
		"keystore of Java":             {TLS{CA: file("trust.jks", "\xfe\xed\xfe\xed\x00\x00\x00\x02")}, "a Java keystore (JKS): keytool"},
		"keystore PKCS#12":             {TLS{CA: file("trust.p12", "\x30\x82\x04\x00\x02\x01\x03")}, "openssl pkcs12"},
		"base64 of PEM":                {TLS{CA: encoded([]byte(root))}, "base64decode(…)"},
		"base64 of PEM in a file":      {TLS{CA: file("ca.b64", encoded([]byte(root))+"\n")}, "base64decode(…)"},
		"key's body as a certificate":  {TLS{Certificate: encoded(keyDER), Key: NewSecret(key)}, "its text of"},
		"passphrase with a line end":   {TLS{Certificate: root, Key: NewSecret(string(pem.EncodeToMemory(legacy))), Passphrase: NewSecret("open sesame\n")}, "the passphrase begins or ends with a blank or a line break"},
		"empty file":                   {TLS{CA: file("empty.pem", "")}, "holds no PEM block"},
		"home folder":                  {TLS{CA: "~/ca.pem"}, `pathexpand("~/`},
		"folder":                       {TLS{CA: folder}, "it is not a regular file"},
		"key for a certificate":        {TLS{Certificate: key, Key: NewSecret(key)}, "certificate_pem holds no certificate (-----BEGIN CERTIFICATE-----) but PRIVATE KEY"},
		"certificate for a key":        {TLS{Certificate: root, Key: NewSecret(root)}, "private_key_pem holds no private key (-----BEGIN … PRIVATE KEY-----) but CERTIFICATE"},
		"issuer before the client's":   {TLS{Certificate: selfSigned(t, must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))) + root, Key: NewSecret(key)}, "comes first, its issuers after it"},
		"path that is as long as text": {TLS{CA: strings.Repeat("/x", 40)}, "was taken for the path"},
	} {
		refused(t, name, one.settings, one.want)
		if err := one.settings.Check(); err != nil && strings.Contains(err.Error(), encoded(keyDER)[:40]) {
			t.Errorf("%s: %v repeats the key", name, err)
		}
	}
}
