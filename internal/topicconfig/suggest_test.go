// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tableKeys are the keys that a suggestion can name.
func tableKeys() []string {
	var keys []string
	for _, spec := range topicconfig.Specs() {
		keys = append(keys, spec.Key)
	}
	return keys
}

// A suggestion is worth something only where it is near; a wild one sends people
// the wrong way.
func TestNearest_OnlyWhatIsReallyNear(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"retention.byte":               "retention.bytes",
		"rentention.ms":                "retention.ms",
		"retnetion.ms":                 "retention.ms",
		"retention_ms":                 "retention.ms",
		"RETENTION.MS":                 "retention.ms",
		"cleanup-policy":               "cleanup.policy",
		"cleanup.polices":              "cleanup.policy",
		"min.in.sync.replicas":         "min.insync.replicas",
		"max.mesage.bytes":             "max.message.bytes",
		"message.timestamp.before.max": "message.timestamp.before.max.ms",
		"flush.mss":                    "flush.ms",
		"retention":                    "",
		"vendor.key":                   "",
		"confluent.tier.enable":        "",
		"ms":                           "",
		"":                             "",
	} {
		if got := topicconfig.Nearest(key, tableKeys()); got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
	if got := topicconfig.Nearest("vendor.kez", []string{"vendor.key", "vendor.keq"}); got != "" {
		t.Errorf("of two that are as near as each other %q was taken", got)
	}
}

// isOneSlip says that one text becomes the other by one letter more, less or other, or
// by two neighbours changing places.
func isOneSlip(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	swapped := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return a != b && (len(a) <= 1 && len(b) <= 1 || swapped)
}

// One slip of the pen is always understood, wherever it is; but "man.compaction.lag.ms"
// may be min or max, and then nothing is guessed.
func TestNearest_OneSlipIsAlwaysUnderstood(t *testing.T) {
	t.Parallel()
	keys := tableKeys()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom(keys).Draw(t, "key")
		at := rapid.IntRange(0, len(key)-1).Draw(t, "at")
		letter := string(rune(rapid.IntRange('a', 'z').Draw(t, "letter")))
		slip := map[string]string{
			"left out": key[:at] + key[at+1:],
			"put in":   key[:at] + letter + key[at:],
			"replaced": key[:at] + letter + key[at+1:],
		}[rapid.SampledFrom([]string{"left out", "put in", "replaced"}).Draw(t, "slip")]
		if slices.Contains(keys, slip) {
			t.Skip("it is a key itself")
		}
		want := key
		if slices.ContainsFunc(keys, func(other string) bool { return other != key && isOneSlip(slip, other) }) {
			want = ""
		}
		if got := topicconfig.Nearest(slip, keys); got != want {
			t.Fatalf("%q: %q, want %q", slip, got, want)
		}
	})
}

// Whoever writes a broker's name for a topic gets the topic's, with the value in
// its unit: 168 h are 604800000 ms, 10 min 600000 ms.
func TestTopicKey_TranslatesBrokerNamesAndUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, value, want, wantValue string }{
		{"log.retention.ms", "1000", "retention.ms", "1000"},
		{"log.retention.minutes", "10", "retention.ms", "600000"},
		{"log.retention.hours", " 168 ", "retention.ms", "604800000"},
		{"log.retention.hours", "a week", "retention.ms", ""},
		{"log.retention.bytes", "5", "retention.bytes", "5"},
		{"message.max.bytes", "5", "max.message.bytes", "5"},
		{"log.roll.hours", "1", "segment.ms", "3600000"},
		{"log.index.size.max.bytes", "5", "segment.index.bytes", "5"},
	} {
		key, value, ok := topicconfig.TopicKey(c.key, c.value)
		if !ok || key != c.want || value != c.wantValue {
			t.Errorf("%s = %s: %s = %s, %v", c.key, c.value, key, value, ok)
		}
	}
	for _, key := range []string{"min.insync.replicas", "compression.type", "retention.ms", "num.partitions", "vendor.key"} {
		if topic, _, ok := topicconfig.TopicKey(key, "1"); ok {
			t.Errorf("%s is taken for the broker's name of %s", key, topic)
		}
	}
}

// Keys of any kind may go without a suggestion, and never panic.
func FuzzNearest(f *testing.F) {
	f.Add("retention.byte")
	f.Add("größe\xff")
	keys := tableKeys()
	f.Fuzz(func(t *testing.T, key string) {
		if got := topicconfig.Nearest(key, keys); got != "" && !slices.Contains(keys, got) {
			t.Fatalf("%q: %q is no key", key, got)
		}
	})
}
