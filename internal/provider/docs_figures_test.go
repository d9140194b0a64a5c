// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// docsFolder is what make generate writes.
const docsFolder = "../../docs"

// Every worked example of the guide is computed anew.
func TestDocsWorkedExamples(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join(docsFolder, "guides", "reserved-size.md"))
	rows := tableRows(t, page, "`retention.bytes`", "`segment.bytes`", "`segment.index.bytes`", "`cleanup.policy`", "partitions", "segments", "reserved bytes")
	for _, row := range rows {
		got := exampleReservation(t, reservation.EventStreams, row[0], row[1], row[2], row[3], row[4])
		segments := strconv.FormatInt(got.Segments, 10)
		if got.Segments == 0 {
			segments = "–"
		}
		if want := []string{segments, grouped(got.ReservedBytes), units.Readable(big.NewInt(got.ReservedBytes))}; !slices.Equal(row[5:8], want) {
			t.Errorf("%v: computed %v", row, want)
		}
	}
	three := exampleReservation(t, reservation.Kafka, "10 GiB", "1 GiB", "10 MiB", "delete", "12")
	whole := exampleReservation(t, reservation.EventStreams, "1 GiB", "512 MiB", "10 MiB", "delete", "1")
	less := exampleReservation(t, reservation.EventStreams, "1073741823", "512 MiB", "10 MiB", "delete", "1")
	saysFigures(t, page, grouped(three.ReservedBytes), grouped(whole.ReservedBytes-less.ReservedBytes))
	large := exampleReservation(t, reservation.EventStreams, "100 MiB", "512 MiB", "10 MiB", "delete", "10")
	small := exampleReservation(t, reservation.EventStreams, "100 MiB", "10 MiB", "1 MiB", "delete", "10")
	if ratio := large.ReservedBytes / small.ReservedBytes; ratio != 4 {
		t.Errorf("large segments reserve %d times as much, and the guide says more than four times", ratio)
	}
}

// The best segment size is the best of all whole MiB, and the table around it holds.
func TestDocsSweetSpot(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join(docsFolder, "guides", "reserved-size.md"))
	of := func(segment string) int64 {
		return exampleReservation(t, reservation.EventStreams, "1 GiB", segment, "10 MiB", "delete", "1").ReservedBytes
	}
	best := 1
	for mebibytes := 1; mebibytes <= 1024; mebibytes++ {
		if of(strconv.Itoa(mebibytes)+" MiB") < of(strconv.Itoa(best)+" MiB") {
			best = mebibytes
		}
	}
	saysFigures(t, page, "the best whole MiB is "+strconv.Itoa(best)+":")
	for _, row := range tableRows(t, page, "`segment.bytes`", "reserved bytes of one partition") {
		if want := grouped(of(row[0])); row[1] != want {
			t.Errorf("%v: computed %s", row, want)
		}
	}
	root := new(big.Int).Sqrt(big.NewInt(2 * (10 << 20) * (1 << 30)))
	saysFigures(t, page, "about "+strconv.FormatInt(root.Int64()>>20, 10)+" MiB")
	for _, segment := range []int64{512 << 20, 1 << 30} {
		saysFigures(t, page, grouped(12*(segment/4096+1))+" bytes for segments of "+units.FormatBytes(segment))
	}
}

// Defaults, capacities and limits of the guide are those of the code.
func TestDocsDefaultsAndCapacities(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join(docsFolder, "guides", "reserved-size.md"))
	for _, row := range tableRows(t, page, "setting", "`kafka`", "`event_streams`") {
		key := strings.Trim(row[0], "`")
		if row[1] != reservation.Kafka.Defaults()[key] || row[2] != reservation.EventStreams.Defaults()[key] {
			t.Errorf("%v: the defaults are %s and %s", row, reservation.Kafka.Defaults()[key], reservation.EventStreams.Defaults()[key])
		}
	}
	bytes := map[string]int64{"2 TB": 2e12, "2048 GB": 2048e9, "2048 GiB = 2 TiB": 2 << 40}
	for _, row := range tableRows(t, page, "capacity", "bytes", "90 %", "85 %") {
		limit := func(percent int64) string {
			return grouped(quota.Settings{CapacityBytes: bytes[row[0]], LimitPercent: percent}.LimitBytes())
		}
		if want := []string{grouped(bytes[row[0]]), limit(90), limit(85)}; !slices.Equal(row[1:4], want) {
			t.Errorf("%v: computed %v", row, want)
		}
	}
	for _, file := range []string{readme, filepath.Join(docsFolder, "index.md")} {
		for _, row := range tableRows(t, readText(t, file), "`platform`", "for", "replicas count", "limit, unless set") {
			name, _, _ := strings.Cut(strings.TrimPrefix(row[0], "`"), "`")
			platform, err := reservation.ParsePlatform(name)
			if err != nil {
				t.Fatal(err)
			}
			if counts := row[2] == "yes"; counts != platform.CountsReplicas() || !strings.HasPrefix(row[3], strconv.FormatInt(platform.LimitPercent(), 10)+" %") {
				t.Errorf("%s: %v", file, row)
			}
		}
	}
}

// The example of the peak is judged by the ledger's own arithmetic: it fits
// exactly, and one byte more does not.
func TestDocsPeakExample(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join(docsFolder, "guides", "gate.md"))
	live, planned := quota.Live{}, map[string]reservation.Amount{}
	var sum []string
	for _, row := range tableRows(t, page, "topic", "now", "planned", "in the peak") {
		if row[0] == "sum" {
			sum = row
			continue
		}
		live[row[0]], planned[row[0]] = reservation.Bytes(parsed(t, row[1])), reservation.Bytes(parsed(t, row[2]))
		if want := max(parsed(t, row[1]), parsed(t, row[2])); parsed(t, row[3]) != want {
			t.Errorf("%v: in the peak is %d", row, want)
		}
	}
	totals := quota.Forecast(live, planned, nil)
	if len(sum) < 4 || totals.Live.Int64() != parsed(t, sum[1]) || totals.Final.Int64() != parsed(t, sum[2]) || totals.Peak.Int64() != parsed(t, sum[3]) {
		t.Errorf("sums %v: computed %s, %s, %s", sum, totals.Live, totals.Final, totals.Peak)
	}
	settings := quota.Settings{CapacityBytes: 100 << 30, LimitPercent: 90, Enforcement: quota.Error}
	if settings.Exceeds(totals.Peak) || !settings.Exceeds(new(big.Int).Add(totals.Peak, big.NewInt(1))) {
		t.Error("the example is not at the limit of 90 GiB exactly")
	}
	saysFigures(t, page, "a limit of 90 GiB")
}

// The one figure of the README's rule is the rule's.
func TestDocsReadmeFigure(t *testing.T) {
	t.Parallel()
	got := exampleReservation(t, reservation.EventStreams, "1 GiB", "512 MiB", "10 MiB", "delete", "1")
	saysFigures(t, readText(t, readme), "With 1 GiB, 512 MiB and 10 MiB that is "+grouped(got.ReservedBytes)+" bytes.")
}

// Links from page to page lead somewhere, on disk and so in a repository's browser.
func TestDocsLinks(t *testing.T) {
	t.Parallel()
	pages := []string{readme, "../../CONTRIBUTING.md"}
	for _, pattern := range []string{"*.md", "*/*.md"} {
		found, err := filepath.Glob(filepath.Join(docsFolder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	links := 0
	for _, page := range pages {
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`).FindAllStringSubmatch(readText(t, page), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, link[1])
			}
		}
	}
	if links < 10 {
		t.Errorf("only %d links were found", links)
	}
}

// exampleReservation computes a row of texts.
func exampleReservation(t *testing.T, platform reservation.Platform, retention, segment, index, policy, partitions string) reservation.Reservation {
	t.Helper()
	count, err := strconv.ParseInt(partitions, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	size := func(text string) string { return strconv.FormatInt(parsed(t, text), 10) }
	got, err := reservation.Of(platform, reservation.Topic{Partitions: count, ReplicationFactor: 3, Settings: topicconfig.Settings{
		topicconfig.RetentionBytes: size(retention), topicconfig.SegmentBytes: size(segment),
		topicconfig.SegmentIndexBytes: size(index), topicconfig.CleanupPolicy: policy,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// tableRows returns the cells of the table that begins with the given columns.
func tableRows(t *testing.T, page string, columns ...string) [][]string {
	t.Helper()
	var rows [][]string
	inside := false
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			inside = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case len(cells) >= len(columns) && slices.Equal(cells[:len(columns)], columns):
			inside = true
		case inside && !strings.HasPrefix(cells[0], "---"):
			rows = append(rows, cells)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("the page has no table %v", columns)
	}
	return rows
}

// saysFigures holds texts with figures in them against a page, however it breaks lines.
func saysFigures(t *testing.T, page string, figures ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(page), " ")
	for _, figure := range figures {
		if !strings.Contains(flat, figure) {
			t.Errorf("the page does not say %q", figure)
		}
	}
}

// grouped prints bytes as the guides do.
func grouped(n int64) string {
	return units.Grouped(big.NewInt(n))
}

// parsed reads a size.
func parsed(t *testing.T, text string) int64 {
	t.Helper()
	n, err := units.ParseBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
