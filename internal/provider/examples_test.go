// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	frameworkprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	frameworkresource "github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// examplesFolder is where the examples stand that make generate puts into the documentation.
const examplesFolder = "../../examples"

// examplePlatforms are provider blocks for examples that leave the provider to the
// reader: such an example has to work on every platform.
var examplePlatforms = map[string]string{
	"event_streams": `
provider "kafkastorage" {
  platform      = "event_streams"
  storage_quota = { capacity_bytes = 2199023255552 }
}
`,
	"kafka": `
provider "kafkastorage" {
  platform      = "kafka"
  storage_quota = { capacity_bytes = 2199023255552, accounting = "reserved" }
}
`,
}

var (
	hasProvidersBlock = regexp.MustCompile(`(?m)^ *required_providers \{`)
	hasProviderBlock  = regexp.MustCompile(`(?m)^provider "kafkastorage" \{`)
	writesAccounting  = regexp.MustCompile(`\baccounting += "reserved"`)
	logsIn            = regexp.MustCompile(`(?m)^  sasl = \{|^    certificate_pem `)
	needsCluster      = regexp.MustCompile(`(?m)^(resource|data) "kafkastorage_`)
	hasImportBlock    = regexp.MustCompile(`(?m)^import \{\n  to = (\S+)\n  id = "([^"]+)"\n\}`)
	hasIdentityImport = regexp.MustCompile(`(?m)^import \{\n  to = (\S+)\n  identity = \{\n    (\w+) = "([^"]+)"\n  \}\n\}`)
	usesServers       = regexp.MustCompile(`\bvar\.bootstrap_servers\b`)
	outputWithAnswer  = regexp.MustCompile(`(?m)^output "(\w+)" \{\n  value = .* # (.+)\n\}`)
)

// What the documentation shows has to work as it stands: every file under
// examples is planned and applied, and the plan after it is clean.
func TestExamples(t *testing.T) {
	for _, file := range exampleFiles(t) {
		t.Run(file, func(t *testing.T) {
			text := readText(t, filepath.Join(examplesFolder, file))
			switch {
			case logsIn.MatchString(text):
				runLoginExample(t, text)
			case hasProviderBlock.MatchString(text):
				runExample(t, text, "")
			case hasImportBlock.MatchString(text):
				runImportExample(t, file, text)
			case hasIdentityImport.MatchString(text):
				runIdentityImportExample(t, file, text)
			case needsCluster.MatchString(text):
				for platform, block := range platformsOf(text) {
					t.Run(platform, func(t *testing.T) { runExample(t, text, block) })
				}
			default:
				runOfflineExample(t, text)
			}
		})
	}
}

// The command of import.sh takes over the topic that its resource describes.
func TestExamplesImportCommand(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(examplesFolder, "resources", "*", "import.sh"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no import.sh under examples: %v", err)
	}
	for _, script := range scripts {
		words := strings.Fields(readText(t, script))
		if len(words) != 4 || words[0] != "terraform" || words[1] != "import" {
			t.Fatalf("%s must be one terraform import with an address and an id, got %q", script, words)
		}
		address, id := words[2], words[3]
		described := resourceAt(t, filepath.Dir(script), address)
		block := hasImportBlock.FindStringSubmatch(readText(t, filepath.Join(filepath.Dir(script), "import-by-string-id.tf")))
		if block == nil || block[1] != address || block[2] != id {
			t.Errorf("%s imports %s as %s, the import block beside it %q", script, id, address, block)
		}
		kind, _, _ := strings.Cut(address, ".")
		identity := identityAttribute(t, kind)
		connectExample(t, createDescribed(t, kind, id, described))
		resource.UnitTest(t, resource.TestCase{
			ProtoV6ProviderFactories: factories,
			Steps: []resource.TestStep{{
				Config:        asModule(described, examplePlatform(described)),
				ResourceName:  address,
				ImportState:   true,
				ImportStateId: id,
				ImportStateCheck: func(states []*terraform.InstanceState) error {
					if len(states) != 1 || states[0].Attributes[identity] != id {
						return fmt.Errorf("imported %v, want the one topic %s", states, id)
					}
					return nil
				},
			}},
		})
	}
}

// Every object of the provider has its example, and no example is left of an
// object that is gone.
func TestExamplesAreComplete(t *testing.T) {
	t.Parallel()
	want := map[string][]string{"provider": {"provider.tf"}}
	for _, name := range resourceNames(t) {
		want["resources/"+name] = []string{"resource.tf", "import.sh", "import-by-string-id.tf", "import_by_identity.tf"}
	}
	for _, name := range listResourceNames(t) {
		want["list-resources/"+name] = []string{"list-resource.tfquery.hcl"}
	}
	for _, name := range dataSourceNames(t) {
		want["data-sources/"+name] = []string{"data-source.tf"}
	}
	for _, name := range functionNames(t) {
		want["functions/"+name] = []string{"function.tf"}
	}
	for folder, files := range want {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(examplesFolder, folder, file)); err != nil {
				t.Errorf("%s has no example %s", folder, file)
			}
		}
	}
	for _, file := range append(exampleFiles(t), queryExamples(t)...) {
		if folder := filepath.ToSlash(filepath.Dir(file)); want[folder] == nil {
			t.Errorf("%s is an example of nothing that the provider has", file)
		}
	}
}

// What every example has to teach: topics and data source from one local, and the
// accounting written out wherever the platform is kafka, whose default may change.
func TestExamplesTeach(t *testing.T) {
	t.Parallel()
	taught := 0
	for _, file := range exampleFiles(t) {
		text := readText(t, filepath.Join(examplesFolder, file))
		if hasProviderBlock.MatchString(text) && !strings.Contains(text, `"event_streams"`) && !writesAccounting.MatchString(text) {
			t.Errorf("%s is on platform kafka and does not write accounting = \"reserved\"", file)
		}
		if !strings.Contains(text, "for_each = local.topics") {
			continue
		}
		taught++
		if !strings.Contains(text, "planned_topics = local.topics") {
			t.Errorf("%s has for_each = local.topics without planned_topics = local.topics", file)
		}
	}
	if taught < 2 {
		t.Errorf("only %d examples show for_each = local.topics", taught)
	}
}

// runExample applies an example on a fresh cluster; block is the provider block
// for examples that have none.
func runExample(t *testing.T, text, block string) {
	fake := exampleFake(t, text)
	connectExample(t, fake)
	step := exampleStep(text, block)
	if !needsCluster.MatchString(text) {
		step.Config += "data \"kafkastorage_cluster\" \"test\" {}\n" // so that the block is put to use
	}
	if usesServers.MatchString(text) {
		t.Setenv("KAFKASTORAGE_BOOTSTRAP_SERVERS", "")
		step.ConfigVariables = config.Variables{"bootstrap_servers": config.ListVariable(config.StringVariable(fake.Bootstrap()))}
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		step,
		// The topics go in a step of their own: the testing library cannot read a state with for_each at its end.
		{Config: asModule(letGo(text), block)},
	}})
}

// runOfflineExample applies an example of a function where no cluster is configured.
func runOfflineExample(t *testing.T, text string) {
	t.Setenv("TF_ACC_PROVIDER_NAMESPACE", "kafkastorage")
	step := exampleStep(text, "")
	if len(step.ConfigStateChecks) == 0 {
		t.Error("the example shows no answer: write it as a comment behind the output's value")
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{step}})
}

// runImportExample applies an import block beside the resource that it is for:
// the topic is there already, exactly as described, so nothing changes.
func runImportExample(t *testing.T, file, text string) {
	block := hasImportBlock.FindStringSubmatch(text)
	address, id := block[1], block[2]
	described := resourceAt(t, filepath.Join(examplesFolder, filepath.Dir(file)), address)
	kind, _, _ := strings.Cut(address, ".")
	connectExample(t, createDescribed(t, kind, id, described))
	step := exampleStep(text+described, examplePlatform(described))
	step.ConfigPlanChecks = resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop),
	}}
	step.ConfigStateChecks = append(step.ConfigStateChecks, statecheck.ExpectKnownValue(address, tfjsonpath.New(identityAttribute(t, kind)), knownvalue.StringExact(id)))
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{step, {Config: asModule(letGo(described), examplePlatform(described))}}})
}

// exampleStep applies an example and holds its outputs against the answers that
// the example itself gives in comments.
func exampleStep(text, block string) resource.TestStep {
	step := resource.TestStep{Config: asModule(text, block)}
	for _, answer := range outputWithAnswer.FindAllStringSubmatch(text, -1) {
		var want knownvalue.Check = knownvalue.StringExact(answer[2])
		if n, err := strconv.ParseInt(answer[2], 10, 64); err == nil {
			want = knownvalue.Int64Exact(n)
		}
		step.ConfigStateChecks = append(step.ConfigStateChecks, statecheck.ExpectKnownOutputValue(answer[1], want))
	}
	return step
}

// asModule makes a whole configuration of an example: what a reader has in other
// files is added where the example leaves it out.
func asModule(text, block string) string {
	if !hasProvidersBlock.MatchString(text) {
		text = "terraform {\n  required_providers {\n    kafkastorage = { source = \"kafkastorage/kafkastorage\" }\n  }\n}\n" + text
	}
	return text + block
}

// connectExample leads the provider to a cluster through the environment, as the
// examples leave the connection to it.
func connectExample(t *testing.T, fake *kafkatest.Fake) {
	t.Helper()
	t.Setenv("TF_ACC_PROVIDER_NAMESPACE", "kafkastorage")
	t.Setenv("KAFKASTORAGE_BOOTSTRAP_SERVERS", fake.Bootstrap())
	t.Setenv("KAFKASTORAGE_TLS_ENABLED", "false")
}

// exampleFiles lists the examples for the documentation, relative to their folder;
// the quick start is a story of its own and has its own test.
func exampleFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(examplesFolder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "quickstart":
			return fs.SkipDir
		case filepath.Ext(path) == ".tf":
			file, err := filepath.Rel(examplesFolder, path)
			files = append(files, filepath.ToSlash(file))
			return err
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	return files
}

// listResourceNames lists the provider's list resources.
func listResourceNames(t *testing.T) []string {
	t.Helper()
	lists, ok := provider.New("test")().(frameworkprovider.ProviderWithListResources)
	if !ok {
		t.Fatal("the provider has no list resources")
	}
	var names []string
	for _, construct := range lists.ListResources(t.Context()) {
		var resp frameworkresource.MetadataResponse
		construct().Metadata(t.Context(), frameworkresource.MetadataRequest{ProviderTypeName: "kafkastorage"}, &resp)
		names = append(names, resp.TypeName)
	}
	return sorted(t, names)
}

// resourceNames lists the provider's resources.
func resourceNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, construct := range provider.New("test")().Resources(t.Context()) {
		var resp frameworkresource.MetadataResponse
		construct().Metadata(t.Context(), frameworkresource.MetadataRequest{ProviderTypeName: "kafkastorage"}, &resp)
		names = append(names, resp.TypeName)
	}
	return sorted(t, names)
}

// dataSourceNames lists the provider's data sources.
func dataSourceNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, construct := range provider.New("test")().DataSources(t.Context()) {
		var resp datasource.MetadataResponse
		construct().Metadata(t.Context(), datasource.MetadataRequest{ProviderTypeName: "kafkastorage"}, &resp)
		names = append(names, resp.TypeName)
	}
	return sorted(t, names)
}

// functionNames lists the provider's functions.
func functionNames(t *testing.T) []string {
	t.Helper()
	functions, ok := provider.New("test")().(frameworkprovider.ProviderWithFunctions)
	if !ok {
		t.Fatal("the provider has no functions")
	}
	var names []string
	for _, construct := range functions.Functions(t.Context()) {
		var resp function.MetadataResponse
		construct().Metadata(t.Context(), function.MetadataRequest{}, &resp)
		names = append(names, resp.Name)
	}
	return sorted(t, names)
}

// sorted fails on an empty list: a check over nothing proves nothing.
func sorted(t *testing.T, names []string) []string {
	t.Helper()
	if len(names) == 0 {
		t.Fatal("the provider lists nothing")
	}
	slices.Sort(names)
	return names
}

// readText reads a file.
func readText(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The quick start is refused where its topics do not fit, and applied where they
// just do: the demo tells the same story beside a fleet of other topics.
func TestExamplesQuickstart(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(examplesFolder, "quickstart", "*.tf"))
	if err != nil {
		t.Fatal(err)
	}
	var quickstart strings.Builder
	for _, file := range files {
		quickstart.WriteString(readText(t, file))
	}
	var needed int64
	topics := regexp.MustCompile(`partitions = (\d+)\n\s+config = \{\n\s+"retention\.bytes" = "?(\d+)`).FindAllStringSubmatch(quickstart.String(), -1)
	if len(topics) != 3 {
		t.Fatalf("the quick start has %d topics of the known form, want 3", len(topics))
	}
	for _, topic := range topics {
		needed += exampleReservation(t, reservation.EventStreams, topic[2], "512 MiB", "10 MiB", "delete", topic[1]).ReservedBytes
	}
	just := (needed*100 + 89) / 90 // the smallest capacity of which 90 percent hold them
	fake := kafkatest.StartFake(t, kafkatest.EventStreamsFake())
	t.Setenv("TF_ACC_PROVIDER_NAMESPACE", "kafkastorage")
	with := func(capacity int64) config.Variables {
		return config.Variables{
			"bootstrap_servers": config.ListVariable(config.StringVariable(fake.Bootstrap())),
			"tls_enabled":       config.BoolVariable(false),
			"capacity":          config.StringVariable(strconv.FormatInt(capacity, 10)),
		}
	}
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: factories, Steps: []resource.TestStep{
		{
			Config: quickstart.String(), ConfigVariables: with(just - 1),
			ExpectError: regexp.MustCompile(`Storage limit would be exceeded`),
		},
		{Config: quickstart.String(), ConfigVariables: with(just)},
		{Config: asModule("", providerBlock(fake.Bootstrap(), ""))},
	}})
}
