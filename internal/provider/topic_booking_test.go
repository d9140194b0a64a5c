// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// drawnTiers are a topic's tiered settings; local is -2 where it follows the total.
type drawnTiers struct {
	on, stopped bool
	local       int64
}

// drawnTopic is what one topic is and what is planned for it. Whatever is not there is nil.
type drawnTopic struct {
	name   string
	live   *drawnState
	topic  *drawnState // what the topic's own resource plans, without tiers
	tiered *drawnTiers // what its tiered resource plans
	// known says that all inputs of a resource are.
	topicKnown, tieredKnown bool
}

// drawnState is a topic as a whole.
type drawnState struct {
	partitions, retention int64
	tiers                 drawnTiers
}

// drawTopicPlan draws one.
func drawTopicPlan(t *rapid.T, name string) drawnTopic {
	const gib = 1 << 30
	sizes := rapid.SampledFrom([]int64{0, 1, gib - 1, gib, 5 * gib, 100 * gib})
	state := func(label string) *drawnState {
		if rapid.IntRange(0, 3).Draw(t, label+" is there") == 0 {
			return nil
		}
		return &drawnState{partitions: rapid.Int64Range(1, 3).Draw(t, label+" partitions"), retention: sizes.Draw(t, label+" retention")}
	}
	tiers := func(label string) drawnTiers {
		return drawnTiers{
			on: rapid.Bool().Draw(t, label+" tiered"), stopped: rapid.IntRange(0, 4).Draw(t, label+" stopped") == 0,
			local: rapid.OneOf(sizes, rapid.Just(int64(-2))).Draw(t, label+" local"),
		}
	}
	usual := func(label string) bool { return rapid.IntRange(0, 7).Draw(t, label) > 0 }
	d := drawnTopic{name: name, live: state("live"), topic: state("topic"), topicKnown: usual("topic known"), tieredKnown: usual("tiered known")}
	if d.live != nil {
		d.live.tiers = tiers("live")
		if d.topic != nil {
			d.topic.partitions = max(d.topic.partitions, d.live.partitions)
		}
	}
	if d.topic != nil && rapid.IntRange(0, 9).Draw(t, "topic unbounded") == 0 {
		d.topic.retention = -1
	}
	if usual("tiered is there") {
		planned := tiers("tiered")
		d.tiered = &planned
	}
	return d
}

// bytes is what a state reserves where replicas count, three of each partition, with
// segments of 1 GiB and indexes of 10 MiB: x + S + 2·I·(⌊x/S⌋ + 1) for each, of what
// brokers keep. ok is false where nothing bounds it.
func (s drawnState) bytes() (bytes int64, ok bool) {
	const segment, index = 1 << 30, 10 << 20
	keeps := s.retention
	if s.tiers.on && !s.tiers.stopped && s.tiers.local != -2 {
		keeps = s.tiers.local
	}
	return 3 * s.partitions * (keeps + segment + 2*index*(keeps/segment+1)), keeps >= 0
}

// settings are the state's own settings.
func (s drawnState) settings() topicconfig.Settings {
	settings := s.tiers.settings()
	settings[topicconfig.RetentionBytes] = strconv.FormatInt(s.retention, 10)
	return settings
}

func (d drawnTiers) settings() topicconfig.Settings {
	return topicconfig.Settings{
		topicconfig.RemoteStorageEnable: strconv.FormatBool(d.on), topicconfig.RemoteLogCopyDisable: strconv.FormatBool(d.stopped),
		topicconfig.LocalRetentionBytes: strconv.FormatInt(d.local, 10),
	}
}

// ends are the states that the changes may lead to, each set of them that a call
// books for, worked out from the states alone.
func (d drawnTopic) ends() []drawnState {
	topicCounts := d.topic != nil && d.topicKnown && d.topicChanges()
	tieredCounts := d.tiered != nil && d.tieredKnown && !d.tieredChange().Empty()
	var before drawnTiers
	before.local = -2
	if d.live != nil {
		before = d.live.tiers
	}
	var ends []drawnState
	if topicCounts {
		ends = append(ends, drawnState{d.topic.partitions, d.topic.retention, before})
		if tieredCounts {
			ends = append(ends, drawnState{d.topic.partitions, d.topic.retention, *d.tiered})
		}
	}
	if tieredCounts && d.live != nil {
		ends = append(ends, drawnState{d.live.partitions, d.live.retention, *d.tiered})
	}
	return ends
}

// topicChanges says that the topic's own plan is no repetition of what is live.
func (d drawnTopic) topicChanges() bool {
	return d.live == nil || d.topic.partitions != d.live.partitions || d.topic.retention != d.live.retention
}

// tieredChange is what the tiered resource would send.
func (d drawnTopic) tieredChange() topicconfig.Change {
	held := topicconfig.Settings{}
	if d.live != nil {
		held = d.live.tiers.settings()
	}
	return topicconfig.Diff(held, d.tiered.settings())
}

// bookingCall is one call: it tells what it plans, and then books with what it has heard.
type bookingCall struct {
	hear func(*topicChanges) heard
	book func(heard) (sizedTopic, bool, error)
	name string
}

// calls are the calls that Terraform makes for a topic.
func (d drawnTopic) calls(view *cluster) []bookingCall {
	var calls []bookingCall
	if d.topic != nil {
		planned := plannedTopic{
			name: d.name, partitions: d.topic.partitions, replicationFactor: 3,
			settings: topicconfig.Settings{topicconfig.RetentionBytes: strconv.FormatInt(d.topic.retention, 10)},
		}
		if d.live != nil {
			planned.keeps = func(string) bool { return true }
		}
		change := topicChange{planned: planned, complete: d.topicKnown, creates: d.live == nil, changes: d.topicChanges()}
		calls = append(calls, bookingCall{
			name: d.name,
			hear: func(c *topicChanges) heard { return c.hearTopic(d.name, change) },
			book: func(all heard) (sizedTopic, bool, error) {
				largest, err := view.largest(d.name, combinations{view: view, name: d.name, heard: all}.withTopic())
				return largest, change.complete && change.changes, err
			},
		})
	}
	if d.tiered != nil {
		change := tieredChange{change: d.tieredChange(), complete: d.tieredKnown}
		calls = append(calls, bookingCall{
			name: d.name,
			hear: func(c *topicChanges) heard { return c.hearTiered(d.name, change, d.live != nil) },
			book: func(all heard) (sizedTopic, bool, error) {
				largest, err := view.largest(d.name, combinations{view: view, name: d.name, heard: all}.withTiered())
				return largest, change.complete && !change.change.Empty(), err
			},
		})
	}
	return calls
}

// Terraform walks its graph in an order of its own, many calls at once. So for two
// resources of one topic the ledger must come to the same peak, and the plan to the
// same verdict, whichever of their calls comes first and however they overlap: the
// peak is the sum, over topics, of the larger of what is live and the largest state
// that any set of the changes leads to.
func TestBooking_TwoResourcesOfATopicBookByTheSetOfChangesOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var drawn []drawnTopic
		for i := range rapid.IntRange(1, 3).Draw(t, "topics") {
			drawn = append(drawn, drawTopicPlan(t, fmt.Sprintf("topic-%d", i)))
		}
		snapshot := &kafka.Snapshot{Topics: map[string]kafka.Topic{}}
		peak, grows, unbounded := new(big.Int), false, false
		for _, d := range drawn {
			var live, largest int64
			if d.live != nil {
				live, _ = d.live.bytes()
				snapshot.Topics[d.name] = liveTopic(d)
			}
			for _, end := range d.ends() {
				bytes, bounded := end.bytes()
				if unbounded = unbounded || !bounded; bounded {
					largest = max(largest, bytes)
				}
			}
			grows = grows || largest > live
			peak.Add(peak, big.NewInt(max(live, largest)))
		}
		limit := peak.Int64() + rapid.SampledFrom([]int64{-1, 0, 0, 1, -1 << 40}).Draw(t, "room")
		settings := quota.Settings{CapacityBytes: max(limit, 1), LimitPercent: 100, Enforcement: quota.Error, Accounting: quota.Reserved}
		view := newCluster(reservation.Kafka, snapshot)
		var calls []bookingCall
		for _, d := range drawn {
			calls = append(calls, d.calls(view)...)
		}
		refused := unbounded || grows && settings.Exceeds(peak)
		for _, order := range arrivals(t, len(calls)) {
			gotPeak, gotRefused := walk(t, calls, order, quota.NewLedger(settings, view.live))
			if gotRefused != refused || !unbounded && gotPeak.Cmp(peak) != 0 {
				t.Fatalf("in order %v: peak %v, refused %v; want %v, %v, of %+v", order, gotPeak, gotRefused, peak, refused, drawn)
			}
		}
	})
}

// liveTopic is the topic as a snapshot shows it.
func liveTopic(d drawnTopic) kafka.Topic {
	topic := kafka.Topic{Name: d.name, Partitions: d.live.partitions, ReplicationFactor: 3, Entries: map[string]kafka.Entry{}}
	for key, value := range d.live.settings() {
		topic.Entries[key] = kafka.Entry{Value: value, HasValue: true, Override: true}
	}
	return topic
}

// walk makes the calls: where a number of a call comes first it tells what it plans,
// where it comes again it books.
func walk(t *rapid.T, calls []bookingCall, order []int, ledger *quota.Ledger) (peak *big.Int, refused bool) {
	var changes topicChanges
	told := map[int]heard{}
	for _, number := range order {
		call := calls[number]
		all, again := told[number]
		if !again {
			told[number] = call.hear(&changes)
			continue
		}
		largest, books, err := call.book(all)
		if err != nil {
			t.Fatal(err)
		}
		if books {
			verdict := ledger.Book(quota.Change{Topic: call.name, Planned: largest.amount})
			refused = refused || verdict.Outcome != quota.Fits
		}
	}
	return ledger.Standing("").Peak, refused
}

// arrivals are the orders in which that many calls tell and book, each number twice:
// all there are for up to three calls, and for more every order of whole calls, with
// some that overlap by chance.
func arrivals(t *rapid.T, calls int) [][]int {
	var orders [][]int
	var grow func(order []int)
	grow = func(order []int) {
		if len(order) == 2*calls {
			orders = append(orders, slices.Clone(order))
			return
		}
		for number := range calls {
			seen := 0
			for _, earlier := range order {
				if earlier == number {
					seen++
				}
			}
			switch {
			case seen == 2:
			case calls <= 3:
				grow(append(order, number))
			case seen == 0:
				grow(append(order, number, number))
			}
		}
	}
	grow(nil)
	if calls > 3 {
		for range 100 {
			order := rapid.Permutation(slices.Repeat(seq(calls), 2)).Draw(t, "order")
			orders = append(orders, order)
		}
	}
	return orders
}

// seq are the numbers below n.
func seq(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}
