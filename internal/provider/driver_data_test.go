// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// readData reads a data source.
func (p *process) readData(ctx context.Context, kind string, config fields) (fields, diagnoses, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	encoded, err := encodeDynamic(p.schema.DataSourceSchemas[kind].ValueType(), config)
	if err != nil {
		return nil, nil, err
	}
	validated, err := p.server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: kind, Config: encoded})
	if err != nil {
		return nil, nil, err
	}
	said := heard(validated.Diagnostics)
	if len(said.errors()) > 0 {
		return nil, said, nil
	}
	answer, err := p.server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: kind, Config: encoded})
	if err != nil {
		return nil, nil, err
	}
	said = append(said, heard(answer.Diagnostics)...)
	values, err := decodeDynamic(p.schema.DataSourceSchemas[kind].ValueType(), answer.State)
	read, _ := values.(fields)
	return read, said, err
}

// dataValue is what a data source has returned, as an argument for a function.
func (p *process) dataValue(kind string, read fields) any {
	return typed{p.schema.DataSourceSchemas[kind].ValueType(), read}
}

// call calls a function. The error is the function's own, or the protocol's.
func (p *process) call(ctx context.Context, name string, arguments ...any) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	function := p.schema.Functions[name]
	request := &tfprotov6.CallFunctionRequest{Name: name}
	for i, argument := range arguments {
		encoded, err := encodeDynamic(function.Parameters[i].Type, argument)
		if err != nil {
			return nil, err
		}
		request.Arguments = append(request.Arguments, encoded)
	}
	answer, err := p.server.CallFunction(ctx, request)
	if err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, errors.New(answer.Error.Text)
	}
	return decodeDynamic(function.Return.Type, answer.Result)
}
