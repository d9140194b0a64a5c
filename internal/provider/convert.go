// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// numberPrecision is Terraform's own for numbers, in bits: whole numbers of any
// size that occurs here stay exact.
const numberPrecision = 512

// number is a whole number of any size, exact.
func number(n *big.Int) types.Number {
	return types.NumberValue(new(big.Float).SetPrec(numberPrecision).SetInt(n))
}

// decimal is a decimal text as a number, as Terraform itself would read it.
func decimal(text string) types.Number {
	parsed, _, err := big.ParseFloat(text, 10, numberPrecision, big.ToNearestEven)
	if err != nil {
		return types.NumberNull()
	}
	return types.NumberValue(parsed)
}

// texts are strings; never null, so that they can be counted.
func texts(values []string) []types.String {
	out := make([]types.String, 0, len(values))
	for _, value := range values {
		out = append(out, types.StringValue(value))
	}
	return out
}
