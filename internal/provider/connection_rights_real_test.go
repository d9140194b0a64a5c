// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// guidesGrants are what the guide about connecting tells to grant, to whom plans and
// to whom applies: the commands in it, and nothing beside them.
func guidesGrants(t *testing.T) (planner, deployer []kafkatest.Grant) {
	t.Helper()
	content, err := os.ReadFile("../../docs/guides/connecting.md")
	if err != nil {
		t.Fatal(err)
	}
	grants, err := kafkatest.ParseGrants(string(content))
	if err != nil {
		t.Fatal(err)
	}
	if len(grants) != 2 || grants["planner"] == nil || grants["deployer"] == nil {
		t.Fatalf("the guide grants %v", grants)
	}
	return grants["planner"], grants["deployer"]
}

// as are the settings of a user who logs in over plaintext.
func (c secureCluster) as(user string) fields {
	settings := password("scram-sha-512", user)
	settings["bootstrap_servers"], settings["tls"] = []any{c.Address(kafkatest.ListenerSASL)}, fields{"enabled": false}
	settings["storage_quota"] = fields{"accounting": "reserved"}
	return settings
}

// The rights that the guide lists are enough: for planning those of a reader, to
// whom a plan is as quiet as to anybody; for applying those of a writer.
func TestRealConnection_TheGuidesRightsAreEnough(t *testing.T) {
	c := freshSecure(t)
	planner, deployer := guidesGrants(t)
	c.SetGrants(t, kafkatest.UserReader, planner...)
	c.SetGrants(t, kafkatest.UserWriter, deployer...)
	asWriter := c.block(kafkatest.ListenerSASLTLS, password("scram-sha-512", kafkatest.UserWriter))
	asReader := c.block(kafkatest.ListenerSASLTLS, password("scram-sha-512", kafkatest.UserReader))
	const small, large = `config = { "max.message.bytes" = "60000" }`, `config = { "max.message.bytes" = "90000" }`

	w := newWorkspace(t, asWriter+topic("app-one", 1, small)+topic("app-two", 2, ""))
	w.plan(2).silent(t, "Warning", "Error")
	w.apply(0).silent(t, "Warning")
	w.plan(0).silent(t, "Warning")

	w.write(asReader + topic("app-one", 1, small) + topic("app-two", 2, ""))
	w.plan(0).silent(t, "Warning", "Error")
	w.write(asReader + topic("app-one", 1, large) + topic("app-three", 1, "") + topic("app-four", 1, ""))
	w.plan(2).silent(t, "Warning", "Error")

	w.write(asWriter + topic("app-one", 1, large) + topic("app-three", 1, ""))
	w.apply(0).silent(t, "Warning")
	w.plan(0).silent(t, "Warning")
	w.write(asWriter + topic("app-one", 2, large) + topic("app-three", 1, ""))
	w.apply(0)
	w.plan(0)
	w.destroy(0)

	// A reader that applies is told what is missing, and how to grant it.
	w.write(asReader + topic("app-four", 1, ""))
	w.apply(1).says(t, "Not authorized to create the topic", "TOPIC_AUTHORIZATION_FAILED", "--operation Create --topic 'app-four'")
}

// A plan with the reader's rights sends no question that only a writer may ask, not
// even with validate-only: clusters log and count what they refuse.
func TestRealConnection_AReadersPlanAsksForNothing(t *testing.T) {
	c := freshSecure(t)
	planner, _ := guidesGrants(t)
	c.SetGrants(t, kafkatest.UserReader, planner...)
	one := c.held(t, "app-one")
	network := &kafkatest.Overheard{}
	p, err := startProcessOver(t.Context(), c.as(kafkatest.UserReader), network.Dial)
	if err != nil {
		t.Fatal(err)
	}
	c.everyPlan(t, p, one)
	for name := range network.Requests() {
		switch name {
		case "ApiVersions", "SASLHandshake", "SASLAuthenticate", "Metadata", "DescribeConfigs", "DescribeCluster":
		default:
			t.Errorf("sent %s", name)
		}
	}
	if network.Requests()["DescribeConfigs"] == 0 {
		t.Errorf("heard only %v", network.Requests())
	}
}

// held is a topic with a setting of its own, as a state holds it.
func (c secureCluster) held(t *testing.T, name string) *instance {
	t.Helper()
	process := func() *process {
		p, err := startProcess(t.Context(), c.as(kafkatest.UserRoot))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	planned, err := process().plan(t.Context(), topicKind, nil, fields{"name": name, "partitions": 1, "config": fields{"max.message.bytes": "60000"}})
	if err != nil || planned.refused() {
		t.Fatalf("%v %s", err, planned.said)
	}
	state, said, err := process().apply(t.Context(), planned)
	if err != nil || len(said.errors()) > 0 {
		t.Fatalf("%v %s", err, said)
	}
	c.Settle(t)
	return state
}

// everyPlan reads a topic and plans every kind of change, one process for all, and
// returns what is said to each.
func (c secureCluster) everyPlan(t *testing.T, p *process, one *instance) map[string]diagnoses {
	t.Helper()
	said := map[string]diagnoses{}
	_, read, err := p.read(t.Context(), topicKind, one)
	if err != nil {
		t.Fatal(err)
	}
	said["read"] = read
	with := func(partitions int, bytes string) fields {
		return fields{"name": one.values["name"], "partitions": partitions, "config": fields{"max.message.bytes": bytes}}
	}
	for _, step := range []struct {
		what   string
		prior  *instance
		config fields
	}{
		{"nothing", one, with(1, "60000")},
		{"create", nil, fields{"name": "app-new", "partitions": 1}},
		{"settings", one, with(1, "90000")},
		{"partitions", one, with(2, "60000")},
	} {
		planned, err := p.plan(t.Context(), topicKind, step.prior, step.config)
		if err != nil {
			t.Fatal(err)
		}
		said[step.what] = planned.said
	}
	gone, err := p.planDelete(t.Context(), topicKind, one)
	if err != nil {
		t.Fatal(err)
	}
	said["delete"] = gone.said
	return said
}

// No right in the guide is superfluous: without any one of them something is refused,
// or said to be unsure, and the message names the operation and what it is for, ready
// to be granted. Where a right includes a lesser one (Alter and Delete Describe,
// AlterConfigs DescribeConfigs), that one alone stays.
func TestRealConnection_EachOfTheGuidesRightsIsNeeded(t *testing.T) {
	c := freshSecure(t)
	planner, deployer := guidesGrants(t)
	one := c.held(t, "app-one")
	includes := map[string]string{"Alter": "Describe", "Delete": "Describe", "AlterConfigs": "DescribeConfigs"}
	for _, holder := range []struct {
		user   string
		grants []kafkatest.Grant
		// heardAt is the step that is answered, by "operation resource".
		heardAt map[string]string
	}{
		{kafkatest.UserReader, planner, map[string]string{
			"Describe app-": "read", "DescribeConfigs app-": "read", "DescribeConfigs ": "create",
		}},
		{kafkatest.UserWriter, deployer, map[string]string{
			"Create app-": "create", "Alter app-": "partitions", "AlterConfigs app-": "settings", "Delete app-": "delete", "DescribeConfigs ": "create",
		}},
	} {
		missing := map[string]bool{}
		for _, grant := range holder.grants {
			for _, operation := range grant.Operations {
				right := operation + " " + grant.TopicPrefix
				missing[right] = true
				t.Run(holder.user+" without "+right, func(t *testing.T) {
					var instead []string
					if lesser := includes[operation]; lesser != "" {
						instead = []string{lesser}
					}
					c.SetGrants(t, holder.user, kafkatest.Without(holder.grants, grant, operation, instead...)...)
					p, err := startProcess(t.Context(), c.as(holder.user))
					if err != nil {
						t.Fatal(err)
					}
					said := c.everyPlan(t, p, one)
					heard := said[holder.heardAt[right]]
					if len(heard) == 0 {
						t.Fatalf("nothing is said: %v", said)
					}
					option, resource := "--cluster", "the cluster"
					if grant.TopicPrefix != "" {
						option, resource = fmt.Sprintf("--topic '%s'", plannedTopicOf(holder.heardAt[right])), "the topic"
					}
					text := heard.String()
					for _, want := range []string{"--operation " + operation + " " + option, operation, resource} {
						if !strings.Contains(text, want) {
							t.Errorf("%q is not said:\n%s", want, text)
						}
					}
				})
			}
		}
		wanted := map[string]bool{}
		for right := range holder.heardAt {
			wanted[right] = true
		}
		if diff := cmp.Diff(wanted, missing); diff != "" {
			t.Errorf("%s: rights that were tried (-want +got):\n%s", holder.user, diff)
		}
		// With all of them nothing is said about rights.
		c.SetGrants(t, holder.user, holder.grants...)
		p, err := startProcess(t.Context(), c.as(holder.user))
		if err != nil {
			t.Fatal(err)
		}
		for step, said := range c.everyPlan(t, p, one) {
			for _, one := range said {
				if strings.Contains(one.Detail, "kafka-acls.sh") || one.Severity == "error" {
					t.Errorf("%s with all rights, %s: %s", holder.user, step, one.Summary)
				}
			}
		}
	}
}

// plannedTopicOf is the topic that a step of everyPlan is about.
func plannedTopicOf(step string) string {
	if step == "create" {
		return "app-new"
	}
	return "app-one"
}
