// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package retention_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (make figures, or -update, if it is meant to change):\n%s", name, diff)
	}
}

// The pictures in the documentation are those that the code draws today, and each is well-formed.
func TestFigures_AreTheGoldenOnes(t *testing.T) {
	t.Parallel()
	figures, err := retention.Figures()
	if err != nil {
		t.Fatal(err)
	}
	for _, figure := range figures {
		golden(t, figure.Name+".svg", figure.SVG)
		documented, err := os.ReadFile(filepath.Join("..", "..", "assets", figure.Name+".svg"))
		if err != nil || string(documented) != figure.SVG {
			t.Errorf("assets/%s.svg is not what the code draws (make figures): %v", figure.Name, err)
		}
		decoder := xml.NewDecoder(strings.NewReader(figure.SVG))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", figure.Name, err)
			}
		}
	}
}

// The texts of the two worked examples, one exact and one with windows.
func TestRenderings_AreTheGoldenOnes(t *testing.T) {
	t.Parallel()
	exact := mskWalkThrough(t, 12*hour)
	timeline := simulate(t, exact)
	golden(t, "msk-idle.table", retention.Table(exact, timeline))
	golden(t, "msk-idle.mermaid", retention.Mermaid(exact, timeline))
	forecast := forecastOf(t, exact)
	golden(t, "msk-idle-forecast.table", retention.Table(exact, forecast))
	long := yearOfSegments(t)
	long.Horizon, long.MaxEvents = 9*day, 12
	cut := forecastOf(t, long)
	golden(t, "year-cut.table", retention.Table(long, cut))
}

// The sentences are those that somebody would say who knows the answer.
func TestSummary_SaysWhenAndWhy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		scenario retention.Scenario
		want     string
	}{
		{
			"apsaramq", apsara(8192, nil),
			"Set to keep 72 h; the first message goes after 124 h, because its segment closes only at 1 GiB and the daily run is at 04:00.",
		},
		{
			"apsaramq, too slow", func() retention.Scenario { s := apsara(1, nil); s.Horizon = 100 * day; return s }(),
			"Set to keep 72 h; the first message is still there at the end of the forecast, because its segment closes only at 1 GiB, which it does not reach.",
		},
		{
			"apsaramq, full", apsara(8192, disk(870)),
			"Set to keep 72 h; the first message goes after 1 d 12 h 25 min, because the disk is so full that the oldest messages go, old enough or not.",
		},
		{
			"kafka, slow",
			retention.Scenario{
				Rules:   rules(t, topicconfig.Settings{"retention.ms": "259200000"}),
				Horizon: 30 * day, Rate: retention.Rate{BytesPerSecond: 100, BatchBytes: 1000},
			},
			"Set to keep 72 h; the first message goes after 10 d 5 min, because its segment closes only at a message that comes more than 168 h after its first one (segment.ms) and the brokers check every 5 min.",
		},
		{"kafka, for ever", retention.Scenario{
			Rules:   rules(t, topicconfig.Settings{"retention.ms": "-1"}),
			Horizon: day, Rate: retention.Rate{BytesPerSecond: 1},
		}, "Set to keep messages for ever; the first message is still there at the end of the forecast."},
	} {
		got := retention.Summary(tt.scenario, simulate(t, tt.scenario))
		if first, _, _ := strings.Cut(got, ". "); first+"." != tt.want && first != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// How many events are listed changes neither the sentences nor the chart: both tell whole lives of segments.
func TestRenderings_DoNotDependOnHowManyEventsAreListed(t *testing.T) {
	t.Parallel()
	tiered := retention.Scenario{
		Rules: rules(t, topicconfig.Settings{
			"retention.ms": "604800000", "local.retention.ms": "86400000", "remote.storage.enable": "true",
		}),
		Horizon: 9 * day, Rate: retention.Rate{BytesPerSecond: 64 << 10},
	}
	daily := apsara(8192, nil)
	daily.Horizon = 30 * day
	for name, s := range map[string]retention.Scenario{"tiered": tiered, "apsaramq": daily} {
		all := forecastOf(t, s)
		s.MaxEvents = 2
		few := forecastOf(t, s)
		if few.Omitted == 0 {
			t.Fatalf("%s: nothing is omitted", name)
		}
		if diff := cmp.Diff(retention.Summary(s, all), retention.Summary(s, few)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(retention.Mermaid(s, all), retention.Mermaid(s, few)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// everyday are the words of a summary that need no explanation.
const everyday = `a an and another anything are as at be because become becomes before brokers brokers' by closed closes comes copied copy
daily depends disk disks does down end ends enough every first for forecast from full go goes if in is it its keep larger latest leaves list local looked
may message message's messages moments more most much neither newest next no none not nothing of old older oldest on one only open or out part partition
refused reach read remote run same segment set so some stays still tell than that the then there through tier to too until up wait what when whichever which
written occupies check checks expired after long well can never only ever after`

// Who reads a summary need not know Kafka: each word is an everyday one or in the glossary, or a setting, number or unit.
func TestSummary_KeepsToWordsThatAreExplained(t *testing.T) {
	t.Parallel()
	allowed := map[string]bool{"h": true, "d": true, "min": true, "s": true, "ms": true, "b": true, "kib": true, "mib": true, "gib": true, "tib": true}
	for word := range strings.FieldsSeq(everyday) {
		allowed[word] = true
	}
	glossary := retention.Glossary()
	for _, term := range []string{"segment", "closes", "check", "broker", "remote tier", "local tier", "segment.ms", "daily run", "forecast"} {
		if glossary[term] == "" {
			t.Errorf("%q is used and not in the glossary", term)
		}
	}
	for term := range glossary {
		for word := range strings.FieldsSeq(term) {
			allowed[word] = true
		}
	}
	number := regexp.MustCompile(`^[0-9.,:]+$`)
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		if rapid.IntRange(0, 3).Draw(t, "apsara") == 0 {
			a := retention.DefaultApsara()
			a.Storage = rapid.SampledFrom([]retention.Storage{retention.CloudStorage, retention.LocalStorage, retention.ServerlessStorage}).Draw(t, "storage")
			a.PollMs = rapid.Int64Range(1, 300).Draw(t, "poll")
			a.DiskTotalBytes = rapid.SampledFrom([]int64{0, 1000}).Draw(t, "disk")
			a.DiskUsedBytes = rapid.Int64Range(0, 1000).Draw(t, "used")
			s.Apsara = &a
		}
		forecast := forecastOf(t, s)
		text := retention.Summary(s, forecast)
		for word := range strings.FieldsSeq(text) {
			word = strings.ToLower(strings.Trim(word, ".,;()"))
			if !allowed[word] && !number.MatchString(word) {
				t.Fatalf("%q is neither everyday nor explained: %s", word, text)
			}
		}
	})
}
