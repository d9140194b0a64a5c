// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// wiringTopics are two topics of 5020581888 bytes each; one of them fits the
// instance of these tests.
const wiringTopics = `
locals {
  topics = {
    a = { partitions = 3, config = { "retention.bytes" = "1073741824" } }
    b = { partitions = 3, config = { "retention.bytes" = "1073741824" } }
  }
  planned = { for name, topic in kafkastorage_topic.t : name => topic.reserved_bytes }
}

resource "kafkastorage_topic" "t" {
  for_each   = local.topics
  name       = each.key
  partitions = each.value.partitions
  config     = each.value.config
}
`

// dataBlock is the data source with the given body.
func dataBlock(body string) string {
	return "data \"kafkastorage_reserved_storage\" \"all\" {\n" + body + "\n}\n"
}

// How the data source is wired decides whether a plan sees the limit at all. Each
// row is one wiring; the topics' own gate is switched off in the provider block,
// which does not touch the data source.
func TestReservedStorageWiring(t *testing.T) {
	t.Parallel()
	const exceeded = "Storage limit would be exceeded"
	const mine = "my own words"
	condition := "condition     = !data.kafkastorage_reserved_storage.all.limit_exceeded\n    error_message = \"" + mine + "\""
	for _, c := range []struct {
		wiring, configuration string
		module                string
		planExit              int
		says                  string
		applyExit             int // of the same configuration, when the plan passes
	}{
		{
			wiring:        "the resources named in the block: not read at plan, no gate",
			configuration: dataBlock("planned_bytes = { for name, topic in kafkastorage_topic.t : name => topic.reserved_bytes }\n  enforce = true"),
			planExit:      2, says: "(depends on a resource or a module with changes pending)", applyExit: 1,
		},
		{
			wiring:        "the resources through a local",
			configuration: dataBlock("planned_bytes = local.planned\n  enforce = true"),
			planExit:      1, says: exceeded,
		},
		{
			wiring:        "the resources through a module's input",
			configuration: "module \"gate\" {\n  source  = \"./gate\"\n  planned = local.planned\n}\n",
			module:        "variable \"planned\" { type = map(number) }\n" + dataBlock("planned_bytes = var.planned\n  enforce = true"),
			planExit:      1, says: exceeded,
		},
		{
			wiring:        "a module's output",
			configuration: "module \"gate\" {\n  source  = \"./gate\"\n  planned = local.planned\n}\n" + dataBlock("planned_bytes = module.gate.planned\n  enforce = true"),
			module:        "variable \"planned\" { type = map(number) }\noutput \"planned\" { value = var.planned }\n",
			planExit:      1, says: exceeded,
		},
		{
			wiring:        "a local and depends_on: not read at plan, no gate",
			configuration: dataBlock("planned_bytes = local.planned\n  enforce = true\n  depends_on = [kafkastorage_topic.t]"),
			planExit:      2, says: "(depends on a resource or a module with changes pending)", applyExit: 1,
		},
		{
			wiring:        "a local and a postcondition in the block: too late, the topics are written",
			configuration: dataBlock("planned_bytes = local.planned\n  lifecycle {\n    postcondition {\n    condition = !self.limit_exceeded\n    error_message = \"" + mine + "\"\n    }\n  }"),
			planExit:      2, applyExit: 1,
		},
		{
			wiring:        "a local and a check on the data source: only a warning",
			configuration: dataBlock("planned_bytes = local.planned") + "check \"limit\" {\n  assert {\n    " + condition + "\n  }\n}\n",
			planExit:      2, says: "Warning: Check block assertion failed",
		},
		{
			wiring:        "the data source inside a check: its error is only a warning",
			configuration: "check \"limit\" {\n" + dataBlock("planned_bytes = local.planned\n  enforce = true") + "  assert {\n    " + condition + "\n  }\n}\n",
			planExit:      2, says: "Warning: " + exceeded,
		},
		{
			wiring:        "a local and a precondition of an output",
			configuration: dataBlock("planned_bytes = local.planned") + "output \"ok\" {\n  value = true\n  precondition {\n    " + condition + "\n  }\n}\n",
			planExit:      1, says: mine,
		},
		{
			wiring:        "a local and a precondition of another resource",
			configuration: dataBlock("planned_bytes = local.planned") + "resource \"terraform_data\" \"gate\" {\n  lifecycle {\n    precondition {\n    " + condition + "\n    }\n  }\n}\n",
			planExit:      1, says: mine,
		},
		{
			wiring:        "the local that feeds the topics, enforced: the wiring we teach",
			configuration: dataBlock("planned_topics = local.topics\n  enforce = true"),
			planExit:      1, says: exceeded,
		},
		{
			wiring:        "the local that feeds the topics, and a postcondition in the block",
			configuration: dataBlock("planned_topics = local.topics\n  lifecycle {\n    postcondition {\n    condition = !self.limit_exceeded\n    error_message = \"" + mine + "\"\n    }\n  }"),
			planExit:      1, says: mine,
		},
		{
			wiring:        "the local that feeds the topics, and a precondition of an output",
			configuration: dataBlock("planned_topics = local.topics") + "output \"ok\" {\n  value = true\n  precondition {\n    " + condition + "\n  }\n}\n",
			planExit:      1, says: mine,
		},
	} {
		t.Run(c.wiring, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
			w := newWorkspace(t, eventStreams(fake, 10737418240, ", enforcement = \"off\"")+wiringTopics+c.configuration)
			if c.module != "" {
				w.module("gate", c.module)
			}
			if got := w.plan(c.planExit); c.says != "" {
				got.says(t, c.says)
			}
			if c.planExit == 1 {
				return
			}
			if applied := w.apply(c.applyExit); c.applyExit == 1 {
				applied.silent(t, "Nothing was changed")
			}
			if !fake.Has("a") || !fake.Has("b") {
				t.Error("this wiring stops no topic, and one is missing")
			}
		})
	}
}

// module writes a local module and installs it.
func (w *workspace) module(name, configuration string) {
	w.t.Helper()
	folder := filepath.Join(w.folder, name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	const required = "terraform {\n  required_providers {\n    kafkastorage = { source = \"kafkastorage/kafkastorage\" }\n  }\n}\n"
	if err := os.WriteFile(filepath.Join(folder, "main.tf"), []byte(required+configuration), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.must(0, "get", "-no-color")
}

// The same wiring on an update: growth of topics that exist is seen as well.
func TestReservedStorageWiring_SeesUpdatesToo(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	head := eventStreams(fake, 10737418240, ", enforcement = \"off\"")
	small := strings.ReplaceAll(wiringTopics, "1073741824", "104857600")
	w := newWorkspace(t, head+small)
	w.apply(0)
	for _, gate := range []string{
		dataBlock("planned_bytes = local.planned\n  enforce = true"),
		dataBlock("planned_topics = local.topics\n  enforce = true"),
	} {
		w.write(head + small + gate)
		w.plan(0)
		w.write(head + wiringTopics + gate)
		w.plan(1).says(t, "Storage limit would be exceeded")
	}
	// -target leaves the data source out; the topics' own gate still stands there.
	w.write(head + wiringTopics + dataBlock("planned_topics = local.topics\n  enforce = true"))
	w.plan(2, "-target=kafkastorage_topic.t")
	w.write(eventStreams(fake, 10737418240, "") + wiringTopics)
	w.plan(1, "-target=kafkastorage_topic.t")
}
