// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package internal_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/template"
)

// What the registry asks of a release, written out for one version and one target.
const (
	releaseVersion  = "9.8.7"
	releaseName     = "terraform-provider-kafkastorage"
	releaseBinary   = releaseName + "_v9.8.7"
	releaseManifest = releaseName + "_9.8.7_manifest.json"
	releaseSums     = releaseName + "_9.8.7_SHA256SUMS"
	manifestFile    = "terraform-registry-manifest.json"
)

// TestManifestProtocol holds the registry's manifest to the protocol that main.go serves. A missing
// manifest would mean protocol 5.
func TestManifestProtocol(t *testing.T) {
	t.Parallel()

	var manifest struct {
		Version  int `json:"version"`
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		} `json:"metadata"`
	}
	dec := json.NewDecoder(bytes.NewReader(read(t, manifestFile)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Version != 1 || !slices.Equal(manifest.Metadata.Protocols, []string{"6.0"}) {
		t.Errorf("manifest is %+v, want version 1 and protocol 6.0", manifest)
	}
}

// TestReleaseNames holds the names in .goreleaser.yml to those that the registry reads.
func TestReleaseNames(t *testing.T) {
	t.Parallel()

	r := readRelease(t)
	target := runtime.GOOS + "_" + runtime.GOARCH
	for _, tt := range []struct{ key, want string }{
		{"builds/binary", releaseBinary},
		{"archives/name_template", releaseName + "_" + releaseVersion + "_" + target},
		{"archives/formats", "zip"},
		{"checksum/name_template", releaseSums},
		{"checksum/algorithm", "sha256"},
		{"checksum/extra_files/glob", manifestFile},
		{"checksum/extra_files/name_template", releaseManifest},
		{"release/extra_files/glob", manifestFile},
		{"release/extra_files/name_template", releaseManifest},
		{"signs/artifacts", "checksum"},
		{"signs/signature", "${artifact}.sig"},
	} {
		if got := r.one(t, tt.key); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.key, got, tt.want)
		}
	}
	if slices.Contains(r["signs/args"], "--armor") || !slices.Contains(r["signs/args"], "--detach-sign") {
		t.Errorf("signs/args are %q, want a detached, binary signature", r["signs/args"])
	}
	if !slices.Contains(r["builds/goos"], "linux") || !slices.Contains(r["builds/goarch"], "amd64") {
		t.Error("linux/amd64 is not built, which HCP Terraform runs")
	}
	if hooks := r["before/hooks"]; len(hooks) > 0 {
		t.Errorf("hooks %q run before the build; a release builds what the tag holds", hooks)
	}
}

// TestReleaseBuild makes one target as a release would: built by the flags of .goreleaser.yml,
// zipped, and summed up together with the manifest.
func TestReleaseBuild(t *testing.T) {
	t.Parallel()

	r := readRelease(t)
	dist := t.TempDir()
	binary := filepath.Join(dist, r.one(t, "builds/binary"))
	args := slices.Concat([]string{"build"}, r["builds/flags"],
		[]string{"-ldflags", r.one(t, "builds/ldflags"), "-o", binary, "."})
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = top
	cmd.Env = append(os.Environ(), r["builds/env"]...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	checkBinary(t, binary)

	archive := filepath.Join(dist, r.one(t, "archives/name_template")+"."+r.one(t, "archives/formats"))
	pack(t, archive, binary)
	manifest := filepath.Join(dist, r.one(t, "checksum/extra_files/name_template"))
	if err := os.WriteFile(manifest, read(t, r.one(t, "checksum/extra_files/glob")), 0o600); err != nil {
		t.Fatal(err)
	}

	sums := sum(t, archive) + sum(t, manifest)
	want := regexp.MustCompile(`^[0-9a-f]{64}  terraform-provider-kafkastorage_9\.8\.7_[a-z0-9]+_[a-z0-9]+\.zip\n` +
		`[0-9a-f]{64}  terraform-provider-kafkastorage_9\.8\.7_manifest\.json\n$`)
	if !want.MatchString(sums) {
		t.Errorf("the sums are\n%swant an archive and the manifest", sums)
	}
}

// checkBinary reads from the binary itself how it was built.
func checkBinary(t *testing.T, binary string) {
	t.Helper()

	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["CGO_ENABLED"] != "0" || settings["-trimpath"] != "true" {
		t.Errorf("built with %v, want CGO_ENABLED=0 and -trimpath", settings)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(content, []byte(releaseVersion)) {
		t.Error("the binary does not know its version: main.version is missing or unused")
	}
	here, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(content, []byte(here+string(filepath.Separator))) {
		t.Errorf("the binary tells where it was built: %s", here)
	}
}

// pack zips the binary and the licence, and looks for the provider in the result.
func pack(t *testing.T, archive, binary string) {
	t.Helper()

	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for name, data := range map[string][]byte{filepath.Base(binary): content, "LICENSE": read(t, "LICENSE")} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}

	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if _, err := z.Open(releaseBinary); err != nil {
		t.Errorf("the archive has no %s: %v", releaseBinary, err)
	}
}

// sum is one line of SHA256SUMS.
func sum(t *testing.T, name string) string {
	t.Helper()

	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x  %s\n", sha256.Sum256(content), filepath.Base(name))
}

// release is .goreleaser.yml as a flat map from a path of keys to the values there, with the
// release tool's variables filled in.
type release map[string][]string

// one is the value of a key that must have exactly one.
func (r release) one(t *testing.T, key string) string {
	t.Helper()

	if len(r[key]) != 1 {
		t.Fatalf(".goreleaser.yml: %s has the values %q, want exactly one", key, r[key])
	}
	return r[key][0]
}

// readRelease reads .goreleaser.yml. It knows only as much of YAML as that file uses (keys, lists,
// plain and quoted text), which spares the provider a dependency, and fails at anything else.
func readRelease(t *testing.T) release {
	t.Helper()

	type level struct {
		indent int
		key    string
	}
	line := regexp.MustCompile(`^( *)((?:- )*)(?:([a-z_]+):(?: +|$))?(.*)$`)
	r := release{}
	var open []level
	for i, text := range strings.Split(string(read(t, ".goreleaser.yml")), "\n") {
		if trimmed := strings.TrimSpace(text); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		m := line.FindStringSubmatch(text)
		indent, key, value := len(m[1])+len(m[2]), m[3], m[4]
		if strings.ContainsAny(value, "&*|>{[") && value[0] != '\'' || strings.HasPrefix(value, `"`) {
			t.Fatalf(".goreleaser.yml:%d: this reader does not know the YAML of %q", i+1, text)
		}
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		if key != "" {
			open = append(open, level{indent, key})
		}
		if value == "" {
			continue
		}
		var path []string
		for _, l := range open {
			path = append(path, l.key)
		}
		name := strings.Join(path, "/")
		r[name] = append(r[name], fill(t, strings.Trim(value, "'")))
	}
	return r
}

// fill puts the values of our one version and target into a template of the release tool.
func fill(t *testing.T, text string) string {
	t.Helper()

	tmpl, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = tmpl.Execute(&out, map[string]any{
		"ProjectName":     releaseName,
		"Version":         releaseVersion,
		"Os":              runtime.GOOS,
		"Arch":            runtime.GOARCH,
		"CommitTimestamp": "0",
		"Env":             map[string]string{"GPG_FINGERPRINT": "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
