// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package quota

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// Enforcement is what happens when growth would exceed the limit.
type Enforcement string

// The enforcements, the strictest first.
const (
	// Error fails the plan.
	Error Enforcement = "error"
	// Warn lets the plan pass with a warning.
	Warn Enforcement = "warn"
	// Off says nothing.
	Off Enforcement = "off"
)

// Enforcements returns every enforcement, the strictest first.
func Enforcements() []Enforcement {
	return []Enforcement{Error, Warn, Off}
}

// ParseEnforcement reads an enforcement's name.
func ParseEnforcement(name string) (Enforcement, error) {
	names := make([]string, 0, len(Enforcements()))
	for _, enforcement := range Enforcements() {
		if name == string(enforcement) {
			return enforcement, nil
		}
		names = append(names, fmt.Sprintf("%q", string(enforcement)))
	}
	return "", fmt.Errorf("%q is not an enforcement: use %s", name, strings.Join(names, ", "))
}

// WeakerThan says that e lets pass what other would refuse or report.
func (e Enforcement) WeakerThan(other Enforcement) bool {
	return e.rank() > other.rank()
}

// rank orders enforcements from the strictest.
func (e Enforcement) rank() int {
	for rank, enforcement := range Enforcements() {
		if e == enforcement {
			return rank
		}
	}
	return 0
}

// Accounting is what the ledger adds up.
type Accounting string

// Reserved adds up the reservations of all topics.
const Reserved Accounting = "reserved"

// Settings say what may be reserved. The zero Settings enforce nothing.
type Settings struct {
	// CapacityBytes is the storage configured for the instance. 0: not known, so
	// totals are computed and nothing is enforced.
	CapacityBytes int64
	// LimitPercent is the part of the capacity that may be used, 1 to 100.
	LimitPercent int64
	// Enforcement is what happens beyond the limit.
	Enforcement Enforcement
	// Accounting is what is added up.
	Accounting Accounting
}

// HasCapacity says whether there is a limit at all.
func (s Settings) HasCapacity() bool {
	return s.CapacityBytes > 0
}

// LimitBytes is floor(capacity × limit_percent / 100). A total of exactly that
// many bytes is allowed. It means nothing without a capacity.
func (s Settings) LimitBytes() int64 {
	limit := new(big.Int).Mul(big.NewInt(s.CapacityBytes), big.NewInt(s.LimitPercent))
	return limit.Quo(limit, big.NewInt(100)).Int64()
}

// judges says whether verdicts are due: there is a limit, and it is not switched off.
func (s Settings) judges() bool {
	return s.HasCapacity() && s.Enforcement != Off && s.Enforcement != ""
}

// Exceeds says whether a total is over the limit; without a capacity it never is.
func (s Settings) Exceeds(total *big.Int) bool {
	return s.HasCapacity() && total.Cmp(big.NewInt(s.LimitBytes())) > 0
}

// Percent prints total × 100 / capacity with the given number of decimals, cut
// and not rounded: a total below the limit never reads as the limit. Without a
// capacity it is "0".
func (s Settings) Percent(total *big.Int, decimals int) string {
	if !s.HasCapacity() {
		return "0"
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	scaled := new(big.Int).Mul(total, big.NewInt(100))
	scaled.Mul(scaled, scale)
	scaled.Quo(scaled, big.NewInt(s.CapacityBytes))
	whole, fraction := new(big.Int).QuoRem(scaled, scale, new(big.Int))
	if decimals == 0 {
		return whole.String()
	}
	return fmt.Sprintf("%s.%0*s", whole, decimals, fraction)
}

// Live is what each topic of the first snapshot reserves, by topic name. Internal
// topics and names that start with "__" are left out by whoever fills it.
type Live map[string]reservation.Amount

// Total sums the bounded topics and counts the others.
func (l Live) Total() (bounded *big.Int, unbounded int) {
	bounded = new(big.Int)
	for _, amount := range l {
		if bytes, ok := amount.Bounded(); ok {
			bounded.Add(bounded, big.NewInt(bytes))
		} else {
			unbounded++
		}
	}
	return bounded, unbounded
}
