// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"slices"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// TieringTitles are the titles of everything that the rules of tiered storage say.
func TieringTitles() []string {
	var titles []string
	for _, rules := range []map[topicconfig.Rule]tieringRule{tieringRefusals, tieringAdvice} {
		for _, rule := range rules {
			titles = append(titles, rule.title)
		}
	}
	return titles
}

// TieringTitle is the title under which a rule speaks.
func TieringTitle(rule topicconfig.Rule) string {
	if refusal, ok := tieringRefusals[rule]; ok {
		return refusal.title
	}
	return tieringAdvice[rule].title
}

// AdviceTitles are the titles of what a plan's advice says, and whether it says so of
// topics that are not tiered, too.
func AdviceTitles() map[string]bool {
	titles := map[string]bool{}
	for rule, words := range tieringAdvice {
		if isAdvice(topicconfig.Finding{Rule: rule}) {
			titles[words.title] = slices.Contains(untieredAdvice, rule)
		}
	}
	return titles
}
