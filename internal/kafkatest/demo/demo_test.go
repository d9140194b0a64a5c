// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/demo.golden anew")

// golden is the demo's output, told as if Terraform had asked about goldenTopic last.
const (
	golden      = "testdata/demo.golden"
	goldenTopic = "compliance.audit"
)

// needTerraform skips a test where there is none: the demo itself would fetch one, but a test does not go
// to the network.
func needTerraform(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("terraform is not on PATH")
	}
	noticeSources(t)
}

// noticeSources makes `go test` notice changes of the provider, which the demo builds with a command
// of its own: what a test has looked at is part of what its cached result depends on.
func noticeSources(t *testing.T) {
	t.Helper()
	const top = "../../.."
	sources := []string{"go.mod", "go.sum", "main.go"}
	for _, room := range []string{"units", "topicconfig", "reservation", "quota", "kafka", "provider"} {
		files, err := filepath.Glob(filepath.Join(top, "internal", room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no sources of %s: %v", room, err)
		}
		for _, file := range files {
			sources = append(sources, strings.TrimPrefix(filepath.ToSlash(file), top+"/"))
		}
	}
	for _, source := range sources {
		if _, err := os.Stat(filepath.Join(top, source)); err != nil {
			t.Fatal(err)
		}
	}
}

// stageFor prepares a stage that ends with the test.
func stageFor(t *testing.T) *stage {
	t.Helper()
	needTerraform(t)
	s, err := prepare(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The demo tells its four parts, word by word and number by number.
func TestDemoTellsItsFourParts(t *testing.T) {
	needTerraform(t)
	var out bytes.Buffer
	if err := run(t.Context(), &out, io.Discard); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	text := out.String()

	carrier := first(refusedTopic, strings.ReplaceAll(text, "  | ", ""))
	if !slices.Contains(newTopics, carrier) {
		t.Fatalf("no topic of the quickstart carries the refusal, but %q:\n%s", carrier, text)
	}
	got := asIfLast(t, text, carrier)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the demo tells another story than %s (go test ./internal/kafkatest/demo -update writes it anew):\n%s", golden, diff)
	}

	for i, heading := range []string{"\n1. The plan is refused\n", "\n2. The corrected plan passes\n", "\n3. The apply does what was planned\n", "\n4. What the cluster reserves now\n"} {
		if strings.Count(got, heading) != 1 {
			t.Errorf("part %d has no heading", i+1)
		}
	}
}

var (
	seconds    = regexp.MustCompile(`\bafter \d+s\b`)
	editedLine = regexp.MustCompile(`(?m)^  main\.tf, line \d+$`)
	shareRows  = regexp.MustCompile(`(?m)(?:^  \|       \+ .*"$\n)+`)
	planBlocks = regexp.MustCompile(`(?m)(?:^  \| # kafkastorage_topic.*$\n(?:^  \|     .*$\n)+^  \|$\n)+`)
	applyRows  = regexp.MustCompile(`(?m)(?:^  \| kafkastorage_topic.*$\n)+`)
)

// asIfLast turns the output into that of a run in which Terraform asked about goldenTopic last. The
// three topics differ in nothing that the demo shows except their names, which are of equal length
// so that lines break alike; so the two names change places, and what stands in the order of names
// is put in order again. Apart from that, only seconds and the number of the edited line differ
// from run to run.
func asIfLast(t *testing.T, text, carrier string) string {
	t.Helper()
	for _, name := range newTopics {
		if len(name) != len(goldenTopic) {
			t.Errorf("%s is not as long as %s", name, goldenTopic)
		}
	}
	text = strings.NewReplacer(carrier, goldenTopic, goldenTopic, carrier).Replace(text)
	text = seconds.ReplaceAllString(text, "after 0s")
	text = editedLine.ReplaceAllString(text, "  main.tf, line N")
	inOrder := func(separator string) func(string) string {
		return func(rows string) string {
			all := strings.SplitAfter(strings.TrimSuffix(rows, separator), separator)
			all[len(all)-1] += separator
			slices.Sort(all)
			return strings.Join(all, "")
		}
	}
	text = shareRows.ReplaceAllStringFunc(text, inOrder("\n"))
	text = planBlocks.ReplaceAllStringFunc(text, inOrder("  |\n"))
	return applyRows.ReplaceAllStringFunc(text, inOrder("\n"))
}

// What the message says just fits is planned and passes; one partition, one byte or one segment
// more is refused.
func TestDemoWhatFitsFitsAndNoMore(t *testing.T) {
	s := stageFor(t)
	refused := mustBeRefused(t, s, "the quickstart as it is")

	growth := number(t, first(regexp.MustCompile(`would add .*?\((\d+)\s+bytes\)`), refused.text))
	if refused.tooMuch > growth {
		t.Errorf("%d bytes are too much, and a topic adds only %d: two of three topics should fit", refused.tooMuch, growth)
	}
	const (
		partitions, asFirstWritten = "partitions", "6"
		retention                  = `"retention.bytes"`
		segment                    = 512 << 20 // segment.bytes of the service, in bytes
	)
	set := func(attribute, value string) {
		t.Helper()
		if _, err := s.workspace.set(refused.topic, attribute, value); err != nil {
			t.Fatal(err)
		}
	}
	fits := number(t, refused.retention)
	set(retention, strconv.FormatInt(fits, 10))
	mustPass(t, s, "the offered retention.bytes")
	for _, more := range []int64{1, segment} {
		set(retention, strconv.FormatInt(fits+more, 10))
		again := mustBeRefused(t, s, "the offered retention.bytes and "+strconv.FormatInt(more, 10))
		if again.topic == refused.topic && again.retention != refused.retention {
			t.Errorf("first retention.bytes %s was offered, then %s", refused.retention, again.retention)
		}
	}

	set(retention, "6442450944") // as first written
	fits = number(t, refused.partitions)
	set(partitions, strconv.FormatInt(fits, 10))
	mustPass(t, s, "the offered partitions")
	set(partitions, strconv.FormatInt(fits+1, 10))
	mustBeRefused(t, s, "one partition more than offered")
	set(partitions, asFirstWritten)
}

// mustBeRefused plans, and returns the refusal that knows most.
func mustBeRefused(t *testing.T, s *stage, what string) refusal {
	t.Helper()
	r, err := s.workspace.plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.code != 1 {
		t.Fatalf("%s: the plan ended with %d and should be refused\n%s%s", what, r.code, r.stdout, r.stderr)
	}
	all, err := refusals(r.stderr)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return fullest(all)
}

// mustPass plans three new topics.
func mustPass(t *testing.T, s *stage, what string) {
	t.Helper()
	r, err := s.workspace.plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.code != 2 || !strings.Contains(r.stdout, "Plan: 3 to add, 0 to change, 0 to destroy.") {
		t.Errorf("%s: the plan ended with %d and should pass\n%s%s", what, r.code, r.stdout, r.stderr)
	}
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// breaker cancels the story when a heading comes by.
type breaker struct {
	at     string
	cancel context.CancelCauseFunc
}

func (b breaker) Write(p []byte) (int, error) {
	if strings.Contains(string(p), b.at) {
		b.cancel(errors.New("somebody pressed Ctrl-C"))
	}
	return len(p), nil
}

// Broken off in the middle, the demo says so, and leaves no file.
func TestDemoLeavesNothingWhenBrokenOff(t *testing.T) {
	s := stageFor(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	err := interrupted(ctx, s.tell(ctx, breaker{at: "2. The corrected plan", cancel: cancel}))
	if err == nil || !strings.Contains(err.Error(), "part 2") || !strings.Contains(err.Error(), "Ctrl-C") {
		t.Errorf("got %v, want part 2 broken off by Ctrl-C", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.workspace.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there: %v", s.workspace.folder, err)
	}
}

// The demo speaks of the configuration as it stands in examples, and leaves it alone.
func TestDemoChangesItsCopyOnly(t *testing.T) {
	s := stageFor(t)
	root, err := moduleRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read := func(folder string) string {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(folder, "main.tf"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	original := filepath.Join(root, "examples", "quickstart")
	before := read(original)
	if read(s.workspace.config) != before {
		t.Error("the copy differs from examples/quickstart")
	}
	for _, name := range newTopics {
		changed, err := s.workspace.set(name, "partitions", "9")
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(changed.now) != "partitions = 9" {
			t.Errorf("%s: changed %q to %q", name, changed.old, changed.now)
		}
	}
	if n := strings.Count(read(s.workspace.config), "partitions = 9\n"); n != len(newTopics) {
		t.Errorf("%d topics were changed", n)
	}
	if _, err := s.workspace.set("billing.invoices", "no.such", "1"); err == nil {
		t.Error("an attribute that is not there was set")
	}
	if read(original) != before {
		t.Error("examples/quickstart was changed")
	}
}

// The fleet is one that Event Streams would hold: bounded topics with the settings that it allows.
func TestFleetIsBounded(t *testing.T) {
	t.Parallel()
	fleet, err := readFleet()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(fleet); n < 120 || n > 140 {
		t.Errorf("the fleet has %d topics, want about 130", n)
	}
	// IBM Event Streams, "Setting Kafka topic configurations": what may be set on a topic.
	allowed := []string{"cleanup.policy", "retention.bytes", "retention.ms", "segment.bytes", "segment.index.bytes", "segment.ms"}
	seen := map[string]bool{}
	for _, topic := range fleet {
		if seen[topic.Name] || slices.Contains(newTopics, topic.Name) {
			t.Errorf("%s is there twice", topic.Name)
		}
		seen[topic.Name] = true
		if topic.Partitions < 1 {
			t.Errorf("%s has %d partitions", topic.Name, topic.Partitions)
		}
		if n, err := strconv.ParseInt(topic.Config["retention.bytes"], 10, 64); err != nil || n < 100<<20 {
			t.Errorf("%s has retention.bytes %q, want 100 MiB or more", topic.Name, topic.Config["retention.bytes"])
		}
		for key := range topic.Config {
			if !slices.Contains(allowed, key) {
				t.Errorf("%s sets %s, which the service does not allow", topic.Name, key)
			}
		}
	}
}

// What steers Kafka or Terraform from outside does not reach the demo.
func TestCleanEnvironment(t *testing.T) {
	t.Parallel()
	environ := []string{
		"PATH=/bin", "KAFKASTORAGE_ENFORCEMENT=off", "KAFKA_BOOTSTRAP_SERVERS=elsewhere:9092", "TF_LOG=trace",
		"TF_VAR_capacity=1", "TF_CLI_ARGS=-refresh=false", "CHECKPOINT_DISABLE=", "HOME=/h",
	}
	got := cleanEnvironment(environ, "CHECKPOINT_DISABLE=1")
	if diff := cmp.Diff([]string{"PATH=/bin", "HOME=/h", "CHECKPOINT_DISABLE=1"}, got); diff != "" {
		t.Error(diff)
	}
}
