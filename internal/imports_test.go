// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package internal_test holds the rules of the house that no single room can hold: who may import
// whom, what may stand in a committed file, and what a release is called.
package internal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

const (
	module = "github.com/kafkastorage/terraform-provider-kafkastorage"
	// top is the module's folder, seen from this one, where the tests run.
	top = ".."
)

// row is one room of the import table: what its files, and those of the folders below it, may
// import besides the standard library and the room itself. Tests may import what the room may,
// and more.
type row struct {
	room        string   // path in the module; "" is main.go
	rooms       []string // other rooms
	outside     []string // packages of other modules, each with all below it
	testRooms   []string
	testOutside []string
	core        bool // no Terraform, no Kafka, no clock, no I/O
}

const (
	framework = "github.com/hashicorp/terraform-plugin-framework"
	franz     = "github.com/twmb/franz-go"
)

// table is the import table of CONTRIBUTING.md; .golangci.yml tells it to editors.
var table = []row{
	{
		room:    "",
		rooms:   []string{"internal/provider"},
		outside: []string{framework + "/providerserver"},
	},
	{room: "internal"},
	{
		room:        "internal/units",
		testOutside: properties,
		core:        true,
	},
	{
		room:        "internal/topicconfig",
		rooms:       []string{"internal/units"},
		testOutside: properties,
		core:        true,
	},
	{
		room:        "internal/reservation",
		rooms:       []string{"internal/topicconfig", "internal/units"},
		testOutside: properties,
		core:        true,
	},
	{
		room:        "internal/quota",
		rooms:       []string{"internal/reservation", "internal/topicconfig", "internal/units"},
		testOutside: properties,
		core:        true,
	},
	{
		room:        "internal/retention",
		rooms:       []string{"internal/topicconfig", "internal/units"},
		testOutside: properties,
		core:        true,
	},
	{
		room:        "internal/retention/figures",
		rooms:       []string{"internal/retention"},
		testOutside: properties,
	},
	{
		room:  "internal/kafka",
		rooms: []string{"internal/topicconfig", "internal/units"},
		outside: []string{
			franz, "golang.org/x/sync", "golang.org/x/oauth2",
			"github.com/aws/aws-sdk-go-v2", "github.com/aws/smithy-go", "github.com/youmark/pkcs8",
		},
		testRooms:   []string{"internal/kafkatest"},
		testOutside: append([]string{"go.uber.org/goleak"}, properties...),
	},
	{
		room: "internal/provider",
		rooms: []string{
			"internal/kafka", "internal/quota", "internal/reservation", "internal/retention",
			"internal/topicconfig", "internal/units",
		},
		outside: []string{
			framework, framework + "-timeouts", framework + "-validators",
			"github.com/hashicorp/terraform-plugin-log", "golang.org/x/sync",
		},
		testRooms: []string{"internal/kafkatest"},
		testOutside: append([]string{
			"github.com/hashicorp/go-version",
			"github.com/hashicorp/terraform-json",
			"github.com/hashicorp/terraform-plugin-go",
			"github.com/hashicorp/terraform-plugin-testing",
			"go.uber.org/goleak",
		}, properties...),
	},
	{
		room:        "internal/kafkatest",
		rooms:       []string{"internal/topicconfig", "internal/units"},
		outside:     []string{franz},
		testRooms:   []string{"internal/retention"},
		testOutside: append([]string{"go.uber.org/goleak"}, properties...),
	},
	{
		room:        "internal/kafkatest/demo",
		rooms:       []string{"internal/kafkatest", "internal/topicconfig", "internal/units"},
		outside:     []string{"github.com/hashicorp/go-version", "github.com/hashicorp/hc-install", franz},
		testOutside: properties,
	},
}

// properties are the libraries that any test may use.
var properties = []string{"github.com/google/go-cmp", "pgregory.net/rapid"}

// impure are the packages of the standard library that the core may not import, each with all
// below it. Package time is among them, for durations too: it is the one door to the clock, Kafka
// counts in int64 milliseconds anyway, and so the list of imports alone proves that no clock is
// read.
var impure = []string{
	"crypto/rand", "database", "io/fs", "io/ioutil", "log", "math/rand", "net", "os", "plugin",
	"syscall", "time", "unsafe",
}

// listed is what `go list` tells of a package.
type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// TestImportTable holds every package against its row, with and without the tag of the real tier.
// It speaks of direct imports: since each row is held, what a room reaches through another one is
// held as well.
func TestImportTable(t *testing.T) {
	t.Parallel()

	for _, tags := range []string{"", "real"} {
		for _, p := range list(t, tags) {
			r, ok := rowOf(p.ImportPath)
			if !ok {
				t.Errorf("%s is in no row of the import table", p.ImportPath)
				continue
			}
			for _, imp := range p.Imports {
				if reason := refuse(r, imp, false); reason != "" {
					t.Errorf("%s imports %s: %s", p.ImportPath, imp, reason)
				}
			}
			for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
				if reason := refuse(r, imp, true); reason != "" {
					t.Errorf("tests of %s import %s: %s", p.ImportPath, imp, reason)
				}
			}
		}
	}
}

// TestImportTableRefuses makes sure that the table above is not blind.
func TestImportTableRefuses(t *testing.T) {
	t.Parallel()

	tests := []struct {
		room, imp string
		test      bool
		refused   bool
	}{
		{"internal/units", "strconv", false, false},
		{"internal/units", "io", false, false},
		{"internal/units", "io/fs", false, true},
		{"internal/units", "time", false, true},
		{"internal/units", "time", true, false},
		{"internal/units", module + "/internal/topicconfig", false, true},
		{"internal/units", "pgregory.net/rapid", false, true},
		{"internal/units", "pgregory.net/rapid", true, false},
		{"internal/reservation", "net/netip", false, true},
		{"internal/reservation", module + "/internal/topicconfig", false, false},
		{"internal/quota", module + "/internal/kafka", true, true},
		{"internal/quota", framework + "/diag", false, true},
		{"internal/retention", module + "/internal/retention/figures", true, true},
		{"internal/retention/figures", "os", false, false},
		{"internal/retention/figures", module + "/internal/quota", false, true},
		{"internal/kafkatest", module + "/internal/retention", false, true},
		{"internal/kafkatest", module + "/internal/retention", true, false},
		{"internal/kafka", franz + "/pkg/kadm", false, false},
		{"internal/kafka", "golang.org/x/oauth2/clientcredentials", false, false},
		{"internal/provider", "golang.org/x/oauth2", false, true},
		{"internal/provider", "github.com/aws/aws-sdk-go-v2/config", false, true},
		{"internal/kafkatest", "github.com/youmark/pkcs8", false, true},
		{"internal/kafka", module + "/internal/kafkatest", false, true},
		{"internal/kafka", module + "/internal/kafkatest", true, false},
		{"internal/kafka", module + "/internal/kafkatest/demo", true, true},
		{"internal/provider", framework + "/resource", false, false},
		{"internal/provider", franz + "/pkg/kgo", false, true},
		{"internal/provider", franz + "/pkg/kgo", true, true},
		{"internal/provider", "github.com/hashicorp/terraform-plugin-testing/helper/resource", false, true},
		{"internal/provider", module + "/internal/kafkatest", false, true},
		{"internal/provider/customtype", module + "/internal/kafka", false, false},
		{"", framework + "/providerserver", false, false},
		{"", framework + "/resource", false, true},
		{"", "C", false, true},
	}
	for _, tt := range tests {
		r, ok := rowOf(strings.TrimSuffix(module+"/"+tt.room, "/"))
		if !ok {
			t.Errorf("%s is in no row", tt.room)
			continue
		}
		if got := refuse(r, tt.imp, tt.test) != ""; got != tt.refused {
			t.Errorf("room %q, import %s, test %v: refused %v, want %v", tt.room, tt.imp, tt.test, got, tt.refused)
		}
	}
	for _, p := range []string{module + "/internal/newroom", module + "/cmd/other"} {
		if r, ok := rowOf(p); ok {
			t.Errorf("%s is taken for part of room %q", p, r.room)
		}
	}
}

// rowOf finds the row of a package: that of the nearest folder which has one. Only main.go itself
// is in the row of the module's top, and only this folder's tests in that of internal.
func rowOf(importPath string) (row, bool) {
	path := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	var found row
	ok := false
	for _, r := range table {
		exact := r.room == path
		below := r.room != "" && r.room != "internal" && under(path, r.room)
		if (exact || below) && (!ok || len(r.room) > len(found.room)) {
			found, ok = r, true
		}
	}
	return found, ok
}

// refuse says why a room may not import a package, or nothing if it may.
func refuse(r row, imp string, test bool) string {
	rooms, outside := r.rooms, r.outside
	if test {
		rooms, outside = slices.Concat(rooms, r.testRooms), slices.Concat(outside, r.testOutside)
	}
	first, _, _ := strings.Cut(imp, "/")
	switch {
	case imp == "C":
		return "the provider is built without cgo"
	case under(imp, module):
		other, ok := rowOf(imp)
		if !ok || other.room != r.room && !slices.Contains(rooms, other.room) {
			return "the table does not give it this room"
		}
	case strings.Contains(first, "."):
		if !slices.ContainsFunc(outside, func(p string) bool { return under(imp, p) }) {
			return "the table does not give it this module"
		}
	case r.core && !test && slices.ContainsFunc(impure, func(p string) bool { return under(imp, p) }):
		return "the core reads no clock and does no I/O"
	}
	return ""
}

// under tells whether a slash-separated path is prefix itself or lies below it.
func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// list asks `go list` for all packages of the module.
func list(t *testing.T, tags string) []listed {
	t.Helper()

	out := run(t, "go", "list", "-tags", tags, "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	var packages []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("reading the answer of go list: %v", err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 2 {
		t.Fatalf("go list finds only %d packages", len(packages))
	}
	return packages
}
