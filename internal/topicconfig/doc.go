// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package topicconfig knows Kafka's topic settings: their names, types and limits,
// Kafka's own defaults, and when two spellings of a value mean the same.
//
// A topic's settings reach the provider as text from two sides, from people
// (HCL, where 1073741824, "1073741824" and "compact, delete" are all natural)
// and from brokers (which print their own normal form). Whether a plan shows a
// change therefore has to be decided on meaning, and this room decides it:
// [Equal] for one value, [Diff] for two maps.
//
// What is refused here ([Settings.Validate], [CheckName]) is refused before any
// broker is asked, so it is only what every Kafka refuses; the rest is the
// broker's to judge. [Rules] are what a service allows beyond that, and [Nearest]
// guesses what a misspelt key was meant to be.
//
// Rules between settings, which depend on the version and the platform, are judged
// by [Tiering.Judge]: it holds a whole change of a topic against them and returns
// [Finding]s, refusals and advice, for others to word.
//
// The table in spec.go follows LogConfig.java of Apache Kafka 4.4; a key that it
// does not list (a vendor's own) is text, compared without outer blanks. Values
// that cannot be read as their type come back as an [*InvalidError] that names
// key, value and what would be right.
//
// The room imports the standard library and units only, does no I/O and reads
// no clock.
package topicconfig
