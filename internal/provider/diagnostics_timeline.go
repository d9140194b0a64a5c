// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// The words for timelines that cannot be worked out.

// timelineRefused is an input that cannot be used.
func timelineRefused(at path.Path, err error) diag.Diagnostic {
	var bound *retention.NotTimeBoundError
	if errors.As(err, &bound) {
		return diag.NewAttributeErrorDiagnostic(at, "Compacted topic has no timeline",
			fmt.Sprintf("%v. Ask for a topic with cleanup.policy = delete. %s", bound, nothingChanged))
	}
	return diag.NewAttributeErrorDiagnostic(at, "Timeline cannot be worked out", fmt.Sprintf("%s %s", sentence(err), nothingChanged))
}

// timelineTooLong is a horizon that holds more than a timeline follows. The span that it offers was found by following the
// course: up to there it can be followed.
func timelineTooLong(input *timelineInput, e *retention.TooLongError) error {
	span := units.ReadableMs(input.scenario.Horizon - input.scenario.Start)
	subject := fmt.Sprintf("%s holds", span)
	if input.chosen {
		subject = fmt.Sprintf("it is not set, and the %s that are looked at unasked hold", span)
	}
	holds := "more than 9,000,000,000,000,000,000"
	if e.Holds < math.MaxInt64 {
		holds = "about " + units.Grouped(big.NewInt(e.Holds))
	}
	text := fmt.Sprintf("%s %s %s; a timeline follows at most about %s of them", subject, holds, e.Load, units.Grouped(big.NewInt(e.Most)))
	if e.Held {
		text = fmt.Sprintf("%s %s segments, and they stay for long; a timeline follows at most %s that are there at once", subject, holds, units.Grouped(big.NewInt(e.Most)))
	}
	cure := map[retention.Load]string{
		retention.Segments: "let segments grow larger (segment.bytes, segment.ms, segment.index.bytes in config)",
		retention.Batches:  "write in larger batches (batch_bytes), because each one counts where the limit is shorter than the time between two",
		retention.Rounds:   "have longer rounds (apsaramq.poll_ms)",
	}[e.Load]
	if e.Held {
		cure += ", or go sooner (retention.ms, retention.bytes)"
	}
	if e.FitsMs < 1 {
		return fmt.Errorf("%s. Not even a millisecond fits: %s", text, cure)
	}
	return fmt.Errorf("%s. Set horizon to at most %q, or %s", text, spanBelow(e.FitsMs), cure)
}

// spanBelow is the longest span in a round number of one unit that is not longer than ms, as an input takes it.
func spanBelow(ms int64) string {
	for _, unit := range []struct {
		ms   int64
		name string
	}{{dayMs, "d"}, {dayMs / 24, "h"}, {60 * 1000, "min"}, {1000, "s"}} {
		if ms >= 10*unit.ms {
			return fmt.Sprint(ms/unit.ms, unit.name)
		}
	}
	return fmt.Sprint(ms, "ms")
}

// timelineTopicNotFound is a topic without settings to work with.
func timelineTopicNotFound(topic string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("topic"), "Topic was not found",
		fmt.Sprintf("The cluster has no topic %q. For one that is still to be created, pass its planned settings in config. %s", topic, nothingChanged))
}
