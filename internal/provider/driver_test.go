// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net"
	"reflect"
	"slices"
	"strings"
	"time"

	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
)

// The driver does to the provider what Terraform's core does, inside the test
// process: it makes plans by the thousand on the very code that a user runs, where
// the terraform binary makes a few a second. TestDriver_PlansAsTerraformDoes holds
// it against the binary.
//
// Values are plain Go: nil is null, unknown is unknown, numbers come back as
// json.Number with all their digits, objects and maps are fields. An error of Go
// means that somebody broke the protocol, the driver included; what the provider
// has to say is in the diagnostics.

// driverTimeout bounds one call to the provider.
const driverTimeout = time.Minute

// fields are the attributes of an object, or the elements of a map. What is absent is null.
type fields = map[string]any

// unknown is a value that is known only after apply.
var unknown any = unknownValue{}

type unknownValue struct{}

// typed is a value with its type, for arguments of functions: what a data source
// returns holds maps and lists where a literal has objects and tuples.
type typed struct {
	typ   tftypes.Type
	value any
}

// diagnosis is one diagnostic.
type diagnosis struct {
	Severity, Summary, Detail string
}

// diagnoses are what a call has said.
type diagnoses []diagnosis

// errors returns the errors alone.
func (d diagnoses) errors() diagnoses {
	return slices.DeleteFunc(slices.Clone(d), func(one diagnosis) bool { return one.Severity != "error" })
}

// String puts everything that was said into one text.
func (d diagnoses) String() string {
	var texts []string
	for _, one := range d {
		texts = append(texts, one.Severity+": "+one.Summary+"\n"+one.Detail)
	}
	return strings.Join(texts, "\n\n")
}

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

// importOne imports a resource by its id and reads it, as Terraform does in one step.
func (p *process) importOne(ctx context.Context, kind, id string) (*instance, diagnoses, error) {
	ctx, cancel := context.WithTimeout(ctx, driverTimeout)
	defer cancel()
	answer, err := p.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: kind, ID: id})
	if err != nil {
		return nil, nil, err
	}
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

// proposed is the plan that Terraform proposes: the configuration, with the prior
// value where it leaves a computed attribute out.
func (p *process) proposed(kind string, prior, config fields) fields {
	if config == nil {
		return nil
	}
	proposed := maps.Clone(config)
	for _, attribute := range p.schema.ResourceSchemas[kind].Block.Attributes {
		if attribute.Computed && config[attribute.Name] == nil {
			proposed[attribute.Name] = prior[attribute.Name]
		}
	}
	return proposed
}

// validPlan holds a plan to Terraform's rule: what is configured is planned as it
// is configured or as it was, and what is neither configured nor computed is null.
func (p *process) validPlan(kind string, prior, config, planned fields) error {
	for _, attribute := range p.schema.ResourceSchemas[kind].Block.Attributes {
		configured, value := config[attribute.Name], planned[attribute.Name]
		switch {
		case configured == nil && attribute.Computed, equalValues(value, configured):
		case configured != nil && prior[attribute.Name] != nil && equalValues(value, prior[attribute.Name]):
		default:
			return fmt.Errorf("invalid plan: %s is planned as %v, configured as %v, was %v", attribute.Name, value, configured, prior[attribute.Name])
		}
	}
	return nil
}

// compatible says that what was planned has come: every known value is the same.
func compatible(planned, actual any) error {
	if planned == unknown {
		return nil
	}
	was, isObject := planned.(fields)
	now, stays := actual.(fields)
	if !isObject || !stays {
		if !equalValues(planned, actual) {
			return fmt.Errorf("planned %v, came %v", planned, actual)
		}
		return nil
	}
	for name := range now {
		if _, listed := was[name]; !listed && now[name] != nil {
			return fmt.Errorf("%s: not planned, came %v", name, now[name])
		}
	}
	for name := range was {
		if err := compatible(was[name], now[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// equalValues compares two values that have been decoded.
func equalValues(a, b any) bool { return reflect.DeepEqual(a, b) }

// heard translates diagnostics.
func heard(diagnostics []*tfprotov6.Diagnostic) diagnoses {
	var said diagnoses
	for _, one := range diagnostics {
		said = append(said, diagnosis{Severity: strings.ToLower(one.Severity.String()), Summary: one.Summary, Detail: one.Detail})
	}
	return said
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

func encodeDynamic(typ tftypes.Type, value any) (*tfprotov6.DynamicValue, error) {
	encoded, err := encodeValue(typ, value)
	if err != nil {
		return nil, err
	}
	dynamic, err := tfprotov6.NewDynamicValue(typ, encoded)
	return &dynamic, err
}

func decodeDynamic(typ tftypes.Type, value *tfprotov6.DynamicValue) (any, error) {
	if value == nil {
		return nil, nil
	}
	decoded, err := value.Unmarshal(typ)
	if err != nil {
		return nil, err
	}
	return decodeValue(decoded)
}

// encodeValue gives a plain value Terraform's type. Numbers become text where text
// is wanted, as Terraform converts them.
func encodeValue(typ tftypes.Type, value any) (tftypes.Value, error) {
	if value == nil {
		return tftypes.NewValue(typ, nil), nil
	}
	if value == unknown {
		return tftypes.NewValue(typ, tftypes.UnknownValue), nil
	}
	switch {
	case typ.Is(tftypes.DynamicPseudoType):
		if v, ok := value.(typed); ok {
			return encodeValue(v.typ, v.value)
		}
		return encodeValue(typeOf(value), value)
	case typ.Is(tftypes.Bool):
		return tftypes.NewValue(typ, value), nil
	case typ.Is(tftypes.String):
		return tftypes.NewValue(typ, fmt.Sprint(value)), nil
	case typ.Is(tftypes.Number):
		number, _, err := big.ParseFloat(fmt.Sprint(value), 10, 512, big.ToNearestEven)
		return tftypes.NewValue(typ, number), err
	}
	elements := map[string]tftypes.Value{}
	if object, ok := typ.(tftypes.Object); ok {
		values, isFields := value.(fields)
		if !isFields {
			return tftypes.Value{}, fmt.Errorf("%v is no object", value)
		}
		for name := range values {
			if object.AttributeTypes[name] == nil {
				return tftypes.Value{}, fmt.Errorf("there is no attribute %q", name)
			}
		}
		for name, attribute := range object.AttributeTypes {
			var err error
			if elements[name], err = encodeValue(attribute, values[name]); err != nil {
				return tftypes.Value{}, fmt.Errorf("%s: %w", name, err)
			}
		}
		return tftypes.NewValue(typ, elements), nil
	}
	return encodeElements(typ, value)
}

// encodeElements encodes maps, lists and sets.
func encodeElements(typ tftypes.Type, value any) (tftypes.Value, error) {
	var element tftypes.Type
	switch collection := typ.(type) {
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		values, isFields := value.(fields)
		if !isFields {
			return tftypes.Value{}, fmt.Errorf("%v is no map", value)
		}
		for key, one := range values {
			encoded, err := encodeValue(collection.ElementType, one)
			if err != nil {
				return tftypes.Value{}, fmt.Errorf("%s: %w", key, err)
			}
			elements[key] = encoded
		}
		return tftypes.NewValue(typ, elements), nil
	case tftypes.List:
		element = collection.ElementType
	case tftypes.Set:
		element = collection.ElementType
	case tftypes.Tuple:
		element = tftypes.DynamicPseudoType
	default:
		return tftypes.Value{}, fmt.Errorf("the driver knows no values of type %s", typ)
	}
	elements := []tftypes.Value{}
	values, isList := value.([]any)
	if !isList {
		return tftypes.Value{}, fmt.Errorf("%v is no list", value)
	}
	for _, one := range values {
		encoded, err := encodeValue(element, one)
		if err != nil {
			return tftypes.Value{}, err
		}
		elements = append(elements, encoded)
	}
	return tftypes.NewValue(typ, elements), nil
}

// typeOf is the type that Terraform gives to a value written in a configuration.
func typeOf(value any) tftypes.Type {
	switch v := value.(type) {
	case string:
		return tftypes.String
	case bool:
		return tftypes.Bool
	case fields:
		types := map[string]tftypes.Type{}
		for name, one := range v {
			types[name] = typeOf(one)
		}
		return tftypes.Object{AttributeTypes: types}
	case []any:
		types := make([]tftypes.Type, 0, len(v))
		for _, one := range v {
			types = append(types, typeOf(one))
		}
		return tftypes.Tuple{ElementTypes: types}
	case nil:
		return tftypes.DynamicPseudoType
	}
	return tftypes.Number
}

// decodeValue is the way back.
func decodeValue(value tftypes.Value) (any, error) {
	typ := value.Type()
	switch {
	case value.IsNull():
		return nil, nil
	case !value.IsKnown():
		return unknown, nil
	case typ.Is(tftypes.String):
		var text string
		err := value.As(&text)
		return text, err
	case typ.Is(tftypes.Bool):
		var truth bool
		err := value.As(&truth)
		return truth, err
	case typ.Is(tftypes.Number):
		var number big.Float
		err := value.As(&number)
		return json.Number(number.Text('f', -1)), err
	case typ.Is(tftypes.Object{}), typ.Is(tftypes.Map{}):
		var elements map[string]tftypes.Value
		if err := value.As(&elements); err != nil {
			return nil, err
		}
		decoded := fields{}
		for name, element := range elements {
			var err error
			if decoded[name], err = decodeValue(element); err != nil {
				return nil, err
			}
		}
		return decoded, nil
	}
	var elements []tftypes.Value
	if err := value.As(&elements); err != nil {
		return nil, err
	}
	decoded := make([]any, len(elements))
	for i, element := range elements {
		var err error
		if decoded[i], err = decodeValue(element); err != nil {
			return nil, err
		}
	}
	return decoded, nil
}
