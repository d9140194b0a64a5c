// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// InvalidError says that a value cannot be what its key needs.
type InvalidError struct {
	// Key and Value are what was written.
	Key, Value string
	// Want completes the sentence "must be …".
	Want string
	// Near is the allowed value that was most likely meant; empty where none is near.
	Near string
}

// Error names key, value and what would be right.
func (e *InvalidError) Error() string {
	text := fmt.Sprintf("%s = %q: must be %s", e.Key, e.Value, e.Want)
	if e.Near != "" {
		text += fmt.Sprintf(" (did you mean %q?)", e.Near)
	}
	return text
}

// Normalize returns the text that stands for every spelling of the same value:
// plain decimal digits, lower-case booleans, the shortest decimal of a double,
// lists without blanks (and, for cleanup.policy, in alphabetical order and each
// word once, because Kafka gives order and repetition no meaning), and -1 for every
// negative retention.bytes, all of which set no limit (UnifiedLog.java, Apache Kafka 4.4). Outer blanks never count: Kafka trims a value
// before it parses it (ConfigDef.parseType, Apache Kafka 4.4). A text that its
// type cannot read is an [*InvalidError].
func Normalize(key, value string) (string, error) {
	spec, _ := SpecOf(key)
	return spec.normalize(value)
}

// NormalizeAs is [Normalize] for a key that a cluster declares with a type of its own.
func NormalizeAs(declared Type, key, value string) (string, error) {
	return Spec{Key: key, Type: declared}.normalize(value)
}

// normalize reads a value as the setting's type.
func (s Spec) normalize(value string) (string, error) {
	key, trimmed := s.Key, strings.TrimSpace(value)
	switch s.Type {
	case Bool:
		lower := strings.ToLower(trimmed)
		if lower != "true" && lower != "false" {
			return "", &InvalidError{Key: key, Value: value, Want: "true or false"}
		}
		return lower, nil
	case Int, Long:
		n, err := parseInteger(s, value)
		if err != nil {
			return "", err
		}
		if key == RetentionBytes && n < 0 {
			n = -1 // any negative number is no limit
		}
		return strconv.FormatInt(n, 10), nil
	case Double:
		n, err := strconv.ParseFloat(trimmed, 64)
		if err != nil {
			return "", &InvalidError{Key: key, Value: value, Want: "a decimal number such as 0.5"}
		}
		return strconv.FormatFloat(n, 'g', -1, 64), nil
	case List:
		items := splitList(trimmed)
		if key == CleanupPolicy {
			slices.Sort(items)
			items = slices.Compact(items)
		}
		return strings.Join(items, ","), nil
	case Text:
	}
	return trimmed, nil
}

// EqualAs is [Equal] for a key that a cluster declares with a type of its own.
func EqualAs(declared Type, key, a, b string) bool {
	if a == b {
		return true
	}
	normalA, errA := NormalizeAs(declared, key, a)
	normalB, errB := NormalizeAs(declared, key, b)
	return errA == nil && errB == nil && normalA == normalB
}

// Equal says whether two texts mean the same value of a key. Texts that cannot be
// read as the key's type are equal only if they are the same text.
func Equal(key, a, b string) bool {
	if a == b {
		return true
	}
	normalA, errA := Normalize(key, a)
	normalB, errB := Normalize(key, b)
	return errA == nil && errB == nil && normalA == normalB
}

// Integer reads the value of a key as the whole number that Kafka would read. The
// error is an [*InvalidError] when the text is no number of the key's type.
func (s Settings) Integer(key string) (int64, error) {
	spec, _ := SpecOf(key)
	if spec.Type != Int {
		spec.Type = Long
	}
	return parseInteger(spec, s[key])
}

// parseInteger reads a decimal of the width that Kafka gives the key: int is 32
// bits, long is 64 (ConfigDef.parseType, Apache Kafka 4.4).
func parseInteger(spec Spec, value string) (int64, error) {
	bits, width := 64, "from -9223372036854775808 to 9223372036854775807"
	if spec.Type == Int {
		bits, width = 32, "from -2147483648 to 2147483647"
	}
	n, ok := new(big.Int).SetString(strings.TrimSpace(value), 10)
	if !ok {
		return 0, &InvalidError{Key: spec.Key, Value: value, Want: "a whole number in decimal digits"}
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	if n.Cmp(limit) >= 0 || n.Cmp(new(big.Int).Neg(limit)) < 0 {
		return 0, &InvalidError{Key: spec.Key, Value: value, Want: "a whole number " + width}
	}
	return n.Int64(), nil
}

// Policy is a cleanup.policy read into its parts.
type Policy struct {
	// Delete: old segments go by time or size.
	Delete bool
	// Compact: only the newest record of each key stays.
	Compact bool
}

// Policy reads cleanup.policy: delete, compact, or both, in any order and with
// blanks. Kafka spells the words in lower case only, and so does this. Nothing in
// the list is a Policy with both parts false (Kafka from 4.2 keeps such a topic's
// data for ever); a word that Kafka does not know is an [*InvalidError].
func (s Settings) Policy() (Policy, error) {
	var policy Policy
	for _, word := range splitList(s[CleanupPolicy]) {
		switch word {
		case "delete":
			policy.Delete = true
		case "compact":
			policy.Compact = true
		default:
			return Policy{}, limits[CleanupPolicy].invalid(CleanupPolicy, s[CleanupPolicy])
		}
	}
	return policy, nil
}

// splitList cuts a Kafka list at its commas and drops blanks and empty items.
func splitList(value string) []string {
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}
