// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import "strconv"

// Limit is a bound of bytes or milliseconds, or none. The zero value is none:
// there is no number that stands for it.
type Limit struct {
	amount  int64
	bounded bool
}

// Unlimited is the limit that nothing ever reaches.
var Unlimited = Limit{}

// AtMost is a limit of n, which is 0 or more, bytes or milliseconds.
func AtMost(n int64) Limit {
	return Limit{amount: n, bounded: true}
}

// Bounded returns the limit's number; false where there is none.
func (l Limit) Bounded() (n int64, bounded bool) {
	return l.amount, l.bounded
}

// String is the number, or "unlimited".
func (l Limit) String() string {
	if !l.bounded {
		return "unlimited"
	}
	return strconv.FormatInt(l.amount, 10)
}

// Local is a limit of the local tier, which a topic may leave to its total.
type Local struct {
	// Own says that the topic sets a limit of its own. If not, the local tier has
	// the topic's total limit, which Kafka writes as -2.
	Own bool
	// Limit is the topic's own limit, if it has one.
	Limit Limit
}

// over is the limit that the local tier has, given the total.
func (l Local) over(total Limit) Limit {
	if l.Own {
		return l.Limit
	}
	return total
}
