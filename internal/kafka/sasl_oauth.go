// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// OAuth says where the token of an OAUTHBEARER login comes from: exactly one of
// Token, TokenFile and TokenURL.
type OAuth struct {
	// Token is the token itself.
	Token Secret
	// TokenFile is a file that holds the token. It is read at each login, so that a
	// token that is renewed in place stays valid.
	TokenFile string
	// TokenURL is the endpoint of the client credentials grant (RFC 6749, 4.4).
	TokenURL string
	// ClientID and ClientSecret are for TokenURL.
	ClientID     string
	ClientSecret Secret
	// Scopes are asked for at TokenURL.
	Scopes []string
	// Extensions are sent with the token (RFC 7628, 3.1).
	Extensions map[string]string
}

// tokenClient reaches token endpoints.
type tokenClient struct {
	http *http.Client
	// secrets are taken out of what an endpoint answers.
	secrets []Secret
}

// newTokenClient makes one that trusts the system's roots and those of the brokers.
func newTokenClient(config Config, brokers *tls.Config) *tokenClient {
	transport := &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		DialContext:       (&net.Dialer{Timeout: config.stepTimeout()}).DialContext,
		DisableKeepAlives: true, // a run asks once
	}
	if brokers != nil && config.TLS.CA != "" {
		roots, err := x509.SystemCertPool()
		if err != nil {
			roots = x509.NewCertPool()
		}
		if authorities, err := readCertificates("ca_pem", config.TLS.CA); err == nil {
			for _, authority := range authorities {
				roots.AddCert(authority)
			}
		}
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	}
	return &tokenClient{
		http: &http.Client{
			Transport: transport, Timeout: config.stepTimeout(),
			// The client's secret goes where the configuration says, and nowhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		secrets: config.secrets(),
	}
}

// tokenSource hands out tokens. It is safe for concurrent use.
type tokenSource struct {
	settings OAuth
	client   *tokenClient

	mu     sync.Mutex
	cached *oauth2.Token
}

// token returns a token that is valid now; a [*TokenError] says why there is none.
func (s *tokenSource) token(ctx context.Context) (string, error) {
	switch {
	case s.settings.Token.IsSet():
		return s.settings.Token.Reveal(), nil
	case s.settings.TokenFile != "":
		return tokenFromFile(s.settings.TokenFile)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cached.Valid() {
		return s.cached.AccessToken, nil
	}
	credentials := clientcredentials.Config{
		ClientID:     s.settings.ClientID,
		ClientSecret: s.settings.ClientSecret.Reveal(),
		TokenURL:     s.settings.TokenURL,
		Scopes:       s.settings.Scopes,
	}
	// The library asks a second time, with the secret in another place, whatever has
	// failed; an endpoint that hangs must not cost twice.
	ctx, cancel := context.WithTimeout(ctx, s.client.http.Timeout)
	defer cancel()
	token, err := credentials.Token(context.WithValue(ctx, oauth2.HTTPClient, s.client.http))
	if err != nil {
		return "", s.client.failed(s.settings.TokenURL, err)
	}
	if !token.Expiry.IsZero() { // how long another one is good for, nobody has said: the next login asks again
		s.cached = token
	}
	return token.AccessToken, nil
}

// tokenFromFile reads a token; blanks around it do not count.
func tokenFromFile(name string) (string, error) {
	content, err := readSmall(name)
	if err != nil {
		var failed *os.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		reason := err.Error()
		if strings.HasPrefix(name, "~") {
			reason += hintHome
		}
		return "", &TokenError{From: fmt.Sprintf("the file %q (token_file)", name), Reason: reason}
	}
	token := strings.TrimSpace(content)
	if token == "" {
		return "", &TokenError{From: fmt.Sprintf("the file %q (token_file)", name), Reason: "it is empty"}
	}
	return token, nil
}

// failed says why an endpoint gave no token. Of its answer only the status and the
// fields of RFC 6749, 5.2 are kept: the rest may be anything.
func (c *tokenClient) failed(endpoint string, err error) error {
	failure := &TokenError{From: "the token endpoint " + bareURL(endpoint), Passing: true}
	var (
		answer *oauth2.RetrieveError
		sent   *url.Error
	)
	switch {
	case errors.As(err, &answer):
		failure.Reason = "it answered"
		if answer.Response != nil {
			failure.Reason += " " + answer.Response.Status
			failure.Passing = answer.Response.StatusCode >= 500 || answer.Response.StatusCode == http.StatusTooManyRequests
			if elsewhere, err := answer.Response.Location(); err == nil {
				failure.Reason += " and points to " + bareURL(elsewhere.String()) + ", which is not followed, because the secret would go there; token_url must be the endpoint itself"
			}
		}
		for _, said := range []string{answer.ErrorCode, answer.ErrorDescription} {
			if said != "" {
				failure.Reason += ": " + said
			}
		}
	case errors.As(err, &sent) && sent.Timeout():
		failure.Reason = "it did not answer in time"
	case errors.As(err, &sent):
		failure.Reason = sent.Err.Error()
		var unverified *tls.CertificateVerificationError
		if errors.As(err, &unverified) {
			failure.Reason, failure.Passing = "its certificate is not accepted ("+unverified.Err.Error()+"); the system's roots and tls.ca_pem are trusted for it", false
		}
	default: // an answer without a token
		failure.Reason = fmt.Sprintf("its answer holds no token (%s). A sign-in page or a discovery document answers like that; token_url must be the endpoint itself", strings.TrimPrefix(err.Error(), "oauth2: "))
		failure.Passing = false
	}
	failure.Reason = redact(failure.Reason, c.secrets)
	return failure
}

// bareURL is an address without what may be secret in it.
func bareURL(text string) string {
	parsed, err := url.Parse(text)
	if err != nil {
		return "(not a URL)"
	}
	return (&url.URL{Scheme: parsed.Scheme, Host: parsed.Host, Path: parsed.Path}).String()
}

// stepTimeout bounds one step of reaching the cluster: a dial, a handshake, the first
// answer, a token. Several fit into the time that there is for all.
func (c Config) stepTimeout() time.Duration {
	return min(10*time.Second, c.RequestTimeout/3)
}

// secrets are what must not be seen in anything that leaves the room.
func (c Config) secrets() []Secret {
	var secrets []Secret
	if c.TLS != nil {
		secrets = append(secrets, c.TLS.Key, c.TLS.Passphrase)
	}
	if c.SASL != nil {
		secrets = append(secrets, c.SASL.secrets()...)
	}
	return secrets
}
