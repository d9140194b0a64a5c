// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// TokenSigner signs the tokens that a secure cluster believes (RS256, RFC 7515).
type TokenSigner struct {
	key *rsa.PrivateKey
}

const tokenKeyID = "test"

func newTokenSigner() (*TokenSigner, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	return &TokenSigner{key: key}, err
}

// Token returns a token for a user, valid for an hour.
func (s *TokenSigner) Token(user string) string {
	return s.TokenUntil(user, time.Now().Add(time.Hour))
}

// TokenUntil returns a token for a user that has been valid for an hour when it ends.
func (s *TokenSigner) TokenUntil(user string, ends time.Time) string {
	issued := ends.Add(-time.Hour).Unix()
	header, _ := json.Marshal(map[string]any{"alg": "RS256", "typ": "JWT", "kid": tokenKeyID})                               // never fails
	claims, _ := json.Marshal(map[string]any{"sub": user, "aud": "kafka", "iss": "test", "iat": issued, "exp": ends.Unix()}) // never fails
	text := base64.RawURLEncoding.EncodeToString(header) + "." + base64.RawURLEncoding.EncodeToString(claims)
	digest := sha256.Sum256([]byte(text))
	signature, _ := rsa.SignPKCS1v15(rand.Reader, s.key, crypto.SHA256, digest[:]) // never fails with a key of this size
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// keySet is the public key as brokers read it (RFC 7517).
func (s *TokenSigner) keySet() []byte {
	exponent := big.NewInt(int64(s.key.E)).Bytes()
	text, _ := json.Marshal(map[string]any{"keys": []any{map[string]any{ // never fails
		"kty": "RSA", "alg": "RS256", "use": "sig", "kid": tokenKeyID,
		"n": base64.RawURLEncoding.EncodeToString(s.key.N.Bytes()),
		"e": base64.RawURLEncoding.EncodeToString(exponent),
	}}})
	return text
}

// TokenServer gives tokens for client credentials (RFC 6749, 4.4).
type TokenServer struct {
	// URL is the endpoint.
	URL string

	signer *TokenSigner
	secret string

	mu     sync.Mutex
	asked  int
	scopes string
}

// StartTokenServer starts one that gives the tokens of signer to any client with this
// secret, whose id becomes the user.
func StartTokenServer(tb testing.TB, signer *TokenSigner, secret string) *TokenServer {
	tb.Helper()
	server := &TokenServer{signer: signer, secret: secret}
	listener := httptest.NewServer(server)
	tb.Cleanup(listener.Close)
	server.URL = listener.URL + "/token"
	return server
}

// ServeHTTP answers one request.
func (s *TokenServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	if id == "" {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	s.mu.Lock()
	s.asked++
	s.scopes = r.PostFormValue("scope")
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.PostFormValue("grant_type") != "client_credentials":
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprint(w, `{"error":"unsupported_grant_type"}`)
	case secret != s.secret:
		w.WriteHeader(http.StatusUnauthorized)
		// Repeats what it was sent, as careless servers do.
		_, _ = fmt.Fprintf(w, `{"error":"invalid_client","error_description":"no client has the secret %s"}`, secret)
	default:
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":3600}`, s.signer.Token(id))
	}
}

// Scopes are those that were asked for last.
func (s *TokenServer) Scopes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Fields(s.scopes)
}
