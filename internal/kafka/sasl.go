// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// Mechanism is a way to log in, as the provider block spells it.
type Mechanism string

// The mechanisms.
const (
	Plain       Mechanism = "plain"
	ScramSHA256 Mechanism = "scram-sha-256"
	ScramSHA512 Mechanism = "scram-sha-512"
	OAuthBearer Mechanism = "oauthbearer"
	AWSIAM      Mechanism = "aws-iam"
)

// Mechanisms lists them.
func Mechanisms() []Mechanism {
	return []Mechanism{Plain, ScramSHA256, ScramSHA512, OAuthBearer, AWSIAM}
}

// ParseMechanism reads a mechanism in any of the spellings in use: Kafka's own
// (SCRAM-SHA-256, AWS_MSK_IAM), and those with other case or other dashes.
func ParseMechanism(text string) (Mechanism, bool) {
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(text)) {
	case "plain":
		return Plain, true
	case "scramsha256":
		return ScramSHA256, true
	case "scramsha512":
		return ScramSHA512, true
	case "oauthbearer":
		return OAuthBearer, true
	case "awsiam", "awsmskiam":
		return AWSIAM, true
	}
	return "", false
}

// OnTheWire is Kafka's name of the mechanism.
func (m Mechanism) OnTheWire() string {
	if m == AWSIAM {
		return "AWS_MSK_IAM"
	}
	return strings.ToUpper(string(m))
}

// SASL says how the client logs in.
type SASL struct {
	Mechanism Mechanism
	// Username and Password are for plain and scram.
	Username string
	Password Secret
	// OAuth is for oauthbearer.
	OAuth OAuth
	// AWS is for aws-iam.
	AWS AWS
}

// secrets are what must not be seen.
func (s *SASL) secrets() []Secret {
	return []Secret{s.Password, s.OAuth.Token, s.OAuth.ClientSecret, s.AWS.SecretKey, s.AWS.SessionToken}
}

// mechanism builds the login for the client library. tokens reaches token endpoints.
func (s *SASL) mechanism(tokens *tokenClient, timeout time.Duration) (sasl.Mechanism, error) {
	switch s.Mechanism {
	case Plain:
		return plain.Auth{User: s.Username, Pass: s.Password.Reveal()}.AsMechanism(), nil
	case ScramSHA256:
		return scram.Auth{User: s.Username, Pass: s.Password.Reveal()}.AsSha256Mechanism(), nil
	case ScramSHA512:
		return scram.Auth{User: s.Username, Pass: s.Password.Reveal()}.AsSha512Mechanism(), nil
	case OAuthBearer:
		source := &tokenSource{settings: s.OAuth, client: tokens}
		return oauth.Oauth(func(ctx context.Context) (oauth.Auth, error) {
			token, err := source.token(ctx)
			if err != nil {
				return oauth.Auth{}, err
			}
			return oauth.Auth{Token: token, Extensions: s.OAuth.Extensions}, nil
		}), nil
	case AWSIAM:
		return newAWSLogin(s.AWS, timeout), nil
	}
	return nil, fmt.Errorf("%q is no mechanism", s.Mechanism)
}

// TokenError says that what the login needs could not be had, so the cluster was not
// asked at all.
type TokenError struct {
	// From says who was asked: "the token endpoint https://…", "the file …", "AWS".
	From string
	// Reason is what went wrong, without secrets.
	Reason string
	// Passing says that the next try may succeed.
	Passing bool
}

// Error is both.
func (e *TokenError) Error() string { return fmt.Sprintf("no token from %s: %s", e.From, e.Reason) }

// isToken finds a TokenError.
func isToken(err error) (*TokenError, bool) {
	var token *TokenError
	return token, errors.As(err, &token)
}
