// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"slices"
	"strings"
)

// Nearest returns the one of several keys that a misspelt one most likely means;
// empty where none is really near, or two are as near as each other. Case, and
// underscores or dashes in place of dots, never count.
func Nearest(key string, among []string) string {
	folded := fold(key)
	nearest, best, tied := "", 1+tolerance(folded), false
	for _, candidate := range among {
		length := len(candidate) - len(folded)
		if candidate == key || length > tolerance(folded) || -length > tolerance(folded) {
			continue
		}
		switch d := distance(folded, fold(candidate)); {
		case d > best:
		case d == best:
			tied = true
		default:
			nearest, best, tied = candidate, d, false
		}
	}
	if tied || best > tolerance(folded) {
		return ""
	}
	return nearest
}

// tolerance is how many slips of the pen a key of this length may hold: one in
// five characters, three at most.
func tolerance(key string) int {
	return min(3, len(key)/5)
}

// fold drops what tools spell differently.
func fold(key string) string {
	return strings.NewReplacer("_", ".", "-", ".").Replace(strings.ToLower(strings.TrimSpace(key)))
}

// distance is the number of characters to insert, delete, replace or swap with
// their neighbour to turn one text into the other (optimal string alignment).
func distance(a, b string) int {
	var before, above []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := above[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(above[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// TopicKey translates a setting that was written under a broker's name into the
// topic's own name and unit, such as log.retention.hours = 168 into retention.ms
// = 604800000. The value is empty where the broker's cannot be read. ok is false for a
// key that no broker setting is called by, or that topics share with brokers.
func TopicKey(brokerKey, value string) (key, topicValue string, ok bool) {
	if _, shared := SpecOf(brokerKey); shared {
		return "", "", false
	}
	for _, spec := range specs {
		for _, from := range spec.BrokerKeys {
			if from.Key == brokerKey {
				translated, _ := from.read(map[string]string{brokerKey: strings.TrimSpace(value)})
				return spec.Key, translated, true
			}
		}
	}
	return "", "", false
}

// nearestWords returns the words that a value most likely means, separated by
// commas: those that it holds in another case or between other characters, or else
// one that is nearly spelt like it.
func nearestWords(value string, words []string) string {
	tokens := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	var meant []string
	for _, word := range words {
		if slices.Contains(tokens, strings.ToLower(word)) {
			meant = append(meant, word)
		}
	}
	if len(meant) == 0 {
		return Nearest(value, words)
	}
	return strings.Join(meant, ",")
}
