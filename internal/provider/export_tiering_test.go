// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import "github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"

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
