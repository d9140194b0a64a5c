// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The data source and the function take the same inputs under the same names, so
// both are read here, from an object's attributes. No clock is read: moments are
// what the configuration says, and a beginning that it leaves out is the year 1970.

// timelineInputs are the names of the inputs; the data source has a topic, and something to wait for, beside them.
var timelineInputs = []string{
	"platform", "config", "version", "throughput_bytes_per_second", "batch_bytes", "partitions", "messages", "start", "stop", "tiered_from",
	"horizon", "max_events", "check_interval_ms", "task_interval_ms", "copy_bytes_per_second", "open_transactions", "outages",
	"disk_total_bytes", "disk_used_bytes", "disk_growth_bytes_per_second", apsaraMQ,
}

// timelinePart is what an object in an input has to have, and may have.
type timelinePart struct{ needed, optional []string }

// timelineParts are the inputs that hold objects.
var timelineParts = map[string]timelinePart{
	"messages": {needed: []string{"at", "bytes"}, optional: []string{"timestamp"}},
	"outages":  {needed: []string{"start", "stop"}},
	apsaraMQ:   {optional: []string{"storage", "daily_run", "utc_offset_minutes", "poll_ms", "purge_target_percent"}},
}

// timelineDefaults are what a timeline assumes where its inputs say nothing.
type timelineDefaults struct {
	platform   string
	settings   topicconfig.Settings // of a cluster that was asked, effective; nil: the platform's own
	partitions int64
	version    topicconfig.Version
	checkMs    int64
	taskMs     int64
}

const (
	apsaraMQ = "apsaramq"
	// defaultMaxEvents is how many events a timeline lists, mostMaxEvents how many it may be asked to: they stand in states.
	defaultMaxEvents = 200
	mostMaxEvents    = 100_000
	dayMs            = 24 * 60 * 60 * 1000
	// leastHorizonMs and mostHorizonMs bound the horizon that a timeline chooses itself.
	leastHorizonMs = 30 * dayMs
	mostHorizonMs  = 3660 * dayMs
)

// timelinePlatforms are the worlds that a timeline knows.
var timelinePlatforms = append(names(reservation.Platforms()), apsaraMQ)

// timelineInput is a scenario with what its text needs to know beside it.
type timelineInput struct {
	scenario retention.Scenario
	settings topicconfig.Settings
	platform string
	chosen   bool // nobody asked for the horizon
}

// readTimeline reads the inputs over what is assumed. The error is a [*timelineError].
func readTimeline(attributes map[string]attr.Value, assumed timelineDefaults) (timelineInput, error) {
	r := &timelineReader{attributes: attributes}
	input := timelineInput{platform: assumed.platform}
	if platform, given := r.text("platform"); given {
		input.platform = platform
		if !slices.Contains(timelinePlatforms, platform) {
			r.fail("platform", fmt.Errorf("%q is not a platform: use %s", platform, oneOf(timelinePlatforms)))
		}
	}
	config, err := settingsArgument("config", attributes["config"])
	r.fail("config", err)
	if invalid := config.Validate(); len(invalid) > 0 {
		r.fail("config", invalid[0])
	}
	input.settings = config.Over(platformSettings(input.platform))
	if assumed.settings != nil {
		input.settings = config.Over(assumed.settings)
	}
	rules, err := retention.ReadRules(input.settings)
	r.fail("config", err)
	input.scenario.Rules = rules
	r.hasUse(input)
	r.readBrokers(&input.scenario, assumed)
	r.readFlow(&input.scenario, assumed)
	r.readApsara(&input)
	r.readHorizon(&input)
	return input, r.failure()
}

// apsaraSettings are what ApsaraMQ for Kafka gives a topic: 72 hours and segments
// of 1 GiB (Alibaba Cloud, "When are historical messages deleted").
var apsaraSettings = topicconfig.Settings{topicconfig.RetentionMs: "259200000", topicconfig.SegmentBytes: "1073741824"}

// platformSettings are those of a topic that sets nothing, where no cluster is asked.
func platformSettings(name string) topicconfig.Settings {
	if name == apsaraMQ {
		return apsaraSettings.Over(topicconfig.KafkaDefaults())
	}
	platform, err := reservation.ParsePlatform(name)
	if err != nil {
		return topicconfig.KafkaDefaults()
	}
	return platform.Defaults()
}

// readBrokers reads how the brokers work.
func (r *timelineReader) readBrokers(s *retention.Scenario, assumed timelineDefaults) {
	version := assumed.version.String()
	if !assumed.version.Known() {
		version = ""
	}
	if text, given := r.text("version"); given {
		version = text
	}
	if version != "" {
		parsed, err := retention.ParseVersion(version)
		r.fail("version", err)
		s.Version = parsed
	}
	s.CheckMs = r.whole("check_interval_ms", assumed.checkMs, 1, mostAmount)
	s.TaskMs = r.whole("task_interval_ms", assumed.taskMs, 1, mostAmount)
	s.CopyBytesPerSecond = r.whole("copy_bytes_per_second", 0, 1, mostAmount)
	s.OpenTransactionMs = r.span("open_transactions", 0)
	for i, outage := range r.list("outages") {
		s.Outages = append(s.Outages, retention.Outage{Start: outage.moment("start", 0), End: outage.moment("stop", 0)})
		r.failedIn("outages", fmt.Sprintf("[%d]", i), outage)
	}
}

// readFlow reads what is written, and when.
func (r *timelineReader) readFlow(s *retention.Scenario, assumed timelineDefaults) {
	for i, message := range r.list("messages") {
		at := message.moment("at", 0)
		s.Messages = append(s.Messages, retention.Message{
			Ts: message.moment("timestamp", at), Bytes: message.whole("bytes", 1, 1, mostAmount), Append: at, AtZero: at == 0,
		})
		r.failedIn("messages", fmt.Sprintf("[%d]", i), message)
	}
	if len(s.Messages) > 0 {
		s.Start = s.Messages[0].Append
	}
	s.Start = r.moment("start", s.Start)
	s.TieredFrom = r.moment("tiered_from", s.Start)
	partitions := r.whole("partitions", max(assumed.partitions, 1), 1, mostAmount)
	s.Rate = retention.Rate{
		BytesPerSecond: r.whole("throughput_bytes_per_second", 0, 1, mostAmount) / partitions,
		BatchBytes:     r.whole("batch_bytes", 0, 1, mostAmount),
		Start:          s.Start,
		Stop:           r.moment("stop", s.Start),
	}
	if r.given("stop") && s.Rate.Stop <= s.Start {
		r.fail("stop", errors.New("must be after start; left out, writing never ends"))
	}
	switch rate := r.given("throughput_bytes_per_second"); {
	case rate && len(s.Messages) > 0:
		r.fail("messages", errors.New("say what is written either by messages or by throughput_bytes_per_second"))
	case rate && s.Rate.BytesPerSecond < 1:
		r.fail("throughput_bytes_per_second", fmt.Errorf("must be at least one byte per second for each of the %d partitions", partitions))
	case !rate && len(s.Messages) == 0:
		r.fail("throughput_bytes_per_second", errors.New("is missing: say what is written, by throughput_bytes_per_second or by messages"))
	}
}

// readHorizon reads how far to look. Unasked that is far enough, from the last moment that the other inputs name, for a
// segment to close and to go: twice the longest retention and segment time, at least 30 days.
func (r *timelineReader) readHorizon(input *timelineInput) {
	s := &input.scenario
	most := latestMomentMs - s.Start
	if most < 1 {
		r.fail("start", errors.New("leaves nothing to look at before the year 10000"))
		return
	}
	input.chosen = !r.given("horizon")
	span := r.span("horizon", chosenHorizon(s))
	switch {
	case input.chosen:
		span = min(span, most)
	case span < 1:
		r.fail("horizon", errors.New("must be longer than nothing"))
	case span > most:
		r.fail("horizon", fmt.Errorf("ends after the year 9999: at most %q fits from start on", spanBelow(most)))
	}
	s.Horizon = s.Start + min(span, most)
	s.MaxEvents = int(r.whole("max_events", defaultMaxEvents, 2, mostMaxEvents))
}

// chosenHorizon is how far from its start a timeline looks unasked.
func chosenHorizon(s *retention.Scenario) int64 {
	named := max(s.Start, s.Rate.Stop, s.TieredFrom)
	if last := len(s.Messages) - 1; last >= 0 {
		named = max(named, s.Messages[last].Append)
	}
	if last := len(s.Outages) - 1; last >= 0 {
		named = max(named, s.Outages[last].End)
	}
	span := int64(leastHorizonMs)
	if total, bounded := s.Rules.RetentionMs.Bounded(); bounded {
		span = max(span, 2*(min(total, mostHorizonMs)+min(s.Rules.SegmentMs, mostHorizonMs)))
	}
	return named - s.Start + min(span, mostHorizonMs)
}
