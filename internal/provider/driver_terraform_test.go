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

// topicKind is the topic resource's type.
const topicKind = "kafkastorage_topic"

// hcl writes fields as the body of a block. Unknown values come from a resource
// that has not been applied.
func hcl(values fields) string {
	var body strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text := expression(values[name])
		if name == "config" && values[name] == unknown {
			text = "terraform_data.unknown_map.output"
		}
		fmt.Fprintf(&body, "  %s = %s\n", name, text)
	}
	return body.String()
}

// notYetApplied are the resources that hcl's unknown values come from.
const notYetApplied = `
resource "terraform_data" "unknown" { input = 3 }
resource "terraform_data" "unknown_map" { input = { "retention.bytes" = "1" } }
`

// expression writes a value as Terraform's language has it, which reads JSON's objects and lists.
func expression(value any) string {
	switch v := value.(type) {
	case unknownValue:
		return "terraform_data.unknown.output"
	case fields:
		var elements []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			elements = append(elements, fmt.Sprintf("%q = %s", key, expression(v[key])))
		}
		return "{ " + strings.Join(elements, ", ") + " }"
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// jsonDiagnoses reads what a command with -json has said, apart from the warning
// about the development build.
func jsonDiagnoses(t *testing.T, output string) diagnoses {
	t.Helper()
	var said diagnoses
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, `{"@level":"warn","@message":"`) && !json.Valid([]byte(line)) {
			continue // what is left of that warning
		}
		var message struct {
			Diagnostic *diagnosis
		}
		if err := json.Unmarshal([]byte(line), &message); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if d := message.Diagnostic; d != nil && d.Summary != "Provider development overrides are in effect" {
			said = append(said, *d)
		}
	}
	return said
}

// tfChange is a resource's change in Terraform's own plan.
type tfChange struct {
	Type   string
	Change struct {
		Actions      []string
		After        fields
		AfterUnknown fields `json:"after_unknown"`
	}
}

// plannedByTerraform is the change of the one topic of a saved plan.
func plannedByTerraform(t *testing.T, w *workspace, file string) tfChange {
	t.Helper()
	var plan struct {
		ResourceChanges []tfChange `json:"resource_changes"`
	}
	w.show(&plan, file)
	for _, one := range plan.ResourceChanges {
		if one.Type == topicKind {
			return one
		}
	}
	t.Fatal("the plan has no topic")
	return tfChange{}
}

// comparablePlan makes a value of the driver look like one of Terraform's JSON: what
// is unknown is left out of the values and marked apart.
func comparablePlan(planned fields) (after, afterUnknown fields) {
	after, afterUnknown = fields{}, fields{}
	for name, value := range planned {
		switch v := value.(type) {
		case unknownValue:
			afterUnknown[name] = true
		case fields:
			inner, innerUnknown := comparablePlan(v)
			after[name] = inner
			if len(innerUnknown) > 0 {
				afterUnknown[name] = innerUnknown
			}
		default:
			after[name] = value
		}
	}
	return after, afterUnknown
}

// The campaigns plan through the driver, so what they prove is worth what the
// driver is: for each kind of plan it must come to the values, the actions and
// the diagnostics that the terraform binary comes to.
func TestDriver_PlansAsTerraformDoes(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	fake.CreateTopic(t, "there", 2, map[string]string{"retention.bytes": "1073741824", "min.cleanable.dirty.ratio": "0.5"})
	fake.CreateTopic(t, "free", 2, map[string]string{"retention.bytes": "-1"})
	settings := fields{
		"bootstrap_servers": []any{fake.Bootstrap()},
		"tls":               fields{"enabled": false},
		"platform":          "event_streams",
		"storage_quota":     fields{"capacity_bytes": 10737418240},
	}
	keeps := func(bytes any) fields { return fields{"retention.bytes": bytes} }
	const create, update, replace, none = "create", "update", "delete create", "no-op"
	for _, c := range []struct {
		name, imports string
		config        fields
		actions       string // empty: refused
	}{
		{"a topic that fits", "", fields{"name": "a", "partitions": 2, "replication_factor": 3, "config": keeps(1 << 30)}, create},
		{"a topic that does not", "", fields{"name": "a", "partitions": 200, "config": keeps("1073741824")}, ""},
		{"a topic without a bound", "", fields{"name": "a", "config": keeps("-1")}, ""},
		{"counts left to the cluster", "", fields{"name": "a"}, create},
		{"a setting that is none", "", fields{"name": "a", "config": keeps("much")}, ""},
		{"partitions unknown", "", fields{"name": "a", "partitions": unknown, "config": keeps("1")}, create},
		{"one setting unknown", "", fields{"name": "a", "partitions": 1, "config": keeps(unknown)}, create},
		{"all settings unknown", "", fields{"name": "a", "partitions": 1, "config": unknown}, create},
		{"name unknown", "", fields{"name": unknown, "partitions": 1, "config": keeps("1")}, create},
		{"equal by meaning", "there", fields{"name": "there", "partitions": 2, "config": fields{"retention.bytes": 1 << 30, "min.cleanable.dirty.ratio": "0.50"}}, none},
		{"more partitions", "there", fields{"name": "there", "partitions": 4, "config": fields{"retention.bytes": 1 << 30, "min.cleanable.dirty.ratio": "0.5"}}, update},
		{"too many more", "there", fields{"name": "there", "partitions": 400, "config": fields{"retention.bytes": 1 << 30, "min.cleanable.dirty.ratio": "0.5"}}, ""},
		{"fewer partitions", "there", fields{"name": "there", "partitions": 1}, ""},
		{"a setting removed and one added", "there", fields{"name": "there", "config": fields{"retention.bytes": 1 << 30, "retention.ms": 1000}}, update},
		{"another name", "there", fields{"name": "elsewhere", "partitions": 1, "config": keeps("1")}, replace},
		{"another name that does not fit", "there", fields{"name": "elsewhere", "partitions": 200, "config": keeps("1")}, ""},
		{"a bound for a topic without one", "free", fields{"name": "free", "config": keeps("1")}, update},
	} {
		t.Run(c.name, func(t *testing.T) {
			process, err := startProcess(t.Context(), settings)
			if err != nil {
				t.Fatal(err)
			}
			var prior *instance
			configuration := "provider \"kafkastorage\" {\n" + hcl(settings) + "}\n" + notYetApplied
			if c.imports != "" {
				var said diagnoses
				if prior, said, err = process.importOne(t.Context(), topicKind, c.imports); err != nil || prior == nil {
					t.Fatalf("import: %v, %v", err, said)
				}
				configuration += fmt.Sprintf("import {\n  to = %s.t\n  id = %q\n}\n", topicKind, c.imports)
			}
			ours, err := process.plan(t.Context(), topicKind, prior, c.config)
			if err != nil {
				t.Fatal(err)
			}

			w := newWorkspace(t, configuration+fmt.Sprintf("resource %q \"t\" {\n%s}\n", topicKind, hcl(c.config)))
			output := w.run("plan", "-json", "-input=false", "-out=saved")
			if (output.code != 0) != ours.refused() || ours.refused() != (c.actions == "") {
				t.Fatalf("terraform: exit %d, driver: refused %v\n%s", output.code, ours.refused(), output.text)
			}
			if diff := cmp.Diff(jsonDiagnoses(t, output.text), append(process.said, ours.said...)); diff != "" {
				t.Errorf("diagnostics (-terraform +driver):\n%s", diff)
			}
			if ours.refused() {
				return
			}
			theirs := plannedByTerraform(t, w, "saved")
			maps.DeleteFunc(theirs.Change.AfterUnknown, func(_ string, value any) bool {
				elements, isMap := value.(fields)
				return isMap && len(elements) == 0 // a map in which nothing is unknown
			})
			after, afterUnknown := comparablePlan(ours.planned)
			if diff := cmp.Diff(theirs.Change.After, after); diff != "" {
				t.Errorf("planned values (-terraform +driver):\n%s", diff)
			}
			if diff := cmp.Diff(theirs.Change.AfterUnknown, afterUnknown); diff != "" {
				t.Errorf("unknown values (-terraform +driver):\n%s", diff)
			}
			actions := map[bool]string{true: none, false: update}[ours.empty()]
			if ours.prior == nil {
				actions = create
			} else if ours.replaces {
				actions = replace
			}
			if got := strings.Join(theirs.Change.Actions, " "); got != c.actions || actions != c.actions {
				t.Errorf("terraform's actions: %s, the driver's: %s, want %s", got, actions, c.actions)
			}
		})
	}
}
