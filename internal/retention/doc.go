// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package retention tells when a message really goes.
//
// Kafka removes whole segments, not messages. A segment has to close before it can be copied or removed; it closes
// when it is full, when its time is up and something is appended, or when a check finds it idle and expired; then it waits
// for the next round of whatever brokers do periodically. So data outlives its setting, by seconds or by weeks, and this
// room computes by how much before anything runs.
//
// A [Scenario] holds everything that counts: the topic's settings ([ReadRules]), what is written and when, the brokers'
// intervals and version. From it come a [Timeline]:
//
//   - [Simulate] gives the exact course for known phases, that is, for known first moments of the brokers' rounds.
//     [Walk] does so for courses too long to be held in memory.
//   - [Forecast] gives windows for unknown phases, which is what there is of a running broker.
//
// A forecast's event has two windows. Due is when the rule behind it comes true; where the rule looks at appends and
// settings only, that is a moment. Window is when the event happens: at most one round later (and the transfer of a copy,
// and the delay of the files). An event that follows from other events inherits how uncertain they are: an idle segment is closed by a
// check, copied by a task after that, and removed by a check after that, so Due of the removal is as wide as a check and a task, and
// its window a check wider. What a window adds to its Due is never more than one round.
//
// The rules are those of Apache Kafka's UnifiedLog, LogSegment and RemoteLogManager, each named where it is followed with the
// version that was read, and the differences between versions are in [Version]. ApsaraMQ for Kafka has rules of
// its own ([Apsara]). One partition and one replica is looked at, and all goes well in the cluster: no change of leader, no
// failed copy but in an [Outage]. Two things that real brokers do are therefore left out: a follower deletes by its own checks; and
// where a copy ends just while a round of expiry adds up sizes, Kafka may count that segment twice and remove more than
// retention.bytes asks for. Sizes are those of segment files; index files come on top.
//
// Nothing ticks inside: for each segment it is worked out when a rule comes true and when the next round after that is,
// so a year without a message costs nothing. What a course costs is counted, and bounded ([MostSteps], [MostHeld]): one that
// is more is a [TooLongError], with the horizon that would fit. [Summary], [Table], [Mermaid], [TimelineSVG] and [OccupancySVG] show a timeline
// to people; the same timeline gives the same text everywhere.
//
// Moments and spans are int64 milliseconds, sizes int64 bytes, and a limit that does not exist is a [Limit] of its own, never a
// number. The room imports topicconfig and units, does no I/O and reads no clock.
package retention
