// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// Examples that need a newer Terraform than the one at hand are not left out: they
// are read here line by line, and do at the protocol what Terraform would do.

// queryExamples lists the examples of list resources, relative to their folder.
func queryExamples(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(examplesFolder, "*", "*", "*.tfquery.hcl"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no examples of list resources: %v", err)
	}
	var files []string
	for _, path := range found {
		file, err := filepath.Rel(examplesFolder, path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.ToSlash(file))
	}
	return files
}

// runIdentityImportExample imports by the identity of an example, and plans the
// resource that it is for: nothing changes. The example is not called
// import-by-identity.tf because the documentation's generator refuses a file of
// that name where Terraform knows no identities.
func runIdentityImportExample(t *testing.T, file, text string) {
	block := hasIdentityImport.FindStringSubmatch(text)
	address, attribute, name := block[1], block[2], block[3]
	kind, _, _ := strings.Cut(address, ".")
	described := resourceAt(t, filepath.Join(examplesFolder, filepath.Dir(file)), address)
	fake := createDescribed(t, kind, name, described)
	p := started(t, plainSettings(fake))
	imported, said, err := p.importBy(t.Context(), kind, fields{attribute: name})
	if err != nil || imported == nil {
		t.Fatalf("%v, %s", err, said)
	}
	config := describedFields(kind, name, described, fake)
	planned, err := p.plan(t.Context(), kind, imported, config)
	if err != nil || len(planned.said) > 0 || !planned.empty() {
		t.Errorf("%v, %s\n%s", err, planned.said, cmp.Diff(imported.values, planned.planned))
	}
}

// listBlock is a list block of an example.
type listBlock struct {
	kind, label     string
	limit           int64
	includeResource bool
	config          fields
}

var (
	listStart    = regexp.MustCompile(`^list "(\w+)" "(\w+)" \{$`)
	listArgument = regexp.MustCompile(`^(\w+) += (.+)$`)
)

// listBlocks reads the list blocks of a query file. It knows no more of the
// language than the examples use, and fails on the rest.
func listBlocks(t *testing.T, text string) []listBlock {
	t.Helper()
	var blocks []listBlock
	inConfig := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if start := listStart.FindStringSubmatch(line); start != nil {
			blocks = append(blocks, listBlock{kind: start[1], label: start[2], config: fields{}})
			continue
		}
		switch {
		case line == "" || strings.HasPrefix(line, "#") || line == "provider = kafkastorage":
			continue
		case line == "config {" || line == "}":
			inConfig = line == "config {"
			continue
		}
		argument := listArgument.FindStringSubmatch(line)
		if argument == nil || len(blocks) == 0 {
			t.Fatalf("%q is nothing that this test can read", line)
		}
		block := &blocks[len(blocks)-1]
		var value, into any = nil, &block.limit
		switch {
		case inConfig:
			into = &value
		case argument[1] == "include_resource":
			into = &block.includeResource
		case argument[1] != "limit":
			t.Fatalf("a list block has no argument %q", argument[1])
		}
		if err := json.Unmarshal([]byte(argument[2]), into); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if inConfig {
			block.config[argument[1]] = value
		}
	}
	return blocks
}

// Every list block of an example is valid, and finds the topics that the examples
// beside it are about.
func TestExamplesOfListResources(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, tieredFake())
	for _, name := range []string{"audit.events", "orders.created", "orders.shipped", "payments.accounts", "payments.booked"} {
		fake.CreateTopic(t, name, 1, map[string]string{"remote.storage.enable": "true"})
	}
	p := started(t, plainSettings(fake))
	for _, file := range queryExamples(t) {
		blocks := listBlocks(t, readText(t, filepath.Join(examplesFolder, file)))
		if len(blocks) == 0 {
			t.Errorf("%s has no list block", file)
		}
		for _, block := range blocks {
			n := 0
			for one, err := range p.search(t.Context(), block.kind, block.config, block.limit, block.includeResource) {
				if err != nil || len(one.said) > 0 || !strings.HasPrefix(one.name, block.label+".") {
					t.Errorf("%s: %s: %+v, %v", file, block.label, one, err)
				}
				n++
			}
			if n != 2 {
				t.Errorf("%s: %s finds %d topics", file, block.label, n)
			}
		}
	}
}

// The example that takes many topics over finds topics that are there, and plans
// no change; on an empty cluster it would prove nothing.
func TestExamplesTakeOverPlansClean(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "payments.booked", 4, map[string]string{"retention.bytes": "2147483648"})
	fake.CreateTopic(t, "payments.accounts", 2, nil)
	fake.CreateTopic(t, "orders.created", 1, nil)
	w := newWorkspace(t, plainKafka(fake)+readText(t, filepath.Join(examplesFolder, "data-sources", "kafkastorage_topics", "data-source_import.tf")))
	w.apply(0).says(t, "2 imported, 0 added, 0 changed, 0 destroyed")
	w.plan(0)
}

// The pages of list resources are written by hand, because a Terraform that knows
// no list resources cannot tell the generator of them: each has every attribute with
// the schema's own words, and the example as it stands.
func TestDocsListResource(t *testing.T) {
	t.Parallel()
	p := started(t, nil)
	names := listResourceNames(t)
	if len(p.schema.ListResourceSchemas) != len(names) {
		t.Fatalf("list resources %v", names)
	}
	for _, kind := range names {
		var want []string
		for _, attribute := range p.schema.ListResourceSchemas[kind].Block.Attributes {
			of := map[string]string{"tftypes.Bool": "Boolean", "tftypes.String": "String"}[attribute.Type.String()]
			if !attribute.Optional || of == "" {
				t.Fatalf("%s: this test knows optional texts and booleans only", attribute.Name)
			}
			want = append(want, fmt.Sprintf("- `%s` (%s) %s", attribute.Name, of, attribute.Description))
		}
		slices.Sort(want)
		page := readText(t, filepath.Join(docsFolder, "list-resources", strings.TrimPrefix(kind, "kafkastorage_")+".md"))
		_, schema, _ := strings.Cut(page, "### Optional\n")
		if diff := cmp.Diff(strings.Join(want, "\n"), strings.TrimSpace(schema)); diff != "" {
			t.Errorf("%s (-schema +page):\n%s", kind, diff)
		}
		example := readText(t, filepath.Join(examplesFolder, "list-resources", kind, "list-resource.tfquery.hcl"))
		if blocks := fencedBlocks(page); len(blocks) != 1 || blocks[0] != example {
			t.Errorf("the page of %s shows another example:\n%s", kind, strings.Join(blocks, "\n"))
		}
	}
}

// The guide's output prints import blocks, from which Terraform writes a
// configuration that plans clean.
func TestDocsImportBlocksOutput(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	topics := map[string]map[string]string{"orders.created": {"retention.ms": "5"}, "orders.v1_0-x": nil}
	for name, settings := range topics {
		fake.CreateTopic(t, name, 2, settings)
	}
	fake.CreateTopic(t, "audit", 1, nil)
	var printer string
	for _, block := range fencedBlocks(readText(t, filepath.Join(docsFolder, "guides", "finding.md"))) {
		if strings.Contains(block, `output "import_blocks"`) {
			printer = block
		}
	}
	w := newWorkspace(t, plainKafka(fake)+printer)
	w.apply(0)
	printed := w.must(0, "output", "-no-color", "-raw", "import_blocks").text
	if err := os.WriteFile(filepath.Join(w.folder, "imports.tf"), []byte(printed), 0o600); err != nil {
		t.Fatal(err)
	}
	w.must(0, "plan", "-no-color", "-input=false", "-generate-config-out=topics.tf").says(t, fmt.Sprintf("%d to import, 0 to add, 0 to change", len(topics)))
	w.apply(0).says(t, fmt.Sprintf("%d imported, 0 added, 0 changed", len(topics)))
	for _, name := range slices.Sorted(maps.Keys(topics)) {
		address := "kafkastorage_topic." + strings.NewReplacer(".", "_").Replace(name)
		if values, _ := w.stateOf(address); values["name"] != name {
			t.Errorf("%s: %v", address, values)
		}
	}
}
