// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// commandTimeout bounds one terraform command.
const commandTimeout = 2 * time.Minute

// builtProvider is the provider as users run it, built once per test process.
var builtProvider = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "kafkastorage-provider-")
	if err != nil {
		return "", err
	}
	cleanups = append(cleanups, func() error { return os.RemoveAll(folder) })
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "terraform-provider-kafkastorage"), ".")
	build.Dir = filepath.Join("..", "..")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the provider: %w\n%s", err, output)
	}
	return folder, nil
})

// cleanups run after all tests.
var cleanups []func() error

// workspace is a folder with a configuration, and the terraform binary in it. Each
// command starts the built provider as processes of their own, as users have it:
// what plugin-testing cannot show (warnings, options, processes) is seen here.
type workspace struct {
	t      *testing.T
	folder string
	env    map[string]string
}

// newWorkspace writes a configuration into a folder of its own.
func newWorkspace(t *testing.T, configuration string) *workspace {
	t.Helper()
	provider, err := builtProvider()
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{t: t, folder: t.TempDir(), env: map[string]string{}}
	rc := filepath.Join(t.TempDir(), "terraformrc")
	override := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n  direct {}\n}\n", "kafkastorage/kafkastorage", provider)
	if err := os.WriteFile(rc, []byte(override), 0o600); err != nil {
		t.Fatal(err)
	}
	w.env["TF_CLI_CONFIG_FILE"] = rc
	w.env["CHECKPOINT_DISABLE"] = "1"
	w.write(configuration)
	return w
}

// write replaces the configuration.
func (w *workspace) write(configuration string) {
	w.t.Helper()
	const required = "terraform {\n  required_providers {\n    kafkastorage = { source = \"kafkastorage/kafkastorage\" }\n  }\n}\n"
	if err := os.WriteFile(filepath.Join(w.folder, "main.tf"), []byte(required+configuration), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// outcome is what a command came to.
type outcome struct {
	code int
	text string
}

// run runs a command, whatever its exit code.
func (w *workspace) run(arguments ...string) outcome {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), commandTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "terraform", arguments...)
	command.Dir = w.folder
	command.Env = os.Environ()
	for _, name := range slices.Sorted(maps.Keys(w.env)) {
		command.Env = append(command.Env, name+"="+w.env[name])
	}
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatalf("terraform %s: %v", strings.Join(arguments, " "), err)
	}
	return outcome{code: command.ProcessState.ExitCode(), text: plain(output.String())}
}

// must runs a command that has to end with the given code.
func (w *workspace) must(code int, arguments ...string) outcome {
	w.t.Helper()
	got := w.run(arguments...)
	if got.code != code {
		w.t.Fatalf("terraform %s: exit %d, want %d\n%s", strings.Join(arguments, " "), got.code, code, got.text)
	}
	return got
}

// plan plans; code 0 is no change, 1 an error, 2 a change.
func (w *workspace) plan(code int, more ...string) outcome {
	w.t.Helper()
	return w.must(code, append([]string{"plan", "-no-color", "-input=false", "-detailed-exitcode"}, more...)...)
}

// apply plans and applies.
func (w *workspace) apply(code int, more ...string) outcome {
	w.t.Helper()
	return w.must(code, append([]string{"apply", "-no-color", "-input=false", "-auto-approve"}, more...)...)
}

// destroy destroys everything.
func (w *workspace) destroy(code int, more ...string) {
	w.t.Helper()
	w.apply(code, append([]string{"-destroy"}, more...)...)
}

// show decodes a saved plan or, without an argument, the state.
func (w *workspace) show(into any, file ...string) {
	w.t.Helper()
	got := w.must(0, append([]string{"show", "-json"}, file...)...)
	text := got.text[strings.Index(got.text, "{"):]
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber() // 64-bit numbers must arrive to the last digit
	if err := decoder.Decode(into); err != nil {
		w.t.Fatalf("decoding terraform show: %v\n%s", err, text)
	}
}

var (
	overrideWarning = regexp.MustCompile(`(?s)Warning: Provider development overrides are in effect.*?published\s+releases\.\s*`)
	margin          = regexp.MustCompile(`(?m)^[│╷╵] ?`)
	blanks          = regexp.MustCompile(`\s+`)
)

// plain drops the frame that Terraform draws around diagnostics, and the warning
// about the development build that every command prints.
func plain(text string) string {
	text = margin.ReplaceAllString(text, "")
	return overrideWarning.ReplaceAllString(text, "")
}

// flat is the text with every run of blanks as one, because Terraform wraps lines.
func (o outcome) flat() string {
	return blanks.ReplaceAllString(o.text, " ")
}

// says asserts that every text is in the output, however it was wrapped.
func (o outcome) says(t *testing.T, texts ...string) {
	t.Helper()
	flat := o.flat()
	for _, text := range texts {
		if !strings.Contains(flat, blanks.ReplaceAllString(text, " ")) {
			t.Errorf("the output does not say %q:\n%s", text, o.text)
		}
	}
}

// silent asserts that none of the texts is in the output.
func (o outcome) silent(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(o.flat(), text) {
			t.Errorf("the output says %q:\n%s", text, o.text)
		}
	}
}

// count counts a text in the output.
func (o outcome) count(text string) int {
	return strings.Count(o.flat(), text)
}
