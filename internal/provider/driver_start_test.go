// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
)

// startProcess starts a provider and configures it.
func startProcess(ctx context.Context, settings fields) (*process, error) {
	return startProcessOver(ctx, settings, nil)
}

// startProcessOver is the same over another network; nil is TCP.
func startProcessOver(ctx context.Context, settings fields, dial func(ctx context.Context, network, address string) (net.Conn, error)) (*process, error) {
	served, end := provider.NewEnding("test")
	provider.DialBy(served, dial)
	p := &process{end: end, served: served, server: providerserver.NewProtocol6(served)(), settings: settings}
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	var err error
	if p.schema, err = p.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		return nil, err
	}
	config, err := encodeDynamic(p.schema.Provider.ValueType(), settings)
	if err != nil {
		return nil, err
	}
	validated, err := p.server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
	if err != nil {
		return nil, err
	}
	p.said = heard(validated.Diagnostics)
	configured, err := p.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config, TerraformVersion: "1.11.4"})
	if err != nil {
		return nil, err
	}
	p.said = append(p.said, heard(configured.Diagnostics)...)
	return p, nil
}

// startQuiet is the same where configuring has nothing to say.
func startQuiet(ctx context.Context, settings fields) (*process, error) {
	p, err := startProcess(ctx, settings)
	if err == nil && len(p.said) > 0 {
		err = errors.New(p.said.String())
	}
	return p, err
}

// started is the same for a test.
func started(t *testing.T, settings fields) *process {
	t.Helper()
	p, err := startQuiet(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// plainSettings are the provider's settings for a fake cluster, without a quota.
func plainSettings(fake *kafkatest.Fake) fields {
	settings := at(fake.Bootstrap())
	settings["storage_quota"] = fields{"accounting": "reserved"}
	return settings
}

// at are the settings of a plaintext client of an address, or of several with commas.
func at(address string) fields {
	return fields{"bootstrap_servers": []any{address}, "tls": fields{"enabled": false}}
}
