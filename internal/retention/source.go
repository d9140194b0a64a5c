// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"math"
	"math/bits"
	"sort"
)

// source is what is appended to the partition, batch by batch. Batches of a steady
// flow are never listed: each of their numbers is worked out from its index.
type source struct {
	messages []Message
	sums     []int64 // bytes accepted up to and with each message
	rate     Rate
	count    int64 // batches up to the horizon
	stamped  bool  // the broker's clock stamps the records
	refused  bool  // all batches of the flow are larger than a segment
}

func newSource(s *Scenario) *source {
	src := &source{rate: s.Rate, stamped: s.Rules.LogAppendTime, refused: s.Rate.BatchBytes > s.Rules.SegmentBytes}
	if len(s.Messages) == 0 {
		src.count = src.arrived(min(s.Horizon, s.Rate.Stop))
		return src
	}
	var sum int64
	for _, m := range s.Messages {
		if m.append() > s.Horizon {
			break
		}
		if m.Bytes <= s.Rules.SegmentBytes {
			sum = plus(sum, m.Bytes)
		}
		src.messages = append(src.messages, m)
		src.sums = append(src.sums, sum)
	}
	src.count = int64(len(src.messages))
	return src
}

// steady says that all batches are alike and come at one pace.
func (s *source) steady() bool { return s.messages == nil }

// arrived is how many batches of the flow are full by a moment.
func (s *source) arrived(t int64) int64 {
	if s.rate.BytesPerSecond == 0 || t < s.rate.Start {
		return 0
	}
	return mulDiv(t-s.rate.Start, s.rate.BytesPerSecond, s.rate.BatchBytes, 1000)
}

// at is when batch k is appended: the first whole millisecond at which it is full.
func (s *source) at(k int64) int64 {
	if s.steady() {
		return plus(s.rate.Start, ceilMulDiv(k+1, s.rate.BatchBytes, 1000, s.rate.BytesPerSecond))
	}
	return s.messages[k].append()
}

func (s *source) bytes(k int64) int64 {
	if s.steady() {
		return s.rate.BatchBytes
	}
	return s.messages[k].Bytes
}

// newest and oldest are the largest and smallest timestamp of batch k.
func (s *source) newest(k int64) int64 {
	if s.steady() || s.stamped {
		return s.at(k)
	}
	return s.messages[k].Ts
}

func (s *source) oldest(k int64) int64 {
	switch {
	case !s.steady() || s.stamped:
		return s.newest(k)
	case k == 0:
		return s.rate.Start
	}
	return s.at(k - 1)
}

func (s *source) records(k int64) int64 {
	if s.steady() {
		return 1
	}
	return max(1, s.messages[k].Records)
}

// appended is how many bytes have been accepted by a moment, that included.
func (s *source) appended(t int64) int64 {
	return s.offered(0, s.come(t))
}

// come is how many batches have come by a moment, that included, accepted or not.
func (s *source) come(t int64) int64 {
	if s.steady() {
		return min(s.count, s.arrived(t))
	}
	return int64(sort.Search(len(s.messages), func(i int) bool { return s.messages[i].append() > t }))
}

// offered are the bytes of the batches from one to another, the last one not included, which segments can hold.
func (s *source) offered(from, to int64) int64 {
	switch {
	case s.steady() && s.refused:
		return 0
	case s.steady():
		return (to - from) * s.rate.BatchBytes
	case to <= from:
		return 0
	case from == 0:
		return s.sums[to-1]
	}
	return s.sums[to-1] - s.sums[from-1]
}

// never is later than every moment.
const never = math.MaxInt64

// plus adds two numbers, of which neither is negative, and stays below never.
func plus(a, b int64) int64 {
	if a > never-b {
		return never
	}
	return a + b
}

// mulDiv is a·b / (c·d) cut to a whole number; ceilMulDiv rounds up. The product has 128
// bits, because a year of a gigabyte a second is more than 63 once it is in
// thousandths. A quotient that does not fit is never.
func mulDiv(a, b, c, d int64) int64 {
	q, _ := divide(a, b, c, d)
	return q
}

func ceilMulDiv(a, b, c, d int64) int64 {
	// a·b·c / d, rounded up.
	q, rest := divide(a*b, c, d, 1)
	if hi, _ := bits.Mul64(uint64(a), uint64(b)); hi != 0 || a*b < 0 {
		return never
	}
	if rest && q < never {
		q++
	}
	return q
}

func divide(a, b, c, d int64) (quotient int64, rest bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	over, by := bits.Mul64(uint64(c), uint64(d))
	if over != 0 {
		return 0, a != 0 && b != 0
	}
	if hi >= by {
		return never, false
	}
	q, r := bits.Div64(hi, lo, by)
	if q > never {
		return never, false
	}
	return int64(q), r != 0
}
