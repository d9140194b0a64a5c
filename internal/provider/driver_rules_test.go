// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"maps"
	"reflect"
)

// What Terraform's core works out by itself, and the rules to which it holds a provider.

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
