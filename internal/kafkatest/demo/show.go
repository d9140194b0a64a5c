// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// paragraph prints a paragraph of the story's own words.
func paragraph(out io.Writer, text string) {
	fmt.Fprintf(out, "%s\n\n", text)
}

// part prints the heading of a part.
func part(out io.Writer, number int, title string) {
	heading := fmt.Sprintf("%d. %s", number, title)
	fmt.Fprintf(out, "%s\n%s\n\n", heading, strings.Repeat("-", len(heading)))
}

// quote prints a command and Terraform's own words, set off from the story's.
func quote(out io.Writer, command, text string) {
	fmt.Fprintf(out, "  $ %s\n", command)
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(out, strings.TrimRight("  | "+line, " "))
	}
	fmt.Fprintln(out)
}

// planLines are the lines of a plan that the story is about.
var planLines = regexp.MustCompile(`^ *(# kafkastorage_topic|\+ partitions |\+ reserved_bytes |\+ reservation |\+ "retention\.bytes" |Plan: )`)

// shortPlan keeps of a plan, for each topic, its name, what makes up its size, and its size, and
// the last line.
func shortPlan(stdout string) string {
	var kept []string
	plan, _, _ := strings.Cut(stdout, "\nChanges to Outputs:")
	for line := range strings.SplitSeq(plan, "\n") {
		if !planLines.MatchString(line) {
			continue
		}
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "+") {
			line = "    " + text
		} else {
			line = text
			if len(kept) > 0 {
				kept = append(kept, "")
			}
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

var (
	createdLine = regexp.MustCompile(`(?m)^kafkastorage_topic\S+ Creation complete.*$`)
	applyLine   = regexp.MustCompile(`(?m)^Apply complete!.*$`)
	cleanLine   = regexp.MustCompile(`(?m)^No changes\..*$`)
)

// shortApply keeps the topics that were created, by name, and the last line. Terraform creates them
// at the same time, so the order in which it reports them is chance.
func shortApply(stdout string) string {
	lines := createdLine.FindAllString(stdout, -1)
	slices.Sort(lines)
	return strings.Join(append(lines, applyLine.FindString(stdout)), "\n")
}

// print prints the totals as a table: attribute, exact value, and for sizes a readable one.
func (t totals) print(out io.Writer) {
	fmt.Fprintln(out, "  data.kafkastorage_reserved_storage.this")
	row := func(name, value, readable string) {
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("    %-17s %19s  %s", name, value, readable), " "))
	}
	for _, size := range []struct {
		name  string
		bytes json.Number
	}{
		{"live_bytes", t.Live},
		{"limit_bytes", t.Limit},
		{"available_bytes", t.Available},
		{"capacity_bytes", t.Capacity},
	} {
		n, whole := new(big.Int).SetString(size.bytes.String(), 10)
		if !whole {
			n = new(big.Int)
		}
		row(size.name, groupedBytes(size.bytes), gibibytes(n))
	}
	row("reserved_percent", t.Percent.String(), "")
	fmt.Fprintln(out)
}

// gibibytes prints a size in GiB with one decimal, cut; all sizes of the table have one unit, so
// that they can be compared at a glance. Sizes too small for it are left to their exact number.
func gibibytes(n *big.Int) string {
	tenths := new(big.Int).Rsh(new(big.Int).Mul(n, big.NewInt(10)), 30)
	if tenths.Sign() == 0 {
		return ""
	}
	whole, tenth := new(big.Int).QuoRem(tenths, big.NewInt(10), new(big.Int))
	return fmt.Sprintf("%9s.%s GiB", units.Grouped(whole), tenth)
}

// groupedBytes prints a whole number with commas, and anything else as it came.
func groupedBytes(number json.Number) string {
	n, whole := new(big.Int).SetString(number.String(), 10)
	if !whole {
		return number.String()
	}
	return units.Grouped(n)
}
