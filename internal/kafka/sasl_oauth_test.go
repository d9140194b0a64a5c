// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const clientSecret = "secret-of-the-client"

// endpoint is a token source over an endpoint that a test answers for.
func endpoint(t *testing.T, answer http.HandlerFunc) (source *tokenSource, asked *atomic.Int32) {
	t.Helper()
	asked = &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	settings := OAuth{TokenURL: server.URL + "/token", ClientID: "c", ClientSecret: NewSecret(clientSecret)}
	config := Config{RequestTimeout: 3 * time.Second, SASL: &SASL{Mechanism: OAuthBearer, OAuth: settings}}
	return &tokenSource{settings: settings, client: newTokenClient(config, nil)}, asked
}

// answering writes one answer.
func answering(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// Whatever stands at the address in place of a token endpoint is described, within a
// step's time, and says whether waiting helps; the secret is in none of it.
func TestTokenEndpoint_WhatGivesNoTokenIsDescribed(t *testing.T) {
	const json = "application/json"
	for name, one := range map[string]struct {
		answer  http.HandlerFunc
		want    string
		passing bool
	}{
		"page":                    {answering(200, "text/html", "<html>Sign in</html>"), "its answer holds no token (cannot parse json", false},
		"damaged":                 {answering(200, json, `{"access_token":`), "holds no token", false},
		"discovery document":      {answering(200, json, `{"issuer":"x"}`), "missing access_token", false},
		"refusal":                 {answering(401, json, `{"error":"invalid_client","error_description":"not `+clientSecret+`"}`), "it answered 401 Unauthorized: invalid_client: not (secret)", false},
		"refusal with 200":        {answering(200, json, `{"error":"invalid_scope"}`), "it answered 200 OK: invalid_scope", false},
		"refusal as a page":       {answering(403, "text/html", "<html>no</html>"), "it answered 403 Forbidden", false},
		"lifetime that is a word": {answering(200, json, `{"access_token":"t","expires_in":"soon"}`), "holds no token", false},
		"overload":                {answering(503, "text/plain", "later"), "it answered 503 Service Unavailable", true},
		"too many requests":       {answering(429, json, `{}`), "it answered 429", true},
		"hanging":                 {func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); <-r.Context().Done() }, "it did not answer in time", true},
	} {
		t.Run(name, func(t *testing.T) {
			source, _ := endpoint(t, one.answer)
			start := time.Now()
			_, err := source.token(t.Context())
			var token *TokenError
			if !errors.As(err, &token) || !strings.Contains(token.Reason, one.want) || token.Passing != one.passing || !strings.Contains(token.From, source.settings.TokenURL) {
				t.Errorf("%v, passing %v; want %q, %v", err, token != nil && token.Passing, one.want, one.passing)
			}
			if err != nil && strings.Contains(err.Error(), clientSecret) {
				t.Errorf("%v repeats the secret", err)
			}
			if took := time.Since(start); took > 1500*time.Millisecond {
				t.Errorf("took %s", took)
			}
		})
	}
}

// The client's secret goes to the address that is configured: one that points
// elsewhere is named and not followed.
func TestTokenEndpoint_RedirectsAreNotFollowed(t *testing.T) {
	for _, code := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		var elsewhere atomic.Int32
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			elsewhere.Add(1)
			answering(200, "application/json", `{"access_token":"stolen"}`)(w, r)
		}))
		t.Cleanup(other.Close)
		source, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/login?session=private", code)
		})
		token, err := source.token(t.Context())
		if token != "" || elsewhere.Load() > 0 {
			t.Errorf("%d: followed: %q", code, token)
		}
		var failed *TokenError
		if !errors.As(err, &failed) || failed.Passing || !strings.Contains(failed.Reason, fmt.Sprint(code)) || !strings.Contains(failed.Reason, "points to "+other.URL+"/login,") {
			t.Errorf("%d: %v", code, err)
		}
	}
}

// The endpoint's certificate may be signed by the authority of the brokers; another
// one's is no reason to wait, and the message says what is trusted.
func TestTokenEndpoint_TrustsTheAuthorityOfTheBrokers(t *testing.T) {
	server := httptest.NewUnstartedServer(answering(200, "application/json", `{"access_token":"t"}`))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are to fail
	server.StartTLS()
	t.Cleanup(server.Close)
	own := block("CERTIFICATE", server.Certificate().Raw)
	other := selfSigned(t, must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)))
	for authority, fits := range map[string]bool{own: true, other: false, "": false} {
		security := &TLS{CA: authority}
		config := Config{RequestTimeout: 3 * time.Second, TLS: security}
		source := &tokenSource{
			settings: OAuth{TokenURL: server.URL, ClientID: "c", ClientSecret: NewSecret(clientSecret)},
			client:   newTokenClient(config, must[*tls.Config](t)(security.config())),
		}
		token, err := source.token(t.Context())
		if fits && (token != "t" || err != nil) {
			t.Errorf("%v", err)
		}
		var failed *TokenError
		if !fits && (!errors.As(err, &failed) || failed.Passing || !strings.Contains(failed.Reason, "tls.ca_pem are trusted")) {
			t.Errorf("%v", err)
		}
	}
}

// A token is kept for as long as the endpoint says it is good, a number or a text, and
// where it says nothing, for one login: nobody knows how long else.
func TestTokenEndpoint_TokensAreKeptAsLongAsTheyAreGood(t *testing.T) {
	for expires, want := range map[string]int32{`,"expires_in":3600`: 1, `,"expires_in":"3600"`: 1, "": 3, `,"expires_in":5`: 3} { // the last seconds do not count
		source, asked := endpoint(t, answering(200, "application/json", `{"access_token":"t","token_type":"Bearer"`+expires+`}`))
		for range 3 {
			if token, err := source.token(t.Context()); token != "t" || err != nil {
				t.Fatalf("%s: %q, %v", expires, token, err)
			}
		}
		if asked.Load() != want {
			t.Errorf("%s: asked %d times, want %d", expires, asked.Load(), want)
		}
	}
}

// A token file is read at each login, so that who renews it renews the login; blanks
// around the token do not count.
func TestTokenFile_IsReadAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	source := &tokenSource{settings: OAuth{TokenFile: file}}
	for _, one := range []struct{ content, token, reason string }{
		{"first\n", "first", ""},
		{"second", "second", ""},
		{" \n", "", "it is empty"},
	} {
		if err := os.WriteFile(file, []byte(one.content), 0o600); err != nil {
			t.Fatal(err)
		}
		token, err := source.token(t.Context())
		if token != one.token || (err == nil) != (one.reason == "") || err != nil && !strings.Contains(err.Error(), one.reason) {
			t.Errorf("%q: %q, %v", one.content, token, err)
		}
	}
	for name, want := range map[string]string{"~/token": "pathexpand", filepath.Dir(file): "not a regular file"} {
		source.settings.TokenFile = name
		if _, err := source.token(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Brokers refuse a login in a word or two; what can be seen from here is said beside
// it, and no more of the secret than that.
func TestLoginHint(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	jwt := func(claims string) Secret {
		return NewSecret("x." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".y")
	}
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(jwt(fmt.Sprintf(`{"exp":%d}`, now.Add(-time.Minute).Unix())).Reveal()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, login := range map[string]SASL{
		"a line break, which counts":             {Mechanism: ScramSHA512, Password: NewSecret("hunter2\n")},
		"begins or ends with a blank":            {Mechanism: Plain, Password: NewSecret(" hunter2")},
		"has expired at 2026-03-01T11:00:00Z":    {Mechanism: OAuthBearer, OAuth: OAuth{Token: jwt(fmt.Sprintf(`{"exp":%d}`, now.Add(-time.Hour).Unix()))}},
		"has expired at 2026-03-01T11:59:00Z":    {Mechanism: OAuthBearer, OAuth: OAuth{TokenFile: file}},
		"(nothing: a password like any other)":   {Mechanism: Plain, Password: NewSecret("hunter 2")},
		"(nothing: a token that is good)":        {Mechanism: OAuthBearer, OAuth: OAuth{Token: jwt(fmt.Sprintf(`{"exp":%d}`, now.Add(time.Hour).Unix()))}},
		"(nothing: a token without a date)":      {Mechanism: OAuthBearer, OAuth: OAuth{Token: jwt(`{}`)}},
		"(nothing: a token that is no JWT)":      {Mechanism: OAuthBearer, OAuth: OAuth{Token: NewSecret("a.b.c")}},
		"(nothing: a file that is not there)":    {Mechanism: OAuthBearer, OAuth: OAuth{TokenFile: file + ".none"}},
		"(nothing: a date beyond all calendars)": {Mechanism: OAuthBearer, OAuth: OAuth{Token: jwt(`{"exp":1e300}`)}},
	} {
		got := login.loginHint(now)
		if strings.HasPrefix(want, "(nothing") && got != "" || !strings.HasPrefix(want, "(nothing") && !strings.Contains(got, want) || strings.Contains(got, "hunter") {
			t.Errorf("%s: %q", want, got)
		}
	}
}
