// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// workspace is the temporary folder in which all of the demo happens: the provider, a copy of the
// quickstart, and Terraform's own files.
type workspace struct {
	folder    string // all of it
	config    string // the copy of the quickstart
	terraform string // the executable
	env       []string
}

// newWorkspace makes the folder, finds or fetches Terraform and builds the provider. The caller
// closes it.
func newWorkspace(ctx context.Context, bootstrap string, progress io.Writer) (_ *workspace, err error) {
	folder, err := os.MkdirTemp("", "kafkastorage-demo-")
	if err != nil {
		return nil, fmt.Errorf("making a temporary folder: %w", err)
	}
	w := &workspace{folder: folder, config: filepath.Join(folder, "quickstart")}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	w.env = cleanEnvironment(os.Environ(),
		"CHECKPOINT_DISABLE=1", // no question to HashiCorp whether there is a newer Terraform
		"TF_CLI_CONFIG_FILE="+filepath.Join(folder, "terraform.tfrc"),
		"TMPDIR="+folder, // for the sockets between Terraform and the provider
	)
	if w.terraform, err = findTerraform(ctx, folder, progress); err != nil {
		return nil, err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(progress, "Building the provider; the first time this takes a minute or two.")
	if err := w.build(ctx, root); err != nil {
		return nil, err
	}
	if err := w.write(root, bootstrap); err != nil {
		return nil, err
	}
	return w, nil
}

// Close removes the folder.
func (w *workspace) Close() error {
	if err := os.RemoveAll(w.folder); err != nil {
		return fmt.Errorf("removing the temporary folder: %w", err)
	}
	return nil
}

// moduleRoot is the folder of this module's go.mod.
func moduleRoot(ctx context.Context) (string, error) {
	r, err := runCommand(ctx, "", os.Environ(), "go", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	gomod := strings.TrimSpace(r.stdout)
	if r.code != 0 || filepath.Base(gomod) != "go.mod" {
		return "", fmt.Errorf("this is no folder of the module: run the demo with make demo (go env GOMOD: %q %s)", gomod, r.stderr)
	}
	return filepath.Dir(gomod), nil
}

// build builds the provider as a release does, for this machine.
func (w *workspace) build(ctx context.Context, root string) error {
	executable := filepath.Join(w.folder, "terraform-provider-kafkastorage")
	if runtime.GOOS == "windows" {
		executable += ".exe"
	}
	r, err := runCommand(ctx, root, os.Environ(), "go", "build", "-trimpath", "-buildvcs=false", "-o", executable, ".")
	if err == nil && r.code != 0 {
		err = errors.New(r.stderr)
	}
	if err != nil {
		return fmt.Errorf("building the provider: %w", err)
	}
	return nil
}

// write copies the quickstart and writes the two files around it: the values of its variables, and
// the CLI configuration that gives Terraform the provider from this folder.
func (w *workspace) write(root, bootstrap string) error {
	sources, err := filepath.Glob(filepath.Join(root, "examples", "quickstart", "*.tf"))
	if err != nil || len(sources) == 0 {
		return fmt.Errorf("finding the files of examples/quickstart: %d, %w", len(sources), err)
	}
	if err := os.Mkdir(w.config, 0o700); err != nil {
		return fmt.Errorf("copying the quickstart: %w", err)
	}
	files := map[string][]byte{}
	for _, source := range sources {
		if files[filepath.Join(w.config, filepath.Base(source))], err = os.ReadFile(source); err != nil {
			return fmt.Errorf("copying the quickstart: %w", err)
		}
	}
	variables, err := json.MarshalIndent(map[string]any{
		"bootstrap_servers": strings.Split(bootstrap, ","),
		"tls_enabled":       false, // the fake speaks plaintext
		"capacity":          capacity,
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the variables: %w", err)
	}
	files[filepath.Join(w.config, "demo.auto.tfvars.json")] = variables
	files[filepath.Join(w.folder, "terraform.tfrc")] = fmt.Appendf(nil,
		"provider_installation {\n  dev_overrides {\n    \"kafkastorage/kafkastorage\" = %q\n  }\n  direct {}\n}\n", filepath.ToSlash(w.folder))
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return fmt.Errorf("writing the workspace: %w", err)
		}
	}
	return nil
}
