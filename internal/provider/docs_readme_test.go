// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// readme is the page that people read where no registry shows documentation.
const readme = "../../README.md"

// The README shows one refusal and the configuration that it is about. Both are
// real: the configuration is planned here, on a cluster that reserves what the
// message says, and Terraform prints the message to the letter.
func TestDocsReadmeRefusal(t *testing.T) {
	t.Parallel()
	text := readText(t, readme)
	var configuration, message string
	for _, block := range fencedBlocks(text) {
		switch {
		case strings.Contains(block, "provider \"kafkastorage\" {"):
			configuration = block
		case strings.Contains(block, "Error: "):
			message = block
		}
	}
	message = strings.TrimSpace(message)
	if configuration == "" || !strings.HasPrefix(message, "Error: Storage limit would be exceeded") || !strings.HasSuffix(message, "Nothing was changed.") {
		t.Fatal("the README shows no configuration, or no whole refusal")
	}
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "telemetry", 60, map[string]string{"retention.bytes": "21474836480"})
	fake.CreateTopic(t, "orders", 24, map[string]string{"retention.bytes": "5368709120"})
	w := newWorkspace(t, configuration)
	w.env["KAFKASTORAGE_BOOTSTRAP_SERVERS"] = fake.Bootstrap()
	w.env["KAFKASTORAGE_TLS_ENABLED"] = "false"
	got := w.plan(1).text
	if !strings.Contains(trimLines(got), trimLines(message)) {
		t.Errorf("Terraform does not print the refusal that the README shows, but:\n%s", got)
	}
	if fake.Has("clicks.raw") {
		t.Error("a refused plan has created the topic")
	}
}

// The README names the commands that the house has, and stays short.
func TestDocsReadmeNamesTheCommands(t *testing.T) {
	t.Parallel()
	text := readText(t, readme)
	makefile := readText(t, "../../GNUmakefile")
	for _, command := range []string{"make demo", "make test", "make install"} {
		if !strings.Contains(text, command) {
			t.Errorf("the README does not name %s", command)
		}
	}
	for _, named := range regexp.MustCompile(`\bmake ([a-z]+)`).FindAllStringSubmatch(text, -1) {
		if !regexp.MustCompile(`(?m)^` + named[1] + `:`).MatchString(makefile) {
			t.Errorf("the README names make %s, which GNUmakefile does not have", named[1])
		}
	}
	if lines := strings.Count(text, "\n"); lines > 200 {
		t.Errorf("the README has %d lines, more than 200", lines)
	}
}

// fencedBlocks returns the code blocks of a page.
func fencedBlocks(page string) []string {
	var blocks []string
	for _, match := range regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

// trimLines drops blanks at the ends of lines, which a page does not keep.
func trimLines(text string) string {
	return regexp.MustCompile(`(?m)[ \t]+$`).ReplaceAllString(strings.TrimSpace(text), "")
}
