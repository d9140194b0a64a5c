// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// refusal is one error of the gate, as Terraform prints it.
type refusal struct {
	text    string
	topic   string
	tooMuch int64 // bytes over the limit
	// What the message says would just fit; "" where it offers none.
	partitions, retention string
}

var (
	eachError       = regexp.MustCompile(`(?m)^(Error|Warning): `)
	refusedTopic    = regexp.MustCompile(`(?m)^"([^"]+)" would add `)
	refusedTooMuch  = regexp.MustCompile(`(?m)^ +too much +(?:.*\()?(\d+) bytes?\)?$`)
	fitsPartitions  = regexp.MustCompile(`(?m)^ +partitions = (\d+)`)
	fitsRetention   = regexp.MustCompile(`(?m)^ +"retention\.bytes" = "?(\d+)"?`)
	refusalHeadline = "Error: Storage limit would be exceeded"
)

// refusals reads the gate's errors from what Terraform wrote.
func refusals(stderr string) ([]refusal, error) {
	starts := eachError.FindAllStringIndex(stderr, -1)
	var found []refusal
	for i, start := range starts {
		end := len(stderr)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		text := strings.TrimSpace(stderr[start[0]:end])
		if !strings.HasPrefix(text, refusalHeadline) {
			return nil, fmt.Errorf("an error that is no refusal:\n%s", text)
		}
		r := refusal{
			text: text, topic: first(refusedTopic, text),
			partitions: first(fitsPartitions, text), retention: first(fitsRetention, text),
		}
		var err error
		if r.tooMuch, err = strconv.ParseInt(first(refusedTooMuch, text), 10, 64); err != nil || r.topic == "" {
			return nil, fmt.Errorf("a refusal without topic or numbers:\n%s", text)
		}
		found = append(found, r)
	}
	if len(found) == 0 {
		return nil, errors.New("no refusal")
	}
	return found, nil
}

// first is what a pattern's first group matches, or nothing.
func first(pattern *regexp.Regexp, text string) string {
	if m := pattern.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// fullest is the refusal that knows most of the plan. Terraform asks about topics in an order of
// its own; an error counts what was asked before it.
func fullest(all []refusal) refusal {
	best := all[0]
	for _, r := range all[1:] {
		if r.tooMuch > best.tooMuch || r.tooMuch == best.tooMuch && r.topic < best.topic {
			best = r
		}
	}
	return best
}

// edit is a line of the quickstart that was changed.
type edit struct {
	number   int // of the line, from 1
	old, now string
}

// set gives an attribute of one topic in main.tf another value, as its owner would in an editor.
// The attribute is written as it stands there: partitions, "retention.bytes".
func (w *workspace) set(topic, attribute, value string) (edit, error) {
	path := filepath.Join(w.config, "main.tf")
	content, err := os.ReadFile(path)
	if err != nil {
		return edit{}, fmt.Errorf("reading the quickstart: %w", err)
	}
	lines := strings.Split(string(content), "\n")
	pattern := regexp.MustCompile(`^( *` + regexp.QuoteMeta(attribute) + ` *= )([^ ]+)(.*)$`)
	inside := false
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), strconv.Quote(topic)+" = {") {
			inside = true
		}
		m := pattern.FindStringSubmatch(line)
		if !inside || m == nil {
			continue
		}
		lines[i] = m[1] + value
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			return edit{}, fmt.Errorf("changing the quickstart: %w", err)
		}
		return edit{number: i + 1, old: line, now: lines[i]}, nil
	}
	return edit{}, fmt.Errorf("main.tf of the quickstart sets no %s for %q", attribute, topic)
}
