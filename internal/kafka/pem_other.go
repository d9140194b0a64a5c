// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
)

// What people hand in where PEM belongs. Each function names it, without repeating any
// of it, and says how PEM comes of it.

// insteadOfPEM recognises content by its first bytes; "" where nobody knows it.
func insteadOfPEM(content string) string {
	der := []byte(content)
	switch {
	case strings.HasPrefix(content, "\xfe\xed\xfe\xed"):
		return ". It is a Java keystore (JKS): keytool -importkeystore -deststoretype PKCS12 makes PKCS#12 of it, and openssl pkcs12 PEM of that"
	case isBase64(content):
		return hintBase64
	case !strings.HasPrefix(content, "\x30"):
		return ""
	}
	if _, err := x509.ParseCertificate(der); err == nil {
		return ". It is a certificate in DER: openssl x509 -inform der makes PEM of it"
	}
	for _, private := range []func([]byte) error{
		func(der []byte) error { _, err := x509.ParsePKCS8PrivateKey(der); return err },
		func(der []byte) error { _, err := x509.ParsePKCS1PrivateKey(der); return err },
		func(der []byte) error { _, err := x509.ParseECPrivateKey(der); return err },
	} {
		if private(der) == nil {
			return ". It is a private key in DER: openssl pkey -inform der makes PEM of it"
		}
	}
	return ". It looks like DER or a PKCS#12 keystore: openssl x509 -inform der makes PEM of the one, openssl pkcs12 of the other"
}

const hintBase64 = ". It looks like base64: decode it first, as base64decode(…) does"

// insteadOfPath says why a text may not be the path that it was taken for.
func insteadOfPath(text string) string {
	switch {
	case isBase64(text):
		return hintBase64
	case strings.HasPrefix(text, "~"):
		return hintHome
	}
	return ""
}

const hintHome = ". The ~ is the shell's and stands for nothing here: write pathexpand(\"~/…\"), or the whole path"

// isBase64 says that a text is too long and too even for a path: an encoded file. A
// path of letters only, as long, is taken for one too.
func isBase64(text string) bool {
	const shortest = 64
	text = strings.Join(strings.Fields(text), "")
	if len(text) < shortest {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil
}

// kindsOf names the blocks that are there.
func kindsOf(blocks []*pem.Block) string {
	var kinds []string
	for _, block := range blocks {
		if !slices.Contains(kinds, block.Type) {
			kinds = append(kinds, block.Type)
		}
	}
	return strings.Join(kinds, ", ")
}
