// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"net"
	"os"
)

// The environment variables that the provider reads. Names with KAFKA_ are those
// that the field's most used provider reads, so that a pipeline can switch
// without edits.
const (
	envBootstrapServers = "KAFKASTORAGE_BOOTSTRAP_SERVERS"
	envIncumbentServers = "KAFKA_BOOTSTRAP_SERVERS"
	envClientID         = "KAFKASTORAGE_CLIENT_ID"
	envRequestTimeout   = "KAFKASTORAGE_REQUEST_TIMEOUT"
	envPlatform         = "KAFKASTORAGE_PLATFORM"
	envCapacityBytes    = "KAFKASTORAGE_CAPACITY_BYTES"
	envLimitPercent     = "KAFKASTORAGE_LIMIT_PERCENT"
	envEnforcement      = "KAFKASTORAGE_ENFORCEMENT"

	envDeletionProtection  = "KAFKASTORAGE_DELETION_PROTECTION"
	envAdoptExisting       = "KAFKASTORAGE_ADOPT_EXISTING"
	envAdvice              = "KAFKASTORAGE_ADVICE"
	envPlanValidation      = "KAFKASTORAGE_PLAN_VALIDATION"
	envReplicationThrottle = "KAFKASTORAGE_REPLICATION_THROTTLE_BYTES_PER_SECOND"
)

// connectionVariables are the variables of the attributes that say how to connect, by
// attribute: the first that is set supplies the value. The names of AWS are those of
// its tools.
var connectionVariables = map[string][]string{
	"tls.enabled":                  {"KAFKASTORAGE_TLS_ENABLED", "KAFKA_ENABLE_TLS"},
	"tls.ca_pem":                   {"KAFKASTORAGE_TLS_CA_PEM", "KAFKA_CA_CERT"},
	"tls.certificate_pem":          {"KAFKASTORAGE_TLS_CERTIFICATE_PEM", "KAFKA_CLIENT_CERT"},
	"tls.private_key_pem":          {"KAFKASTORAGE_TLS_PRIVATE_KEY_PEM", "KAFKA_CLIENT_KEY"},
	"tls.private_key_passphrase":   {"KAFKASTORAGE_TLS_PRIVATE_KEY_PASSPHRASE", "KAFKA_CLIENT_KEY_PASSPHRASE"},
	"tls.server_name":              {"KAFKASTORAGE_TLS_SERVER_NAME"},
	"tls.insecure_skip_verify":     {"KAFKASTORAGE_TLS_INSECURE_SKIP_VERIFY", "KAFKA_SKIP_VERIFY"},
	"sasl.mechanism":               {"KAFKASTORAGE_SASL_MECHANISM", envIncumbentMechanism},
	"sasl.username":                {"KAFKASTORAGE_SASL_USERNAME", "KAFKA_SASL_USERNAME"},
	"sasl.password":                {"KAFKASTORAGE_SASL_PASSWORD", "KAFKA_SASL_PASSWORD"},
	"sasl.oauth.token":             {"KAFKASTORAGE_SASL_OAUTH_TOKEN"},
	"sasl.oauth.token_file":        {"KAFKASTORAGE_SASL_OAUTH_TOKEN_FILE"},
	"sasl.oauth.token_environment": {"KAFKASTORAGE_SASL_OAUTH_TOKEN_ENVIRONMENT"},
	"sasl.oauth.token_url":         {"KAFKASTORAGE_SASL_OAUTH_TOKEN_URL", "KAFKA_SASL_TOKEN_URL"},
	"sasl.oauth.client_id":         {"KAFKASTORAGE_SASL_OAUTH_CLIENT_ID", "KAFKA_SASL_USERNAME"},
	"sasl.oauth.client_secret":     {"KAFKASTORAGE_SASL_OAUTH_CLIENT_SECRET", "KAFKA_SASL_PASSWORD"},
	"sasl.oauth.scopes":            {"KAFKASTORAGE_SASL_OAUTH_SCOPES", "KAFKA_SASL_OAUTH_SCOPES"},
	"sasl.oauth.extensions":        {"KAFKASTORAGE_SASL_OAUTH_EXTENSIONS"},

	"sasl.aws.region":                  {"KAFKASTORAGE_SASL_AWS_REGION", "KAFKA_SASL_IAM_AWS_REGION"},
	"sasl.aws.profile":                 {"KAFKASTORAGE_SASL_AWS_PROFILE", "AWS_PROFILE"},
	"sasl.aws.access_key":              {"KAFKASTORAGE_SASL_AWS_ACCESS_KEY", "AWS_ACCESS_KEY_ID"},
	"sasl.aws.secret_key":              {"KAFKASTORAGE_SASL_AWS_SECRET_KEY", "AWS_SECRET_ACCESS_KEY"},
	"sasl.aws.token":                   {"KAFKASTORAGE_SASL_AWS_TOKEN", "AWS_SESSION_TOKEN"},
	"sasl.aws.role_arn":                {"KAFKASTORAGE_SASL_AWS_ROLE_ARN", "AWS_ROLE_ARN"},
	"sasl.aws.role_session_name":       {"KAFKASTORAGE_SASL_AWS_ROLE_SESSION_NAME", "AWS_ROLE_SESSION_NAME"},
	"sasl.aws.external_id":             {"KAFKASTORAGE_SASL_AWS_EXTERNAL_ID"},
	"sasl.aws.web_identity_token_file": {"KAFKASTORAGE_SASL_AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE"},
}

// envIncumbentMechanism is the one variable that says nothing by itself: pipelines set
// it to a mechanism for clusters that need no login, too.
const envIncumbentMechanism = "KAFKA_SASL_MECHANISM"

// environment looks a variable up; empty means that it is not set.
type environment func(name string) string

// options are what tests replace.
type options struct {
	getenv environment
	// dial replaces the network; nil dials TCP.
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// osEnvironment is the process's own environment. This is the only place that reads it.
func osEnvironment(name string) string {
	return os.Getenv(name)
}
