// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"archive/zip"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	mavenPatience   = 10 * time.Minute
	javacPatience   = 3 * time.Minute
	archivePatience = 4 * time.Minute
)

//go:embed java
var realSources embed.FS

// realFixture is what a broker is started from: Kafka's jars, our own jar, and a class-data archive of both.
type realFixture struct {
	classPath string
	archive   string
}

// preparedFixtures are those that this process has found or made, by version.
var preparedFixtures struct {
	sync.Mutex
	byVersion map[string]realFixture
}

// prepareRealFixture fills the user's cache where something is missing: the jars with Maven, our classes with javac,
// the class-data archive with one short run of a broker. Another test process may be at it too, so all of it
// happens under a file lock, and each part appears by a rename when it is whole. Each version has a folder of its own.
func prepareRealFixture(tools realTools, version string) (realFixture, error) {
	preparedFixtures.Lock()
	defer preparedFixtures.Unlock()
	if fixture, done := preparedFixtures.byVersion[version]; done {
		return fixture, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return realFixture{}, err
	}
	pom, sources, err := readRealSources()
	if err != nil {
		return realFixture{}, err
	}
	pom = pomOf(pom, version)
	root := filepath.Join(cache, "terraform-provider-kafkastorage")
	home := filepath.Join(root, "kafka-"+version+"-"+shortHash(pom))
	if err := os.MkdirAll(home, 0o755); err != nil {
		return realFixture{}, err
	}
	unlock, err := lockFile(filepath.Join(root, "lock"), mavenPatience+javacPatience+archivePatience)
	if err != nil {
		return realFixture{}, fmt.Errorf("cache lock: %w", err)
	}
	defer unlock()
	fixture, err := fillCache(tools, home, pom, sources)
	if err == nil {
		if preparedFixtures.byVersion == nil {
			preparedFixtures.byVersion = map[string]realFixture{}
		}
		preparedFixtures.byVersion[version] = fixture
	}
	return fixture, err
}

// readRealSources returns the pom and the Java sources by file name.
func readRealSources() (pom []byte, sources map[string][]byte, err error) {
	sources = map[string][]byte{}
	entries, err := realSources.ReadDir("java")
	for _, entry := range entries {
		text, err := realSources.ReadFile("java/" + entry.Name())
		if err != nil {
			return nil, nil, err
		}
		if entry.Name() == "pom.xml" {
			pom = text
		} else {
			sources[entry.Name()] = text
		}
	}
	return pom, sources, err
}

func fillCache(tools realTools, home string, pom []byte, sources map[string][]byte) (realFixture, error) {
	lib := filepath.Join(home, "lib")
	if err := wholeDir(lib, func(dir string) error { return fetchJars(tools, dir, pom) }); err != nil {
		return realFixture{}, err
	}
	jars, err := filepath.Glob(filepath.Join(lib, "*.jar"))
	if err != nil {
		return realFixture{}, err
	}
	// The archive is only used for the very same class path, so its order has to be the same each time.
	slices.Sort(jars)

	own := filepath.Join(home, "fixture-"+hashSources(sources))
	if err := wholeDir(own, func(dir string) error { return compileFixture(tools, dir, jars, sources) }); err != nil {
		return realFixture{}, err
	}
	jars = append(jars, filepath.Join(own, "fixture.jar"))
	fixture := realFixture{classPath: strings.Join(jars, string(os.PathListSeparator))}

	archive := filepath.Join(own, "java-"+tools.id+".jsa")
	if _, err := os.Stat(archive); errors.Is(err, fs.ErrNotExist) {
		if err := trainArchive(tools, fixture, archive); err != nil {
			// It only saves time. The file says why there is none, and Java takes no notice of it.
			_ = os.WriteFile(archive, []byte(err.Error()), 0o600)
		}
	}
	fixture.archive = archive
	return fixture, nil
}

// wholeDir lets fill make a folder under another name and renames it when that went well.
func wholeDir(dir string, fill func(dir string) error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	partial, err := os.MkdirTemp(filepath.Dir(dir), "partial-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(partial) }()
	if err := fill(partial); err != nil {
		return err
	}
	err = os.Rename(partial, dir)
	if _, there := os.Stat(dir); there == nil {
		return nil // Ours, or that of a process that was faster.
	}
	return err
}

func hashSources(sources map[string][]byte) string {
	var all []byte
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		all = fmt.Appendf(all, "%s %d\n%s", name, len(sources[name]), sources[name])
	}
	return shortHash(all)
}

func fetchJars(tools realTools, dir string, pom []byte) error {
	project, err := os.MkdirTemp("", "kafkatest-pom-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(project) }()
	if err := os.WriteFile(filepath.Join(project, "pom.xml"), pom, 0o600); err != nil {
		return err
	}
	return runTool(mavenPatience, project, tools.maven, "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory="+dir)
}

func compileFixture(tools realTools, dir string, jars []string, sources map[string][]byte) error {
	work, err := os.MkdirTemp("", "kafkatest-javac-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	classes := filepath.Join(work, "classes")
	arguments := []string{
		"--release", fmt.Sprint(minJava), "-proc:none", "-d", classes,
		"-cp", strings.Join(jars, string(os.PathListSeparator)),
	}
	for name, text := range sources {
		file := filepath.Join(work, name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		arguments = append(arguments, file)
	}
	if err := runTool(javacPatience, work, tools.javac, arguments...); err != nil {
		return err
	}
	return writeJar(filepath.Join(dir, "fixture.jar"), os.DirFS(classes))
}

// writeJar packs the classes: a class-data archive takes classes from jars only, not from folders.
func writeJar(file string, classes fs.FS) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	jar := zip.NewWriter(out)
	return errors.Join(jar.AddFS(classes), jar.Close(), out.Close())
}

// runTool runs a program to its end; on failure the error holds the end of what it said.
func runTool(patience time.Duration, dir, program string, arguments ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir = dir
	said, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, said[max(0, len(said)-4000):])
	}
	return nil
}
