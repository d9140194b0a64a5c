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

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// laterBlock is a provider block whose settings are all outputs of resources of the
// same configuration, so that none is known at plan; whole says that tls and sasl
// come as whole objects.
func laterBlock(settings fields, whole bool) string {
	var resources strings.Builder
	named := 0
	var expression func(value any) string
	expression = func(value any) string {
		if object, ok := value.(fields); ok && !whole {
			var text strings.Builder
			text.WriteString("{")
			for _, name := range slices.Sorted(maps.Keys(object)) {
				fmt.Fprintf(&text, " %s = %s,", name, expression(object[name]))
			}
			return text.String() + " }"
		}
		literal, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		named++
		resources.WriteString(later(fmt.Sprintf("setting%d", named), strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(literal))))
		return fmt.Sprintf("terraform_data.setting%d.output", named)
	}
	var block strings.Builder
	block.WriteString("provider \"kafkastorage\" {\n  storage_quota = { accounting = \"reserved\" }\n")
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&block, "  %s = %s\n", name, expression(settings[name]))
	}
	block.WriteString("}\n")
	return resources.String() + block.String()
}

// unknownAtPlan holds a configuration of settings that come late to what Terraform's
// users see: a plan without a word, an apply that connects, no difference after it,
// and a way back.
func (w *workspace) unknownAtPlan(t *testing.T) {
	t.Helper()
	w.plan(2).silent(t, "Error", "Warning")
	w.apply(0).silent(t, "Warning")
	w.plan(0).silent(t, "Warning")
	w.destroy(0)
}

// A cluster that is made in the same apply, with its password, supplies every setting
// late: each alone, or tls and sasl as the objects that a module returns.
func TestConnectionUnknown_SettingsOfTheSameApply(t *testing.T) {
	t.Parallel()
	const user, secret = "later", "pass-of-later"
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Users: map[string]string{user: secret}})
	settings := fields{
		"bootstrap_servers": strings.Split(fake.Bootstrap(), ","), "client_id": "later", "request_timeout": "10s",
		"tls":  fields{"enabled": false},
		"sasl": fields{"mechanism": "scram-sha-512", "username": user, "password": secret},
	}
	for _, whole := range []bool{false, true} {
		w := newWorkspace(t, laterBlock(settings, whole)+topic("t", 1, ""))
		w.unknownAtPlan(t)
		if fake.Has("t") {
			t.Errorf("whole %t: not destroyed", whole)
		}
	}
	// What is wrong with what came late is said before anything is written.
	settings["sasl"] = fields{"mechanism": "scram-sha-512", "username": user, "password": ""}
	w := newWorkspace(t, laterBlock(settings, false)+topic("t", 1, ""))
	w.plan(2)
	w.apply(1).says(t, "Error: Connection setting is missing", "scram-sha-512 needs a password")
	if fake.Has("t") {
		t.Error("created without a login")
	}
}
