// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"crypto/tls"
	"crypto/x509"
)

// TLS says how connections are encrypted and how both sides prove who they are. Texts
// of PEM are the content itself, or the path of a file that holds it.
type TLS struct {
	// CA are the certificates that may have signed the brokers'; "" trusts the system's roots.
	CA string
	// Certificate is the client's certificate, with its issuers after it; "" shows none.
	Certificate string
	// Key is the private key of Certificate.
	Key Secret
	// Passphrase opens Key where it is encrypted.
	Passphrase Secret
	// ServerName is the name that the brokers' certificates must bear; "" is the name that was dialled.
	ServerName string
	// SkipVerify takes any certificate of the brokers.
	SkipVerify bool
}

// config builds what crypto/tls needs. A [*FieldError] says which text cannot be used.
func (t *TLS) config() (*tls.Config, error) {
	config := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		ServerName:         t.ServerName,
		InsecureSkipVerify: t.SkipVerify, //nolint:gosec // the user's own choice
	}
	if t.CA != "" {
		authorities, err := readCertificates("ca_pem", t.CA)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		for _, authority := range authorities {
			config.RootCAs.AddCert(authority)
		}
	}
	if t.Certificate == "" && !t.Key.IsSet() {
		return config, nil
	}
	chain, err := readCertificates("certificate_pem", t.Certificate)
	if err != nil {
		return nil, err
	}
	key, err := readKey(t.Key.Reveal(), t.Passphrase)
	if err != nil {
		return nil, err
	}
	certificate, err := pair(chain, key)
	if err != nil {
		return nil, err
	}
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		// Always shown: a broker's list of issuers it likes is often incomplete, and its refusal says more than silence.
		return &certificate, nil
	}
	config.Certificates = []tls.Certificate{certificate}
	return config, nil
}

// Check says what of the texts cannot be used, as a [*FieldError]. It reads the files
// that they name.
func (t *TLS) Check() error {
	_, err := t.config()
	return err
}
