// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"fmt"
	"math"
)

// ScenarioError says what is wrong with a [Scenario].
type ScenarioError struct {
	// Field is the field's name, such as "Rate.Start" or "Messages[3].Bytes"; Reason what is wrong with it.
	Field, Reason string
}

// Error names the field and the reason.
func (e *ScenarioError) Error() string {
	return fmt.Sprintf("%s %s", e.Field, e.Reason)
}

// normal returns the scenario with its defaults in place, or a [*ScenarioError].
func (s Scenario) normal() (Scenario, error) {
	s.CheckMs = orDefault(s.CheckMs, defaultCheckMs)
	s.TaskMs = orDefault(s.TaskMs, defaultTaskMs)
	s.Rate.BatchBytes = orDefault(s.Rate.BatchBytes, defaultBatchBytes)
	if s.Rate.Stop <= s.Rate.Start || s.Rate.Stop > s.Horizon {
		s.Rate.Stop = s.Horizon
	}
	s.TieredFrom = max(s.TieredFrom, s.Start)
	if s.MaxSteps < 1 || s.MaxSteps > MostSteps {
		s.MaxSteps = MostSteps
	}
	if s.MaxHeld < 1 || s.MaxHeld > MostHeld {
		s.MaxHeld = MostHeld
	}
	if s.Apsara != nil {
		apsara := s.Apsara.normal()
		s.Apsara = &apsara
	}
	for _, check := range []func() *ScenarioError{s.checkSpans, s.checkFlow, s.checkOutages, s.checkMessages, s.checkApsara} {
		if wrong := check(); wrong != nil {
			return Scenario{}, wrong
		}
	}
	return s, nil
}

// bound is a field, and whether it is out of what can be reckoned with.
type bound struct {
	field  string
	bad    bool
	reason string
}

func firstBroken(bounds ...bound) *ScenarioError {
	for _, b := range bounds {
		if b.bad {
			return &ScenarioError{b.field, b.reason}
		}
	}
	return nil
}

// tooFar says that a moment, or a span, cannot be reckoned with.
func tooFar(ms int64) bool { return ms < 0 || ms > latestMs }

func (s *Scenario) checkSpans() *ScenarioError {
	return firstBroken(
		bound{"Start", tooFar(s.Start), "must be from 0 to 2^60"},
		bound{"Horizon", s.Horizon < s.Start || tooFar(s.Horizon), "must be from the start to 2^60"},
		bound{"CheckMs", tooFar(s.CheckMs), "must be from 1 to 2^60 ms"},
		bound{"TaskMs", tooFar(s.TaskMs), "must be from 1 to 2^60 ms"},
		bound{"TieredFrom", s.TieredFrom > latestMs, "must be at most 2^60"},
		bound{"JitterMs", s.JitterMs < 0 || s.JitterMs > 0 && s.JitterMs >= min(s.Rules.SegmentJitterMs, s.Rules.SegmentMs), "must be below segment.jitter.ms and segment.ms"},
		bound{"CopyBytesPerSecond", s.CopyBytesPerSecond < 0, "must be 0 or more bytes a second"},
		bound{"OpenTransactionMs", tooFar(s.OpenTransactionMs), "must be from 0 to 2^60 ms"},
		bound{"Rules.SegmentBytes", s.Rules.SegmentBytes < 1, "must be 1 or more: are the rules read?"},
		bound{"Phases", min(s.Phases.Check, s.Phases.Copy, s.Phases.Expire, s.Phases.Poll) < 0 || max(s.Phases.Check, s.Phases.Copy, s.Phases.Expire, s.Phases.Poll) > latestMs, "must be from 0 to 2^60"},
		bound{"MaxEvents", s.MaxEvents < 0, "must be 0 or more"},
	)
}

func (s *Scenario) checkFlow() *ScenarioError {
	r := &s.Rate
	return firstBroken(
		bound{"Rate.BytesPerSecond", r.BytesPerSecond < 0 || r.BytesPerSecond > mostBytes, "must be from 0 to 2^60 bytes a second"},
		bound{"Rate.BatchBytes", r.BatchBytes < 0 || r.BatchBytes > mostBytes, "must be from 1 to 2^60 bytes"},
		bound{"Rate.Start", tooFar(r.Start) || r.BytesPerSecond > 0 && r.Start < s.Start, "must not be before the start"},
		bound{
			"Rate.BytesPerSecond", len(s.Messages) == 0 && r.Stop > r.Start && mulDiv(r.Stop-r.Start, r.BytesPerSecond, 1000, 1) > mostBytes,
			"must not write more than 2^60 bytes up to the horizon",
		},
	)
}

func (s *Scenario) checkOutages() *ScenarioError {
	last := int64(0)
	for i, o := range s.Outages {
		if tooFar(o.Start) || o.End <= o.Start || o.End > latestMs || o.Start < last {
			return &ScenarioError{fmt.Sprintf("Outages[%d]", i), "must end after it begins, and not begin before the end of the one in front of it"}
		}
		last = o.End
	}
	return nil
}

func (s *Scenario) checkMessages() *ScenarioError {
	last, sum := s.Start, int64(0)
	for i, m := range s.Messages {
		sum = plus(sum, max(0, m.Bytes))
		at := m.append()
		if wrong := firstBroken(
			bound{"Bytes", m.Bytes < 1 || m.Bytes > mostBytes, "must be from 1 to 2^60"},
			bound{"Bytes", sum > mostBytes, "must not be more than 2^60 in all messages together"},
			bound{"Records", m.Records < 0 || m.Records > math.MaxInt32, "must be from 0 to 2^31-1"},
			bound{"Ts", tooFar(m.Ts), "must be from 0 to 2^60"},
			bound{"Append", at < last && i > 0, "must not be before that of the message in front of it"},
			bound{"Append", at < s.Start, "must not be before the start"},
			bound{"Append", at > latestMs, "must be at most 2^60"},
		); wrong != nil {
			return &ScenarioError{fmt.Sprintf("Messages[%d].%s", i, wrong.Field), wrong.Reason}
		}
		last = at
	}
	return nil
}

func (s *Scenario) checkApsara() *ScenarioError {
	a := s.Apsara
	if a == nil {
		return nil
	}
	return firstBroken(
		bound{"Apsara.DailyRunMs", a.DailyRunMs < 0 || a.DailyRunMs >= dayMs, "must be a time of day"},
		bound{"Apsara.ZoneOffsetMinutes", max(a.ZoneOffsetMinutes, -a.ZoneOffsetMinutes) > 24*60 || a.ZoneOffsetMinutes == math.MinInt64, "must be within a day"},
		bound{"Apsara.PollMs", tooFar(a.PollMs), "must be from 1 to 2^60 ms"},
		bound{"Apsara.PurgeTargetPercent", a.PurgeTargetPercent < 1 || a.PurgeTargetPercent > cloudPurge, "must be from 1 to 85, where a purge begins"},
		bound{"Apsara.DiskTotalBytes", a.DiskTotalBytes < 0 || a.DiskTotalBytes > mostBytes, "must be from 0 to 2^60"},
		bound{"Apsara.DiskUsedBytes", a.DiskUsedBytes < 0 || a.DiskUsedBytes > mostBytes, "must be from 0 to 2^60"},
		bound{"Apsara.DiskGrowthBytesPerSecond", a.DiskGrowthBytesPerSecond < 0 || a.DiskGrowthBytesPerSecond > mostBytes, "must be from 0 to 2^60"},
	)
}

func orDefault(n, byDefault int64) int64 {
	if n == 0 {
		return byDefault
	}
	return n
}
