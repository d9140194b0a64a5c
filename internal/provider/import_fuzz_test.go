// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// An import id is typed by hand and may be anything. Whatever it is, importing it ends
// in the one topic of that name, or in an error that says it was not found; and
// asking for it never creates anything.
func FuzzImportID(f *testing.F) {
	for _, seed := range []string{"orders", "", " orders", "orders\x00", "a.b_c", "../orders", "__consumer_offsets", strings.Repeat("x", 300), "ümlaut", "{\"name\":\"orders\"}"} {
		f.Add(seed)
	}
	fake, err := kafkatest.NewFake(kafkatest.FakeOptions{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(fake.Close)
	if err := fake.AddTopic("orders", 1, nil); err != nil {
		f.Fatal(err)
	}
	p, err := startProcess(f.Context(), plainSettings(fake))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(p.end)
	f.Fuzz(func(t *testing.T, id string) {
		for _, kind := range []string{topicKind, tieredKind} {
			imported, said, err := p.importOne(t.Context(), kind, id)
			switch {
			case err != nil:
				t.Fatalf("%s %q: %v", kind, id, err)
			case id == "orders" && (imported == nil || len(said.errors()) > 0):
				t.Errorf("%s %q: %s", kind, id, said)
			case id != "orders" && imported != nil:
				t.Errorf("%s %q imports %v", kind, id, imported.values)
			case id != "orders" && len(said.errors()) == 0:
				t.Errorf("%s %q: nothing is said", kind, id)
			}
		}
		if id != "orders" && fake.Has(id) {
			t.Errorf("asking for %q has created it", id)
		}
	})
}
