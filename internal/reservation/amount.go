// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package reservation

import (
	"math/big"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// Amount is a number of bytes or unbounded. The zero Amount is no bytes.
type Amount struct {
	bytes     int64
	unbounded bool
}

// Unbounded is the Amount of a topic that nothing bounds.
var Unbounded = Amount{unbounded: true}

// Bytes returns the Amount of n bytes.
func Bytes(n int64) Amount {
	return Amount{bytes: n}
}

// Max returns the largest amount; unbounded is above every number. Without
// amounts it is no bytes.
func Max(amounts ...Amount) Amount {
	var largest Amount
	for _, a := range amounts {
		if a.unbounded {
			return Unbounded
		}
		largest.bytes = max(largest.bytes, a.bytes)
	}
	return largest
}

// Bounded returns the bytes; ok is false when the amount is unbounded, and the
// number then means nothing.
func (a Amount) Bounded() (bytes int64, ok bool) {
	return a.bytes, !a.unbounded
}

// IsUnbounded says that no number of bytes bounds the amount.
func (a Amount) IsUnbounded() bool {
	return a.unbounded
}

// String prints the amount for people: "1.5 GiB" or "unbounded".
func (a Amount) String() string {
	if a.unbounded {
		return "unbounded"
	}
	return units.Readable(big.NewInt(a.bytes))
}
