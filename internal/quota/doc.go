// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package quota holds planned growth against the storage of an instance.
//
// [Settings] say what may be reserved: capacity, limit in percent, and what
// happens when it would be exceeded. The [Ledger] is the one place per provider
// process that adds planned changes to what the cluster reserves already. It
// watches the peak,
//
//	peak = sum over live and booked topics of max(live, booked)
//
// because Terraform promises no order: a plan that shrinks one topic and grows
// another may grow first, and a broker that enforces the limit would then refuse
// half-way. Releases are therefore noted, for the message, and never credited.
// A topic's booking only rises, so the peak after all calls of a plan, and with
// it whether the plan is refused, depends on the set of changes alone and not on
// the order or parallelism in which they are heard.
//
// Only growth is refused. What may not be refused may not be booked: a delete, a
// shrink, an unchanged topic and an unbounded topic that becomes bounded leave
// the peak alone.
//
// [Forecast] is the same arithmetic for a whole set at once, for data sources.
//
// Failure is a value here: a [Verdict] carries every number that a message needs.
// The room imports reservation, touches memory only and reads no clock.
package quota
