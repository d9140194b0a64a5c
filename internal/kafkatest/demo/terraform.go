// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/hashicorp/go-version"
	install "github.com/hashicorp/hc-install"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
	"github.com/hashicorp/hc-install/src"
)

const (
	// terraformVersion is fetched where no terraform is on PATH: the one that the tests were
	// written with.
	terraformVersion = "1.11.4"
	// terraformPatience is how long one command of Terraform may take.
	terraformPatience = 3 * time.Minute
)

// findTerraform returns the terraform on PATH, or fetches one into the folder.
func findTerraform(ctx context.Context, folder string, progress io.Writer) (string, error) {
	if path, err := exec.LookPath("terraform"); err == nil {
		return path, nil
	}
	fmt.Fprintf(progress, "There is no terraform on PATH: fetching version %s for this run.\n", terraformVersion)
	path, err := install.NewInstaller().Ensure(ctx, []src.Source{&releases.ExactVersion{
		Product:    product.Terraform,
		Version:    version.Must(version.NewVersion(terraformVersion)),
		InstallDir: folder,
	}})
	if err != nil {
		return "", fmt.Errorf("there is no terraform on PATH, and fetching one failed: %w", err)
	}
	return path, nil
}

// run runs one command of Terraform in the copy of the quickstart.
func (w *workspace) run(ctx context.Context, command string, args ...string) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, terraformPatience)
	defer cancel()
	return runCommand(ctx, w.config, w.env, w.terraform, append([]string{command, "-no-color"}, args...)...)
}

// planFile is where plans are kept, in the copy of the quickstart.
const planFile = "demo.tfplan"

// plan runs terraform plan. Its code is 0 for a plan without changes, 1 for an error, and 2 for a
// plan with changes.
func (w *workspace) plan(ctx context.Context) (result, error) {
	return w.run(ctx, "plan", "-input=false", "-detailed-exitcode", "-out="+planFile)
}

// apply applies the plan that the last [workspace.plan] has kept.
func (w *workspace) apply(ctx context.Context) (result, error) {
	return w.run(ctx, "apply", "-input=false", planFile)
}

// totals are the numbers of data.kafkastorage_reserved_storage. They are kept as Terraform writes
// them, digit by digit.
type totals struct {
	Live      json.Number `json:"live_bytes"`
	Peak      json.Number `json:"peak_bytes"`
	Limit     json.Number `json:"limit_bytes"`
	Capacity  json.Number `json:"capacity_bytes"`
	Available json.Number `json:"available_bytes"`
	Percent   json.Number `json:"reserved_percent"`
	Exceeded  bool        `json:"limit_exceeded"`
}

// totals reads the data source's numbers out of the kept plan. The state would have them as they
// were when the last plan was made, from before its apply.
func (w *workspace) totals(ctx context.Context) (totals, error) {
	r, err := w.run(ctx, "show", "-json", planFile)
	if err != nil {
		return totals{}, err
	}
	var plan struct {
		PriorState struct {
			Values struct {
				RootModule struct {
					Resources []struct {
						Type   string          `json:"type"`
						Values json.RawMessage `json:"values"`
					} `json:"resources"`
				} `json:"root_module"`
			} `json:"values"`
		} `json:"prior_state"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &plan); err != nil {
		return totals{}, fmt.Errorf("reading terraform show -json: %w\n%s", err, r.stderr)
	}
	for _, resource := range plan.PriorState.Values.RootModule.Resources {
		if resource.Type != "kafkastorage_reserved_storage" {
			continue
		}
		var t totals
		if err := json.Unmarshal(resource.Values, &t); err != nil {
			return totals{}, fmt.Errorf("reading the data source: %w", err)
		}
		return t, nil
	}
	return totals{}, fmt.Errorf("the plan has not read data.kafkastorage_reserved_storage")
}
