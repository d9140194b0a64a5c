// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

// Scenario is everything that a timeline depends on. Moments are milliseconds on
// any one scale, such as Unix time or counted from 0; spans are milliseconds, sizes bytes.
type Scenario struct {
	// Rules are the topic's settings.
	Rules Rules
	// Version is the brokers'; zero is the newest that is known.
	Version Version
	// Start is when the partition is created, Horizon the last moment that is looked at.
	Start, Horizon int64
	// Messages are what is written, in the order of their appends. Rate is written instead where there are none.
	Messages []Message
	// Rate is a steady flow.
	Rate Rate
	// CheckMs is how often brokers look for local segments to delete
	// (log.retention.check.interval.ms; 0 is its default of 300000).
	CheckMs int64
	// TaskMs is how often a leader copies, and looks for remote segments to delete
	// (remote.log.manager.task.interval.ms; 0 is its default of 30000).
	TaskMs int64
	// Phases are the moments at which these periods begin. Only [Simulate] looks at
	// them: nobody knows them of a running broker, and [Forecast] takes all for possible.
	Phases Phases
	// JitterMs is what was drawn for segment.jitter.ms: every segment closes by time that much sooner.
	JitterMs int64
	// TieredFrom is when a tiered topic becomes tiered. Up to Start: it was created so.
	TieredFrom int64
	// CopyBytesPerSecond is how fast segments are copied; 0 takes no time.
	CopyBytesPerSecond int64
	// Outages are the spans in which no copy can start, in order and apart.
	Outages []Outage
	// OpenTransactionMs is by how much the last stable offset trails the end of the
	// log: nothing is copied that an open transaction may still belong to.
	OpenTransactionMs int64
	// Apsara replaces Kafka's rules with those of ApsaraMQ for Kafka.
	Apsara *Apsara
	// MaxEvents is how many events a timeline holds, the first and the last ones;
	// 0 holds all.
	MaxEvents int
	// MaxSteps is how much work a course may be: a step for each segment, for each batch, or row of batches without
	// anything in between, and for each round on ApsaraMQ. 0 is [MostSteps], and so is more. MaxHeld is how many closed segments may be there at once, likewise
	// for [MostHeld].
	MaxSteps, MaxHeld int64
}

// Message is what is appended at once: a record, or a batch.
type Message struct {
	// Ts is the largest timestamp in it.
	Ts int64
	// Bytes is its size on disk, 1 or more.
	Bytes int64
	// Append is when the broker takes it; 0 is at Ts, unless AtZero says that it is the moment 0.
	Append int64
	AtZero bool
	// Records is how many offsets it takes; 0 is one.
	Records int64
}

// append is when the broker takes the message.
func (m Message) append() int64 {
	if m.Append == 0 && !m.AtZero {
		return m.Ts
	}
	return m.Append
}

// Rate is a steady flow into one partition, in whole batches. A batch is appended
// when the flow has filled it: its first record is as old as the batch took to
// fill, its last one is new.
type Rate struct {
	// BytesPerSecond is the flow; 0 is none.
	BytesPerSecond int64
	// BatchBytes is the size of a batch on disk; 0 is 16384, the producer's batch.size.
	BatchBytes int64
	// Start and Stop are when the flow begins and ends; Stop up to Start is never.
	Start, Stop int64
}

// Outage is a span in which the remote tier takes nothing; End does not belong to it.
type Outage struct {
	Start, End int64
}

// Phases are the first moments of what brokers do periodically; nothing of it
// happens before.
type Phases struct {
	// Check is the first check of the local tier.
	Check int64
	// Copy is the first copy task, Expire the first look for remote segments to
	// delete. A topic that becomes tiered later begins both at that moment.
	Copy, Expire int64
	// Poll is the first look at the disk of ApsaraMQ.
	Poll int64
}

const (
	defaultCheckMs    = 300000
	defaultTaskMs     = 30000
	defaultBatchBytes = 16384
	// latestMs is the last moment, and the longest period, that can be reckoned with: sums of a few of them still fit.
	// mostBytes is the most that may be written, for the same reason.
	latestMs  = 1 << 60
	mostBytes = 1 << 60
)
