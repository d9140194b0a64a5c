// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// awkwardTopics are topics that a takeover must not stumble over: nothing set,
// values in odd spellings, what belongs to a reassignment, tiering, and no bound.
var awkwardTopics = map[string]map[string]string{
	"bare":      nil,
	"spelled":   {"cleanup.policy": "compact, delete", "min.cleanable.dirty.ratio": "0.50", "retention.bytes": "1073741824"},
	"compacted": {"cleanup.policy": "compact"},
	"throttled": {"retention.ms": "1000", "leader.replication.throttled.replicas": "0:1", "follower.replication.throttled.replicas": "0:2"},
	"moving":    {"leader.replication.throttled.replicas": "0:1"},
	"tiered":    {"remote.storage.enable": "true", "local.retention.ms": "500", "retention.ms": "604800000"},
	"released":  {"local.retention.ms": "500"},
	"unbounded": {"retention.bytes": "-1"},
	"extreme":   {"flush.messages": "9223372036854775807", "retention.bytes": "9007199254740993"},
}

// awkwardCluster is a cluster with those topics.
func awkwardCluster(t *testing.T) *kafkatest.Fake {
	t.Helper()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	for name, settings := range awkwardTopics {
		fake.CreateTopic(t, name, 2, settings)
	}
	return fake
}

// outputsOf returns the outputs in the state.
func (w *workspace) outputsOf() map[string]any {
	w.t.Helper()
	var s struct {
		Values struct {
			Outputs map[string]struct{ Value any }
		}
	}
	w.show(&s)
	values := map[string]any{}
	for name, output := range s.Values.Outputs {
		values[name] = output.Value
	}
	return values
}

// What the data source reads of the cluster, a bootstrapping team feeds to the
// resource: every topic is taken over, and neither that plan nor the next one
// changes anything.
func TestTopicsData_FeedsTheResourceAndPlansClean(t *testing.T) {
	t.Parallel()
	fake := awkwardCluster(t)
	w := newWorkspace(t, plainKafka(fake)+`
data "kafkastorage_topics" "all" {}

import {
  for_each = data.kafkastorage_topics.all.topics
  to       = kafkastorage_topic.this[each.key]
  id       = each.key
}

resource "kafkastorage_topic" "this" {
  for_each           = data.kafkastorage_topics.all.topics
  name               = each.key
  partitions         = each.value.partitions
  replication_factor = each.value.replication_factor
  config             = each.value.config
}

data "kafkastorage_topic" "each" {
  for_each = toset(data.kafkastorage_topics.all.names)
  name     = each.value
}

data "kafkastorage_cluster" "this" {}

output "differences" {
  value = [
    for name, topic in data.kafkastorage_topics.all.topics : name if
    topic.reserved_bytes != kafkastorage_topic.this[name].reserved_bytes ||
    topic.reserved_bytes != provider::kafkastorage::reserved_bytes(topic, data.kafkastorage_cluster.this) ||
    data.kafkastorage_topic.each[name].reservation != provider::kafkastorage::reservation(data.kafkastorage_topic.each[name], data.kafkastorage_cluster.this)
  ]
}
`)
	w.plan(2).says(t, fmt.Sprintf("Plan: %d to import, 0 to add, 0 to change, 0 to destroy.", len(awkwardTopics)))
	fake.ForgetRequests()
	w.apply(0).says(t, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", len(awkwardTopics)))
	for kind := range fake.Requests() {
		if kind != "Metadata" && kind != "DescribeConfigs" && kind != "CreateTopics" { // the last one validate-only, for the defaults
			t.Errorf("%s was sent", kind)
		}
	}
	w.plan(0)
	if diff := cmp.Diff(map[string]any{"differences": []any{}}, w.outputsOf()); diff != "" {
		t.Errorf("data source and resource have different numbers:\n%s", diff)
	}
	for name, settings := range awkwardTopics {
		if got := fake.Overrides(name); !maps.Equal(got, settings) {
			t.Errorf("%s has %v", name, got)
		}
	}
}

// One number everywhere: the data sources say what the resource and the functions
// say, to the byte, on either platform, for every kind of topic.
func TestTopicData_NumbersAreTheResourcesAndTheFunctions(t *testing.T) {
	t.Parallel()
	for _, platform := range []string{"kafka", "event_streams"} {
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			fake := awkwardCluster(t)
			settings := plainSettings(fake)
			settings["platform"] = platform
			p := started(t, settings)
			cluster := only(dataOf(t, p, "kafkastorage_cluster", nil), "platform", "defaults")
			all := dataOf(t, p, "kafkastorage_topics", nil)
			for name := range awkwardTopics {
				one := dataOf(t, p, "kafkastorage_topic", fields{"name": name})
				parts, err := p.call(t.Context(), "reservation", only(one, "partitions", "replication_factor", "config"), cluster)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(parts, one["reservation"]); diff != "" {
					t.Errorf("%s (-function +data source):\n%s", name, diff)
				}
				imported, said, err := p.importOne(t.Context(), topicKind, name)
				if err != nil || imported == nil {
					t.Fatalf("%s: %v, %s", name, err, said)
				}
				found := all["topics"].(fields)[name].(fields) //nolint:forcetypeassert // a panic is a failure as well
				for _, attribute := range []string{"partitions", "replication_factor", "config", "topic_id", "reserved_bytes"} {
					if !cmp.Equal(one[attribute], imported.values[attribute]) || !cmp.Equal(found[attribute], imported.values[attribute]) {
						t.Errorf("%s of %s: resource %v, data sources %v and %v", attribute, name, imported.values[attribute], one[attribute], found[attribute])
					}
				}
				if unbounded := one["reserved_bytes"] == nil; found["unbounded"] != unbounded {
					t.Errorf("%s: %v, %v", name, one["reserved_bytes"], found["unbounded"])
				}
			}
			if one := dataOf(t, p, "kafkastorage_topic", fields{"name": "unbounded"}); one["reserved_bytes"] != nil {
				t.Errorf("reserved_bytes of a topic without a bound: %v", one["reserved_bytes"])
			}
		})
	}
}

// only keeps some attributes of an object.
func only(object fields, names ...string) fields {
	kept := fields{}
	for _, name := range names {
		kept[name] = object[name]
	}
	return kept
}

// dataOf reads a data source that has nothing to say.
func dataOf(t *testing.T, p *process, kind string, config fields) fields {
	t.Helper()
	values, said, err := p.readData(t.Context(), kind, config)
	if err != nil || len(said) > 0 {
		t.Fatalf("%s: %v, %s", kind, err, said)
	}
	return values
}

// Every setting comes with Kafka's name of its source, and what is somebody else's
// is no part of the overrides.
func TestTopicData_ShowsSettingsWithTheirSource(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Config: map[string]string{"log.segment.bytes": "536870912"}})
	fake.CreateTopic(t, "t", 3, map[string]string{"retention.ms": "5", "leader.replication.throttled.replicas": "0:1"})
	topic := dataOf(t, started(t, plainSettings(fake)), "kafkastorage_topic", fields{"name": "t"})
	settings := topic["settings"].(fields) //nolint:forcetypeassert // a panic is a failure as well
	for key, want := range map[string]fields{
		"retention.ms":                          {"value": "5", "source": "DYNAMIC_TOPIC_CONFIG", "read_only": false, "sensitive": false},
		"segment.bytes":                         {"value": "536870912", "source": "STATIC_BROKER_CONFIG", "read_only": false, "sensitive": false},
		"retention.bytes":                       {"value": "-1", "source": "DEFAULT_CONFIG", "read_only": false, "sensitive": false},
		"leader.replication.throttled.replicas": {"value": "0:1", "source": "DYNAMIC_TOPIC_CONFIG", "read_only": false, "sensitive": false},
	} {
		if diff := cmp.Diff(want, settings[key]); diff != "" {
			t.Errorf("%s:\n%s", key, diff)
		}
	}
	if diff := cmp.Diff(fields{"retention.ms": "5"}, topic["config"]); diff != "" {
		t.Errorf("config:\n%s", diff)
	}
}

// The value of a sensitive setting appears nowhere, not even where a broker sends it.
func TestTopicData_ShowsNoSecrets(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.MarkSensitive("compression.type")
	fake.CreateTopic(t, "t", 3, map[string]string{"compression.type": "gzip"})
	p := started(t, plainSettings(fake))
	topic := dataOf(t, p, "kafkastorage_topic", fields{"name": "t"})
	want := fields{"value": nil, "source": "DYNAMIC_TOPIC_CONFIG", "read_only": false, "sensitive": true}
	if diff := cmp.Diff(want, topic["settings"].(fields)["compression.type"]); diff != "" { //nolint:forcetypeassert // a panic is a failure as well
		t.Error(diff)
	}
	for _, shown := range []any{topic, dataOf(t, p, "kafkastorage_topics", nil), searched(t, p, topicKind, nil, 0, true)[0].resource} {
		if strings.Contains(strings.ReplaceAll(fmt.Sprint(shown), "compression.gzip", ""), "gzip") {
			t.Errorf("the value shows: %v", shown)
		}
	}
}

// Where the replicas are is what the cluster says, partition by partition.
func TestTopicData_ShowsReplicas(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Brokers: 4, Config: map[string]string{"default.replication.factor": "3"}})
	fake.CreateTopic(t, "t", 12, nil)
	topic := dataOf(t, started(t, plainSettings(fake)), "kafkastorage_topic", fields{"name": "t"})
	replicas := topic["replicas"].([]any) //nolint:forcetypeassert // a panic is a failure as well
	if len(replicas) != 12 {
		t.Fatalf("%d partitions: %v", len(replicas), replicas)
	}
	for i, one := range replicas {
		partition := one.(fields)               //nolint:forcetypeassert // likewise
		brokers := partition["brokers"].([]any) //nolint:forcetypeassert // likewise
		if partition["partition"] != json.Number(fmt.Sprint(i)) || json.Number(fmt.Sprint(len(brokers))) != topic["replication_factor"] || !slices.Contains(brokers, partition["leader"]) {
			t.Errorf("partition %d: %v", i, partition)
		}
		if inSync, ok := partition["in_sync"].([]any); !ok || len(inSync) != len(brokers) {
			t.Errorf("partition %d: in sync %v", i, partition["in_sync"])
		}
	}
}

// A topic that is not there is an error that names it, and so is one that may not
// be read: neither is ever an empty answer.
func TestTopicData_AbsentAndDeniedAreErrors(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "there", 1, nil)
	fake.CreateTopic(t, "secret", 1, nil)
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "secret", Code: "TOPIC_AUTHORIZATION_FAILED"})
	w := newWorkspace(t, plainKafka(fake)+"data \"kafkastorage_topic\" \"t\" {\n  name = \"absent\"\n}\n")
	w.plan(1).says(t, "Error: Topic was not found", `no topic "absent"`, `with data.kafkastorage_topic.t`, `name = "absent"`)
	w.write(plainKafka(fake) + "data \"kafkastorage_topic\" \"t\" {\n  name = \"secret\"\n}\n")
	w.plan(1).says(t, "Error: Topic may not be read", `"secret"`, "TOPIC_AUTHORIZATION_FAILED", "--operation DescribeConfigs --topic 'secret'")
	w.write(plainKafka(fake) + "data \"kafkastorage_topics\" \"all\" {}\noutput \"names\" {\n  value = data.kafkastorage_topics.all.names\n}\noutput \"unreadable\" {\n  value = data.kafkastorage_topics.all.unreadable_topics\n}\n")
	w.apply(0)
	if diff := cmp.Diff(map[string]any{"names": []any{"there"}, "unreadable": []any{"secret"}}, w.outputsOf()); diff != "" {
		t.Error(diff)
	}
}

// A topic that appears, or that this apply has made or changed, is shown as it is
// now: a data source that Terraform puts off until apply would else miss it.
func TestTopicData_ShowsWhatTheSameApplyHasMade(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	const data = `
data "kafkastorage_topic" "t" {
  name     = "t"
  wait_for = kafkastorage_topic.t
}

output "partitions" {
  value = data.kafkastorage_topic.t.partitions
}

output "retention" {
  value = data.kafkastorage_topic.t.settings["retention.ms"].value
}
`
	w := newWorkspace(t, plainKafka(fake)+topic("t", 1, `config = { "retention.ms" = 1000 }`)+data)
	w.apply(0)
	want := map[string]any{"partitions": json.Number("1"), "retention": "1000"}
	if diff := cmp.Diff(want, w.outputsOf()); diff != "" {
		t.Errorf("created:\n%s", diff)
	}
	w.plan(0)
	w.write(plainKafka(fake) + topic("t", 3, `config = { "retention.ms" = 2000 }`) + data)
	w.apply(0)
	want = map[string]any{"partitions": json.Number("3"), "retention": "2000"}
	if diff := cmp.Diff(want, w.outputsOf()); diff != "" {
		t.Errorf("changed:\n%s", diff)
	}
	w.plan(0)
}

// Reading many topics costs no request beyond the snapshot, nor does reading each of them.
func TestTopicData_CostsNoRequestBeyondTheSnapshot(t *testing.T) {
	t.Parallel()
	fake := awkwardCluster(t)
	p := started(t, plainSettings(fake))
	dataOf(t, p, "kafkastorage_cluster", nil)
	before := requestsOf(fake)
	dataOf(t, p, "kafkastorage_topics", nil)
	for name := range awkwardTopics {
		dataOf(t, p, "kafkastorage_topic", fields{"name": name})
	}
	if requestsOf(fake) != before {
		t.Errorf("%v", fake.Requests())
	}
}

// Internal topics are no surprise in a for_each, and can be read by name.
func TestTopicData_InternalTopicsAreReadByName(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "__consumer_offsets", 2, map[string]string{"cleanup.policy": "compact"})
	fake.CreateTopic(t, "t", 1, nil)
	p := started(t, plainSettings(fake))
	for name, internal := range map[string]bool{"__consumer_offsets": true, "t": false} {
		if topic := dataOf(t, p, "kafkastorage_topic", fields{"name": name}); topic["internal"] != internal {
			t.Errorf("%s: internal %v", name, topic["internal"])
		}
	}
	all := dataOf(t, p, "kafkastorage_topics", fields{"include_internal": true})
	if topic, ok := all["topics"].(fields)["__consumer_offsets"].(fields); !ok || topic["internal"] != true {
		t.Errorf("%v", all["topics"])
	}
}
