// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// The data source and the function take the same inputs under the same names, so
// both are read here, from an object's attributes. No clock is read: moments are
// what the configuration says, and a beginning that it leaves out is the year 1970.

// timelineDefaults are what a timeline assumes where its inputs say nothing.
type timelineDefaults struct {
	platform   string
	settings   topicconfig.Settings // of a cluster that was asked, effective; nil: the platform's own
	partitions int64
	version    topicconfig.Version
	checkMs    int64
	taskMs     int64
}

// timelineError is an input that cannot be used.
type timelineError struct {
	attribute string
	reason    error
}

// Error names the input.
func (e *timelineError) Error() string {
	return fmt.Sprintf("%s: %v", e.attribute, e.reason)
}

// Unwrap returns the reason.
func (e *timelineError) Unwrap() error {
	return e.reason
}

const (
	apsaraMQ = "apsaramq"
	// defaultMaxEvents is how many events a timeline lists.
	defaultMaxEvents = 200
	dayMs            = 24 * 60 * 60 * 1000
	// leastHorizonMs and mostHorizonMs bound the horizon that a timeline chooses itself.
	leastHorizonMs = 30 * dayMs
	mostHorizonMs  = 3660 * dayMs
)

// timelinePlatforms are the worlds that a timeline knows.
var timelinePlatforms = append(names(reservation.Platforms()), apsaraMQ)

// timelineReader reads inputs one by one and keeps the first that cannot be used.
type timelineReader struct {
	attributes map[string]attr.Value
	err        error
}

// fail keeps the first failure.
func (r *timelineReader) fail(attribute string, reason error) {
	if r.err == nil && reason != nil {
		r.err = &timelineError{attribute, reason}
	}
}

// text reads an input as text.
func (r *timelineReader) text(name string) (string, bool) {
	text, given, err := textOf(name, r.attributes[name])
	r.fail(name, err)
	return text, given && err == nil
}

// whole reads a whole number of at least some size.
func (r *timelineReader) whole(name string, fallback, least int64) int64 {
	text, given := r.text(name)
	if !given {
		return fallback
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least {
		r.fail(name, fmt.Errorf("must be a whole number of at least %d, got %s", least, text))
	}
	return n
}

// span reads a span of time in milliseconds.
func (r *timelineReader) span(name string, fallback int64) int64 {
	text, given := r.text(name)
	if !given {
		return fallback
	}
	ms, err := units.ParseMs(text)
	r.fail(name, err)
	return ms
}

// moment reads a moment in milliseconds since 1970.
func (r *timelineReader) moment(name string, fallback int64) int64 {
	text, given := r.text(name)
	if !given {
		return fallback
	}
	moment, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		r.fail(name, fmt.Errorf("%q is no moment: write it as 2026-01-31T06:00:00Z", text))
		return 0
	}
	return moment.UnixMilli()
}

// list reads a list of objects.
func (r *timelineReader) list(name string) []*timelineReader {
	value := r.attributes[name]
	if isNull(value) {
		return nil
	}
	elements, ok := listOf(value)
	if !ok {
		r.fail(name, errors.New("must be a list of objects"))
		return nil
	}
	var objects []*timelineReader
	for i, element := range elements {
		attributes, ok := elementsOf(element)
		if !ok {
			r.fail(fmt.Sprintf("%s[%d]", name, i), errors.New("must be an object"))
			return nil
		}
		objects = append(objects, &timelineReader{attributes: attributes})
	}
	return objects
}

// object reads a nested object; nil where there is none.
func (r *timelineReader) object(name string) *timelineReader {
	if isNull(r.attributes[name]) {
		return nil
	}
	attributes, ok := elementsOf(r.attributes[name])
	if !ok {
		r.fail(name, errors.New("must be an object"))
		return nil
	}
	return &timelineReader{attributes: attributes}
}

// holds says what an object has to have and may have: what is left out would be
// guessed, and what is misspelt would be ignored.
func (r *timelineReader) holds(needed []string, optional ...string) {
	for _, name := range needed {
		if isNull(r.attributes[name]) {
			r.fail(name, errors.New("is missing"))
		}
	}
	known := slices.Concat(needed, optional)
	for _, name := range slices.Sorted(maps.Keys(r.attributes)) {
		if !slices.Contains(known, name) {
			r.fail(name, fmt.Errorf("is no input: use %s", oneOf(known)))
		}
	}
}

// listOf returns the elements of a list, a set or a tuple.
func listOf(value attr.Value) ([]attr.Value, bool) {
	switch v := value.(type) {
	case types.Dynamic:
		return listOf(v.UnderlyingValue())
	case types.List:
		return v.Elements(), true
	case types.Set:
		return v.Elements(), true
	case types.Tuple:
		return v.Elements(), true
	}
	return nil, false
}

// timelineInput is a scenario with what its text needs to know beside it.
type timelineInput struct {
	scenario retention.Scenario
	settings topicconfig.Settings
	platform string
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
	r.readBrokers(&input.scenario, assumed)
	r.readFlow(&input.scenario, assumed)
	r.readApsara(&input)
	r.readHorizon(&input.scenario)
	return input, r.err
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
	s.CheckMs = r.whole("check_interval_ms", assumed.checkMs, 1)
	s.TaskMs = r.whole("task_interval_ms", assumed.taskMs, 1)
	s.CopyBytesPerSecond = r.whole("copy_bytes_per_second", 0, 1)
	s.OpenTransactionMs = r.span("open_transactions", 0)
	for _, outage := range r.list("outages") {
		outage.holds([]string{"start", "stop"})
		s.Outages = append(s.Outages, retention.Outage{Start: outage.moment("start", 0), End: outage.moment("stop", 0)})
		r.fail("outages", outage.err)
	}
}

// readFlow reads what is written, and when.
func (r *timelineReader) readFlow(s *retention.Scenario, assumed timelineDefaults) {
	s.Start = r.moment("start", 0)
	s.TieredFrom = r.moment("tiered_from", s.Start)
	partitions := r.whole("partitions", max(assumed.partitions, 1), 1)
	s.Rate = retention.Rate{
		BytesPerSecond: r.whole("throughput_bytes_per_second", 0, 1) / partitions,
		BatchBytes:     r.whole("batch_bytes", 0, 1),
		Start:          s.Start,
		Stop:           r.moment("stop", s.Start),
	}
	for _, message := range r.list("messages") {
		message.holds([]string{"at", "bytes"}, "timestamp")
		at := message.moment("at", s.Start)
		s.Messages = append(s.Messages, retention.Message{Ts: message.moment("timestamp", at), Bytes: message.whole("bytes", 1, 1), Append: at})
		r.fail("messages", message.err)
	}
	if _, ends := r.text("stop"); ends && s.Rate.Stop <= s.Start {
		r.fail("stop", errors.New("must be after start; left out, writing never ends"))
	}
	switch _, rate := r.text("throughput_bytes_per_second"); {
	case rate && len(s.Messages) > 0:
		r.fail("messages", errors.New("say what is written either by messages or by throughput_bytes_per_second"))
	case rate && s.Rate.BytesPerSecond < 1:
		r.fail("throughput_bytes_per_second", fmt.Errorf("must be at least one byte per second for each of the %d partitions", partitions))
	case !rate && len(s.Messages) == 0:
		r.fail("throughput_bytes_per_second", errors.New("is missing: say what is written, by throughput_bytes_per_second or by messages"))
	}
}

// readApsara reads the rules of ApsaraMQ for Kafka; nothing where the platform is another.
func (r *timelineReader) readApsara(input *timelineInput) {
	disk := []string{"disk_total_bytes", "disk_used_bytes", "disk_growth_bytes_per_second", apsaraMQ}
	if input.platform != apsaraMQ {
		for _, name := range disk {
			if !isNull(r.attributes[name]) {
				r.fail(name, errors.New("is for platform = \"apsaramq\" only: no other platform deletes by the use of its disk"))
			}
		}
		return
	}
	rules := retention.DefaultApsara()
	rules.DiskTotalBytes = r.whole(disk[0], 0, 1)
	rules.DiskUsedBytes = r.whole(disk[1], 0, 0)
	rules.DiskGrowthBytesPerSecond = r.whole(disk[2], 0, 0)
	if rules.DiskTotalBytes == 0 && (rules.DiskUsedBytes > 0 || rules.DiskGrowthBytesPerSecond > 0) {
		r.fail(disk[0], errors.New("is missing: how full the disk is depends on how large it is"))
	}
	if more := r.object(apsaraMQ); more != nil {
		more.apply(&rules)
		r.fail(apsaraMQ, more.err)
	}
	input.scenario.Apsara = &rules
}

// storages are the kinds of storage by name.
var storages = map[string]retention.Storage{"cloud": retention.CloudStorage, "local": retention.LocalStorage, "serverless": retention.ServerlessStorage}

// apply reads the attributes of the nested object.
func (r *timelineReader) apply(rules *retention.Apsara) {
	r.holds(nil, "storage", "daily_run", "utc_offset_minutes", "poll_ms", "purge_target_percent")
	if name, given := r.text("storage"); given {
		storage, known := storages[name]
		if !known {
			r.fail("storage", fmt.Errorf("%q is no kind of storage: use cloud, local or serverless", name))
		}
		rules.Storage = storage
	}
	if text, given := r.text("daily_run"); given {
		clock, err := time.Parse("15:04", strings.TrimSpace(text))
		if err != nil {
			r.fail("daily_run", fmt.Errorf("%q is no time of day: write it as 04:00", text))
		}
		rules.DailyRunMs = int64(clock.Hour())*60*60*1000 + int64(clock.Minute())*60*1000
	}
	if text, given := r.text("utc_offset_minutes"); given {
		offset, err := strconv.ParseInt(text, 10, 64)
		if err != nil || offset < -14*60 || offset > 14*60 {
			r.fail("utc_offset_minutes", fmt.Errorf("must be a whole number from -840 to 840, got %s", text))
		}
		rules.ZoneOffsetMinutes = offset
	}
	rules.PollMs = r.whole("poll_ms", rules.PollMs, 1)
	rules.PurgeTargetPercent = r.whole("purge_target_percent", rules.PurgeTargetPercent, 1)
}

// readHorizon reads how far to look. Unasked that is far enough for the first segment
// to close and to go: twice the longest retention and segment time, at least 30 days.
func (r *timelineReader) readHorizon(s *retention.Scenario) {
	chosen := int64(leastHorizonMs)
	total, bounded := s.Rules.RetentionMs.Bounded()
	if bounded && total < mostHorizonMs && s.Rules.SegmentMs < mostHorizonMs {
		chosen = max(chosen, 2*(total+s.Rules.SegmentMs))
	}
	span := r.span("horizon", min(chosen, mostHorizonMs))
	if span < 1 {
		r.fail("horizon", errors.New("must be longer than nothing"))
	}
	s.Horizon = s.Start + span
	s.MaxEvents = int(r.whole("max_events", defaultMaxEvents, 2))
}
