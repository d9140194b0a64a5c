// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// Authority signs certificates for tests.
type Authority struct {
	// PEM is its own certificate.
	PEM string

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// Certificate is a certificate with its private key, both PEM; the key is PKCS#8.
type Certificate struct {
	PEM, Key string
}

// CertificateOptions say what a certificate is for.
type CertificateOptions struct {
	// Name is the common name.
	Name string
	// Hosts are the names and addresses that a server's certificate is for.
	Hosts []string
	// Expired makes its last day yesterday.
	Expired bool
}

// NewAuthority makes a root.
func NewAuthority(name string) (*Authority, error) {
	return newAuthority(name, nil)
}

// Intermediate makes an authority that this one has signed.
func (a *Authority) Intermediate(name string) (*Authority, error) {
	return newAuthority(name, a)
}

func newAuthority(name string, signer *Authority) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := template(name, false)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	parent, parentKey := template, key
	if signer != nil {
		parent, parentKey = signer.certificate, signer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), parentKey)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &Authority{PEM: pemText("CERTIFICATE", der), certificate: certificate, key: key}, nil
}

// Issue signs a certificate that serves for servers and for clients.
func (a *Authority) Issue(options CertificateOptions) (Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Certificate{}, err
	}
	template := template(options.Name, options.Expired)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, host := range options.Hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return Certificate{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return Certificate{}, err
	}
	return Certificate{PEM: pemText("CERTIFICATE", der), Key: pemText("PRIVATE KEY", private)}, nil
}

func template(name string, expired bool) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62)) // never fails
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-48 * time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
	}
	if expired {
		template.NotAfter = time.Now().Add(-24 * time.Hour)
	}
	return template
}

func pemText(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
