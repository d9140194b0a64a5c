// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// connectionText describes a string attribute and says which variables supply it.
func connectionText(name, description string) schema.StringAttribute {
	return schema.StringAttribute{MarkdownDescription: description + " " + environmentOf(name), Optional: true}
}

// connectionSecret is the same for what must not be shown.
func connectionSecret(name, description string) schema.StringAttribute {
	attribute := connectionText(name, description)
	attribute.Sensitive = true
	return attribute
}

// environmentOf is the sentence about an attribute's variables.
func environmentOf(name string) string {
	return "Environment: `" + strings.Join(connectionVariables[name], "`, then `") + "`."
}

// tlsAttribute is the block that says how connections are encrypted.
func tlsAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: "Encryption of the connections, and the certificates of both sides. TLS is on unless switched off.",
		Optional:            true,
		Attributes: map[string]schema.Attribute{
			"enabled": schema.BoolAttribute{
				MarkdownDescription: "`false` for listeners without TLS. " + environmentOf("tls.enabled") + " Default: `true`.",
				Optional:            true,
			},
			"ca_pem":                 connectionText("tls.ca_pem", "Certificates that may have signed the brokers', as PEM content or as the path of a PEM file. They replace the system's root certificates, which are trusted otherwise."),
			"certificate_pem":        connectionText("tls.certificate_pem", "The client's certificate, followed by those of its issuers where the brokers need them, as PEM content or as a path."),
			"private_key_pem":        connectionSecret("tls.private_key_pem", "Private key of `certificate_pem`, as PEM content or as a path: PKCS#1, PKCS#8 or SEC 1, open or encrypted."),
			"private_key_passphrase": connectionSecret("tls.private_key_passphrase", "Opens an encrypted `private_key_pem`."),
			"server_name":            connectionText("tls.server_name", "Name that the brokers' certificates must bear, where it is not the name that is dialled."),
			"insecure_skip_verify": schema.BoolAttribute{
				MarkdownDescription: "`true` takes any certificate of the brokers, so that anybody may pose as one of them. " + environmentOf("tls.insecure_skip_verify") + " Default: `false`.",
				Optional:            true,
			},
		},
	}
}

// saslAttribute is the block that says how to log in.
func saslAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: "How to log in. Without it, and without its variables, the provider does not.",
		Optional:            true,
		Attributes: map[string]schema.Attribute{
			"mechanism": connectionText("sasl.mechanism", "`plain`, `scram-sha-256`, `scram-sha-512`, `oauthbearer` or `aws-iam`; Kafka's own spellings, such as `SCRAM-SHA-512`, are understood too. Default: `plain` where `username` is set."),
			"username":  connectionText("sasl.username", "Name of the user, for `plain` and `scram-…`. On IBM Event Streams it is `token`."),
			"password":  connectionSecret("sasl.password", "Password of the user, for `plain` and `scram-…`. On IBM Event Streams it is an API key."),
			"oauth":     oauthAttribute(),
			"aws":       awsAttribute(),
		},
	}
}

// oauthAttribute is where the token of oauthbearer comes from.
func oauthAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: "For `oauthbearer`: exactly one of `token`, `token_file`, `token_environment` and `token_url`.",
		Optional:            true,
		Attributes: map[string]schema.Attribute{
			"token":             connectionSecret("sasl.oauth.token", "The token itself."),
			"token_file":        connectionText("sasl.oauth.token_file", "File that holds the token. It is read at each login."),
			"token_environment": connectionText("sasl.oauth.token_environment", "Name of the environment variable that holds the token, such as `TFC_WORKLOAD_IDENTITY_TOKEN`."),
			"token_url":         connectionText("sasl.oauth.token_url", "Endpoint that gives a token for `client_id` and `client_secret` (client credentials grant). Its certificate may be signed by the system's roots or by `tls.ca_pem`."),
			"client_id":         connectionText("sasl.oauth.client_id", "Client at `token_url`."),
			"client_secret":     connectionSecret("sasl.oauth.client_secret", "Secret of `client_id`."),
			"scopes": schema.ListAttribute{
				MarkdownDescription: "Scopes to ask for at `token_url`. " + environmentOf("sasl.oauth.scopes") + " (separated by commas)",
				ElementType:         types.StringType,
				Optional:            true,
			},
			"extensions": schema.MapAttribute{
				MarkdownDescription: "Sent to the brokers with the token, such as `logicalCluster`. " + environmentOf("sasl.oauth.extensions") + " (as `name=value`, separated by commas)",
				ElementType:         types.StringType,
				Optional:            true,
			},
		},
	}
}

// awsAttribute is who signs an aws-iam login.
func awsAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: "For `aws-iam`. What is left out, AWS's default chain finds: environment, shared files, web identity, container, instance.",
		Optional:            true,
		Attributes: map[string]schema.Attribute{
			"region":                  connectionText("sasl.aws.region", "Region of the cluster. Without it, it is read off the brokers' names, then from AWS's own settings."),
			"profile":                 connectionText("sasl.aws.profile", "Profile of the shared files."),
			"access_key":              connectionText("sasl.aws.access_key", "Access key, with `secret_key`."),
			"secret_key":              connectionSecret("sasl.aws.secret_key", "Secret of `access_key`."),
			"token":                   connectionSecret("sasl.aws.token", "Session token of temporary credentials."),
			"role_arn":                connectionText("sasl.aws.role_arn", "Role to assume."),
			"role_session_name":       connectionText("sasl.aws.role_session_name", "Names the session of `role_arn`. Default: `terraform-provider-kafkastorage`."),
			"external_id":             connectionText("sasl.aws.external_id", "External id that `role_arn` asks for."),
			"web_identity_token_file": connectionText("sasl.aws.web_identity_token_file", "File with a web identity token that is good for `role_arn`."),
		},
	}
}
