// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// refusal is what a message of the gate is made of.
type refusal struct {
	verdict  quota.Verdict
	at       path.Path
	platform reservation.Platform
	topic    reservation.Topic
	growth   []string // what makes the topic grow, in words
	// offer is a setting as its owner would write it.
	offer func(key, value string) string
	// least is how many partitions can be asked for at least; 0: none can be.
	least int64
	// mayTier says that tiered settings of the topic's own would make it charge less.
	mayTier bool
	done    []string // what this run has changed already
}

// maxNamed is how many topics a message names before it counts the rest.
const maxNamed = 3

// limitExceeded is the gate's refusal.
func limitExceeded(r refusal) diag.Diagnostic {
	v := r.verdict
	var text strings.Builder
	fmt.Fprintf(&text, "%q would add %s:\n%s\n", v.Topic, exact(big.NewInt(v.Growth)), indented(r.growth))
	text.WriteString(table(v))
	text.WriteString("\n")
	if v.LiveUnbounded > 0 {
		fmt.Fprintf(&text, "%s without a bound by size count as nothing here.\n", count(v.LiveUnbounded, "live topic"))
	}
	text.WriteString(whatFits(r))
	text.WriteString(r.tieredWay())
	text.WriteString(releases(v))
	fmt.Fprintf(&text, "\nTo go ahead anyway, this run only:\n  %s=%s\n%s", envEnforcement, quota.Warn, outcome(r.done))
	return diag.NewAttributeErrorDiagnostic(r.at, "Storage limit would be exceeded", text.String())
}

// createdUnbounded is the refusal of a topic that nothing bounds.
func createdUnbounded(r refusal) diag.Diagnostic {
	v := r.verdict
	var text strings.Builder
	fmt.Fprintf(&text, "%q would be unbounded:\n%sNo capacity holds a topic that nothing bounds, so the limit of %s could not be kept.\n\n",
		v.Topic, indented(r.growth), exact(big.NewInt(v.Settings.LimitBytes())))
	key, retention, ok := fitRetention(r.platform, r.topic, v.Budget)
	if ok && retention > 0 {
		fmt.Fprintf(&text, "Set %s; what fits at most beside the rest of this plan so far:\n%s\n\n", key, r.retentionLine(key, retention))
	} else {
		fmt.Fprintf(&text, "Set %s, and make room for it first: beside the rest of this plan so far not even an empty topic of these settings fits.\n\n", cmp.Or(key, topicconfig.RetentionBytes))
	}
	text.WriteString(r.tieredWay())
	fmt.Fprintf(&text, "To go ahead anyway, this run only:\n  %s=%s\n%s", envEnforcement, quota.Warn, outcome(r.done))
	return diag.NewAttributeErrorDiagnostic(r.at, "Topic would have no bound", text.String())
}

// becomesBounded notes that a topic counts from the next plan on.
func becomesBounded(r refusal) diag.Diagnostic {
	v := r.verdict
	return diag.NewAttributeWarningDiagnostic(r.at, "Topic gets a bound and counts from the next plan on",
		fmt.Sprintf("%q had no bound by size and now reserves %s. That is not judged in this plan, because it frees more than it takes; the next plan counts it. Then reserved: %s of %s. Later topics of the same kind are not listed; data.kafkastorage_reserved_storage lists all.",
			v.Topic, amount(v.Planned), amountAfter(v), exact(big.NewInt(v.Settings.LimitBytes()))))
}

// replacementOverLimit warns that a topic may not come back: a replacement is no
// growth, but on a cluster over its limit an enforcing service refuses the create
// that follows the delete.
func replacementOverLimit(r refusal) diag.Diagnostic {
	v := r.verdict
	return diag.NewAttributeWarningDiagnostic(r.at, "Topic may not come back after a replacement",
		fmt.Sprintf("%q exists, and this plan creates it: if it is replaced, it is deleted first. The cluster is over its limit (%s with the growth of this plan so far, limit %s), so a service that enforces the limit may refuse to create it again, with its records gone. "+
			"Make room first, or leave the topic as it is. Later topics of the same kind are not listed.",
			v.Topic, exact(v.Peak), exact(big.NewInt(v.Settings.LimitBytes()))))
}

// amountAfter is the total with a topic that has just got its bound.
func amountAfter(v quota.Verdict) string {
	bytes, _ := v.Planned.Bounded()
	return exact(new(big.Int).Add(v.Peak, big.NewInt(bytes)))
}

// gateWeakened says that the environment has opened the gate.
func gateWeakened(settings providerSettings) diag.Diagnostic {
	return weakened(settings, fmt.Sprintf("enforcement = %q of the provider block", settings.configured))
}

// enforceWeakened says it of the data source's own enforce.
func enforceWeakened(settings providerSettings) diag.Diagnostic {
	return weakened(settings, "enforce = true of data.kafkastorage_reserved_storage")
}

// weakened says what the emergency switch beats, and with what effect.
func weakened(settings providerSettings, beaten string) diag.Diagnostic {
	effect := "growth over the limit is only a warning"
	if settings.quota.Enforcement == quota.Off {
		effect = "growth over the limit is not reported at all"
	}
	return diag.NewWarningDiagnostic("Storage gate is weakened by the environment",
		fmt.Sprintf("%s=%s beats %s: in this run %s. Unset the variable to close the gate again.", envEnforcement, settings.quota.Enforcement, beaten, effect))
}

// topicsUnreadable says that the totals are too low, and by what right they would be right.
func topicsUnreadable(names []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Topics may not be read and are in no total",
		fmt.Sprintf("%s of the cluster may not be read (%s), so the gate judges a total that is too low. To count them, allow the principal DescribeConfigs on all topics:\n"+
			"  %s\ndata.kafkastorage_reserved_storage lists them all.", count(len(names), "topic"), firstOf(names), allowReading))
}

// allowReading is the command that lets a principal read all topics.
const allowReading = "kafka-acls.sh --add --allow-principal User:… --operation DescribeConfigs --topic '*'"

// firstOf names the first few topics, and counts the rest.
func firstOf(names []string) string {
	if len(names) <= maxNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %s", strings.Join(names[:maxNamed], ", "), count(len(names)-maxNamed, "more"))
}

// policyRefused is a refusal by the cluster's own policy, beside our numbers.
func policyRefused(err error, topic string, standing *quota.Verdict, done []string) diag.Diagnostic {
	var answer *kafka.Error
	if !errors.As(err, &answer) {
		return writeRefused(err, "change", topic, done)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%q: %s answered %s to %s:\n  %s\n\n", topic, answer.Broker, answer.Code, answer.Request, answer.Message)
	if standing != nil {
		text.WriteString(storageByOurNumbers(*standing))
	}
	text.WriteString(outcome(done))
	return diag.NewErrorDiagnostic("The cluster's policy refuses this topic", text.String())
}

// storageByOurNumbers says whether storage can be the policy's reason.
func storageByOurNumbers(v quota.Verdict) string {
	if !v.Settings.HasCapacity() {
		return fmt.Sprintf("By our numbers the cluster would reserve %s. storage_quota.capacity_bytes is not set, so nothing can be said about a limit; with it, plans say so before an apply.\n", exact(v.Peak))
	}
	numbers := fmt.Sprintf("the cluster would reserve %s, %s %% of its capacity (limit %d %%)", exact(v.Peak), v.Settings.Percent(v.Peak, 1), v.Settings.LimitPercent)
	if v.Settings.Exceeds(v.Peak) {
		return "Storage is the likely reason: by our numbers " + numbers + ".\n"
	}
	return "By our numbers storage is not the reason, unless the cluster has changed since this run first read it or counts otherwise: " + numbers + ".\n"
}

// table is the sum that the verdict rests on, in one unit, so that a reader can
// subtract. Its lines begin with a blank, so that Terraform keeps them as they are.
func table(v quota.Verdict) string {
	unit := v.Missing()
	if least := big.NewInt(1 << 10); unit.Cmp(least) < 0 {
		unit = least
	}
	var text strings.Builder
	row := func(name, sign string, bytes *big.Int, more string) {
		fmt.Fprintf(&text, "  %-28s%s %12s (%s)%s\n", name, sign, units.ReadableAs(bytes, unit), byteCount(bytes), more)
	}
	row("reserved now", " ", v.LiveTotal, "")
	row("growth of this plan so far", "+", v.GrowthTotal, "")
	text.WriteString(shareLines(v.Contributors, "+"))
	row("would be", " ", v.Peak, fmt.Sprintf(", %s %% of %s", v.Settings.Percent(v.Peak, 2), units.Readable(big.NewInt(v.Settings.CapacityBytes))))
	row(fmt.Sprintf("limit (%d %%)", v.Settings.LimitPercent), " ", big.NewInt(v.Settings.LimitBytes()), "")
	row("too much", " ", v.Missing(), "")
	return text.String()
}

// shareLines names the largest shares, a line each, and counts the rest.
func shareLines(all []quota.Share, sign string) string {
	var text strings.Builder
	for i, share := range all {
		if i == maxNamed {
			fmt.Fprintf(&text, "      and %s\n", count(len(all)-maxNamed, "more"))
			break
		}
		fmt.Fprintf(&text, "      %s %s  %q\n", sign, exact(big.NewInt(share.Bytes)), share.Topic)
	}
	return text.String()
}

// whatFits computes the partitions or the retention.bytes that would just fit.
func whatFits(r refusal) string {
	v := r.verdict
	var ways []string
	partitions := reservation.FitPartitions(r.platform, r.topic, v.Budget)
	if r.least > 0 && partitions >= r.least && partitions < r.topic.Partitions {
		ways = append(ways, fmt.Sprintf("  partitions = %d", partitions))
	}
	key, retention, ok := fitRetention(r.platform, r.topic, v.Budget)
	if now, err := r.topic.Settings.Integer(key); ok && err == nil && retention > 0 && retention < now {
		ways = append(ways, r.retentionLine(key, retention))
	}
	if len(ways) == 0 {
		return fmt.Sprintf("Neither fewer partitions nor a smaller %s makes %q fit beside the rest of this plan so far.\n", cmp.Or(key, topicconfig.RetentionBytes), v.Topic)
	}
	return fmt.Sprintf("What just fits for %q beside the growth above:\n%s\n", v.Topic, strings.Join(ways, "\n  or\n"))
}

// retentionLine is an offer as a line, ready to copy.
func (r refusal) retentionLine(key string, bytes int64) string {
	return fmt.Sprintf("  %s # %s", r.offer(key, fmt.Sprint(bytes)), units.Readable(big.NewInt(bytes)))
}

// tieredWay says where tiered settings have to stand to count in time, with the
// largest local tier that fits.
func (r refusal) tieredWay() string {
	if !r.mayTier {
		return ""
	}
	tiered := r.topic
	tiered.Settings = topicconfig.Settings{topicconfig.RemoteStorageEnable: "true", topicconfig.LocalRetentionBytes: "0"}.Over(r.topic.Settings)
	key, local, ok := fitRetention(r.platform, tiered, r.verdict.Budget)
	if !ok || local == 0 {
		return ""
	}
	return fmt.Sprintf("If the topic is to be tiered, put the tiered settings into its config: it then charges its local tier only, of which this fits at most:\n  %s\n%s\n"+
		"A separate kafkastorage_topic_tiered_storage comes after the topic, which until then reserves its total.\n",
		r.offer(topicconfig.RemoteStorageEnable, "true"), r.retentionLine(key, local))
}

// indented puts each text on a line of its own that Terraform does not wrap.
func indented(texts []string) string {
	var lines strings.Builder
	for _, text := range texts {
		fmt.Fprintf(&lines, "  %s\n", text)
	}
	return lines.String()
}

// releases says what this plan gives back, and why it does not count.
func releases(v quota.Verdict) string {
	if len(v.Releases) == 0 {
		return ""
	}
	verdict := "With them applied first it would still not fit."
	if v.FitsAfterReleases() {
		verdict = "With them applied first it fits: apply them, then this plan."
	}
	return fmt.Sprintf("\nReleases of this plan so far do not count, because Terraform may apply in any order:\n%s%s\n  terraform apply -target=ADDRESS    (the address that this plan shows for %q)\n",
		shareLines(v.Releases, "-"), verdict, v.Releases[0].Topic)
}

// newTopicText says what a new topic consists of.
func newTopicText(topic reservation.Topic) []string {
	parts := []string{"new, with " + count(int(topic.Partitions), "partition")}
	for _, key := range sizeKeys {
		parts = append(parts, settingText(key, topic.Settings[key]))
	}
	if isTiered(topic.Settings) {
		parts = append(parts, "tiered, with "+settingText(topicconfig.LocalRetentionBytes, topic.Settings[topicconfig.LocalRetentionBytes]))
	}
	return parts
}

// settingChange is an old and a new value.
func settingChange(key, old, value string) string {
	if old == "" {
		return settingText(key, value)
	}
	return settingText(key, old) + " -> " + valueText(key, value)
}

// settingText is a setting with its value.
func settingText(key, value string) string {
	return key + " " + valueText(key, value)
}

// valueText is a value, with a readable unit beside a number of bytes.
func valueText(key, value string) string {
	n, err := topicconfig.Settings{key: value}.Integer(key)
	switch {
	case err != nil || !strings.HasSuffix(key, ".bytes"):
		return value
	case n == -2 && key == topicconfig.LocalRetentionBytes:
		return value + " (the same as the total)"
	case n < 0:
		return value + " (no bound)"
	}
	if readable := units.FormatBytes(n); !strings.HasSuffix(readable, " B") {
		return fmt.Sprintf("%s (%s)", value, readable)
	}
	return value
}

// countChange is an old and a new count.
func countChange(what string, old, now int64) string {
	return fmt.Sprintf("%s %d -> %d", what, old, now)
}

// exact prints bytes with a readable unit before the exact number.
func exact(bytes *big.Int) string {
	if bytes.CmpAbs(big.NewInt(1024)) < 0 {
		return byteCount(bytes)
	}
	return fmt.Sprintf("%s (%s)", units.Readable(bytes), byteCount(bytes))
}

// byteCount prints the exact number.
func byteCount(bytes *big.Int) string {
	if bytes.IsInt64() && bytes.Int64() == 1 {
		return "1 byte"
	}
	return bytes.String() + " bytes"
}

// amount prints an amount.
func amount(a reservation.Amount) string {
	if bytes, bounded := a.Bounded(); bounded {
		return exact(big.NewInt(bytes))
	}
	return "no bound"
}

// count prints a number of things.
func count(n int, thing string) string {
	if n == 1 || thing == "more" {
		return fmt.Sprintf("%d %s", n, thing)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// plannedOverLimit is the data source's refusal of a whole set.
func plannedOverLimit(at path.Path, totals quota.Totals, settings quota.Settings, done []string) diag.Diagnostic {
	missing := new(big.Int).Sub(totals.Peak, big.NewInt(settings.LimitBytes()))
	text := fmt.Sprintf("The planned topics would take the cluster to %s, %s %% of its capacity: %s over the limit of %s (%d %%).\n\n  reserved now  %s\n  growth\n%s\n",
		exact(totals.Peak), settings.Percent(totals.Peak, 2), exact(missing), exact(big.NewInt(settings.LimitBytes())), settings.LimitPercent,
		exact(totals.Live), shareLines(totals.Contributors, "+"))
	if !settings.Exceeds(totals.Final) {
		text += "The end state alone would fit: apply what shrinks or goes first, then the rest.\n"
	}
	text += fmt.Sprintf("To go ahead anyway, this run only:\n  %s=%s\n%s", envEnforcement, quota.Warn, outcome(done))
	return diag.NewAttributeErrorDiagnostic(at, "Storage limit would be exceeded", text)
}

// plannedUnbounded is the data source's refusal of topics that nothing bounds.
func plannedUnbounded(at path.Path, totals quota.Totals, settings quota.Settings, done []string) diag.Diagnostic {
	slices.Sort(totals.BecomesUnbounded)
	return diag.NewAttributeErrorDiagnostic(at, "Topic would have no bound",
		fmt.Sprintf("No capacity holds a topic that nothing bounds, so the limit of %s could not be kept. Without a bound would be: %s.\n\nSet retention.bytes on each. To go ahead anyway, this run only:\n  %s=%s\n%s",
			exact(big.NewInt(settings.LimitBytes())), strings.Join(totals.BecomesUnbounded, ", "), envEnforcement, quota.Warn, outcome(done)))
}

// plannedTwice is a name in both planned maps.
func plannedTwice(at path.Path, name string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Topic is planned twice",
		fmt.Sprintf("%q is in planned_topics and in planned_bytes. Keep one of them: it would count twice. %s", name, nothingChanged))
}

// plannedAndReleased is a name that is both.
func plannedAndReleased(at path.Path, name string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Topic is planned and released",
		fmt.Sprintf("%q is planned and in released_topics. A topic either stays or goes: remove it from one of them. %s", name, nothingChanged))
}

// plannedNotCountable is a planned topic that the rule cannot read.
func plannedNotCountable(at path.Path, name string, err error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Reservation cannot be computed", fmt.Sprintf("%q: %v. %s", name, err, nothingChanged))
}
