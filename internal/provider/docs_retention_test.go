// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// retentionGuide is the page about when messages really go.
func retentionGuide(t *testing.T) string {
	t.Helper()
	return readText(t, filepath.Join(docsFolder, "guides", "retention.md"))
}

// timelinesOf asks the function once for each of some inputs.
func timelinesOf(t *testing.T, inputs map[string]string) map[string]map[string]any {
	t.Helper()
	var calls strings.Builder
	for name, input := range inputs {
		fmt.Fprintf(&calls, "output %q {\n  value = provider::kafkastorage::retention_timeline(%s)\n}\n", name, input)
	}
	timelines := map[string]map[string]any{}
	for name, value := range newWorkspace(t, calls.String()).outputs() {
		timeline, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("%s is %v", name, value)
		}
		timelines[name] = timeline
	}
	return timelines
}

// eventsOf returns a timeline's events of one kind.
func eventsOf(timeline map[string]any, kind string) []map[string]any {
	var events []map[string]any
	list, _ := timeline["events"].([]any)
	for _, element := range list {
		if event, _ := element.(map[string]any); event["kind"] == kind {
			events = append(events, event)
		}
	}
	return events
}

// What the guide shows as the answers to its configurations is what they answer.
func TestDocsRetentionAnswersAreTheOnesShown(t *testing.T) {
	t.Parallel()
	page := retentionGuide(t)
	var configuration strings.Builder
	shown := map[string]bool{}
	for _, block := range regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		if block[1] == "terraform" {
			configuration.WriteString(block[2])
			continue
		}
		shown[strings.TrimSpace(block[2])] = true
	}
	outputs := newWorkspace(t, configuration.String()).outputs()
	if len(outputs) != 5 || len(shown) != len(outputs) {
		t.Fatalf("%d outputs, and %d answers are shown", len(outputs), len(shown))
	}
	for name, value := range outputs {
		if text, _ := value.(string); !shown[strings.TrimSpace(text)] {
			t.Errorf("the guide does not show the answer of %s:\n%s", name, text)
		}
	}
	live, _ := outputs["live"].(string)
	for _, row := range tableRows(t, page, "", "what", "earliest", "latest") {
		if row[0] == "T0" { // no event: what is there before tiered storage is switched on
			continue
		}
		if !regexp.MustCompile(`(?m)^ *` + regexp.QuoteMeta(row[2]) + ` +` + regexp.QuoteMeta(row[3]) + ` `).MatchString(live) {
			t.Errorf("no event has the moments of %v", row)
		}
	}
}

// Each row about three days is computed anew.
func TestDocsRetentionThreeDays(t *testing.T) {
	t.Parallel()
	rows := tableRows(t, retentionGuide(t), "bytes per second of a partition", "`segment.ms`", "`segment.bytes`", "closes by", "the first message goes at the latest after", "on the brokers at most")
	inputs := map[string]string{}
	for i, row := range rows {
		inputs[fmt.Sprint("row", i)] = fmt.Sprintf("{ config = { \"retention.ms\" = 259200000, \"segment.ms\" = provider::kafkastorage::parse_duration_ms(%q), \"segment.bytes\" = %d }, throughput_bytes_per_second = %s }", row[1], parsed(t, row[2]), row[0])
	}
	timelines := timelinesOf(t, inputs)
	for i, row := range rows {
		timeline := timelines[fmt.Sprint("row", i)]
		gone := pickedOf(t, timeline, "first_message_gone", "age")
		peak, err := strconv.ParseInt(fmt.Sprint(timeline["peak_local_bytes"]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{fmt.Sprint(eventsOf(timeline, "rolled")[0]["reason"]), strings.Trim(gone["age"], `"`), units.Readable(big.NewInt(peak))}
		if diff := cmp.Diff(want, row[3:6]); diff != "" {
			t.Errorf("%v (-computed +page):\n%s", row[:3], diff)
		}
	}
}

// So is each row about a disk that fills, and the bands are those of the rules.
func TestDocsRetentionApsaraMQ(t *testing.T) {
	t.Parallel()
	page := retentionGuide(t)
	rows := tableRows(t, page, "use of the disk at the start", "the first message goes at the latest after", "because")
	inputs := map[string]string{}
	for _, row := range rows {
		percent := strings.TrimSuffix(row[0], " %")
		inputs["used"+percent] = fmt.Sprintf("{ platform = \"apsaramq\", throughput_bytes_per_second = 8192, horizon = \"12d\", disk_total_bytes = 300000000000, disk_used_bytes = %s0000000 * 300, apsaramq = { utc_offset_minutes = 0 } }", percent)
	}
	for name, timeline := range timelinesOf(t, inputs) {
		summary, _ := timeline["summary"].(string)
		for _, row := range rows {
			if "used"+strings.TrimSuffix(row[0], " %") != name {
				continue
			}
			if !strings.Contains(summary, row[2]) {
				t.Errorf("%s: %q is not why: %s", row[0], row[2], summary)
			}
			if row[1] == "never written" {
				if len(eventsOf(timeline, "write_refused")) == 0 {
					t.Errorf("%s: nothing is refused: %s", row[0], summary)
				}
			} else if got := pickedOf(t, timeline, "first_message_gone", "age")["age"]; got != strconv.Quote(row[1]) {
				t.Errorf("%s: computed %s, the page says %s", row[0], got, row[1])
			}
		}
	}
	saysFigures(t, page, "retention of 72 hours", "segments of 1 GiB that close by size only", "5 minutes, China's time, 85 %")
	if a := retention.DefaultApsara(); a.PollMs != 300000 || a.ZoneOffsetMinutes != 480 || a.PurgeTargetPercent != 85 || a.DailyRunMs != 4*3600000 {
		t.Errorf("the defaults are %+v", a)
	}
}

// The widths of windows are those of a course with the default intervals.
func TestDocsRetentionWindows(t *testing.T) {
	t.Parallel()
	timeline := timelinesOf(t, map[string]string{"t": `{
    config = { "remote.storage.enable" = true, "retention.ms" = 432000000, "local.retention.ms" = 172800000 }
    throughput_bytes_per_second = 65536, horizon = "6d", max_events = 2000
  }`})["t"]
	width := func(kind, tier string) int64 {
		for _, event := range eventsOf(timeline, kind) {
			if event["tier"] != tier {
				continue
			}
			var at [2]time.Time
			for i, name := range []string{"earliest", "latest"} {
				moment, err := time.Parse(time.RFC3339, fmt.Sprint(event[name]))
				if err != nil {
					t.Fatal(err)
				}
				at[i] = moment
			}
			return at[1].Sub(at[0]).Milliseconds()
		}
		t.Fatalf("nothing is %s", kind)
		return 0
	}
	computed := map[string]int64{
		"rolled by size, time or index": width("rolled", "local"), "expired locally, rolled by a check": width("expired", "local"), "purged": width("purged", "local"),
		"copied": width("copied", "remote"), "expired remotely": width("expired", "remote"),
	}
	for _, row := range tableRows(t, retentionGuide(t), "event", "how wide", "with the defaults") {
		want, err := units.ParseMs(row[2])
		if err != nil {
			t.Fatal(err)
		}
		// From a condition to the end of the round that must see it is a millisecond less than a round.
		if got, is := computed[row[0]]; !is || got != max(0, want-1) {
			t.Errorf("%v: a window is %d ms wide", row, got)
		}
	}
}

// The guide's list of advice is the whole of it, and its words are the glossary.
func TestDocsRetentionAdviceAndWords(t *testing.T) {
	t.Parallel()
	page := retentionGuide(t)
	listed := map[string]bool{}
	for _, row := range tableRows(t, page, "message", "what it says", "about") {
		listed[row[0]] = row[2] == "every topic"
	}
	if diff := cmp.Diff(provider.AdviceTitles(), listed); diff != "" {
		t.Errorf("advice (-code +page):\n%s", diff)
	}
	words := map[string]string{}
	for _, row := range tableRows(t, page, "word", "for") {
		words[strings.Trim(row[0], "`")] = row[1]
	}
	if diff := cmp.Diff(retention.Glossary(), words); diff != "" {
		t.Errorf("words (-code +page):\n%s", diff)
	}
}

// Every picture that a page shows is one that the code draws, under its own title.
func TestDocsRetentionPictures(t *testing.T) {
	t.Parallel()
	const raw = "https://raw.githubusercontent.com/kafkastorage/terraform-provider-kafkastorage/main/"
	figures, err := retention.Figures()
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]string{}
	for _, figure := range figures {
		drawn["assets/"+figure.Name+".svg"] = figure.SVG
	}
	shown := regexp.MustCompile(`!\[([^\]]*)\]\(([^)]+)\)`).FindAllStringSubmatch(retentionGuide(t), -1)
	for _, picture := range shown {
		file, ours := strings.CutPrefix(picture[2], raw)
		if svg := drawn[file]; !ours || !strings.Contains(svg, ">"+picture[1]+"</text>") {
			t.Errorf("%s is no picture with the title %q", picture[2], picture[1])
		}
		if _, err := os.Stat(filepath.Join("..", "..", file)); err != nil {
			t.Error(err)
		}
		delete(drawn, file)
	}
	for file := range drawn {
		t.Errorf("%s is shown nowhere", file)
	}
}

// What a timeline follows at most is what the guide says.
func TestDocsRetentionBounds(t *testing.T) {
	t.Parallel()
	saysFigures(t, retentionGuide(t), "up to "+grouped(retention.MostSteps)+" steps", "up to "+grouped(retention.MostHeld)+" closed segments")
}

// The sentence under the README's picture is what the function says of that topic.
func TestDocsReadmeTimeline(t *testing.T) {
	t.Parallel()
	timeline := timelinesOf(t, map[string]string{"t": `{ platform = "apsaramq", throughput_bytes_per_second = 8192, config = { "retention.ms" = 259200000 }, horizon = "12d", apsaramq = { utc_offset_minutes = 0 } }`})["t"]
	summary, _ := timeline["summary"].(string)
	first, _, _ := strings.Cut(summary, ". ")
	saysFigures(t, readText(t, readme), `"`+first+`."`, "gets 8192 bytes a second and is set to keep three days")
}
