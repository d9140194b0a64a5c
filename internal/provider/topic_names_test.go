// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// labelled is one topic resource whose label differs from its name.
func labelled(label, name, body string) string {
	return fmt.Sprintf("resource \"kafkastorage_topic\" %q {\n  name       = %q\n  partitions = 1\n  %s\n}\n", label, name, body)
}

// A text that Kafka takes for no name is refused without a cluster.
func TestTopicName_IllegalOnesAreRefusedOffline(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, "")
	for name, says := range map[string]string{
		"": "is empty", ".": "folder", "..": "folder", "bad/name": "'/'", "two words": "' '", "größe": "'ö'", strings.Repeat("x", 250): "250 characters",
	} {
		w.write(plainKafka(fake) + labelled("t", name, ""))
		w.plan(1).says(t, "Error: Topic name cannot be used", says, "1 to 249 ASCII letters", "Nothing was changed.")
	}
	if got := fake.Requests(); len(got) != 0 {
		t.Errorf("the cluster was asked: %v", got)
	}
}

// Names that look odd and are legal work, stay as they are, and stay apart.
func TestTopicName_OddOnesWorkAndStayDistinct(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	odd := []string{"billing.DataStaged", "123", "-x", "_schemas", "A", "a", "__mine", strings.Repeat("y", 249)}
	configuration := plainKafka(fake)
	for i, name := range odd {
		configuration += labelled(fmt.Sprintf("t%d", i), name, fmt.Sprintf("config = { \"retention.ms\" = %d }", 1000+i))
	}
	w := newWorkspace(t, configuration)
	w.apply(0).silent(t, "Warning")
	w.plan(0)
	for i, name := range odd {
		if diff := cmp.Diff(map[string]string{"retention.ms": fmt.Sprint(1000 + i)}, fake.Overrides(name)); diff != "" {
			t.Errorf("%q:\n%s", name, diff)
		}
	}
	for i, name := range odd[:3] { // the id is the name, dots, dashes and all
		w.must(0, "state", "rm", fmt.Sprintf("kafkastorage_topic.t%d", i))
		configuration += fmt.Sprintf("import {\n  to = kafkastorage_topic.t%d\n  id = %q\n}\n", i, name)
	}
	w.write(configuration)
	w.apply(0).says(t, "3 imported, 0 added, 0 changed, 0 destroyed")
	w.plan(0)
}

// Two creates of one plan that Kafka cannot tell apart are a plan error that names both.
func TestTopicName_CollisionInOnePlanIsRefused(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"stock.levels", "stock_levels"}, {"a.b_c", "a_b.c"}} {
		fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
		w := newWorkspace(t, plainKafka(fake)+labelled("one", pair[0], "")+labelled("two", pair[1], ""))
		refused := w.plan(1)
		refused.says(t, "Error: Topic names collide", fmt.Sprintf("%q", pair[0]), fmt.Sprintf("%q", pair[1]), "dots and underscores only", "Nothing was changed.")
		if n := refused.count("Error:"); n != 1 {
			t.Errorf("%d errors, want one", n)
		}
		w.apply(1)
		if fake.Has(pair[0]) || fake.Has(pair[1]) {
			t.Error("a refused plan has created a topic")
		}
	}
}

// A topic of the cluster that is in the way is a warning at plan, because the plan
// may delete it first, and in apply an error before anything is sent.
func TestTopicName_CollisionWithALiveTopicStopsTheApply(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	first := labelled("one", "stock.levels", "")
	w := newWorkspace(t, plainKafka(fake)+first)
	w.apply(0)
	w.write(plainKafka(fake) + first + labelled("two", "stock_levels", "") + labelled("three", "stock.levels_v1", ""))
	w.plan(2).says(t, "Warning: Topic name collides with a topic of the cluster", `"stock_levels" would be created while the cluster has "stock.levels"`)
	fake.ForgetRequests()
	w.apply(1, "-target=kafkastorage_topic.two").says(t, "Error: Topic name collides with a topic of the cluster", `"stock_levels" was not created: the cluster has "stock.levels"`, "Nothing was changed.")
	if n := fake.Requests()["CreateTopics"]; n > 2 {
		t.Errorf("%d CreateTopics: plan and apply ask once each for the defaults", n)
	}
	if fake.Has("stock_levels") {
		t.Error("the fake has both")
	}
	w.write(plainKafka(fake) + first + labelled("three", "stock.levels_v1", "")) // which merely begins alike
	w.apply(0).silent(t, "collides")
	w.plan(0)
}

// A topic that Terraform may not read is in the way all the same.
func TestTopicName_CollisionWithWhatMayNotBeRead(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "foreign.topic", 1, nil)
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "foreign.topic", Code: "TOPIC_AUTHORIZATION_FAILED"})
	w := newWorkspace(t, plainKafka(fake)+labelled("t", "foreign_topic", ""))
	w.plan(2).says(t, "Warning: Topic name collides", `"foreign.topic"`)
	w.apply(1).says(t, "Error: Topic name collides", `"foreign.topic"`)
}

// A rename that only swaps dots for underscores deletes the old topic first, so
// the apply, which looks once more, goes through.
func TestTopicName_RenameOntoItsOwnCollisionWorks(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+labelled("t", "stock.levels", ""))
	w.apply(0)
	w.write(plainKafka(fake) + labelled("t", "stock_levels", ""))
	w.plan(2).says(t, "Warning: Topic name collides", "1 to add, 0 to change, 1 to destroy")
	w.plan(2, "-out=saved")
	w.must(0, "apply", "-no-color", "-input=false", "saved").silent(t, "Warning")
	w.plan(0)
	if fake.Has("stock.levels") || !fake.Has("stock_levels") {
		t.Error("want stock_levels alone")
	}
}

// Kafka's own topics are never created, replaced or destroyed from here, whether
// known by name or flagged by the cluster. They can be read, imported and left.
func TestTopicInternal_IsNeverCreatedOrDestroyed(t *testing.T) {
	t.Parallel()
	flagged := map[string]string{"kfake.is_internal": "true", "compression.type": "producer"}
	for name, settings := range map[string]map[string]string{
		"__consumer_offsets": flagged, "vendor.own": flagged, "__remote_log_metadata": {"compression.type": "producer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := declaring(t, map[string]kafkatest.FakeSetting{"kfake.is_internal": {ReadOnly: true, Default: "false"}})
			here := func(config string) string { return plainKafka(fake) + labelled("t", name, "config = { "+config+" }") }
			const plain, changed = `"compression.type" = "producer"`, `"compression.type" = "lz4"`
			if strings.HasPrefix(name, "__") { // a cluster that has not made it yet
				w := newWorkspace(t, here(plain))
				w.plan(1).says(t, "Error: Topic is internal to Kafka", fmt.Sprintf("%q is a topic of Kafka's own", name), "Nothing was changed.")
			}
			fake.CreateTopic(t, name, 1, settings)
			w := newWorkspace(t, here(plain))
			w.plan(1).says(t, "Error: Topic is internal to Kafka", fmt.Sprintf("terraform import ADDRESS '%s'", name))

			w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic.t", name)
			w.plan(0)
			w.write(here(changed))
			w.apply(0)
			w.plan(0)
			fake.ForgetRequests()
			w.plan(1, "-replace=kafkastorage_topic.t").says(t, "Error: Topic is internal to Kafka")
			w.plan(1, "-destroy").says(t, "Error: Topic is internal to Kafka", "never deleted from here", "terraform state rm ADDRESS")
			w.destroy(1)
			w.write(plainKafka(fake) + labelled("t", "another", ""))
			w.plan(1).says(t, "Error: Topic is internal to Kafka")
			w.write(plainKafka(fake))
			w.plan(1)
			if n := fake.Requests()["DeleteTopics"]; n != 0 || !fake.Has(name) {
				t.Errorf("%d DeleteTopics", n)
			}
			w.must(0, "state", "rm", "kafkastorage_topic.t")
			w.plan(0)
		})
	}
}

// An apply of a plan that was made while a topic was not yet flagged still meets
// the refusal: delete asks again before it sends.
func TestTopicInternal_DeleteAsksAgain(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+labelled("t", "vendor.own", ""))
	w.apply(0)
	w.plan(2, "-destroy", "-out=saved")
	alter(t, fake, "vendor.own", map[string]string{"kfake.is_internal": "true"})
	w.must(1, "apply", "-no-color", "-input=false", "saved").says(t, "Error: Topic is internal to Kafka")
	if !fake.Has("vendor.own") {
		t.Error("deleted all the same")
	}
}

// What the platform's service refuses is refused at plan, also while the cluster
// is not known yet, and at its own attribute.
func TestTopicEventStreams_HoldsToTheServicesRules(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "there", 1, nil)
	live := providerBlock(fake.Bootstrap(), `platform = "event_streams"`)
	unborn := later("cluster", `"127.0.0.1:1"`) + "provider \"kafkastorage\" {\n  bootstrap_servers = [terraform_data.cluster.output]\n  platform = \"event_streams\"\n}\n"
	w := newWorkspace(t, "")
	for body, says := range map[string][]string{
		`config = { "max.message.bytes" = 1000 }`:           {"Error: Topic setting is not allowed on this platform", "max.message.bytes", "Allowed are cleanup.policy, message.audit.enable, retention.bytes"},
		`config = { "remote.storage.enable" = true }`:       {"Error: Topic setting is not allowed on this platform", "remote.storage.enable"},
		`config = { "retention.byte" = 1073741824 }`:        {"Error: Topic setting is not allowed on this platform", "Did you mean retention.bytes?"},
		`config = { "retention.bytes" = -1 }`:               {"Error: Topic setting is out of this platform's range", "from 102400 (100 KiB) to 2199023255552 (2 TiB)", "without a bound by size"},
		`config = { "retention.bytes" = 102399 }`:           {"Error: Topic setting is out of this platform's range", "102400 (100 KiB)"},
		`config = { "segment.ms" = 299999 }`:                {"from 300000 to 2592000000"},
		`config = { "segment.index.bytes" = 1073741825 }`:   {"from 102400 (100 KiB) to 1073741824 (1 GiB)"},
		`config = { "message.audit.enable" = "sometimes" }`: {"true or false"},
		`replication_factor = 2`:                            {"Error: Replication factor is fixed on this platform", "every topic has 3 replicas"},
	} {
		for _, head := range []string{live, unborn} {
			w.write(head + topic("t", 1, body))
			w.plan(1).says(t, append(says, `"t"`, "IBM Event Streams", "Nothing was changed.")...)
		}
	}
	w.write(live + labelled("t", strings.Repeat("x", 201), ""))
	w.plan(1).says(t, "Error: Topic name is too long for this platform", "201 characters", "at most 200")

	w.write(live + topic("t", 1, `replication_factor = 3
  config = { "retention.bytes" = 102400, "segment.bytes" = 102400, "segment.index.bytes" = 102400, "segment.ms" = 300000, "retention.ms" = -1, "cleanup.policy" = "delete", "message.audit.enable" = true }`))
	w.apply(0)
	w.plan(0)
}

// Express brokers leave topics no say in segments and tiers.
func TestTopicMSKExpress_HoldsToTheServicesRules(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, "")
	for body, says := range map[string]string{
		`config = { "remote.storage.enable" = true }`:      "Error: Topic setting is not allowed on this platform",
		`config = { "segment.bytes" = 1073741824 }`:        "Error: Topic setting is not allowed on this platform",
		`config = { "max.compaction.lag.ms" = 604799999 }`: "Error: Topic setting is out of this platform's range",
		`replication_factor = 2`:                           "Error: Replication factor is fixed on this platform",
	} {
		w.write(providerBlock(fake.Bootstrap(), `platform = "msk_express"`) + topic("t", 1, body))
		w.plan(1).says(t, says, `"t"`, "Amazon MSK with Express brokers", "Nothing was changed.")
	}
}

// What a topic has from before the rules were held is no error while nothing of it
// changes; what is sent anew is.
func TestTopicEventStreams_JudgesOnlyWhatChanges(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.bytes": "-1", "max.message.bytes": "1000"})
	with := func(config string) string {
		return providerBlock(fake.Bootstrap(), `platform = "event_streams"`) + topic("t", 1, "config = { "+config+" }")
	}
	w := newWorkspace(t, with(`"retention.bytes" = -1, "max.message.bytes" = 1000`))
	w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic.t", "t")
	w.plan(0)
	w.write(with(`"retention.bytes" = -1, "max.message.bytes" = 1000, "retention.ms" = 1000`))
	w.apply(0)
	w.write(with(`"retention.bytes" = -1, "max.message.bytes" = 1001, "retention.ms" = 1000`))
	w.plan(1).says(t, "max.message.bytes")
	w.write(with(`"retention.ms" = 1000`))
	w.apply(0)
	w.write(with(`"retention.ms" = 1000, "retention.bytes" = -1`))
	w.plan(1).says(t, "retention.bytes")
}

// A value that becomes known only in apply is held to the same rules there, before
// anything is sent.
func TestTopicEventStreams_UnknownValuesAreHeldInApply(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), `platform = "event_streams"`)+later("later", "5")+topic("t", 1, `config = { "retention.bytes" = terraform_data.later.output }`))
	w.plan(2)
	w.apply(1).says(t, "Error: Topic setting is out of this platform's range", `retention.bytes = "5"`)
	if fake.Has("t") {
		t.Error("created before the check")
	}
	w.write(providerBlock(fake.Bootstrap(), `platform = "event_streams"`) + later("later", "5") + later("more", "6") + topic("t", 1, `config = { "max.message.bytes" = terraform_data.more.output }`))
	w.plan(1).says(t, "not allowed on this platform") // the key alone is enough
}
