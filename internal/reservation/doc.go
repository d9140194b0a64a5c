// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package reservation turns a topic's settings into the bytes that the topic may
// come to occupy: its reservation.
//
// The rule is the one that IBM Event Streams publishes under "understanding
// reserved disk usage" (wording of March 2024). For one partition:
//
//	cleanup.policy is exactly compact:   1 GiB, whatever the rest says
//	else, retention.bytes is bounded:    retention.bytes + segment.bytes
//	                                     + 2 × segment.index.bytes × (floor(retention.bytes / segment.bytes) + 1)
//	else:                                unbounded
//
// A topic reserves that once for each partition and, where the [Platform] sells
// raw disk and not usable storage, once for each replica. The rounded examples on
// the vendor's page leave the index term out; the rule is followed here, not the
// examples.
//
// A topic whose closed segments move to a remote tier charges the local tier: its
// local limit takes the place of retention.bytes. What the remote tier may come to
// hold is reported beside it, never charged: for each partition retention.bytes +
// segment.bytes, once and without indexes.
//
// [Of] is a pure function from effective settings to a [Reservation] with all its
// parts, so that an error message, a data source and a function print the same
// numbers. Arithmetic is on big integers and comes back as int64: a sum beyond
// 2^63-1 is a [*TooLargeError], never a wrap, and "no bound" is a state
// ([Reservation.Unbounded]), never a number. [FitPartitions] and
// [FitRetention] turn the rule round: the most that still fits a budget.
//
// The room imports topicconfig and units, does no I/O and reads no clock.
package reservation
