// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A plan that shows a change where only the spelling differs is the oldest
// complaint about tools of this kind.
func TestEqual_ByMeaningHoweverWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, a, b string
		want      bool
	}{
		{"min.cleanable.dirty.ratio", "0.50", "0.5", true},
		{"min.cleanable.dirty.ratio", "5e-1", "0.5", true},
		{"min.cleanable.dirty.ratio", "0.51", "0.5", false},
		{"retention.ms", " 604800000 ", "604800000", true},
		{"retention.ms", "0604800000", "604800000", true},
		{"retention.ms", "604800000", "604800001", false},
		{"retention.bytes", "9007199254740993", "9007199254740992", false},
		{"retention.bytes", "-5", "-1", true},
		{"retention.bytes", " -9223372036854775808", "-1", true},
		{"retention.bytes", "-1", "0", false},
		{"local.retention.bytes", "-2", "-1", false},
		{"cleanup.policy", "delete, compact", "compact,delete", true},
		{"cleanup.policy", "delete", "compact,delete", false},
		{"preallocate", "TRUE", "true", true},
		{"compression.type", "zstd ", "zstd", true},
		{"compression.type", "ZSTD", "zstd", false},
		{"leader.replication.throttled.replicas", "0:1, 0:2", "0:1,0:2", true},
		{"leader.replication.throttled.replicas", "0:2,0:1", "0:1,0:2", false},
		{"vendor.key", " x", "x", true},
		{"retention.ms", "abc", "abc", true},
		{"retention.ms", "abc", "abd", false},
	} {
		if got := topicconfig.Equal(c.key, c.a, c.b); got != c.want {
			t.Errorf("Equal(%s, %q, %q) = %v", c.key, c.a, c.b, got)
		}
	}
}

// A value that Kafka could not read must be named at plan, with what would do.
func TestValidate_NamesKeyValueAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, value, want string }{
		{"retention.ms", "abc", "whole number"},
		{"retention.ms", "1e3", "whole number"},
		{"retention.ms", "9223372036854775808", "9223372036854775807"},
		{"segment.bytes", "2147483648", "2147483647"},
		{"preallocate", "yes", "true or false"},
		{"min.cleanable.dirty.ratio", "half", "decimal"},
		{"cleanup.policy", "Compact", "delete, compact"},
		{"cleanup.policy", "compact;delete", "delete, compact"},
		{"cleanup.policy", "", "delete, compact"},
	} {
		errs := topicconfig.Settings{c.key: c.value}.Validate()
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want) || !strings.Contains(errs[0].Error(), c.key) {
			t.Errorf("%s = %q: %v, want one error with %q", c.key, c.value, errs, c.want)
		}
	}
	fine := topicconfig.Settings{
		"retention.ms": "-1", "segment.bytes": "2147483647", "retention.bytes": "9223372036854775807",
		"cleanup.policy": "compact, delete", "preallocate": "FALSE", "vendor.key": "anything",
	}
	if errs := fine.Validate(); len(errs) != 0 {
		t.Errorf("fine settings refused: %v", errs)
	}
}

// Only the real difference may travel to the broker.
func TestDiff_HoldsRealDifferencesOnly(t *testing.T) {
	t.Parallel()
	from := topicconfig.Settings{"retention.ms": "1000", "segment.ms": "20000", "min.cleanable.dirty.ratio": "0.5"}
	to := topicconfig.Settings{"retention.ms": " 1000", "min.cleanable.dirty.ratio": "0.50", "segment.bytes": "1048576"}
	got := topicconfig.Diff(from, to)
	want := topicconfig.Change{Set: topicconfig.Settings{"segment.bytes": "1048576"}, Remove: []string{"segment.ms"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !topicconfig.Diff(from, from).Empty() || topicconfig.Diff(from, to).Empty() {
		t.Error("Empty must be true for equal maps only")
	}
}

// Normalizing must be a projection, or equality would depend on how often it ran.
func TestNormalize_IsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(topicconfig.Specs()).Draw(t, "spec")
		var text string
		switch spec.Type {
		case topicconfig.Bool:
			text = rapid.SampledFrom([]string{"true", " False", "TRUE"}).Draw(t, "text")
		case topicconfig.Int:
			text = fmt.Sprint(rapid.Int32().Draw(t, "text"))
		case topicconfig.Long:
			text = fmt.Sprint(rapid.Int64().Draw(t, "text"))
		case topicconfig.Double:
			text = fmt.Sprint(rapid.Float64Range(0, 1).Draw(t, "text"))
		case topicconfig.List, topicconfig.Text:
			items := rapid.SliceOf(rapid.SampledFrom([]string{"delete", " compact ", "0:1", ""})).Draw(t, "items")
			text = strings.Join(items, ",")
		}
		once, err := topicconfig.Normalize(spec.Key, text)
		if err != nil {
			t.Fatalf("%s = %q: %v", spec.Key, text, err)
		}
		twice, err := topicconfig.Normalize(spec.Key, once)
		if err != nil || once != twice || !topicconfig.Equal(spec.Key, text, once) {
			t.Fatalf("%s: %q becomes %q, then %q (%v)", spec.Key, text, once, twice, err)
		}
	})
}

// The order of a map must not show anywhere.
func TestOver_TheUpperMapWins(t *testing.T) {
	t.Parallel()
	base := topicconfig.KafkaDefaults()
	merged := topicconfig.Settings{"retention.bytes": "5"}.Over(base)
	if merged["retention.bytes"] != "5" || merged["segment.bytes"] != "1073741824" || base["retention.bytes"] != "-1" {
		t.Errorf("merged %v over base %v", merged["retention.bytes"], base["retention.bytes"])
	}
	keys := merged.Keys()
	shuffled := append([]string(nil), keys...)
	rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	again := topicconfig.Settings{}
	for _, key := range shuffled {
		again[key] = merged[key]
	}
	if diff := cmp.Diff(keys, again.Keys()); diff != "" {
		t.Error(diff)
	}
}

// Every default of the table must be readable as its own type.
func TestSpecs_DefaultsAreInNormalForm(t *testing.T) {
	t.Parallel()
	for _, spec := range topicconfig.Specs() {
		if got, err := topicconfig.Normalize(spec.Key, spec.Default); err != nil || got != spec.Default {
			t.Errorf("%s: default %q normalizes to %q, %v", spec.Key, spec.Default, got, err)
		}
	}
}

// Text of any kind may be refused, never panic.
func FuzzNormalize(f *testing.F) {
	f.Add("retention.ms", "1")
	f.Add("cleanup.policy", ",,compact , delete")
	f.Add("min.cleanable.dirty.ratio", "0x1p-2")
	f.Fuzz(func(t *testing.T, key, value string) {
		normal, err := topicconfig.Normalize(key, value)
		if err == nil && !topicconfig.Equal(key, normal, value) {
			t.Fatalf("%s: %q is not equal to its own normal form %q", key, value, normal)
		}
	})
}

// A broker that sets only hours must not be taken for one that sets nothing.
func TestFromBroker_TranslatesNamesAndUnits(t *testing.T) {
	t.Parallel()
	got := topicconfig.FromBroker(map[string]string{
		"log.retention.hours": "168", "log.retention.ms": "", "log.roll.hours": "24", "log.roll.ms": "60000",
		"log.segment.bytes": "104857600", "log.cleanup.policy": "compact", "unrelated": "x", "log.roll.jitter.hours": "many",
	})
	want := topicconfig.Settings{
		"retention.ms": "604800000", "segment.ms": "60000", "segment.bytes": "104857600", "cleanup.policy": "compact",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := topicconfig.FromBroker(map[string]string{"log.retention.hours": "-1"})["retention.ms"]; got != "-1" {
		t.Errorf("no limit in hours is %q", got)
	}
}
