// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// The words for the rules of tiered storage, one text for both resources: what
// differs is where a setting stands, and how its owner would write another value.

// tieringWords is what a message about a rule is made of, beside its finding.
type tieringWords struct {
	topic string
	// after are the effective settings as planned.
	after topicconfig.Settings
	// origin says where a value comes from.
	origin func(key string) string
	// at is the attribute that a setting stands in.
	at func(key string) path.Path
	// offer is a value as its owner would write it, ready to copy.
	offer func(key, value string) string
	// version is the cluster's.
	version topicconfig.Version
	// apart says that the tiered settings do not stand in the topic's own config.
	apart bool
	// destroys says that the tiered resource is to be deleted.
	destroys bool
	done     []string
}

// word is one finding as a diagnostic.
func (w tieringWords) word(f topicconfig.Finding) diag.Diagnostic {
	rule, ok := tieringRefusals[f.Rule]
	if !ok {
		rule = tieringAdvice[f.Rule]
	}
	detail := fmt.Sprintf("%q: %s", w.topic, rule.text(w, f))
	if f.Refused {
		return w.attach(f, diag.NewErrorDiagnostic(rule.title, detail+w.cure(f)+outcome(w.done)))
	}
	return w.attach(f, diag.NewWarningDiagnostic(rule.title, detail+" Later topics of the same kind are not listed."))
}

// attach hangs a diagnostic on the attribute that is at fault; a delete has none.
func (w tieringWords) attach(f topicconfig.Finding, d diag.Diagnostic) diag.Diagnostic {
	if w.destroys {
		return d
	}
	if f.Refused {
		return diag.NewAttributeErrorDiagnostic(w.at(f.Key), d.Summary(), d.Detail())
	}
	return diag.NewAttributeWarningDiagnostic(w.at(f.Key), d.Summary(), d.Detail())
}

// value is a setting with its value, a readable unit, and where it comes from.
func (w tieringWords) value(key string) string {
	text := fmt.Sprintf("%s = %s", key, w.after[key])
	if readable := readableSetting(key, w.after[key]); readable != "" {
		text += fmt.Sprintf(" (%s, %s)", readable, w.origin(key))
		return text
	}
	return fmt.Sprintf("%s (%s)", text, w.origin(key))
}

// nearest is an offer within a sentence of advice.
func (w tieringWords) nearest(f topicconfig.Finding) string {
	if f.Near == "" {
		return ""
	}
	return fmt.Sprintf(" What would do: %s.", w.offer(f.Key, f.Near))
}

// cure offers the nearest value that works, and what else does.
func (w tieringWords) cure(f topicconfig.Finding) string {
	if f.Rule == topicconfig.RuleDisableKeepsRemote || f.Rule == topicconfig.RuleCannotDisable {
		return "" // the sentence itself says how to go on
	}
	var ways []string
	if f.Near != "" {
		ways = append(ways, fmt.Sprintf("The nearest value that works:\n  %s\n", w.offer(f.Key, f.Near)))
	}
	if more := w.more(f); more != "" {
		ways = append(ways, more+"\n")
	}
	if len(ways) == 0 {
		return "\n\n"
	}
	return "\n\n" + strings.Join(ways, "")
}

// localRules hold local retention against the total.
var localRules = []topicconfig.Rule{topicconfig.RuleLocalAboveTotal, topicconfig.RuleLocalUnlimited, topicconfig.RuleLocalNotBelowTotal}

// more is what else works.
func (w tieringWords) more(f topicconfig.Finding) string {
	if !slices.Contains(localRules, f.Rule) {
		return ""
	}
	local, total := localAndTotal(f)
	if w.apart && f.Key == total && w.origin(total) == thisPlan {
		return fmt.Sprintf("To lower both, there are two ways, because Terraform applies the topic before its tiered storage: put both settings into the topic's config, where they travel in one request, or apply the lower %s first.", local)
	}
	where := "in the same change"
	switch {
	case w.apart && strings.HasPrefix(w.origin(total), thisPlan):
		where = "in the topic's config"
	case w.apart:
		where = "on the topic first"
	}
	if f.Rule == topicconfig.RuleLocalUnlimited {
		return fmt.Sprintf("Any limit below %s works too, and so does -1 for %s %s.", w.value(total), total, where)
	}
	return fmt.Sprintf("Or raise %s %s, or write -2 for %s, which is the same as the total.", total, where, local)
}

// Where a value comes from: this call's own plan, that of the topic's other resource,
// or, by [standing], what is there.
const (
	thisPlan    = "this plan"
	ofTheTopic  = thisPlan + ", the topic's own"
	ofTheTiered = thisPlan + ", the tiered resource"
)

// standing is the origin of a value that nobody plans.
func standing(overrides topicconfig.Settings, key string) string {
	if _, own := overrides[key]; own {
		return "set on the topic"
	}
	return "the cluster's default"
}

// readableSetting is a number of bytes or milliseconds in a readable unit; empty
// where the number says it all.
func readableSetting(key, value string) string {
	n, err := topicconfig.Settings{key: value}.Integer(key)
	isTime, isSize := strings.HasSuffix(key, ".ms"), strings.HasSuffix(key, ".bytes")
	switch {
	case err != nil:
		return ""
	case n == -1:
		return "no limit"
	case n == -2:
		return "the same as the total"
	case n < 0 || isSize && n < 1<<10:
		return ""
	case n > thousandYearsMs && isTime:
		return "more than 1000 years"
	case isTime:
		return units.ReadableMs(n)
	case isSize:
		if whole := units.FormatBytes(n); len(whole) <= len("1023 GiB") {
			return whole
		}
		return units.Readable(big.NewInt(n)) // exact bytes stand before it
	}
	return ""
}

// thousandYearsMs is what nobody counts in days.
const thousandYearsMs = 1000 * 365 * 24 * 60 * 60 * 1000
