// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// Kind is what happens.
type Kind string

// The kinds of events.
const (
	// Opened: a segment begins, empty.
	Opened Kind = "opened"
	// Rolled: a segment closes, and nothing is written to it any more.
	Rolled Kind = "rolled"
	// CopyStarted and Copied: a closed segment is copied to the remote tier.
	CopyStarted Kind = "copy_started"
	Copied      Kind = "copied"
	// Expired: a segment can no longer be read from a tier. Of the remote tier it is
	// gone for good; there nothing lingers.
	Expired Kind = "expired"
	// Purged: the files of a segment leave the broker's disk.
	Purged Kind = "purged"
	// WriteRefused: a message is not taken. Of a steady flow one event stands for all that follow.
	WriteRefused Kind = "write_refused"
)

// Reason is why it happens.
type Reason string

// The reasons. Opened, Copied and CopyStarted need none.
const (
	// ByTime and BySize: a segment reached segment.ms or segment.bytes, or the data behind
	// it, or its age, reached a retention limit.
	ByTime Reason = "time"
	BySize Reason = "size"
	// ByIndex: the segment's indexes are full, or its offsets no longer fit them.
	ByIndex Reason = "index"
	// ByRetention: the check closed an idle active segment that is due to go.
	ByRetention Reason = "retention"
	// ByLogStart: the data is gone from the remote tier, so the local copy goes too.
	ByLogStart Reason = "log_start"
	// ByDisk: the disk is too full (ApsaraMQ).
	ByDisk Reason = "disk"
	// TooLarge: the message is larger than a segment.
	TooLarge Reason = "too_large"
)

// Tier is where it happens.
type Tier string

// The tiers.
const (
	LocalTier  Tier = "local"
	RemoteTier Tier = "remote"
)

// Window is a first and a last possible moment, in milliseconds. In a timeline of
// [Simulate] they are the same.
type Window struct {
	Earliest, Latest int64
}

// Event is one thing that happens to a segment.
type Event struct {
	Kind   Kind
	Reason Reason
	Tier   Tier
	// Segment counts a partition's segments from 0; Base is the segment's first
	// offset, by which its files are named. A steady flow counts a batch as one offset.
	Segment, Base int64
	// Bytes is the segment's size, so far; of a refused message its own.
	Bytes int64
	// Window is when it happens.
	Window
	// Due is when the rule behind it comes true, so that it only waits for the next
	// round of what brokers do periodically. Window.Latest is at most one period
	// (and the transfer of a copy, and the delay of a purge) behind Due.Latest. Due
	// is wider than a moment where it follows from events that are.
	Due Window
	// Maybe says that it happens only if brokers do their rounds at certain moments,
	// or not before the horizon; the latest moment is then behind it, 2^63-1 if it may never happen.
	Maybe bool
	// LocalBytes and RemoteBytes are what the partition's segments occupy in the
	// tiers after it, one replica, index files apart; in a forecast if everything
	// happens as late as it may. What is expired locally counts until it is purged.
	LocalBytes, RemoteBytes int64

	inRemote bool // what expires locally has been copied
}
