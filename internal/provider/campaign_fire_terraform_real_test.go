// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// throughTerraform repeats the campaign with the terraform binary and the provider
// as users run it, on topics of its own.
func (c *fireCampaign) throughTerraform(first, runs int) {
	c.t.Helper()
	w := newWorkspace(c.t, "")
	wanted := map[string]fields{}
	for n := first; n < first+runs; n++ {
		kinds := c.kinds(n)
		for i := range 200 {
			name := fmt.Sprintf("terraform-%03d", i)
			wanted[name] = fields{
				"name": name, "partitions": 1 + n - first, "replication_factor": 2,
				"config": fields{"retention.ms": fmt.Sprint(100_000 + c.chance.IntN(100_000)), "segment.ms": "60000"},
			}
		}
		for range 40 * (n - first) {
			delete(wanted, fmt.Sprintf("terraform-%03d", c.chance.IntN(200)))
		}
		w.write(c.forTerraform(wanted))
		began := time.Now()
		var struck outcome
		if err := c.strike(n, kinds, func() error {
			struck = w.run("apply", "-no-color", "-input=false", "-auto-approve")
			return nil
		}); err != nil {
			c.t.Fatal(err)
		}
		took := time.Since(began)
		c.runs++
		c.changes += len(wanted)
		if struck.code == 0 {
			c.passed++
		} else {
			c.failed++
		}
		w.apply(0)
		if err := c.terraformAgrees(w, wanted); err != nil {
			c.t.Fatalf("run %d through terraform (%s): %v\nthe struck apply had said:\n%s", n, strings.Join(kinds, ", "), err, struck.text)
		}
		w.plan(0).silent(c.t, "Warning")
		if struck.code != 0 {
			c.recovered++
		}
		c.t.Logf("run %d through terraform in %.0f + %.0f s (%s): %d errors", n, took.Seconds(), (time.Since(began) - took).Seconds(), strings.Join(kinds, ", "), struck.count("Error:"))
	}
}

// forTerraform is a configuration of topics.
func (c *fireCampaign) forTerraform(wanted map[string]fields) string {
	var topics strings.Builder
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		fmt.Fprintf(&topics, "    %q = { partitions = %d, retention = %q }\n", name, wanted[name]["partitions"], configOf(wanted[name])["retention.ms"])
	}
	return providerBlock(c.cluster.Proxied(), fmt.Sprintf("request_timeout = %q", fireTimeout)) + fmt.Sprintf(`
resource "kafkastorage_topic" "t" {
  for_each = {
%s  }
  name               = each.key
  partitions         = each.value.partitions
  replication_factor = 2
  config             = { "retention.ms" = each.value.retention, "segment.ms" = 60000 }
}
`, topics.String())
}

// terraformAgrees compares Terraform's state, the configuration and the cluster.
func (c *fireCampaign) terraformAgrees(w *workspace, wanted map[string]fields) error {
	var s state
	w.show(&s)
	return c.lasting(func() error {
		contents, err := c.client.Contents(c.ctx)
		if err != nil {
			return err
		}
		maps.DeleteFunc(contents, func(name string, _ kafkatest.FakeTopic) bool { return !strings.HasPrefix(name, "terraform-") })
		held, asked := map[string]kafkatest.FakeTopic{}, map[string]kafkatest.FakeTopic{}
		for _, resource := range s.Values.RootModule.Resources {
			held[fmt.Sprint(resource.Values["name"])] = asTopic(resource.Values["topic_id"], resource.Values)
		}
		for name, config := range wanted {
			asked[name] = asTopic(contents[name].ID, config)
		}
		if diff := gocmp.Diff(contents, held) + gocmp.Diff(asked, contents); diff != "" {
			return fmt.Errorf("the state (-cluster +state), the cluster (-wanted +cluster):\n%s", diff)
		}
		return nil
	})
}
