// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

// saslModel is the sasl attribute.
type saslModel struct {
	Mechanism types.String `tfsdk:"mechanism"`
	Username  types.String `tfsdk:"username"`
	Password  types.String `tfsdk:"password"`
	OAuth     types.Object `tfsdk:"oauth"` //< oauthModel
	AWS       types.Object `tfsdk:"aws"`   //< awsModel
}

// awsModel is the sasl.aws attribute.
type awsModel struct {
	Region               types.String `tfsdk:"region"`
	Profile              types.String `tfsdk:"profile"`
	AccessKey            types.String `tfsdk:"access_key"`
	SecretKey            types.String `tfsdk:"secret_key"`
	Token                types.String `tfsdk:"token"`
	RoleARN              types.String `tfsdk:"role_arn"`
	RoleSessionName      types.String `tfsdk:"role_session_name"`
	ExternalID           types.String `tfsdk:"external_id"`
	WebIdentityTokenFile types.String `tfsdk:"web_identity_token_file"`
}

// sasl resolves how to log in; nil where nothing asks for it.
func (r *settingsReader) sasl(ctx context.Context, value types.Object) *kafka.SASL {
	var model saslModel
	r.object(ctx, value, &model)
	if value.IsUnknown() {
		return nil
	}
	p := r.part("sasl")
	login := &kafka.SASL{Username: p.text("username", model.Username), Password: p.secret("password", model.Password)}
	word := p.text("mechanism", model.Mechanism)
	if p.unknown {
		return nil
	}
	asked := !value.IsNull() || login.Username != "" || login.Password.IsSet()
	switch mechanism, ok := kafka.ParseMechanism(word); {
	case word == "" && !asked:
		return nil
	case word == "" && login.Username != "":
		login.Mechanism = kafka.Plain
	case word == "":
		r.diags.Append(missingSetting(p.at("mechanism"), "sasl needs a mechanism: "+oneOf(names(kafka.Mechanisms()))+" (sasl = null asks for no login)"))
		return nil
	case !ok:
		r.diags.Append(unknownMechanism(p.at("mechanism"), word, p.sources["mechanism"]))
		return nil
	case !asked && p.sources["mechanism"] == envIncumbentMechanism && mechanism != kafka.OAuthBearer && mechanism != kafka.AWSIAM:
		return nil // a pipeline's default, for clusters that need a login
	default:
		login.Mechanism = mechanism
	}
	r.strangers(p, model, login.Mechanism)
	switch login.Mechanism {
	case kafka.OAuthBearer:
		login.Username, login.Password = "", kafka.Secret{}
		login.OAuth = r.oauth(ctx, model.OAuth)
	case kafka.AWSIAM:
		login.Username, login.Password = "", kafka.Secret{}
		login.AWS = r.aws(ctx, model.AWS)
	default:
		if login.Username == "" {
			r.diags.Append(missingSetting(p.at("username"), string(login.Mechanism)+" needs a username"))
		}
		if !login.Password.IsSet() {
			r.diags.Append(missingSetting(p.at("password"), string(login.Mechanism)+" needs a password"))
		}
	}
	return login
}

// strangers finds what the configuration gives for another mechanism.
func (r *settingsReader) strangers(p *settingsPart, model saslModel, mechanism kafka.Mechanism) {
	byPassword := mechanism != kafka.OAuthBearer && mechanism != kafka.AWSIAM
	for _, stranger := range []struct {
		name  string
		given bool
		fits  bool
		of    string
	}{
		{"username", p.sources["username"] == fromConfiguration, byPassword, "plain and scram-…"},
		{"password", p.sources["password"] == fromConfiguration, byPassword, "plain and scram-…"},
		{"oauth", isFilled(model.OAuth), mechanism == kafka.OAuthBearer, string(kafka.OAuthBearer)},
		{"aws", isFilled(model.AWS), mechanism == kafka.AWSIAM, string(kafka.AWSIAM)},
	} {
		if stranger.given && !stranger.fits {
			r.diags.Append(settingOfAnother(p.at(stranger.name), stranger.of, string(mechanism)))
		}
	}
}

// isFilled says that an object says anything: one of nulls and blanks does not.
func isFilled(object types.Object) bool {
	for _, value := range object.Attributes() {
		text, isText := value.(types.String)
		if !value.IsNull() && (!isText || !isBlank(text)) {
			return true
		}
	}
	return object.IsUnknown()
}

// aws resolves who signs an aws-iam login.
func (r *settingsReader) aws(ctx context.Context, value types.Object) kafka.AWS {
	var model awsModel
	r.object(ctx, value, &model)
	p := r.part("sasl", "aws")
	settings := kafka.AWS{
		Region:               p.text("region", model.Region),
		Profile:              p.text("profile", model.Profile),
		RoleARN:              p.text("role_arn", model.RoleARN),
		RoleSessionName:      p.text("role_session_name", model.RoleSessionName),
		ExternalID:           p.text("external_id", model.ExternalID),
		WebIdentityTokenFile: p.text("web_identity_token_file", model.WebIdentityTokenFile),
		AccessKey:            p.text("access_key", model.AccessKey),
		SecretKey:            p.token("secret_key", model.SecretKey),
		SessionToken:         p.token("token", model.Token),
	}
	if value.IsUnknown() || p.unknown {
		return settings
	}
	// A profile of the configuration is not overruled by keys that happen to be in the environment.
	if p.sources["profile"] == fromConfiguration && p.sources["access_key"] != fromConfiguration && p.sources["secret_key"] != fromConfiguration {
		settings.AccessKey, settings.SecretKey, settings.SessionToken = "", kafka.Secret{}, kafka.Secret{}
	}
	// Keys of the environment come before its web identity, as in AWS's own chain.
	if settings.AccessKey != "" && settings.WebIdentityTokenFile != "" && p.sources["web_identity_token_file"] != fromConfiguration {
		settings.WebIdentityTokenFile = ""
		if p.sources["role_arn"] != fromConfiguration {
			settings.RoleARN, settings.ExternalID = "", ""
		}
	}
	switch {
	case settings.AccessKey != "" && !settings.SecretKey.IsSet():
		r.diags.Append(p.missing("secret_key", "access_key", "needs its secret_key"))
	case settings.AccessKey == "" && settings.SecretKey.IsSet():
		r.diags.Append(p.missing("access_key", "secret_key", "needs its access_key"))
	case settings.SessionToken.IsSet() && settings.AccessKey == "":
		r.diags.Append(p.missing("access_key", "token", "belongs to an access_key and a secret_key"))
	case p.sources["access_key"] == fromConfiguration && p.sources["profile"] == fromConfiguration:
		r.diags.Append(contradiction(p.at("profile"), "access_key and profile are both set, and each says who signs"))
	case p.sources["web_identity_token_file"] == fromConfiguration && p.sources["access_key"] == fromConfiguration:
		r.diags.Append(contradiction(p.at("web_identity_token_file"), "access_key and web_identity_token_file are both set, and each says who signs"))
	}
	for _, needs := range []struct{ name, value string }{{"web_identity_token_file", settings.WebIdentityTokenFile}, {"external_id", settings.ExternalID}} {
		if needs.value != "" && settings.RoleARN == "" {
			r.diags.Append(p.missing("role_arn", needs.name, "is for a role, and none is named"))
		}
	}
	return settings
}

// separated splits a text of a variable at its commas.
func separated(text string) []string {
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}
