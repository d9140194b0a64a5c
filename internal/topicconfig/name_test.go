// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Names as Topic.java of Apache Kafka 4.4 has them: legal ones are left alone,
// however odd, and never changed.
func TestCheckName_TakesWhatKafkaTakes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "A", "123", "-x", "_schemas", "billing.DataStaged", "...", ".a", "__consumer_offsets", strings.Repeat("x", 249)} {
		if err := topicconfig.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, reason := range map[string]string{
		"": "empty", ".": "folder", "..": "folder", strings.Repeat("x", 250): "250 characters",
		"bad/name": "'/'", "with blank": "' '", "größe": "'ö'", "a\n": `'\n'`, "a,b": "','", "\xff": "'\uFFFD'",
	} {
		if err := topicconfig.CheckName(name); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %q", name, err, reason)
		}
	}
}

// Any text may be refused, and is taken exactly if it consists of what names may.
func FuzzCheckName(f *testing.F) {
	for _, seed := range []string{"", ".", "..", "orders.v1", "a b", "ü", "\xff", strings.Repeat("y", 250)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		legal := len(name) >= 1 && len(name) <= 249 && name != "." && name != ".." &&
			strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == "" && utf8.ValidString(name)
		inner := strings.Map(func(r rune) rune {
			if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", r) {
				return -1
			}
			return r
		}, name)
		if err := topicconfig.CheckName(name); (err == nil) != (legal && inner == "") {
			t.Fatalf("%q: %v", name, err)
		}
	})
}

// Two names collide if dots and underscores are all that tells them apart.
func TestCollide_OnDotsAndUnderscoresOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"stock.levels", "stock_levels", true},
		{"a.b_c", "a_b.c", true},
		{"..a", "__a", true},
		{"stock.levels", "stock.levels", false},
		{"stock.levels", "stock.levels_v1", false},
		{"stock.levels", "stock-levels", false},
		{"stock.levels", "Stock_levels", false},
	} {
		if topicconfig.Collide(c.a, c.b) != c.want || topicconfig.Collide(c.b, c.a) != c.want {
			t.Errorf("%q and %q: want %v", c.a, c.b, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z._-]{1,20}`).Draw(t, "name")
		metric := topicconfig.MetricName(name)
		if topicconfig.MetricName(metric) != metric || topicconfig.Collide(name, metric) != strings.Contains(name, ".") {
			t.Fatalf("%q and %q", name, metric)
		}
	})
}

// Kafka's own topics, and none that merely look like it.
func TestIsInternal_KafkasOwnOnly(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"__consumer_offsets": true, "__transaction_state": true, "__share_group_state": true, "__cluster_metadata": true, "__remote_log_metadata": true,
		"_schemas": false, "__mine": false, "consumer_offsets": false, "__consumer_offsets2": false,
	} {
		if topicconfig.IsInternal(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}
