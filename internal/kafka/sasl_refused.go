// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// loginHint says what can be seen from here when a login is refused, because brokers
// say as little as they can; "" for nothing. It shows no part of a secret.
func (s *SASL) loginHint(now time.Time) string {
	switch s.Mechanism {
	case Plain, ScramSHA256, ScramSHA512:
		if s.Password.hasBlanksAround() {
			return "; the password " + blanksAround
		}
	case OAuthBearer:
		if s.OAuth.TokenURL != "" {
			return ""
		}
		token := s.OAuth.Token.Reveal()
		if s.OAuth.TokenFile != "" {
			token, _ = tokenFromFile(s.OAuth.TokenFile) // an unreadable file has its own error
		}
		if ended, ok := expiryOf(token); ok && now.After(ended) {
			return "; by its own date the token has expired at " + ended.UTC().Format(time.RFC3339)
		}
	case AWSIAM: // says itself what it holds against a signature
	}
	return ""
}

// expiryOf reads off a token until when it is good, where it is a JWT that says so
// (RFC 7519, 4.1.4). Nothing is believed: it only explains a refusal.
func expiryOf(token string) (time.Time, bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}, false
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return time.Time{}, false
	}
	var claims struct {
		Expires float64 `json:"exp"`
	}
	if err := json.Unmarshal(text, &claims); err != nil || claims.Expires <= 0 || claims.Expires > 1<<40 {
		return time.Time{}, false
	}
	return time.Unix(int64(claims.Expires), 0), true
}
