// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/youmark/pkcs8"
)

// selfSigned is a certificate for a key, PEM.
func selfSigned(t *testing.T, key crypto.Signer) string {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "c"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return block("CERTIFICATE", der)
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// encryptedPKCS8 encrypts as OpenSSL 3 does.
func encryptedPKCS8(t *testing.T, key any, passphrase string, options *pkcs8.Opts) string {
	t.Helper()
	return block("ENCRYPTED PRIVATE KEY", must[[]byte](t)(pkcs8.MarshalPrivateKey(key, []byte(passphrase), options)))
}

// Every form in which keys are kept is read, open and encrypted.
func TestTLS_ReadsEveryFormOfAKey(t *testing.T) {
	const passphrase = "open sesame"
	rsaKey := must[*rsa.PrivateKey](t)(rsa.GenerateKey(rand.Reader, 2048))
	ecKey := must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	bytes := must[[]byte](t)
	aes256 := &pkcs8.Opts{Cipher: pkcs8.AES256CBC, KDFOpts: pkcs8.PBKDF2Opts{SaltSize: 16, IterationCount: 2048, HMACHash: 5}} // SHA-256
	scrypt := &pkcs8.Opts{Cipher: pkcs8.AES256CBC, KDFOpts: pkcs8.ScryptOpts{SaltSize: 16, CostParameter: 1 << 10, BlockSize: 8, ParallelizationParameter: 1}}
	//nolint:staticcheck // in use all the same
	legacy := must[*pem.Block](t)(x509.EncryptPEMBlock(rand.Reader, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey), []byte(passphrase), x509.PEMCipherAES256))
	for name, one := range map[string]struct {
		of        crypto.Signer
		text      string
		encrypted bool
	}{
		"PKCS#1":                 {rsaKey, block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey)), false},
		"PKCS#8 RSA":             {rsaKey, block("PRIVATE KEY", bytes(x509.MarshalPKCS8PrivateKey(rsaKey))), false},
		"PKCS#8 EC":              {ecKey, block("PRIVATE KEY", bytes(x509.MarshalPKCS8PrivateKey(ecKey))), false},
		"PKCS#8 Ed25519":         {edKey, block("PRIVATE KEY", bytes(x509.MarshalPKCS8PrivateKey(edKey))), false},
		"SEC 1 after parameters": {ecKey, block("EC PARAMETERS", []byte{6, 8, 42, 134, 72, 206, 61, 3, 1, 7}) + block("EC PRIVATE KEY", bytes(x509.MarshalECPrivateKey(ecKey))), false},
		"PKCS#8, PBKDF2":         {ecKey, encryptedPKCS8(t, ecKey, passphrase, aes256), true},
		"PKCS#8, scrypt":         {rsaKey, encryptedPKCS8(t, rsaKey, passphrase, scrypt), true},
		"legacy PEM encryption":  {rsaKey, string(pem.EncodeToMemory(legacy)), true},
	} {
		settings := TLS{Certificate: selfSigned(t, one.of), Key: NewSecret(one.text)}
		if one.encrypted {
			refused(t, name, settings, "private_key_passphrase is missing")
			settings.Passphrase = NewSecret("correct horse")
			refused(t, name, settings, "the passphrase is wrong")
		} else {
			settings.Passphrase = NewSecret(passphrase)
			refused(t, name, settings, "a key that is not encrypted")
			settings.Passphrase = Secret{}
		}
		if one.encrypted {
			settings.Passphrase = NewSecret(passphrase)
		}
		if err := settings.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		other := must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
		settings.Certificate = selfSigned(t, other)
		refused(t, name, settings, "does not belong to the first certificate")
	}
}

// refused holds a refusal to its words, and keeps the key out of them.
func refused(t *testing.T, name string, settings TLS, want string) {
	t.Helper()
	err := settings.Check()
	var field *FieldError
	if !errors.As(err, &field) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v does not say %q", name, err, want)
		return
	}
	for line := range strings.SplitSeq(settings.Key.Reveal()+"\n"+settings.Passphrase.Reveal(), "\n") {
		if len(line) > 4 && strings.Contains(err.Error(), line) {
			t.Errorf("%s: %v repeats the secret", name, err)
		}
	}
}

// What copying does to PEM is undone, and what cannot be undone is named.
func TestTLS_MendsWhatCopyingDoesToPEM(t *testing.T) {
	root := selfSigned(t, must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)))
	between := selfSigned(t, must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)))
	chain := between + root
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte(chain), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"chain":                    chain,
		"file":                     file,
		"file with a line end":     file + "\n",
		"Windows line ends":        strings.ReplaceAll(chain, "\n", "\r\n"),
		"joined":                   strings.ReplaceAll(chain, "-----\n-----", "----------"),
		"indented":                 strings.ReplaceAll(chain, "\n", "\n    "),
		"line ends written as \\n": strings.ReplaceAll(chain, "\n", `\n`),
		"text around":              "subject=x\n" + chain + "\nend",
	} {
		certificates, err := readCertificates("ca_pem", text)
		if err != nil || len(certificates) != 2 {
			t.Errorf("%s: %d certificates, %v", name, len(certificates), err)
		}
	}
	key := block("PRIVATE KEY", must[[]byte](t)(x509.MarshalPKCS8PrivateKey(must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)))))
	for want, settings := range map[string]TLS{
		`"/nonexistent/ca.pem" was taken for the path of a file`: {CA: "/nonexistent/ca.pem"},
		"1 of its 2 PEM blocks can be read":                      {CA: root + strings.Replace(root, "-----END CERTIFICATE-----", "", 1)},
		"holds no certificate":                                   {CA: key},
		"is no certificate":                                      {CA: block("CERTIFICATE", []byte("nonsense"))},
		"its text of 184 characters was taken for the path":      {Certificate: root, Key: NewSecret(strings.Repeat("MIGHAgEA", 23))},
		"holds no private key":                                   {Certificate: root, Key: NewSecret(root)},
		"no private key of a known kind":                         {Certificate: root, Key: NewSecret(block("PRIVATE KEY", []byte("nonsense")))},
	} {
		refused(t, want, settings, want)
	}
}

// However a secret is printed, nobody reads it.
func TestSecret_IsHiddenFromEveryPrinter(t *testing.T) {
	const text = "hunter2hunter2"
	config := Config{TLS: &TLS{Key: NewSecret(text), Passphrase: NewSecret(text)}, SASL: &SASL{
		Password: NewSecret(text), OAuth: OAuth{Token: NewSecret(text), ClientSecret: NewSecret(text)}, AWS: AWS{SecretKey: NewSecret(text), SessionToken: NewSecret(text)},
	}}
	encoded, err := json.Marshal(*config.SASL)
	if err != nil {
		t.Fatal(err)
	}
	hidingPlace := struct{ inner SASL }{*config.SASL}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, value := range []any{config, *config.SASL, *config.TLS, config.SASL.Password, hidingPlace} {
			if printed := fmt.Sprintf(verb, value); strings.Contains(printed, text) || strings.Contains(printed, "68756e74657232") {
				t.Errorf("%s: %s", verb, printed)
			}
		}
	}
	if strings.Contains(string(encoded), text) {
		t.Errorf("%s", encoded)
	}
	if got := redact("it said "+text+"!", config.secrets()); got != "it said (secret)!" {
		t.Errorf("%q", got)
	}
}

// Whatever stands in place of PEM, reading it ends, with the attribute and without the
// key.
func FuzzPEM(f *testing.F) {
	f.Add("-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "p")
	f.Add("-----BEGIN", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMA==\n-----END ENCRYPTED PRIVATE KEY-----", "p")
	f.Add("/etc/hosts", "\x00", "")
	f.Add("-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END EC PRIVATE KEY-----", "x", "y")
	f.Fuzz(func(t *testing.T, certificate, key, passphrase string) {
		settings := TLS{CA: certificate, Certificate: certificate, Key: NewSecret(key), Passphrase: NewSecret(passphrase)}
		err := settings.Check()
		var field *FieldError
		if err != nil && (!errors.As(err, &field) || field.Field == "" || field.Reason == "") {
			t.Errorf("%v names no field", err)
		}
		if _, err := readKey(key, NewSecret(passphrase)); err != nil && len(key) > 30 && strings.Contains(err.Error(), key) {
			t.Errorf("%v repeats the key", err)
		}
	})
}
