// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// requestsOf counts all requests that a fake has had.
func requestsOf(fake *kafkatest.Fake) int {
	n := 0
	for _, times := range fake.Requests() {
		n += times
	}
	return n
}

// A search over hundreds of topics must not cost a request for each, with the
// resources or without: the snapshot reads settings by a few hundred topics to a
// request, and from the first result on nothing more is asked.
func TestTopicList_StreamsInPagesWithoutARequestPerTopic(t *testing.T) {
	t.Parallel()
	const topics = 500
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	for i := range topics {
		fake.CreateTopic(t, fmt.Sprintf("t%03d", i), 1, map[string]string{"retention.ms": "5"})
	}
	p := started(t, plainSettings(fake))
	for _, withResource := range []bool{true, false} {
		fake.ForgetRequests()
		next, stop := iter.Pull2(p.search(t.Context(), topicKind, nil, 0, withResource))
		first, err, ok := next()
		if err != nil || !ok || len(first.said) > 0 || first.name != "t000" {
			t.Fatalf("%+v, %v", first, err)
		}
		before := requestsOf(fake)
		if before > 10 || fake.Requests()["DescribeConfigs"] > 1+topics/250 {
			t.Errorf("with resource %v: %v", withResource, fake.Requests())
		}
		seen := 1
		for one, err, ok := next(); ok; one, err, ok = next() {
			if want := fmt.Sprintf("t%03d", seen); err != nil || one.name != want || !cmp.Equal(one.identity, fields{"name": want}) || (one.resource != nil) != withResource {
				t.Fatalf("result %d: %+v, %v", seen, one, err)
			}
			seen++
		}
		stop()
		if seen != topics || requestsOf(fake) != before {
			t.Errorf("with resource %v: %d results, %v", withResource, seen, fake.Requests())
		}
	}
}

// Terraform says how many results it takes, and may stop sooner.
func TestTopicList_StopsAtTheLimitAndWhenNobodyListens(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	for _, name := range []string{"a", "b", "c", "d"} {
		fake.CreateTopic(t, name, 1, nil)
	}
	p := started(t, plainSettings(fake))
	for limit, want := range map[int64]int{0: 4, 1: 1, 3: 3, 4: 4, 100: 4} {
		if got := searched(t, p, topicKind, nil, limit, false); len(got) != want {
			t.Errorf("limit %d: %v", limit, shownNames(got))
		}
	}
	for one, err := range p.search(t.Context(), topicKind, nil, 0, false) {
		if err != nil || one.name != "a" {
			t.Errorf("%v, %v", one, err)
		}
		break // a second result after this would panic
	}
}

// The filters narrow by name, together as well; internal topics, and names like
// those of Kafka's own, come only when they are asked for.
func TestTopicList_FiltersByName(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	for _, name := range []string{"__tool", "audit", "orders.created", "orders.shipped", "reorders.created"} {
		fake.CreateTopic(t, name, 1, nil)
	}
	p := started(t, plainSettings(fake))
	for _, c := range []struct {
		config fields
		want   []string
	}{
		{nil, []string{"audit", "orders.created", "orders.shipped", "reorders.created"}},
		{fields{"include_internal": true}, []string{"__tool", "audit", "orders.created", "orders.shipped", "reorders.created"}},
		{fields{"include_internal": false, "name_prefix": "__"}, []string{}},
		{fields{"name_prefix": "orders."}, []string{"orders.created", "orders.shipped"}},
		{fields{"name_prefix": ""}, []string{"audit", "orders.created", "orders.shipped", "reorders.created"}},
		{fields{"name_regex": "orders"}, []string{"orders.created", "orders.shipped", "reorders.created"}},
		{fields{"name_regex": `^orders\.`}, []string{"orders.created", "orders.shipped"}},
		{fields{"name_prefix": "orders", "name_regex": "shipped$"}, []string{"orders.shipped"}},
		{fields{"name_prefix": "none"}, []string{}},
	} {
		if diff := cmp.Diff(c.want, shownNames(searched(t, p, topicKind, c.config, 0, false))); diff != "" {
			t.Errorf("%v:\n%s", c.config, diff)
		}
		data, said, err := p.readData(t.Context(), "kafkastorage_topics", c.config) // the data source has the same filter
		if err != nil || len(said) > 0 {
			t.Fatalf("%v, %s", err, said)
		}
		var names []string
		for _, name := range data["names"].([]any) { //nolint:forcetypeassert // a panic is a failure as well
			names = append(names, fmt.Sprint(name))
		}
		if !slices.Equal(names, c.want) || len(data["topics"].(fields)) != len(c.want) { //nolint:forcetypeassert // likewise
			t.Errorf("%v: the data source finds %v", c.config, data)
		}
	}
}

// A bad regular expression is found before a cluster is asked, and hangs on its attribute.
func TestTopicFilter_BadRegularExpressionIsAnErrorAtTheAttribute(t *testing.T) {
	t.Parallel()
	nowhere := fields{"bootstrap_servers": []any{closedPort(t)}, "tls": fields{"enabled": false}, "request_timeout": "1s"}
	p := started(t, nowhere)
	for _, expression := range []string{"orders(", "(?=look)ahead", `(a)\1`} {
		got := searched(t, p, topicKind, fields{"name_regex": expression}, 0, false)
		_, said, err := p.readData(t.Context(), "kafkastorage_topics", fields{"name_regex": expression})
		if err != nil || len(got) != 1 || !cmp.Equal(got[0].said, said) || len(said) != 1 || said[0].Summary != "Regular expression cannot be used" || !strings.Contains(said[0].Detail, "RE2") {
			t.Errorf("%s: list %v, data source %s, %v", expression, got, said, err)
		}
	}
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+"data \"kafkastorage_topics\" \"all\" {\n  name_regex = \"orders(\"\n}\n")
	w.must(1, "validate", "-no-color").says(t, `name_regex = "orders("`, "in data \"kafkastorage_topics\" \"all\"", "missing closing )")
}

// What the search shows of a topic is what an import of it would hold: terraform
// query writes configuration from it.
func TestTopicList_ResourceIsWhatAnImportHolds(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	for name, settings := range awkwardTopics {
		fake.CreateTopic(t, name, 2, settings)
	}
	p := started(t, plainSettings(fake))
	for _, one := range searched(t, p, topicKind, nil, 0, true) {
		importedAs(t, p, topicKind, one)
	}
}

// Topics that may not be read are missing from the results; the search says so
// once, with the right that is missing, on a result that Terraform keeps.
func TestTopicList_NamesWhatMayNotBeRead(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	for _, name := range []string{"a", "b", "secret"} {
		fake.CreateTopic(t, name, 1, nil)
	}
	fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Topic: "secret", Code: "TOPIC_AUTHORIZATION_FAILED"})
	p := started(t, plainSettings(fake))
	got := searched(t, p, topicKind, nil, 0, false)
	if !slices.Equal(shownNames(got), []string{"a", "b"}) || len(got[0].said) != 1 || len(got[1].said) != 0 {
		t.Fatalf("%+v", got)
	}
	if said := got[0].said[0]; said.Severity != "warning" || !strings.Contains(said.Detail, "secret") || !strings.Contains(said.Detail, "kafka-acls.sh") {
		t.Errorf("%+v", said)
	}
	only := searched(t, p, topicKind, fields{"name_prefix": "sec"}, 0, false)
	if len(only) != 1 || only[0].identity != nil || len(only[0].said) != 1 {
		t.Errorf("%+v", only)
	}
	if other := searched(t, p, topicKind, fields{"name_prefix": "b"}, 0, false); len(other[0].said) != 0 {
		t.Errorf("a warning about a topic that the filter leaves out: %+v", other)
	}
}

// Without a cluster a search is an error, and not an empty list.
func TestTopicList_NeedsACluster(t *testing.T) {
	t.Parallel()
	for want, settings := range map[string]fields{
		"Kafka server refuses connections": {"bootstrap_servers": []any{closedPort(t)}, "tls": fields{"enabled": false}, "request_timeout": "1s"},
		"Kafka cluster is not known yet":   {"bootstrap_servers": unknown, "tls": fields{"enabled": false}},
	} {
		got := searched(t, started(t, settings), topicKind, nil, 0, true)
		if len(got) != 1 || len(got[0].said.errors()) != 1 || got[0].said[0].Summary != want {
			t.Errorf("want %s, got %+v", want, got)
		}
	}
}

// The same through terraform query, where Terraform is new enough.
func TestTopicList_Query(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	for _, name := range []string{"audit", "orders.created", "orders.shipped"} {
		fake.CreateTopic(t, name, 1, nil)
	}
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)},
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: plainKafka(fake)},
			{
				Query:  true,
				Config: plainKafka(fake) + "list \"kafkastorage_topic\" \"orders\" {\n  provider = kafkastorage\n  config {\n    name_prefix = \"orders.\"\n  }\n}\n",
				QueryResultChecks: []querycheck.QueryResultCheck{
					querycheck.ExpectLength("kafkastorage_topic.orders", 2),
					querycheck.ExpectIdentity("kafkastorage_topic.orders", map[string]knownvalue.Check{"name": knownvalue.StringExact("orders.created")}),
				},
			},
		},
	})
}
