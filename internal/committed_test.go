// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package internal_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxLines is how long a Go file may grow that is no test.
const maxLines = 400

// TestCommittedText holds every file that is, or is about to be, committed: none tells on which
// machine it was made, and none names the host of a package registry, which is for each user's own
// tools to know.
func TestCommittedText(t *testing.T) {
	t.Parallel()

	// Put together from pieces, so that this file keeps its own rule.
	path := regexp.MustCompile(`(^|[^\w./-])/(` + "wo" + `rk|ro` + `ot|ho` + `me|Us` + `ers)(/|\b[^\w.-]|$)`)
	hosts := []string{
		"proxy." + "golang.org", "sum." + "golang.org", "goproxy" + ".", "repo1." + "maven.org",
		"repo." + "maven.apache.org", "registry." + "npmjs.org", "registry." + "yarnpkg.com",
		"pypi" + ".org", "crates" + ".io", "rubygems" + ".org",
	}
	for _, name := range committed(t) {
		content := read(t, name)
		if bytes.IndexByte(content, 0) >= 0 {
			continue
		}
		for i, line := range strings.Split(string(content), "\n") {
			if m := path.FindString(line); m != "" {
				t.Errorf("%s:%d names a path of one machine: %q", name, i+1, m)
			}
			for _, host := range hosts {
				if strings.Contains(line, host) {
					t.Errorf("%s:%d names a package registry: %s", name, i+1, host)
				}
			}
		}
	}
}

// TestFileLength keeps files short enough to be read in one go.
func TestFileLength(t *testing.T) {
	t.Parallel()

	for _, name := range committed(t) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if n := bytes.Count(read(t, name), []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines, more than %d", name, n, maxLines)
		}
	}
}

// TestTrapsArePinned looks for every test that CONTRIBUTING.md names.
func TestTrapsArePinned(t *testing.T) {
	t.Parallel()

	var tests strings.Builder
	for _, name := range committed(t) {
		if strings.HasSuffix(name, "_test.go") {
			tests.Write(read(t, name))
		}
	}
	for _, m := range regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllStringSubmatch(string(read(t, "CONTRIBUTING.md")), -1) {
		if !strings.Contains(tests.String(), "\nfunc "+m[1]+"(") {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", m[1])
		}
	}
}

// committed lists the files that git has or would take.
func committed(t *testing.T) []string {
	t.Helper()

	out := run(t, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	// A file that is deleted, but not yet in a commit, is listed all the same.
	names = slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Lstat(filepath.Join(top, name))
		return err != nil || !info.Mode().IsRegular()
	})
	if len(names) < 10 {
		t.Fatalf("git lists only %d files", len(names))
	}
	return names
}

func read(t *testing.T, name string) []byte {
	t.Helper()

	content, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()

	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = top
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, stderr.String())
	}
	return out
}
