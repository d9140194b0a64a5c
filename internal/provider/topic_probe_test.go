// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A rule of the cluster's own that no model holds must be heard at plan, in its own
// words and at the attribute that it is about, and nothing may be changed.
func TestTopicProbe_RefusalsAreHeardAtPlanWhereTheyBelong(t *testing.T) {
	t.Parallel()
	// A line for each setting, because Terraform shows the line that an error points at.
	const settings = "config = {\n    \"retention.ms\" = 5\n    \"local.retention.ms\" = 7\n  }"
	for name, c := range map[string]struct {
		body  string
		fault kafkatest.Fault
		says  []string
	}{
		"a policy, at the setting that it names": {
			settings,
			kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "POLICY_VIOLATION", Message: "local.retention.ms must be 6."},
			[]string{"Error: The cluster's policy refuses this topic", `"local.retention.ms" = 7`, "answered POLICY_VIOLATION to CreateTopics, asked with validate-only: local.retention.ms must be 6.", "By our numbers"},
		},
		"a policy about nothing that is written": {
			"",
			kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "POLICY_VIOLATION", Message: "min.insync.replicas must be 2"},
			[]string{"Error: The cluster's policy refuses this topic", `name = "t"`, "min.insync.replicas must be 2"},
		},
		"a policy about a setting whose name only contains a written one": {
			"config = {\n    \"retention.ms\" = 5\n  }",
			kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "POLICY_VIOLATION", Message: "local.retention.ms must be 6."},
			[]string{"Error: The cluster's policy refuses this topic", "config = {"},
		},
		"an invalid setting": {
			settings,
			kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "INVALID_CONFIG", Message: "Invalid value 7 for configuration local.retention.ms: Value must not be more than retention.ms property value: 5"},
			[]string{"Error: The cluster refuses this topic", `"local.retention.ms" = 7`, "answered INVALID_CONFIG"},
		},
		"an invalid setting that is not named": {
			settings,
			kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "INVALID_CONFIG", Message: "That does not go together."},
			[]string{"Error: The cluster refuses this topic", "config = {", "That does not go together."},
		},
		"a factor that this cluster does not take": {
			"replication_factor = 2",
			kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "INVALID_REPLICATION_FACTOR", Message: "not here"},
			[]string{"Error: The cluster refuses this topic", "replication_factor = 2", "INVALID_REPLICATION_FACTOR"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			fake.Fail(t, c.fault)
			w := newWorkspace(t, plainKafka(fake)+topic("t", 1, c.body))
			refused := w.plan(1)
			refused.says(t, append(c.says, `"t": broker`, "Nothing was changed.")...)
			if n := refused.count("Error:"); n != 1 {
				t.Errorf("%d errors:\n%s", n, refused.text)
			}
			if fake.Has("t") {
				t.Error("created all the same")
			}
		})
	}
}

// A change of settings and more partitions are asked for too, and a topic that an
// earlier change of the plan creates again is no error.
func TestTopicProbe_ChangesAreAskedFor(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 1, `config = { "retention.ms" = 5 }`))
	w.apply(0)
	w.write(plainKafka(fake) + topic("t", 2, `config = { "retention.ms" = 6 }`))
	for _, c := range []struct {
		fault kafkatest.Fault
		code  int
		says  []string
	}{
		{
			kafkatest.Fault{Request: "IncrementalAlterConfigs", Topic: "t", Code: "POLICY_VIOLATION", Message: "retention.ms is not yours"},
			1,
			[]string{"Error: The cluster's policy refuses this topic", `"retention.ms" = 6`, "to IncrementalAlterConfigs", "retention.ms is not yours"},
		},
		{
			kafkatest.Fault{Request: "CreatePartitions", Topic: "t", Code: "INVALID_PARTITIONS", Message: "no more"},
			1,
			[]string{"Error: The cluster refuses this topic", "partitions = 2", "to CreatePartitions", "no more"},
		},
		{kafkatest.Fault{Request: "CreatePartitions", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION"}, 2, nil},
		{kafkatest.Fault{Request: "IncrementalAlterConfigs", Topic: "t", Code: "REQUEST_TIMED_OUT", Times: 1}, 2, nil},
		{kafkatest.Fault{Request: "IncrementalAlterConfigs", Topic: "t", Code: "UNSUPPORTED_VERSION"}, 2, nil},
	} {
		remove := fake.Fail(t, c.fault)
		got := w.plan(c.code)
		got.says(t, c.says...)
		got.silent(t, "Warning: The cluster")
		remove()
	}
	if fake.Overrides("t")["retention.ms"] != "5" || fake.Partitions("t") != 1 {
		t.Error("a plan has changed the topic")
	}
	w.apply(0)
	w.plan(0)
}

// A probe that gets no answer is the cluster's silence and not the topic's fault:
// one error for all of them.
func TestTopicProbe_ThatGetsNoAnswerIsOneError(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, providerBlock(fake.Bootstrap(), `request_timeout = "1s"`)+topic("a", 1, "")+topic("b", 1, "")+topic("c", 1, ""))
	remove := fake.Disturb(t, kafkatest.Disturbance{Request: "CreateTopics", How: kafkatest.Delay, By: time.Minute, Skip: 1}) // the snapshot asks first
	got := w.plan(1)
	if n := got.count("Error:"); n != 1 || remove() == 0 {
		t.Errorf("%d errors:\n%s", n, got.text)
	}
	got.says(t, "Error: Kafka cluster cannot be reached", "no answer to CreateTopics")
	w.plan(2)
}

// Whose plan must not ask, does not: by attribute and by environment.
func TestTopicProbe_OfflineAsksForNothing(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Rights: kafkatest.RightsOn("*", "Describe", "DescribeConfigs", "Alter")})
	fake.CreateTopic(t, "there", 1, nil)
	with := func(more string) string {
		return providerBlock(fake.Bootstrap(), more) + topic("t", 1, "") + topic("there", 1, `config = { "retention.ms" = 5 }`) + "import {\n  to = kafkastorage_topic.there\n  id = \"there\"\n}\n"
	}
	w := newWorkspace(t, with(`plan_validation = "offline"`))
	w.plan(2)
	for _, request := range fake.Received() {
		if request.ValidateOnly && (len(request.Topics) != 1 || request.Topics[0] != "kafkastorage-defaults-probe") {
			t.Errorf("sent %+v", request)
		}
	}
	w.write(with(""))
	w.env["KAFKASTORAGE_PLAN_VALIDATION"] = "offline"
	w.plan(2)
	w.env["KAFKASTORAGE_PLAN_VALIDATION"] = "never"
	w.plan(1).says(t, "Environment variable cannot be used", "KAFKASTORAGE_PLAN_VALIDATION", "broker, offline")
	w.env["KAFKASTORAGE_PLAN_VALIDATION"] = "offline"
	w.write(with(`plan_validation = "broker"`))
	w.plan(1).says(t, "Error: Not authorized")
}

// Under an opened gate a policy that refuses for storage must not shut it again:
// the emergency switch has to work on a cluster that enforces. Any other refusal
// stays an error.
func TestTopicProbe_StorageIsAWarningUnderAnOpenedGate(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "there", 1, map[string]string{"retention.bytes": "1073741824"})
	fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "POLICY_VIOLATION", Message: "too much"})
	fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Topic: "u", Code: "POLICY_VIOLATION", Message: "too much"})
	fake.Fail(t, kafkatest.Fault{Request: "IncrementalAlterConfigs", Topic: "there", Code: "POLICY_VIOLATION", Message: "too much"})
	const gate = "Error: Storage limit would be exceeded"
	const policy = "The cluster's policy refuses this topic"
	there := topic("there", 1, `config = { "retention.bytes" = 1073741824, "segment.ms" = 9000000 }`) + "import {\n  to = kafkastorage_topic.there\n  id = \"there\"\n}\n"
	for name, c := range map[string]struct {
		capacity int64
		env      string
		topics   string
		code     int
		says     []string
	}{
		"closed, over the limit":  {1 << 30, "", topic("t", 1, gibibyte), 1, []string{gate}},
		"closed, below it":        {1 << 50, "", topic("t", 1, gibibyte), 1, []string{"Error: " + policy, "storage is not the reason"}},
		"warn, over the limit":    {1 << 30, "warn", topic("t", 1, gibibyte) + topic("u", 1, gibibyte), 2, []string{"Warning: " + policy, "Storage is the likely reason", "too much"}},
		"off, over the limit":     {1 << 30, "off", topic("t", 1, gibibyte), 2, []string{"Warning: " + policy}},
		"off, below the limit":    {1 << 50, "off", topic("t", 1, gibibyte), 1, []string{"Error: " + policy}},
		"off, over it, no growth": {1 << 20, "off", there, 1, []string{"Error: " + policy}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, eventStreams(fake, c.capacity, "")+c.topics)
			w.env["KAFKASTORAGE_ENFORCEMENT"] = c.env
			got := w.plan(c.code)
			got.says(t, c.says...)
			if n := got.count(policy); n > 1 {
				t.Errorf("said %d times:\n%s", n, got.text)
			}
		})
	}
}

// A creation of what exists is no error at plan, because a replacement looks the
// same: once, a note with the import command. Apply stops before it sends anything.
func TestTopicProbe_WhatExistsIsANoteAtPlanAndAnErrorInApply(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "a", 2, map[string]string{"retention.ms": "5"})
	fake.CreateTopic(t, "b", 2, nil)
	w := newWorkspace(t, plainKafka(fake)+topic("a", 2, `config = { "retention.ms" = 5 }`)+topic("b", 3, ""))
	planned := w.plan(2, "-out=saved")
	planned.says(t, "Warning: Topic to create exists already", "terraform import ADDRESS", "a replacement")
	if n := planned.count("Warning:"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, planned.text)
	}
	fake.ForgetRequests()
	stopped := w.must(1, "apply", "-no-color", "-input=false", "saved")
	stopped.says(t, "Error: Topic exists already", "terraform import ADDRESS 'a'", "terraform import ADDRESS 'b'",
		`"a" exists in the cluster and not in this state. It has exactly the partitions, replicas and settings`, `"b" exists in the cluster and not in this state. To manage it`, "Nothing was changed.")
	for _, request := range fake.Received() {
		if !request.ValidateOnly && request.Name != "Metadata" && request.Name != "DescribeConfigs" {
			t.Errorf("sent %+v", request)
		}
	}
	if diff := cmp.Diff(map[string]string{"retention.ms": "5"}, fake.Overrides("a")); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"a", "b"} {
		w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic."+name, name)
	}
	w.must(0, "taint", "-no-color", "kafkastorage_topic.a")
	w.plan(2).silent(t, "Warning: Topic exists") // this process has seen that Terraform holds both
	w.apply(0).silent(t, "Warning: Topic exists")
	w.plan(0)
}

// A missing right to change or to delete is heard at plan, with the grant that is
// missing; one to create from the cluster itself. Who may change nothing at all is
// refused nothing and told nothing: others apply.
func TestTopicProbe_MissingRightsAreHeardAtPlan(t *testing.T) {
	t.Parallel()
	reads := append(kafkatest.RightsOn("*", "Describe", "DescribeConfigs"), kafkatest.Right{Operation: "DescribeConfigs"})
	with := func(more ...kafkatest.Right) []kafkatest.Right { return append(reads[:len(reads):len(reads)], more...) }
	all := []string{"Create", "Alter", "AlterConfigs", "Delete"}
	without := func(left string) []kafkatest.Right {
		var rights []kafkatest.Right
		for _, operation := range all {
			if operation != left {
				rights = append(rights, kafkatest.RightsOn("*", operation)...)
			}
		}
		return with(rights...)
	}
	const config = `config = { "retention.ms" = 5 }`
	imported := topic("there", 1, config) + "import {\n  to = kafkastorage_topic.there\n  id = \"there\"\n}\n"
	for name, c := range map[string]struct {
		rights  []kafkatest.Right
		planned string
		title   string // of the error, empty for none
		grant   string
	}{
		"all rights":                    {without(""), topic("t", 1, "") + imported, "", ""},
		"no right to create":            {without("Create"), topic("t", 1, ""), "Error: Not authorized to create the topic", "--operation Create --topic 't'"},
		"no right to change settings":   {without("AlterConfigs"), imported, "Error: Not authorized to change the topic", "--operation AlterConfigs --topic 'there'"},
		"no right to add partitions":    {without("Alter"), strings.Replace(imported, "partitions = 1", "partitions = 2", 1), "Error: Not authorized to change the topic", "--operation Alter --topic 'there'"},
		"no right to delete, unneeded":  {without("Delete"), topic("t", 1, "") + imported, "", ""},
		"only to create on the cluster": {with(kafkatest.Right{Operation: "Create"}), topic("t", 1, ""), "", ""},
		"only to read, and creates":     {with(), topic("t", 1, "") + topic("u", 1, ""), "", ""},
		"only to read, and changes":     {with(), imported, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Rights: c.rights})
			fake.CreateTopic(t, "there", 1, nil)
			w := newWorkspace(t, plainKafka(fake)+c.planned)
			if c.title == "" {
				w.plan(2).silent(t, "Error", "Warning", "authorized")
				return
			}
			w.plan(1).says(t, c.title, c.grant, "Nothing was changed.")
		})
	}
}

// Deletes have no validate-only form: the list of rights is all that a plan can
// hear. It is held against a delete, a replacement and a change of name.
func TestTopicProbe_MissingRightToDeleteIsHeardAtPlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rights []string
		fails  bool
	}{
		"missing": {[]string{"Create", "Alter", "AlterConfigs"}, true},
		"granted": {[]string{"Create", "Alter", "AlterConfigs", "Delete"}, false},
		"reading": {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rights := append(kafkatest.RightsOn("*", "Describe", "DescribeConfigs"), kafkatest.RightsOn("*", c.rights...)...)
			rights = append(rights, kafkatest.Right{Operation: "DescribeConfigs"})
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Rights: rights})
			fake.CreateTopic(t, "t", 1, nil)
			w := newWorkspace(t, plainKafka(fake)+topic("t", 1, ""))
			w.must(0, "import", "-no-color", "-input=false", "kafkastorage_topic.t", "t")
			code := 2
			if c.fails {
				code = 1
			}
			heard := func(got outcome) {
				t.Helper()
				if c.fails {
					got.says(t, "Error: Not authorized to delete the topic", "--operation Delete --topic 't'", "Nothing was changed.")
					return
				}
				got.silent(t, "Error", "Warning")
			}
			heard(w.plan(code, "-destroy"))
			if replaced := w.plan(code, "-replace=kafkastorage_topic.t"); c.fails {
				heard(replaced)
			} else { // of the second call of a replacement Terraform shows errors only
				replaced.silent(t, "Error")
			}
			w.write(plainKafka(fake) + strings.Replace(topic("t", 1, ""), `= "t"`, `= "renamed"`, 1))
			heard(w.plan(code))
			w.write(plainKafka(fake) + topic("t", 1, ""))
			w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
			heard(w.plan(code))
			if !fake.Has("t") {
				t.Error("deleted")
			}
		})
	}
}

// Inputs that are not known yet are not asked about: apply hears the cluster itself.
func TestTopicProbe_UnknownInputsAreNotSent(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"partitions": "partitions = terraform_data.later.output",
		"a setting":  "partitions = 3\n  config = { \"retention.ms\" = terraform_data.later.output }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			fake.Fail(t, kafkatest.Fault{Request: "CreateTopics", Topic: "t", Code: "POLICY_VIOLATION", Message: "never"})
			w := newWorkspace(t, plainKafka(fake)+later("later", "3")+fmt.Sprintf("resource \"kafkastorage_topic\" \"t\" {\n  name = \"t\"\n  %s\n}\n", body))
			w.plan(2)
			w.apply(1).says(t, "Error: The cluster's policy refuses this topic", "never")
		})
	}
}

// Who may not read the cluster's defaults plans with others, and is told so where a
// topic comes to rest on them: sizes that are wrong by a setting that nobody can see
// would be believed.
func TestTopicProbe_DefaultsThatMayNotBeReadAreSaid(t *testing.T) {
	t.Parallel()
	const title = "Warning: The cluster's defaults may not be read"
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Rights: kafkatest.RightsOn("t", "Describe", "DescribeConfigs", "Create", "AlterConfigs", "Alter", "Delete")})
	fake.CreateTopic(t, "t", 1, map[string]string{"retention.bytes": "1073741824", "segment.bytes": "1073741824"})
	head := plainKafka(fake)
	imported := "import {\n  to = kafkastorage_topic.t\n  id = \"t\"\n}\n"
	w := newWorkspace(t, head+topic("t", 1, `config = { "retention.bytes" = 1073741824, "segment.bytes" = 1073741824 }`)+imported)
	w.apply(0).silent(t, "Warning")
	w.plan(0).silent(t, "Warning")
	w.write(head + topic("t", 1, `config = { "retention.bytes" = 2147483648, "segment.bytes" = 1073741824 }`))
	w.plan(2).silent(t, title)
	w.write(head + topic("t", 1, `config = { "retention.bytes" = 1073741824 }`))
	w.plan(2).says(t, title, `"t": what it does not set itself`, "CLUSTER_AUTHORIZATION_FAILED", "DescribeConfigs on the cluster", "--operation DescribeConfigs --cluster")
	w.write(head)
	w.apply(0)
	w.write(head + topic("t", 1, ""))
	created := w.plan(2)
	created.says(t, title)
	if n := created.count("Warning:"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, created.text)
	}
}
