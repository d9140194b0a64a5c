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

// declaring starts a fake cluster that lists every setting of Kafka 4.4, as real
// ones do, and these beside them; its one topic is what it lists them for.
func declaring(t *testing.T, settings map[string]kafkatest.FakeSetting) *kafkatest.Fake {
	t.Helper()
	if settings == nil {
		settings = map[string]kafkatest.FakeSetting{"vendor.key": {Type: "STRING"}}
	}
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Settings: settings})
	fake.CreateTopic(t, "there", 1, nil)
	return fake
}

// configured is one topic with these settings, written as HCL.
func configured(name, settings string) string {
	return topic(name, 1, "config = { "+settings+" }")
}

// unwritten asserts that a run has sent nothing that writes.
func unwritten(t *testing.T, fake *kafkatest.Fake) {
	t.Helper()
	for kind := range fake.Requests() {
		if strings.Contains(kind, "Alter") || strings.Contains(kind, "Create") || strings.Contains(kind, "Delete") {
			if kind == "CreateTopics" && !fake.Has("t") {
				continue // the question what a new topic would get
			}
			t.Errorf("%s was sent", kind)
		}
	}
}

// A word that Kafka does not know, in another case or from another tool, is an
// error at plan that names the key and the words, and no reservation is computed
// from it. Validation needs no cluster for that.
func TestTopicValues_WordsThatAreNoneAreRefusedOffline(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, "")
	for setting, says := range map[string][]string{
		`"cleanup.policy" = "Compact"`:                {"cleanup.policy", "delete, compact, or both separated by a comma", `did you mean "compact"?`},
		`"cleanup.policy" = "CLEANUP_POLICY_COMPACT"`: {"cleanup.policy", "delete, compact, or both separated by a comma"},
		`"cleanup.policy" = "compact;delete"`:         {"cleanup.policy", "delete, compact, or both separated by a comma"},
		`"cleanup.policy" = ""`:                       {"cleanup.policy", "delete, compact, or both separated by a comma"},
		`"cleanup.policy" = "compact,"`:               {"cleanup.policy", "delete, compact, or both separated by a comma"},
		`"compression.type" = "ZSTD"`:                 {"compression.type", "uncompressed, zstd, lz4, snappy, gzip, producer", `did you mean "zstd"?`},
		`"compression.type" = "none"`:                 {"compression.type", "uncompressed, zstd, lz4, snappy, gzip, producer"},
		`"message.timestamp.type" = "create_time"`:    {"message.timestamp.type", "CreateTime, LogAppendTime", `did you mean "CreateTime"?`},
		`"preallocate" = "yes"`:                       {"preallocate", "true or false"},
		`"retention.ms" = "7d"`:                       {"retention.ms", "whole number"},
		`"retention.ms" = -2`:                         {"retention.ms", "at least -1"},
		`"min.cleanable.dirty.ratio" = 50`:            {"min.cleanable.dirty.ratio", "from 0 to 1"},
		`"segment.bytes" = 2147483648`:                {"segment.bytes", "2147483647"},
	} {
		w.write(plainKafka(fake) + configured("t", setting))
		refused := w.plan(1)
		refused.says(t, append(says, "Error: Topic setting cannot be used", `"t"`, "Nothing was changed.")...)
		refused.silent(t, "reserved_bytes", "1073741824")
	}
	w.must(1, "validate", "-no-color").says(t, "Topic setting cannot be used")
	if got := fake.Requests(); len(got) != 0 {
		t.Errorf("the cluster was asked: %v", got)
	}
}

// A word that stands twice is one for Kafka, which takes the list and reports it
// with the word once: no error, no drift, and no other reservation.
func TestTopicValues_WordTwiceIsOne(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"cleanup.policy" = "compact,compact,delete", "retention.bytes" = 1048576`))
	w.plan(2).silent(t, "Error", "unbounded", "reserved_bytes = 1073741824")
	w.apply(0)
	alter(t, fake, "t", map[string]string{"cleanup.policy": "compact,delete"})
	w.plan(0)
	w.write(plainKafka(fake) + configured("t", `"cleanup.policy" = "delete,compact", "retention.bytes" = 1048576`))
	w.plan(0)
}

// 64-bit extremes, and numbers that no double holds, survive to the last digit on
// the wire, in the state and after an import. By hand, with segments of 1 GiB:
// 9007199254740993 + 1073741824 + 2 x 10485760 x (8388608 + 1) = 9183122209898497.
func TestTopicValues_ExtremesSurviveToTheLastDigit(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Brokers: 1, Config: map[string]string{"log.segment.bytes": "1073741824"}})
	const settings = `"max.compaction.lag.ms" = "9223372036854775807", "retention.ms" = "-1", "retention.bytes" = "9007199254740993"`
	w := newWorkspace(t, plainKafka(fake)+configured("t", settings))
	w.apply(0)
	w.plan(0)
	want := map[string]any{"max.compaction.lag.ms": "9223372036854775807", "retention.ms": "-1", "retention.bytes": "9007199254740993"}
	check := func(when string) {
		values, _ := w.stateOf("kafkastorage_topic.t")
		if diff := cmp.Diff(want, values["config"]); diff != "" || fmt.Sprint(values["reserved_bytes"]) != "9183122209898497" {
			t.Errorf("%s: reserved %v, config %s", when, values["reserved_bytes"], diff)
		}
	}
	check("applied")
	w.must(0, "state", "rm", "kafkastorage_topic.t")
	w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic.t", "t")
	check("imported")
	w.plan(0)
	w.write(plainKafka(fake) + configured("t", strings.ReplaceAll(settings, `"-1"`, `-1`)))
	w.plan(0)
}

// false and 0 are values: they are sent, they are the topic's own afterwards, and
// nothing drifts.
func TestTopicValues_FalseAndZeroAreSent(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"preallocate" = false, "segment.jitter.ms" = 0, "segment.bytes" = 10485760, "flush.ms" = null`))
	w.apply(0)
	want := map[string]string{"preallocate": "false", "segment.jitter.ms": "0", "segment.bytes": "10485760"}
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	w.plan(0)
}

// A null element is not written: it takes no ownership of what belongs to others,
// and stays null.
func TestTopicValues_NullOwnsNothing(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"retention.ms" = 1000, "remote.storage.enable" = null, "leader.replication.throttled.replicas" = null`))
	w.apply(0)
	foreign := map[string]string{"leader.replication.throttled.replicas": "0:1", "remote.storage.enable": "true", "local.retention.ms": "500"}
	alter(t, fake, "t", foreign)
	w.plan(0)
	w.write(plainKafka(fake) + configured("t", `"retention.ms" = 2000, "remote.storage.enable" = null, "leader.replication.throttled.replicas" = null`))
	w.apply(0)
	foreign["retention.ms"] = "2000"
	if diff := cmp.Diff(foreign, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	alter(t, fake, "t", map[string]string{"flush.ms": "5"})
	w.write(plainKafka(fake) + configured("t", `"retention.ms" = 2000, "flush.ms" = null`))
	w.plan(2).says(t, `~ "flush.ms" = "5" -> null`) // not written, so an override of it is drift
}

// A key that neither Kafka nor the cluster has is an error at plan that names what
// was probably meant, ready to copy.
func TestTopicKeys_TypoIsRefusedWithWhatWasMeant(t *testing.T) {
	t.Parallel()
	fake := declaring(t, nil)
	w := newWorkspace(t, "")
	for setting, says := range map[string][]string{
		`"retention.byte" = 1048576`:     {`"retention.byte" is no topic setting`, `"retention.bytes" = "1048576"`},
		`"retention_ms" = 1000`:          {`"retention.ms" = "1000"`},
		`"log.retention.ms" = 1000`:      {"log.retention.ms is a setting of brokers", `"retention.ms" = "1000"`},
		`"log.retention.hours" = 168`:    {"log.retention.hours is a setting of brokers", `"retention.ms" = "604800000"`},
		`"message.max.bytes" = 1000`:     {"called max.message.bytes", `"max.message.bytes" = "1000"`},
		`"vendor.kez" = 1`:               {"Did you mean vendor.key?"},
		`"altogether.different" = 1`:     {"altogether.different", "kafka-configs.sh --describe"},
		`"redpanda.remote.write" = true`: {"redpanda.remote.write"},
	} {
		w.write(plainKafka(fake) + configured("t", setting))
		refused := w.plan(1)
		refused.says(t, append(says, "Error: Topic setting is unknown", `"t"`, "among the 38 that this cluster lists", "Nothing was changed.")...)
	}
	unwritten(t, fake)
}

// What the cluster lists wins over every table: a vendor's key is no error, its
// values are read as the type that the cluster gives it, and a spelling that means
// the same is no drift. A key that Kafka has and this cluster has not is an error that says so.
func TestTopicKeys_TheClustersOwnListWins(t *testing.T) {
	t.Parallel()
	fake := declaring(t, map[string]kafkatest.FakeSetting{
		"vendor.tiers": {Type: "INT", Default: "1"}, "vendor.schema": {Type: "BOOLEAN", Default: "false"}, "vendor.note": {},
		"remote.copy.lag.ms": {Absent: true},
	})
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"vendor.tiers" = 2, "vendor.schema" = "TRUE", "vendor.note" = "anything, at all"`))
	w.apply(0).silent(t, "Warning")
	w.plan(0)
	alter(t, fake, "t", map[string]string{"vendor.schema": "true", "vendor.tiers": "02"})
	w.plan(0)

	w.write(plainKafka(fake) + configured("t", `"vendor.tiers" = "two", "vendor.schema" = "TRUE", "vendor.note" = ""`))
	w.plan(1).says(t, "Error: Topic setting cannot be used", "vendor.tiers", "whole number")
	for _, gone := range []string{"remote.copy.lag.ms", "message.format.version"} {
		w.write(plainKafka(fake) + configured("new", fmt.Sprintf("%q = 1", gone)))
		w.plan(1).says(t, "Error: Topic setting is unknown to this cluster", gone, "DescribeConfigs lists 39 topic settings", "Nothing was changed.")
	}
	w.write(plainKafka(fake) + configured("new", `"internal.segment.bytes" = 65536`)) // which brokers take and never list
	w.plan(2)
}

// Where the cluster lists nothing, or a selection, an unknown key is left to the broker.
func TestTopicKeys_WithoutAWholeListNothingIsJudged(t *testing.T) {
	t.Parallel()
	for name, fake := range map[string]*kafkatest.Fake{
		"no topic to ask about": kafkatest.StartFake(t, kafkatest.FakeOptions{Settings: map[string]kafkatest.FakeSetting{"vendor.key": {}}}),
		"a selection":           declaring(t, map[string]kafkatest.FakeSetting{"segment.index.bytes": {Absent: true}}),
		"no right to ask": func() *kafkatest.Fake {
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			fake.CreateTopic(t, "there", 1, nil)
			fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Code: "TOPIC_AUTHORIZATION_FAILED"})
			return fake
		}(),
	} {
		w := newWorkspace(t, plainKafka(fake)+configured("t", `"retention.byte" = 1048576, "remote.copy.lag.ms" = 0`))
		if got := w.run("plan", "-no-color", "-input=false", "-detailed-exitcode"); got.code != 2 {
			t.Errorf("%s: exit %d\n%s", name, got.code, got.text)
		}
	}
}

// What a topic holds already has passed its broker: only what a plan would send
// is judged, so a cluster that forgets a key breaks no plan that leaves it alone.
func TestTopicKeys_OnlyWhatIsSentIsJudged(t *testing.T) {
	t.Parallel()
	fake := declaring(t, nil)
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"vendor.key" = 1, "retention.ms" = 1000`))
	w.apply(0)
	w.plan(0)

	forgetful := declaring(t, map[string]kafkatest.FakeSetting{"vendor.key": {Absent: true}, "compression.zstd.level": {Absent: true}})
	forgetful.CreateTopic(t, "t", 1, map[string]string{"vendor.key": "1", "retention.ms": "1000"})
	w.write(plainKafka(forgetful) + configured("t", `"vendor.key" = 1, "retention.ms" = 2000`))
	w.plan(2, "-refresh=false").silent(t, "Error")
	w.write(plainKafka(forgetful) + configured("t", `"vendor.key" = 2, "retention.ms" = 2000`))
	w.plan(1, "-refresh=false").says(t, "vendor.key")
}

// An entry that the broker shows no value of is never stored as empty text and is
// no drift. One that the user manages keeps the value that was last sent, and is
// sent again only when it changes in HCL.
func TestTopicSensitive_KeepsWhatWasSentAndNeverDrifts(t *testing.T) {
	t.Parallel()
	fake := declaring(t, map[string]kafkatest.FakeSetting{
		"vendor.secret": {Type: "PASSWORD", Sensitive: true}, "vendor.token": {Type: "PASSWORD", Sensitive: true},
		"vendor.managed": {Type: "STRING", ReadOnly: true, Own: true, Default: "by the service"}, "vendor.hidden": {Sensitive: true, Own: true},
	})
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"vendor.secret" = "s3", "retention.ms" = 1000`))
	w.apply(0)
	w.plan(0).silent(t, "vendor.")
	alter(t, fake, "t", map[string]string{"vendor.token": "somebody else's"})
	w.plan(0)
	values, _ := w.stateOf("kafkastorage_topic.t")
	if diff := cmp.Diff(map[string]any{"vendor.secret": "s3", "retention.ms": "1000"}, values["config"]); diff != "" {
		t.Errorf("state:\n%s", diff)
	}

	alter(t, fake, "t", map[string]string{"vendor.secret": "changed by hand"}) // which nobody can see
	w.write(plainKafka(fake) + configured("t", `"vendor.secret" = "s3", "retention.ms" = 2000`))
	w.apply(0)
	want := map[string]string{"vendor.secret": "changed by hand", "vendor.token": "somebody else's", "retention.ms": "2000"}
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Errorf("an unrelated change sent it:\n%s", diff)
	}
	w.write(plainKafka(fake) + configured("t", `"vendor.secret" = "s4", "retention.ms" = 2000`))
	w.apply(0)
	want["vendor.secret"] = "s4"
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	w.write(plainKafka(fake) + configured("t", `"retention.ms" = 2000`))
	w.apply(0)
	w.plan(0)
	delete(want, "vendor.secret")
	if diff := cmp.Diff(want, fake.Overrides("t")); diff != "" {
		t.Errorf("dropped from HCL:\n%s", diff)
	}

	w.must(0, "state", "rm", "kafkastorage_topic.t")
	w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic.t", "t")
	values, _ = w.stateOf("kafkastorage_topic.t")
	if diff := cmp.Diff(map[string]any{"retention.ms": "2000"}, values["config"]); diff != "" {
		t.Errorf("imported:\n%s", diff)
	}
}

// A setting that is dropped falls back to the cluster, alone: the others stay, with
// one key going away in the plan.
func TestTopicSetting_DroppedAloneFallsBack(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"segment.ms" = 20000, "retention.ms" = 86400000`))
	w.apply(0)
	w.write(plainKafka(fake) + configured("t", `"retention.ms" = 86400000`))
	dropped := w.plan(2)
	dropped.says(t, `- "segment.ms" = "20000"`, "0 to add, 1 to change, 0 to destroy")
	dropped.silent(t, `"retention.ms" = "86400000" ->`, `- "retention.ms"`)
	w.apply(0)
	if diff := cmp.Diff(map[string]string{"retention.ms": "86400000"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
	w.plan(0)
	w.write(plainKafka(fake) + topic("t", 1, "")) // the whole map
	w.apply(0)
	w.plan(0)
	if got := fake.Overrides("t"); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

// A key that turns null is dropped like one that is deleted.
func TestTopicSetting_TurnedNullFallsBack(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+configured("t", `"segment.ms" = 20000, "preallocate" = true`))
	w.apply(0)
	w.write(plainKafka(fake) + configured("t", `"segment.ms" = null, "preallocate" = true`))
	w.apply(0)
	w.plan(0)
	if diff := cmp.Diff(map[string]string{"preallocate": "true"}, fake.Overrides("t")); diff != "" {
		t.Error(diff)
	}
}

// A value that becomes known only in apply is checked there, before anything is
// sent; so is a name.
func TestTopicValues_UnknownOnesAreCheckedInApply(t *testing.T) {
	t.Parallel()
	fake := declaring(t, nil)
	for what, configuration := range map[string]string{
		"Topic setting cannot be used": later("later", `"ZSTD"`) + configured("t", `"compression.type" = terraform_data.later.output`),
		"Topic setting is unknown":     later("later", `{ "retention.byte" = "5" }`) + topic("t", 1, "config = terraform_data.later.output"),
		"Topic name cannot be used":    later("later", `"bad/name"`) + strings.Replace(topic("t", 1, ""), `name       = "t"`, "name       = terraform_data.later.output", 1),
		"Topic is internal to Kafka":   later("later", `"__consumer_offsets"`) + strings.Replace(topic("t", 1, ""), `name       = "t"`, "name       = terraform_data.later.output", 1),
		"Topic names collide":          later("later", `"the.re"`) + labelled("t", "the_re", "depends_on = [kafkastorage_topic.first]") + strings.Replace(labelled("first", "", ""), `""`, "terraform_data.later.output", 1),
	} {
		w := newWorkspace(t, plainKafka(fake)+configuration)
		w.plan(2).silent(t, "Error")
		refused := w.apply(1)
		refused.says(t, "Error: "+what)
		refused.silent(t, "inconsistent")
		if what == "Topic names collide" {
			refused.says(t, `This run has already created "the.re"`)
		}
	}
	for _, name := range []string{"t", "the_re", "bad/name", "__consumer_offsets"} {
		if fake.Has(name) {
			t.Errorf("%s was created before the check", name)
		}
	}
}
