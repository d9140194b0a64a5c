// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention

import (
	"fmt"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// Glossary explains the terms that a [Summary] uses without explaining them.
func Glossary() map[string]string {
	return map[string]string{
		"broker":      "a server of the Kafka cluster",
		"segment":     "a file that holds a run of a topic's messages; messages are removed by whole segments, never one by one",
		"closes":      "a segment closes when nothing more is written to it, and a new one begins",
		"check":       "what brokers do periodically to find segments that may go (log.retention.check.interval.ms)",
		"remote tier": "cheaper storage behind the brokers, to which closed segments are copied (tiered storage)",
		"local tier":  "the brokers' own disks",
		"segment.ms":  "the setting that closes a segment by age, at the next message that is written",
		"daily run":   "the time of day at which ApsaraMQ removes what is expired",
		"forecast":    "the span of time that was looked at",
	}
}

// Summary tells a timeline in a few sentences, for readers who do not know how Kafka stores messages.
func Summary(s Scenario, t Timeline) string {
	normal, err := s.normal()
	if err != nil {
		return ""
	}
	s = normal
	sentences := []string{fate(&s, &t)}
	if local := localFate(&t); local != "" {
		sentences = append(sentences, local)
	}
	if t.Books.Written > 0 {
		switch age := Span(t.WorstAge.Ms); {
		case t.WorstAge.AtLeast:
			sentences = append(sentences, fmt.Sprintf("At the end of the forecast a message that is %s old is still there.", age))
		default:
			sentences = append(sentences, fmt.Sprintf("No message becomes older than %s.", age))
		}
	}
	occupies := fmt.Sprintf("One copy of a partition occupies up to %s on the brokers", readable(t.PeakLocalBytes))
	if t.PeakRemoteBytes > 0 {
		occupies += fmt.Sprintf(" and up to %s in the remote tier", readable(t.PeakRemoteBytes))
	}
	sentences = append(sentences, occupies+".")
	for _, event := range t.Opening {
		if event.Kind == WriteRefused {
			reason := "it is larger than a segment"
			if event.Reason == ByDisk {
				reason = "the disk is full"
			}
			sentences = append(sentences, fmt.Sprintf("A message is refused after %s, because %s.", Span(event.Earliest-s.Start), reason))
			break
		}
	}
	if t.Decided < s.Horizon {
		sentences = append(sentences, fmt.Sprintf("After %s it depends too much on the moments of the checks to tell more.", Span(t.Decided-s.Start)))
	}
	return strings.Join(sentences, " ")
}

// fate is the sentence about the first message.
func fate(s *Scenario, t *Timeline) string {
	set := "Set to keep messages for ever"
	ms, timed := s.Rules.RetentionMs.Bounded()
	bytes, sized := s.Rules.RetentionBytes.Bounded()
	switch {
	case timed && sized:
		set = fmt.Sprintf("Set to keep %s or %s, whichever ends first", Span(ms), units.FormatBytes(bytes))
	case timed:
		set = fmt.Sprintf("Set to keep %s", Span(ms))
	case sized:
		set = fmt.Sprintf("Set to keep %s", units.FormatBytes(bytes))
	}
	switch {
	case t.Books.Written == 0:
		return set + "; nothing is written."
	case !t.FirstGone.Goes:
		return set + "; the first message is still there at the end of the forecast" + because(stays(s, t)) + "."
	}
	limit := "after "
	if t.FirstGone.Earliest != t.FirstGone.Latest {
		limit = "at the latest after "
	}
	return set + "; the first message goes " + limit + Span(t.FirstGone.AgeMs) + because(waits(s, t)) + "."
}

func because(reasons []string) string {
	switch len(reasons) {
	case 0:
		return ""
	case 1:
		return ", because " + reasons[0]
	}
	return ", because " + strings.Join(reasons[:len(reasons)-1], ", ") + " and " + reasons[len(reasons)-1]
}

// waits is what the first message waits for beyond the settings.
func waits(s *Scenario, t *Timeline) (reasons []string) {
	lives := livesOf(*t)
	if len(lives) == 0 {
		return nil
	}
	first := lives[0]
	if first.hasRolled {
		switch first.rolledBy {
		case BySize:
			reasons = append(reasons, "its segment closes only at "+units.FormatBytes(s.Rules.SegmentBytes))
		case ByTime:
			reasons = append(reasons, fmt.Sprintf("its segment closes only at a message that comes more than %s after its first one (segment.ms)", Span(s.Rules.SegmentMs)))
		case ByIndex:
			reasons = append(reasons, "its segment closes only when it can list no more messages")
		case ByRetention:
			reasons = append(reasons, "its segment stays open until its newest message is old enough")
		default: // no segment closes for another reason
		}
	}
	switch a := s.Apsara; {
	case a != nil && first.expiredBy == ByDisk:
		reasons = append(reasons[:0], "the disk is so full that the oldest messages go, old enough or not")
	case a != nil && a.Storage == CloudStorage && first.hasExpired && s.Apsara.daily(first.expired.Latest) == first.expired.Latest:
		reasons = append(reasons, "the daily run is at "+timeOfDay(a.DailyRunMs))
	case a != nil:
		reasons = append(reasons, "what is expired goes every "+Span(a.PollMs))
	case first.hasGone:
		reasons = append(reasons, "the remote tier is looked through every "+Span(s.TaskMs))
	default:
		reasons = append(reasons, "the brokers check every "+Span(s.CheckMs))
	}
	return reasons
}

// stays is why the first message does not go.
func stays(s *Scenario, t *Timeline) []string {
	lives := livesOf(*t)
	_, timed := s.Rules.RetentionMs.Bounded()
	_, sized := s.Rules.RetentionBytes.Bounded()
	switch {
	case !timed && !sized, len(lives) == 0:
		return nil
	case !lives[0].hasRolled && s.Apsara != nil:
		return []string{"its segment closes only at " + units.FormatBytes(s.Rules.SegmentBytes) + ", which it does not reach"}
	case !lives[0].hasRolled:
		return []string{"its segment never closes"}
	}
	return nil
}

// localFate is the sentence about the local tier of a tiered topic.
func localFate(t *Timeline) string {
	lives := livesOf(*t)
	if len(lives) == 0 || !lives[0].hasCopied {
		return ""
	}
	first := lives[0]
	if !first.hasExpired {
		return "Its segment is copied to the remote tier, and stays in the local tier as well to the end of the forecast."
	}
	limit := "after "
	if first.expired.Earliest != first.expired.Latest {
		limit = "at the latest after "
	}
	return "It leaves the local tier " + limit + Span(first.expired.Latest-t.FirstTs) + ", and is then read from the remote tier."
}
