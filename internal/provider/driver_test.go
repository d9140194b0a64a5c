// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"fmt"
	"time"

	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The driver does to the provider what Terraform's core does, inside the test
// process: it makes plans by the thousand on the very code that a user runs, where
// the terraform binary makes a few a second. TestDriver_PlansAsTerraformDoes holds
// it against the binary.
//
// An error of Go means that somebody broke the protocol, the driver included; what the
// provider has to say is in the diagnostics.

// driverTimeout bounds one call to the provider.
const driverTimeout = time.Minute

// process is one provider process with one configuration: one snapshot, one
// ledger. It is safe for concurrent use, as a provider is. Nothing has to end it: its
// connections close when they have been idle for some seconds.
type process struct {
	// end closes its connections, as the end of a process does.
	end    func()
	served fwprovider.Provider
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
	// settings are its configuration, to start another process with.
	settings fields
	// said is what configuring said.
	said diagnoses
}

// instance is a resource as a state holds it.
type instance struct {
	values  fields
	private []byte
}

// change is what a plan does to one resource.
type change struct {
	kind    string
	prior   *instance // nil: it is created
	config  fields    // nil: it is deleted
	planned fields    // nil: it is deleted
	// replaces says that the prior instance goes and a new one comes.
	replaces bool
	private  []byte
	said     diagnoses
}

// refused says that the plan of this resource failed.
func (c change) refused() bool { return len(c.said.errors()) > 0 }

// empty says that the plan changes nothing.
func (c change) empty() bool {
	return c.prior != nil && c.planned != nil && !c.replaces && equalValues(c.prior.values, c.planned)
}

// importOne imports a resource by its id and reads it, as Terraform does in one step.
func (p *process) importOne(ctx context.Context, kind, id string) (*instance, diagnoses, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	answer, err := p.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: kind, ID: id})
	if err != nil {
		return nil, nil, err
	}
	return p.imported(ctx, kind, answer)
}

// imported reads what an import has found.
func (p *process) imported(ctx context.Context, kind string, answer *tfprotov6.ImportResourceStateResponse) (*instance, diagnoses, error) {
	said := heard(answer.Diagnostics)
	if len(said.errors()) > 0 || len(answer.ImportedResources) != 1 {
		return nil, said, nil
	}
	imported := answer.ImportedResources[0]
	values, err := p.decode(kind, imported.State)
	if err != nil {
		return nil, said, err
	}
	read, more, err := p.read(ctx, kind, &instance{values: values, private: imported.Private})
	return read, append(said, more...), err
}

// read refreshes a resource; nil means that it is gone.
func (p *process) read(ctx context.Context, kind string, state *instance) (*instance, diagnoses, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	current, err := p.encode(kind, state.values)
	if err != nil {
		return nil, nil, err
	}
	answer, err := p.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: kind, CurrentState: current, Private: state.private})
	if err != nil {
		return nil, nil, err
	}
	values, err := p.decode(kind, answer.NewState)
	if err != nil || values == nil {
		return nil, heard(answer.Diagnostics), err
	}
	return &instance{values: values, private: answer.Private}, heard(answer.Diagnostics), nil
}

// plan plans a resource: a create without a prior instance, else an update or,
// where the provider asks for it, a replacement, which is planned a second time
// without the prior instance.
func (p *process) plan(ctx context.Context, kind string, prior *instance, config fields) (change, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	planned := change{kind: kind, prior: prior}
	encoded, err := p.encode(kind, config)
	if err != nil {
		return planned, err
	}
	if planned.config, err = p.decode(kind, encoded); err != nil {
		return planned, err // decoded, it compares with what the provider answers
	}
	validated, err := p.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: kind, Config: encoded})
	if err != nil {
		return planned, err
	}
	planned.said = heard(validated.Diagnostics)
	if planned.refused() {
		return planned, nil
	}
	replace, err := p.planOnce(ctx, &planned, prior)
	if err == nil && replace && !planned.refused() {
		planned.replaces = true
		_, err = p.planOnce(ctx, &planned, nil)
	}
	return planned, err
}

// planOnce is one call; replace says that the provider wants another instance.
func (p *process) planOnce(ctx context.Context, c *change, prior *instance) (replace bool, err error) {
	request := &tfprotov6.PlanResourceChangeRequest{TypeName: c.kind, PriorPrivate: c.private}
	var priorValues fields
	if prior != nil {
		priorValues, request.PriorPrivate = prior.values, prior.private
	}
	if request.PriorState, err = p.encode(c.kind, priorValues); err != nil {
		return false, err
	}
	if request.Config, err = p.encode(c.kind, c.config); err != nil {
		return false, err
	}
	if request.ProposedNewState, err = p.encode(c.kind, p.proposed(c.kind, priorValues, c.config)); err != nil {
		return false, err
	}
	answer, err := p.server.PlanResourceChange(ctx, request)
	if err != nil {
		return false, err
	}
	c.said = append(c.said, heard(answer.Diagnostics)...)
	if c.refused() {
		return false, nil
	}
	c.private = answer.PlannedPrivate
	if c.planned, err = p.decode(c.kind, answer.PlannedState); err != nil || c.config == nil {
		return false, err
	}
	for _, at := range answer.RequiresReplace {
		name := fmt.Sprint(at.Steps()[0])
		if attribute, ok := at.Steps()[0].(tftypes.AttributeName); ok {
			name = string(attribute)
		}
		replace = replace || prior != nil && !equalValues(priorValues[name], c.planned[name])
	}
	return replace, p.validPlan(c.kind, priorValues, c.config, c.planned)
}

// planDelete plans that a resource goes.
func (p *process) planDelete(ctx context.Context, kind string, prior *instance) (change, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	planned := change{kind: kind, prior: prior}
	_, err := p.planOnce(ctx, &planned, prior)
	return planned, err
}

// apply applies a plan, which another process may have made: like Terraform it
// plans once more, with everything known, and holds the two plans together.
func (p *process) apply(ctx context.Context, c change) (*instance, diagnoses, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	var said diagnoses
	prior := c.prior
	if c.replaces {
		_, gone, err := p.applyOnce(ctx, change{kind: c.kind, prior: prior})
		if said = append(said, gone...); err != nil || len(said.errors()) > 0 {
			return prior, said, err
		}
		prior = nil
	}
	final := change{kind: c.kind, prior: prior, config: c.config, private: c.private}
	if c.config != nil {
		if _, err := p.planOnce(ctx, &final, prior); err != nil {
			return prior, said, err
		}
		if said = append(said, final.said...); final.refused() {
			return prior, said, nil
		}
		if err := compatible(c.planned, final.planned); err != nil {
			return prior, said, fmt.Errorf("inconsistent final plan: %w", err)
		}
	}
	state, more, err := p.applyOnce(ctx, final)
	return state, append(said, more...), err
}

// applyOnce is one call.
func (p *process) applyOnce(ctx context.Context, c change) (*instance, diagnoses, error) {
	request := &tfprotov6.ApplyResourceChangeRequest{TypeName: c.kind, PlannedPrivate: c.private}
	var priorValues fields
	var err error
	if c.prior != nil {
		priorValues = c.prior.values
	}
	if request.PriorState, err = p.encode(c.kind, priorValues); err != nil {
		return nil, nil, err
	}
	if request.Config, err = p.encode(c.kind, c.config); err != nil {
		return nil, nil, err
	}
	if request.PlannedState, err = p.encode(c.kind, c.planned); err != nil {
		return nil, nil, err
	}
	answer, err := p.server.ApplyResourceChange(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	said := heard(answer.Diagnostics)
	values, err := p.decode(c.kind, answer.NewState)
	if err != nil || values == nil {
		return nil, said, err
	}
	if len(said.errors()) == 0 {
		if err := compatible(c.planned, values); err != nil {
			return nil, said, fmt.Errorf("inconsistent result after apply: %w", err)
		}
	}
	return &instance{values: values, private: answer.Private}, said, nil
}

// encode and decode translate a resource's values; nil is a resource that is not there.
func (p *process) encode(kind string, values fields) (*tfprotov6.DynamicValue, error) {
	if values == nil {
		return encodeDynamic(p.schema.ResourceSchemas[kind].ValueType(), nil)
	}
	return encodeDynamic(p.schema.ResourceSchemas[kind].ValueType(), values)
}

func (p *process) decode(kind string, value *tfprotov6.DynamicValue) (fields, error) {
	decoded, err := decodeDynamic(p.schema.ResourceSchemas[kind].ValueType(), value)
	values, _ := decoded.(fields)
	return values, err
}
