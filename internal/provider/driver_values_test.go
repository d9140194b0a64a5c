// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Values of the driver are plain Go: nil is null, unknown is unknown, numbers come
// back as json.Number with all their digits, objects and maps are fields.

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
