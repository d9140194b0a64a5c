// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// What needs a newer Terraform than the one at hand is tested here at the protocol:
// these calls are what Terraform from 1.12 on (identity) and 1.14 on (terraform
// query) makes.

// found is one result of a list block.
type found struct {
	name     string // as it is shown
	identity fields
	resource fields // nil unless it was asked for
	said     diagnoses
}

// identitySchema is the identity that a resource declares.
func (p *process) identitySchema(ctx context.Context, kind string) (*tfprotov6.ResourceIdentitySchema, error) {
	answer, err := p.server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, err
	}
	if said := heard(answer.Diagnostics); len(said) > 0 {
		return nil, errors.New(said.String())
	}
	schema := answer.IdentitySchemas[kind]
	if schema == nil {
		return nil, fmt.Errorf("%s has no identity", kind)
	}
	return schema, nil
}

// identityOf decodes an identity; nil where there is none.
func (p *process) identityOf(ctx context.Context, kind string, data *tfprotov6.ResourceIdentityData) (fields, error) {
	schema, err := p.identitySchema(ctx, kind)
	if err != nil || data == nil {
		return nil, err
	}
	decoded, err := decodeDynamic(schema.ValueType(), data.IdentityData)
	identity, _ := decoded.(fields)
	return identity, err
}

// importBy imports a resource by its identity and reads it.
func (p *process) importBy(ctx context.Context, kind string, identity fields) (*instance, diagnoses, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	schema, err := p.identitySchema(ctx, kind)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := encodeDynamic(schema.ValueType(), identity)
	if err != nil {
		return nil, nil, err
	}
	answer, err := p.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: kind, Identity: &tfprotov6.ResourceIdentityData{IdentityData: encoded}})
	if err != nil {
		return nil, nil, err
	}
	return p.imported(ctx, kind, answer)
}

// search runs a list block: it validates the block and hands out the results one
// by one, as the provider makes them. Diagnostics of the block itself come first,
// as a result without an identity.
func (p *process) search(ctx context.Context, kind string, config fields, limit int64, withResource bool) iter.Seq2[found, error] {
	return func(yield func(found, error) bool) {
		encoded, err := encodeDynamic(p.schema.ListResourceSchemas[kind].ValueType(), config)
		if err != nil {
			yield(found{}, err)
			return
		}
		server, ok := p.server.(tfprotov6.ListResourceServer)
		if !ok {
			yield(found{}, errors.New("the provider lists nothing"))
			return
		}
		validated, err := server.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: kind, Config: encoded})
		if err != nil || len(validated.Diagnostics) > 0 {
			yield(found{said: heard(validated.Diagnostics)}, err)
			return
		}
		stream, err := server.ListResource(ctx, &tfprotov6.ListResourceRequest{TypeName: kind, Config: encoded, Limit: limit, IncludeResource: withResource})
		if err != nil {
			yield(found{}, err)
			return
		}
		for result := range stream.Results {
			one := found{name: result.DisplayName, said: heard(result.Diagnostics)}
			if one.identity, err = p.identityOf(ctx, kind, result.Identity); err == nil {
				one.resource, err = p.decode(kind, result.Resource)
			}
			if !yield(one, err) {
				return
			}
		}
	}
}

// searched runs a list block to its end.
func searched(t *testing.T, p *process, kind string, config fields, limit int64, withResource bool) []found {
	t.Helper()
	var all []found
	for one, err := range p.search(t.Context(), kind, config, limit, withResource) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// importedAs holds a result against what an import of it holds, and returns that.
func importedAs(t *testing.T, p *process, kind string, one found) *instance {
	t.Helper()
	imported, said, err := p.importOne(t.Context(), kind, one.name)
	if err != nil || imported == nil || len(said) > 0 {
		t.Fatalf("%s: %v, %s", one.name, err, said)
	}
	if diff := cmp.Diff(imported.values, one.resource); diff != "" {
		t.Errorf("%s (-import +list):\n%s", one.name, diff)
	}
	return imported
}

// shownNames are the names of results.
func shownNames(all []found) []string {
	names := []string{}
	for _, one := range all {
		names = append(names, one.name)
	}
	return names
}

// generated is the configuration that Terraform from 1.14 on has the provider make
// of a state.
func (p *process) generated(ctx context.Context, kind string, state fields) (fields, diagnoses, error) {
	encoded, err := p.encode(kind, state)
	if err != nil {
		return nil, nil, err
	}
	answer, err := p.server.GenerateResourceConfig(ctx, &tfprotov6.GenerateResourceConfigRequest{TypeName: kind, State: encoded})
	if err != nil {
		return nil, nil, err
	}
	config, err := p.decode(kind, answer.Config)
	return config, heard(answer.Diagnostics), err
}
