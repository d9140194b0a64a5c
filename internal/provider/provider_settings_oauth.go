// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

// oauthModel is the sasl.oauth attribute.
type oauthModel struct {
	Token            types.String `tfsdk:"token"`
	TokenFile        types.String `tfsdk:"token_file"`
	TokenEnvironment types.String `tfsdk:"token_environment"`
	TokenURL         types.String `tfsdk:"token_url"`
	ClientID         types.String `tfsdk:"client_id"`
	ClientSecret     types.String `tfsdk:"client_secret"`
	Scopes           types.List   `tfsdk:"scopes"`     //< types.String
	Extensions       types.Map    `tfsdk:"extensions"` //< types.String
}

// tokenSources are the attributes of which exactly one says where the token is.
var tokenSources = []string{"token", "token_file", "token_environment", "token_url"}

// oauth resolves where the token comes from.
func (r *settingsReader) oauth(ctx context.Context, value types.Object) kafka.OAuth {
	var model oauthModel
	r.object(ctx, value, &model)
	p := r.part("sasl", "oauth")
	settings := kafka.OAuth{
		Token:        p.token("token", model.Token),
		TokenFile:    p.text("token_file", model.TokenFile),
		TokenURL:     p.text("token_url", model.TokenURL),
		ClientID:     p.text("client_id", model.ClientID),
		ClientSecret: p.secret("client_secret", model.ClientSecret),
		Scopes:       p.list(ctx, "scopes", model.Scopes),
		Extensions:   p.pairs(ctx, "extensions", model.Extensions),
	}
	holder := p.text("token_environment", model.TokenEnvironment)
	if value.IsUnknown() || p.unknown {
		return settings
	}
	chosen := p.chosen(tokenSources)
	switch {
	case len(chosen) == 0:
		r.diags.Append(missingSetting(p.root, "oauthbearer needs one of "+strings.Join(tokenSources, ", ")))
		return settings
	case len(chosen) > 1:
		r.diags.Append(contradiction(p.at(chosen[1]), strings.Join(chosen, " and ")+" are both set, and each says where the token is"))
		return settings
	}
	kept := kafka.OAuth{Extensions: settings.Extensions}
	switch chosen[0] {
	case "token":
		kept.Token = settings.Token
	case "token_file":
		kept.TokenFile = settings.TokenFile
	case "token_environment":
		if kept.Token = kafka.NewSecret(strings.TrimSpace(r.getenv(holder))); !kept.Token.IsSet() {
			r.diags.Append(emptyTokenVariable(p.at("token_environment"), holder))
		}
	case "token_url":
		kept = settings
		kept.Token, kept.TokenFile = kafka.Secret{}, ""
		if parsed, err := url.Parse(settings.TokenURL); err != nil || parsed.Host == "" || parsed.Scheme != "https" && parsed.Scheme != "http" {
			r.diags.Append(invalidTokenURL(p.at("token_url")))
		}
		for name, given := range map[string]bool{"client_id": settings.ClientID != "", "client_secret": settings.ClientSecret.IsSet()} {
			if !given {
				r.diags.Append(p.missing(name, "token_url", "needs a "+name))
			}
		}
	}
	if chosen[0] != "token_url" {
		for _, name := range []string{"client_id", "client_secret", "scopes"} {
			if p.sources[name] == fromConfiguration {
				r.diags.Append(contradiction(p.at(name), name+" is for token_url, and "+chosen[0]+" is set instead"))
			}
		}
	}
	for name, text := range settings.Extensions {
		if !extensionName(name) || !extensionValue(text) {
			r.diags.Append(invalidExtension(p.at("extensions").AtMapKey(name), name))
		}
	}
	return kept
}

// chosen are the attributes that are set: by the configuration if it sets any, else
// by the environment.
func (p *settingsPart) chosen(attributes []string) []string {
	var configured, supplied []string
	for _, name := range attributes {
		switch p.sources[name] {
		case "":
		case fromConfiguration:
			configured = append(configured, name)
		default:
			supplied = append(supplied, name)
		}
	}
	if len(configured) > 0 {
		return configured
	}
	return supplied
}

// list resolves a list of strings.
func (p *settingsPart) list(ctx context.Context, name string, value types.List) []string {
	if !p.configured(name, value) {
		variable, text, _ := p.reader.fromEnv(p.variables(name))
		p.sources[name] = variable
		return separated(text)
	}
	var elements []types.String
	p.reader.diags.Append(value.ElementsAs(ctx, &elements, false)...)
	var texts []string
	for _, element := range elements {
		if !isBlank(element) && p.configured(name, element) {
			texts = append(texts, strings.TrimSpace(element.ValueString()))
		}
	}
	return texts
}

// pairs resolves a map of strings.
func (p *settingsPart) pairs(ctx context.Context, name string, value types.Map) map[string]string {
	pairs := map[string]string{}
	if !p.configured(name, value) {
		variable, text, _ := p.reader.fromEnv(p.variables(name))
		p.sources[name] = variable
		for _, part := range separated(text) {
			key, value, _ := strings.Cut(part, "=")
			pairs[key] = value
		}
		return pairs
	}
	elements := map[string]types.String{}
	p.reader.diags.Append(value.ElementsAs(ctx, &elements, false)...)
	for key, element := range elements {
		if p.configured(name, element) {
			pairs[key] = element.ValueString()
		}
	}
	return pairs
}

// extensionName says what RFC 7628, 3.1 takes as a key: letters. "auth" is the token's own.
func extensionName(name string) bool {
	return name != "" && name != "auth" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// extensionValue says what it takes as a value: printable characters and blanks.
func extensionValue(text string) bool {
	for _, char := range []byte(text) {
		if (char < 0x20 || char > 0x7e) && char != '\t' && char != '\r' && char != '\n' {
			return false
		}
	}
	return true
}
