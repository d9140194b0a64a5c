// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Terraform plans a topic and its tiered resource in an order of its own unless one
// refers to the other. Here each order is played: together the two calls come to the
// same verdict, whichever is first, and the second of two that do not go together is
// the one to say so.
func TestTieredOrder_TheVerdictIsTheSameInEitherOrder(t *testing.T) {
	t.Parallel()
	const (
		longer  = "Local retention is longer than the total"
		owners  = "Tiered settings have two owners"
		waits   = "Tiered settings depend on the topic's own plan"
		lost    = "Tiered settings would be lost on their way"
		refuses = "Switching tiered storage off deletes remote data"
	)
	local := func(bytes int) fields { return fields{"topic": "t", "local_retention_bytes": bytes} }
	total := func(bytes int) fields {
		return fields{"retention.bytes": fmt.Sprint(bytes), "segment.bytes": "1048576"}
	}
	owned := fields{"retention.bytes": "1000000000", "segment.bytes": "1048576", "remote.storage.enable": "true", "local.retention.bytes": "100000000"}
	for _, c := range []struct {
		name   string
		topic  fields // its config
		tiered fields // nil: it goes
		// The error of each order, and whose call it is; nothing: both are accepted.
		topicFirst, tieredFirst string
		warns                   string // what the tiered call says where it comes first
	}{
		{name: "both grow", topic: total(3000000000), tiered: local(2000000000), warns: waits},
		{name: "both shrink to what was", topic: total(1000000000), tiered: local(100000000)},
		{name: "both shrink", topic: total(90000000), tiered: local(50000000), topicFirst: "topic: " + longer, tieredFirst: "topic: " + longer},
		{name: "the local limit grows too far", topic: total(1500000000), tiered: local(2000000000), topicFirst: "tiered: " + longer, tieredFirst: "topic: " + longer, warns: waits},
		{name: "nothing but the local limit, too far", topic: total(1000000000), tiered: local(2000000000), topicFirst: "tiered: " + longer, tieredFirst: "topic: " + longer, warns: waits},
		{name: "the total sinks below the local limit", topic: total(90000000), tiered: local(100000000), topicFirst: "topic: " + longer, tieredFirst: "topic: " + longer},
		{name: "two owners", topic: owned, tiered: local(100000000), topicFirst: "tiered: " + owners, tieredFirst: "topic: " + owners},
		{name: "handed over by a delete with consent", topic: owned, topicFirst: "tiered: " + lost, tieredFirst: "topic: " + lost},
		{name: "a delete without consent", topic: total(1000000000), topicFirst: "tiered: " + refuses, tieredFirst: "tiered: " + refuses},
	} {
		for _, topicFirst := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, topic first %v", c.name, topicFirst), func(t *testing.T) {
				t.Parallel()
				fake := kafkatest.StartFake(t, tieredFake())
				fake.CreateTopic(t, "t", 1, map[string]string{
					"retention.bytes": "1000000000", "segment.bytes": "1048576", "remote.storage.enable": "true", "local.retention.bytes": "100000000",
				})
				p := started(t, plainSettings(fake))
				topic := refreshed(t, p, topicKind, fields{"config": total(1000000000)})
				tiered := refreshed(t, p, tieredKind, nil)
				if strings.HasSuffix(c.name, "with consent") {
					tiered.values["delete_remote_data_on_disable"] = true
				}
				want := c.tieredFirst
				if topicFirst {
					want = c.topicFirst
				}
				var errors, warnings []string
				calls := map[string]func() (change, error){
					"topic": func() (change, error) {
						return p.plan(t.Context(), topicKind, topic, fields{"name": "t", "partitions": 1, "config": c.topic})
					},
					"tiered": func() (change, error) {
						if c.tiered == nil {
							return p.planDelete(t.Context(), tieredKind, tiered)
						}
						return p.plan(t.Context(), tieredKind, tiered, c.tiered)
					},
				}
				order := []string{"tiered", "topic"}
				if topicFirst {
					order = []string{"topic", "tiered"}
				}
				for _, name := range order {
					planned, err := calls[name]()
					if err != nil {
						t.Fatal(err)
					}
					for _, one := range planned.said {
						if one.Severity == "error" {
							errors = append(errors, name+": "+one.Summary)
						} else {
							warnings = append(warnings, one.Summary)
						}
						if !strings.Contains(one.Detail, `"t"`) {
							t.Errorf("the topic is not named:\n%s", one.Detail)
						}
					}
				}
				if got := strings.Join(errors, "\n"); got != want {
					t.Errorf("errors %q, want %q", got, want)
				}
				if waited := strings.Contains(strings.Join(warnings, "\n"), waits); waited != (c.warns == waits && !topicFirst) {
					t.Errorf("warnings %q", warnings)
				}
			})
		}
	}
}

// refreshed is a resource of topic "t" as a plan finds it in the state and has read it
// again. The values replace those of an import.
func refreshed(t *testing.T, p *process, kind string, values fields) *instance {
	t.Helper()
	held, said, err := started(t, p.settings).importOne(t.Context(), kind, "t")
	if err != nil || held == nil {
		t.Fatal(err, said)
	}
	maps.Copy(held.values, values)
	held, said, err = p.read(t.Context(), kind, held)
	if err != nil || held == nil {
		t.Fatal(err, said)
	}
	return held
}
