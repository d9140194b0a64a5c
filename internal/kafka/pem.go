// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/youmark/pkcs8"
)

// FieldError says that one of a [TLS]'s or [SASL]'s fields cannot be used.
type FieldError struct {
	// Field is the field as the provider block spells it, such as "ca_pem".
	Field string
	// Reason completes "Field …" and holds no secret.
	Reason string
}

// Error is the field with the reason.
func (e *FieldError) Error() string { return e.Field + " " + e.Reason }

// pemBegin is how content is told from a path.
const pemBegin = "-----BEGIN"

// pemBlocks reads PEM blocks from a text that holds them, or from the file that it
// names. private keeps the text out of messages: it may be a key without its frame.
func pemBlocks(field, text string, private bool) ([]*pem.Block, error) {
	origin := "as PEM content"
	if !strings.Contains(text, pemBegin) {
		content, err := readNamed(field, text, private)
		if err != nil {
			return nil, err
		}
		text, origin = content, "from the file that it names"
	}
	raw := text
	text = mendPEM(text)
	begins := strings.Count(text, pemBegin)
	if begins == 0 {
		return nil, &FieldError{field, fmt.Sprintf("was read %s, which holds no PEM block (-----BEGIN …)%s", origin, insteadOfPEM(raw))}
	}
	var blocks []*pem.Block
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		blocks = append(blocks, block)
	}
	if len(blocks) != begins {
		return nil, &FieldError{field, fmt.Sprintf("was read %s and is damaged: %d of its %d PEM blocks can be read. Each needs its BEGIN and END lines, on lines of their own, and the whole text between them", origin, len(blocks), begins)}
	}
	return blocks, nil
}

// readNamed reads the file that a setting names.
func readNamed(field, name string, private bool) (string, error) {
	name = strings.TrimSpace(name)
	content, err := readSmall(name)
	if err == nil {
		return content, nil
	}
	shown := fmt.Sprintf("%q", name)
	if private || len(name) > 1024 || strings.ContainsAny(name, "\n\r\x00") || isBase64(name) {
		shown = fmt.Sprintf("its text of %d characters", len(name))
	}
	var failed *os.PathError
	if errors.As(err, &failed) {
		err = failed.Err // the path stands in shown, or must not stand at all
	}
	return "", &FieldError{field, fmt.Sprintf("has no -----BEGIN line, so %s was taken for the path of a file, which cannot be read: %v%s", shown, err, insteadOfPath(name))}
}

// maxPEM is far above the largest bundle of certificates in use, in bytes.
const maxPEM = 8 << 20

// readSmall reads a file, and nothing that never ends.
func readSmall(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	case info.Size() > maxPEM:
		return "", fmt.Errorf("it has %d bytes, more than %d", info.Size(), maxPEM)
	}
	content, err := os.ReadFile(name)
	return string(content), err
}

// mendPEM undoes what copying does to PEM: Windows' line ends, line breaks written as
// \n, indentation, and a missing break between two blocks.
func mendPEM(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	text = strings.ReplaceAll(text, "----------BEGIN", "-----\n-----BEGIN")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// readCertificates reads a chain of certificates.
func readCertificates(field, text string) ([]*x509.Certificate, error) {
	blocks, err := pemBlocks(field, text, false)
	if err != nil {
		return nil, err
	}
	var certificates []*x509.Certificate
	for i, block := range blocks {
		if block.Type != "CERTIFICATE" {
			continue // a bundle may hold the key too
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, &FieldError{field, fmt.Sprintf("is damaged: block %d is no certificate (%v)", i+1, err)}
		}
		certificates = append(certificates, certificate)
	}
	if len(certificates) == 0 {
		return nil, &FieldError{field, "holds no certificate (-----BEGIN CERTIFICATE-----) but " + kindsOf(blocks)}
	}
	return certificates, nil
}

// readKey reads a private key: PKCS#1, SEC 1 or PKCS#8, open or encrypted.
func readKey(text string, passphrase Secret) (crypto.PrivateKey, error) {
	const field, passphraseField = "private_key_pem", "private_key_passphrase"
	blocks, err := pemBlocks(field, text, true)
	if err != nil {
		return nil, err
	}
	for _, block := range blocks {
		if !strings.HasSuffix(block.Type, "PRIVATE KEY") {
			continue // parameters of a curve, or the certificate
		}
		//nolint:staticcheck // keys of this kind are insecure against who can change them, and in use all the same
		legacy := x509.IsEncryptedPEMBlock(block)
		encrypted := legacy || block.Type == "ENCRYPTED PRIVATE KEY"
		if encrypted && !passphrase.IsSet() {
			return nil, &FieldError{passphraseField, "is missing: private_key_pem holds an encrypted key"}
		}
		if !encrypted && passphrase.IsSet() {
			return nil, &FieldError{passphraseField, "is set, and private_key_pem holds a key that is not encrypted. Remove the passphrase, or give the encrypted key"}
		}
		key, err := openKey(block, legacy, passphrase)
		if err != nil && encrypted {
			reason := "does not open the key in private_key_pem: the passphrase is wrong, or the encryption is of a kind that is not supported (PKCS#8 with PBES2, and the legacy PEM encryption, are)"
			if passphrase.hasBlanksAround() {
				reason += "; the passphrase " + blanksAround
			}
			return nil, &FieldError{passphraseField, reason}
		}
		if err != nil {
			return nil, &FieldError{field, fmt.Sprintf("holds a %s block that is no private key of a known kind (RSA, EC or Ed25519, as PKCS#1, PKCS#8 or SEC 1)", block.Type)}
		}
		return key, nil
	}
	return nil, &FieldError{field, "holds no private key (-----BEGIN … PRIVATE KEY-----) but " + kindsOf(blocks)}
}

// openKey decrypts and parses one block.
func openKey(block *pem.Block, legacy bool, passphrase Secret) (crypto.PrivateKey, error) {
	der := block.Bytes
	if block.Type == "ENCRYPTED PRIVATE KEY" {
		key, _, err := pkcs8.ParsePrivateKey(der, []byte(passphrase.Reveal()))
		return key, err
	}
	if legacy {
		var err error
		//nolint:staticcheck // as above
		if der, err = x509.DecryptPEMBlock(block, []byte(passphrase.Reveal())); err != nil {
			return nil, err
		}
	}
	if key, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return key, nil
	}
	return x509.ParseECPrivateKey(der)
}

// pair puts a certificate's chain and its key together.
func pair(chain []*x509.Certificate, key crypto.PrivateKey) (tls.Certificate, error) {
	certificate := tls.Certificate{PrivateKey: key, Leaf: chain[0]}
	for _, link := range chain {
		certificate.Certificate = append(certificate.Certificate, link.Raw)
	}
	belongs := false
	switch public := chain[0].PublicKey.(type) {
	case *rsa.PublicKey:
		private, ok := key.(*rsa.PrivateKey)
		belongs = ok && public.Equal(private.Public())
	case *ecdsa.PublicKey:
		private, ok := key.(*ecdsa.PrivateKey)
		belongs = ok && public.Equal(private.Public())
	case ed25519.PublicKey:
		private, ok := key.(ed25519.PrivateKey)
		belongs = ok && public.Equal(private.Public())
	}
	if !belongs {
		return tls.Certificate{}, &FieldError{"private_key_pem", "does not belong to the first certificate in certificate_pem. The client's own certificate comes first, its issuers after it"}
	}
	return certificate, nil
}
