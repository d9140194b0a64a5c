// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package units turns byte counts into text and back, exactly.
//
// Storage is counted in whole bytes from the configuration to the broker, so
// this room knows no floats: a text that does not stand for a whole number of
// bytes is refused, and what [FormatBytes] prints, [ParseBytes] reads back to
// the same number. Only IEC units are spoken (KiB = 1024 bytes and up), because
// "GB" means 10^9 to one library and 2^30 to the next.
//
// [Readable] is the one deliberate loss: a short text beside an exact number,
// cut and never rounded up, for people.
//
// The room imports the standard library only and touches nothing.
package units
