// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// nullOf is the null of a type.
func nullOf(t attr.Type) attr.Value {
	value, err := t.ValueFromTerraform(context.Background(), tftypes.NewValue(t.TerraformType(context.Background()), nil))
	if err != nil {
		panic(err)
	}
	return value
}

// objectOf is an object of a type: what is not given is null. Values are strings,
// booleans, lists and maps of strings, and objects as maps of any.
func objectOf(t attr.Type, given map[string]any) types.Object {
	object, ok := t.(types.ObjectType)
	if !ok {
		panic(fmt.Sprintf("%T", t))
	}
	values := map[string]attr.Value{}
	for name, of := range object.AttrTypes {
		values[name] = nullOf(of)
	}
	for name, value := range given {
		values[name] = valueOf(object.AttrTypes[name], value)
	}
	return types.ObjectValueMust(object.AttrTypes, values)
}

func valueOf(t attr.Type, value any) attr.Value {
	switch value := value.(type) {
	case string:
		return types.StringValue(value)
	case bool:
		return types.BoolValue(value)
	case []string:
		var elements []attr.Value
		for _, element := range value {
			elements = append(elements, types.StringValue(element))
		}
		return types.ListValueMust(types.StringType, elements)
	case map[string]string:
		elements := map[string]attr.Value{}
		for key, element := range value {
			elements[key] = types.StringValue(element)
		}
		return types.MapValueMust(types.StringType, elements)
	case map[string]any:
		return objectOf(t, value)
	case attr.Value:
		return value
	}
	panic(fmt.Sprintf("%T", value))
}

// connectionModel is a provider block with these attributes. "tls" and "sasl" are maps.
func connectionModel(given map[string]any) providerModel {
	block := providerSchema()
	model := providerModel{
		BootstrapServers: types.ListNull(types.StringType),
		TLS:              types.ObjectNull(nil), SASL: types.ObjectNull(nil), StorageQuota: types.ObjectNull(nil),
	}
	for name, value := range given {
		switch of := block.Attributes[name].GetType(); name {
		case "tls":
			model.TLS = valueOf(of, value).(types.Object) //nolint:forcetypeassert // a test's own value
		case "sasl":
			model.SASL = valueOf(of, value).(types.Object) //nolint:forcetypeassert // a test's own value
		case "bootstrap_servers":
			model.BootstrapServers = valueOf(of, value).(types.List) //nolint:forcetypeassert // a test's own value
		case "request_timeout":
			model.RequestTimeout = types.StringValue(value.(string)) //nolint:forcetypeassert // a test's own value
		default:
			panic(name)
		}
	}
	return model
}

// nested puts a value at the place of an attribute such as "sasl.aws.region".
func nested(given map[string]any, at string, value any) {
	steps := strings.Split(at, ".")
	for _, step := range steps[:len(steps)-1] {
		if _, ok := given[step]; !ok {
			given[step] = map[string]any{}
		}
		given = given[step].(map[string]any) //nolint:forcetypeassert // a test's own value
	}
	given[steps[len(steps)-1]] = value
}

// read resolves a block in an environment.
func read(given map[string]any, env map[string]string) (providerSettings, []string) {
	settings, diags := readProviderSettings(context.Background(), connectionModel(given), func(name string) string { return env[name] })
	var said []string
	for _, one := range diags {
		said = append(said, one.Summary()+": "+one.Detail())
	}
	return settings, said
}

// resolved is what came of an attribute.
func resolved(s providerSettings, at string) string {
	login, security := s.kafka.SASL, s.kafka.TLS
	switch at {
	case "tls.enabled":
		return fmt.Sprint(security != nil)
	case "tls.ca_pem":
		return security.CA
	case "tls.certificate_pem":
		return security.Certificate
	case "tls.private_key_pem":
		return security.Key.Reveal()
	case "tls.private_key_passphrase":
		return security.Passphrase.Reveal()
	case "tls.server_name":
		return security.ServerName
	case "tls.insecure_skip_verify":
		return fmt.Sprint(security.SkipVerify)
	case "sasl.mechanism":
		return string(login.Mechanism)
	case "sasl.username":
		return login.Username
	case "sasl.password":
		return login.Password.Reveal()
	case "sasl.oauth.token", "sasl.oauth.token_environment":
		return login.OAuth.Token.Reveal()
	case "sasl.oauth.token_file":
		return login.OAuth.TokenFile
	case "sasl.oauth.token_url":
		return login.OAuth.TokenURL
	case "sasl.oauth.client_id":
		return login.OAuth.ClientID
	case "sasl.oauth.client_secret":
		return login.OAuth.ClientSecret.Reveal()
	case "sasl.oauth.scopes":
		return strings.Join(login.OAuth.Scopes, ",")
	case "sasl.oauth.extensions":
		return "a=" + login.OAuth.Extensions["a"]
	case "sasl.aws.region":
		return login.AWS.Region
	case "sasl.aws.profile":
		return login.AWS.Profile
	case "sasl.aws.access_key":
		return login.AWS.AccessKey
	case "sasl.aws.secret_key":
		return login.AWS.SecretKey.Reveal()
	case "sasl.aws.token":
		return login.AWS.SessionToken.Reveal()
	case "sasl.aws.role_arn":
		return login.AWS.RoleARN
	case "sasl.aws.role_session_name":
		return login.AWS.RoleSessionName
	case "sasl.aws.external_id":
		return login.AWS.ExternalID
	case "sasl.aws.web_identity_token_file":
		return login.AWS.WebIdentityTokenFile
	}
	panic("no test for " + at)
}
