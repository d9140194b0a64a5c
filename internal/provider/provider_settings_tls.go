// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

// tlsModel is the tls attribute.
type tlsModel struct {
	Enabled            types.Bool   `tfsdk:"enabled"`
	CA                 types.String `tfsdk:"ca_pem"`
	Certificate        types.String `tfsdk:"certificate_pem"`
	PrivateKey         types.String `tfsdk:"private_key_pem"`
	Passphrase         types.String `tfsdk:"private_key_passphrase"`
	ServerName         types.String `tfsdk:"server_name"`
	InsecureSkipVerify types.Bool   `tfsdk:"insecure_skip_verify"`
}

// tls resolves how connections are encrypted; nil where they are not.
func (r *settingsReader) tls(ctx context.Context, value types.Object) *kafka.TLS {
	var model tlsModel
	r.object(ctx, value, &model)
	p := r.part("tls")
	enabled := p.boolean("enabled", model.Enabled, true)
	security := &kafka.TLS{
		CA:          p.text("ca_pem", model.CA),
		Certificate: p.text("certificate_pem", model.Certificate),
		Key:         p.token("private_key_pem", model.PrivateKey),
		Passphrase:  p.secret("private_key_passphrase", model.Passphrase),
		ServerName:  p.text("server_name", model.ServerName),
		SkipVerify:  p.boolean("insecure_skip_verify", model.InsecureSkipVerify, false),
	}
	if value.IsUnknown() || p.unknown {
		return security
	}
	if !enabled {
		for _, name := range []string{"ca_pem", "certificate_pem", "private_key_pem", "private_key_passphrase", "server_name", "insecure_skip_verify"} {
			if p.sources[name] == fromConfiguration {
				r.diags.Append(uselessWithoutTLS(p.at(name), p.sources["enabled"]))
				break
			}
		}
		return nil
	}
	if problem := serverNameProblem(security.ServerName); problem != "" {
		r.diags.Append(invalidServerName(p.at("server_name"), security.ServerName, problem, p.sources["server_name"]))
	}
	switch {
	case security.Certificate != "" && !security.Key.IsSet():
		r.diags.Append(p.missing("private_key_pem", "certificate_pem", "needs its private key"))
	case security.Certificate == "" && security.Key.IsSet():
		r.diags.Append(p.missing("certificate_pem", "private_key_pem", "needs the certificate that it belongs to"))
	case security.Passphrase.IsSet() && !security.Key.IsSet():
		r.diags.Append(p.missing("private_key_pem", "private_key_passphrase", "needs the key that it opens"))
	default:
		var field *kafka.FieldError
		if err := security.Check(); errors.As(err, &field) {
			r.diags.Append(unusableField(p.at(field.Field), field, p.sources[field.Field]))
		}
	}
	return security
}

// serverNameProblem says why a text cannot stand in a certificate as a name; "" where
// it can, or where there is none.
func serverNameProblem(name string) string {
	if _, err := netip.ParseAddr(name); err == nil {
		return ""
	}
	switch {
	case strings.Contains(name, "://"):
		return "it names a scheme"
	case strings.HasPrefix(name, "["):
		return "an address stands here without brackets"
	case strings.Contains(name, ":"):
		return "it has a port, which no certificate has"
	case strings.ContainsAny(name, " \t\r\n,/@?#*"):
		return "it holds a character that no host's name has"
	}
	return ""
}

// settingsPart reads the attributes of one block, and remembers where each value
// comes from: "configuration", or the name of a variable.
type settingsPart struct {
	reader  *settingsReader
	prefix  string
	root    path.Path
	unknown bool
	sources map[string]string
}

// part begins a block: "tls", "sasl", "sasl.aws".
func (r *settingsReader) part(name string, more ...string) *settingsPart {
	p := &settingsPart{reader: r, prefix: name, root: path.Root(name), sources: map[string]string{}}
	for _, step := range more {
		p.prefix, p.root = p.prefix+"."+step, p.root.AtName(step)
	}
	return p
}

// at is the path of an attribute.
func (p *settingsPart) at(name string) path.Path { return p.root.AtName(name) }

// missing says that one attribute needs another, and where the one comes from.
func (p *settingsPart) missing(name, of, needs string) diag.Diagnostic {
	if source := p.sources[of]; source != fromConfiguration {
		of += " (from " + source + " in the environment)"
	}
	return missingSetting(p.at(name), of+" "+needs)
}

// variables are those that supply an attribute.
func (p *settingsPart) variables(name string) []string {
	return connectionVariables[p.prefix+"."+name]
}

// configured says that the configuration gives the value, known or not.
func (p *settingsPart) configured(name string, value attr.Value) bool {
	if value.IsNull() {
		return false
	}
	p.sources[name] = fromConfiguration
	if !p.reader.known(value) {
		p.unknown = true
	}
	return true
}

// text resolves a string. Blanks around it do not count, and one of blanks only is
// not set.
func (p *settingsPart) text(name string, value types.String) string {
	if !isBlank(value) && p.configured(name, value) {
		return strings.TrimSpace(value.ValueString())
	}
	variable, text, _ := p.reader.fromEnv(p.variables(name))
	p.sources[name] = variable
	return text
}

// isBlank says that a string is there, and holds nothing.
func isBlank(value types.String) bool {
	return !value.IsNull() && !value.IsUnknown() && strings.TrimSpace(value.ValueString()) == ""
}

// token resolves a string that must not be shown and never has blanks around it.
func (p *settingsPart) token(name string, value types.String) kafka.Secret {
	return kafka.NewSecret(p.text(name, value))
}

// secret resolves a string that must not be shown. Blanks count: they may belong to
// a password.
func (p *settingsPart) secret(name string, value types.String) kafka.Secret {
	if !value.Equal(types.StringValue("")) && p.configured(name, value) {
		return kafka.NewSecret(value.ValueString())
	}
	for _, variable := range p.variables(name) {
		if text := p.reader.getenv(variable); text != "" {
			p.sources[name] = variable
			return kafka.NewSecret(text)
		}
	}
	return kafka.Secret{}
}

// boolean resolves a boolean.
func (p *settingsPart) boolean(name string, value types.Bool, fallback bool) bool {
	if p.configured(name, value) {
		return p.reader.boolean(p.at(name), value, fallback)
	}
	p.sources[name], _, _ = p.reader.fromEnv(p.variables(name))
	return p.reader.boolean(p.at(name), value, fallback, p.variables(name)...)
}
