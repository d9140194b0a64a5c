// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package kafkatest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// removedIn44 are settings of the table that older brokers have and Kafka 4.4 has not.
var removedIn44 = []string{"message.downconversion.enable", "message.format.version"}

// wouldCreate asks the broker about a topic without creating it; the answer is why not.
func (c realCluster) wouldCreate(name string, pairs ...string) error {
	c.Helper()
	answers, err := c.admin.ValidateCreateTopics(c.ctx, 1, 1, topicSettings(pairs...), name)
	if err != nil {
		c.Fatal(err)
	}
	answer := answers[name]
	if answer.Err != nil && answer.ErrMessage != "" {
		return fmt.Errorf("%w: %s", answer.Err, answer.ErrMessage)
	}
	return answer.Err
}

// The table of settings is the broker's: the same keys, the same defaults.
func TestRealSettings_TheTableIsTheBrokers(t *testing.T) {
	c := freshReal(t, RealOptions{}, 0)
	c.accepted(c.create("t", 1))
	c.Settle(t)
	answers, err := c.admin.DescribeTopicConfigs(c.ctx, "t")
	if err != nil || answers[0].Err != nil {
		t.Fatal(err, answers)
	}
	broker := topicconfig.Settings{}
	for _, entry := range answers[0].Configs {
		broker[entry.Key] = entry.MaybeValue()
	}
	table := topicconfig.KafkaDefaults()
	for _, key := range removedIn44 {
		delete(table, key)
	}
	if diff := cmp.Diff(table, broker); diff != "" {
		t.Errorf("settings (-table +broker):\n%s", diff)
	}
}

// What is refused offline, the broker refuses too, and what the broker refuses of
// a single value is refused offline, but for the bounds that changed with its version.
func TestRealSettings_LimitsAreTheBrokers(t *testing.T) {
	c := freshReal(t, RealOptions{}, 0)
	risen := map[string]int64{"segment.bytes": 1 << 20, "flush.messages": 1}
	checked := 0
	for _, spec := range topicconfig.Specs() {
		if slices.Contains(removedIn44, spec.Key) {
			continue
		}
		var values []string
		held, bounded := topicconfig.LimitsOf(spec.Key)
		switch spec.Type {
		case topicconfig.Int, topicconfig.Long:
			numbers := []int64{math.MinInt64, -6, -3, -2, -1, 0, 1, 2, 3, 4, 5, 9, 10, 17, 18, 22, 23, 1 << 20, math.MaxInt32, math.MaxInt64}
			if bounded {
				numbers = append(numbers, held.Least-1, held.Least)
			}
			if floor, ok := risen[spec.Key]; ok {
				numbers = slices.DeleteFunc(numbers, func(n int64) bool { return n >= held.Least && n < floor })
			}
			for _, n := range numbers {
				values = append(values, fmt.Sprint(n))
			}
			values = append(values, "abc", "1e3", "1.0", "9223372036854775808", " 5 ", "")
		case topicconfig.Double:
			values = []string{"-0.01", "0", "0.50", ".5", "5e-1", "1", "1.0", "1.01", "half", ""}
		case topicconfig.Bool:
			values = []string{"true", "False", " TRUE ", "yes", "0", ""}
		case topicconfig.List, topicconfig.Text:
			values = []string{"none", "", "0:1", "0:1, 1:2", "0", "*", "*,0:1"}
			for _, word := range held.Words {
				values = append(values, word, strings.ToUpper(word), strings.ToLower(word), " "+word+" ", word+",", word+";"+word, word+","+word)
			}
		}
		for _, value := range values {
			if spec.Key == topicconfig.CleanupPolicy && value == "" || spec.Key == "remote.storage.enable" {
				continue // taken by some versions; and a matter of the broker's own set-up
			}
			invalid := topicconfig.Settings{spec.Key: value}.Validate()
			refused := c.wouldCreate("t", spec.Key, value)
			if (len(invalid) > 0) != (refused != nil) {
				t.Errorf("%s = %q: offline %v, the broker: %v", spec.Key, value, invalid, refused)
			}
			checked++
		}
	}
	t.Logf("%d values compared", checked)
}

// What Kafka 4.4 does with a cleanup.policy that names a word twice, or none: it
// takes both. The first means what the plain one means; the second is refused offline on purpose.
func TestRealSettings_CleanupPolicyTwiceAndEmpty(t *testing.T) {
	c := freshReal(t, RealOptions{}, 0)
	c.accepted(c.create("twice", 1, "cleanup.policy", "compact,compact,delete"))
	c.accepted(c.create("none", 1, "cleanup.policy", ""))
	c.Settle(t)
	answers, err := c.admin.DescribeTopicConfigs(c.ctx, "twice", "none")
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range answers {
		for _, entry := range answer.Configs {
			if entry.Key != topicconfig.CleanupPolicy {
				continue
			}
			t.Logf("%s is read back as %q", answer.Name, entry.MaybeValue())
			if answer.Name == "twice" && !topicconfig.Equal(topicconfig.CleanupPolicy, entry.MaybeValue(), "compact,compact,delete") {
				t.Errorf("the broker's %q is not equal to what was written", entry.MaybeValue())
			}
		}
	}
}

// Names that are refused offline are refused by the broker, others are not, and
// two names collide for the broker exactly if they do for us.
func TestRealNames_AreJudgedAsTheBrokerDoes(t *testing.T) {
	c := freshReal(t, RealOptions{}, 0)
	for _, name := range []string{
		"", ".", "..", "...", "bad/name", "two words", "größe", strings.Repeat("x", 249), strings.Repeat("x", 250), "a", "A", "123", "-x", "_schemas", "billing.DataStaged",
	} {
		offline, refused := topicconfig.CheckName(name), c.wouldCreate(name)
		if (offline == nil) != (refused == nil) {
			t.Errorf("%q: offline %v, the broker: %v", name, offline, refused)
		}
	}
	c.accepted(c.create("stock.levels", 1))
	c.Settle(t)
	for _, name := range []string{"stock_levels", "stock.levels_v1", "stock-levels", "Stock_levels"} {
		if refused := c.wouldCreate(name); (refused != nil) != topicconfig.Collide("stock.levels", name) {
			t.Errorf("%q beside stock.levels: %v", name, refused)
		}
	}
}

// A setting that brokers list only where it is set is taken all the same; every
// other key that the table lacks is refused as unknown.
func TestRealSettings_UnlistedAndUnknown(t *testing.T) {
	c := freshReal(t, RealOptions{}, 0)
	for key, want := range map[string]bool{"internal.segment.bytes": true, "retention.byte": false, "log.retention.ms": false, "message.format.version": false} {
		refused := c.wouldCreate("t", key, "65536")
		if (refused == nil) != want || topicconfig.IsUnlisted(key) != want {
			t.Errorf("%s: %v", key, refused)
		}
	}
}
