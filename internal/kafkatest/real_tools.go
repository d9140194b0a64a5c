// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
)

const minJava = 17

// realTools are the programs that the real cluster needs, by path.
type realTools struct {
	java, javac, maven string
	// id stands for this very Java: a class-data archive of another one is of no use.
	id string
}

// findRealTools looks once per process.
var findRealTools = sync.OnceValues(func() (realTools, error) {
	var tools realTools
	var err error
	if tools.java, err = findJava("java"); err != nil {
		return tools, fmt.Errorf("no java (%d or newer) in JAVA_HOME or on PATH", minJava)
	}
	version, err := exec.Command(tools.java, "-version").CombinedOutput()
	if err != nil {
		return tools, fmt.Errorf("%s -version: %w", tools.java, err)
	}
	if major := javaMajor(string(version)); major < minJava {
		return tools, fmt.Errorf("java is version %d, needed is %d or newer", major, minJava)
	}
	tools.id = shortHash(version)
	if tools.javac, err = findJava("javac"); err != nil {
		return tools, errors.New("no javac (a JDK, not only a JRE) in JAVA_HOME or on PATH")
	}
	if tools.maven, err = exec.LookPath("mvn"); err != nil {
		return tools, errors.New("no Maven (mvn) on PATH")
	}
	return tools, nil
})

func findJava(name string) (string, error) {
	if home := os.Getenv("JAVA_HOME"); home != "" {
		if path, err := exec.LookPath(filepath.Join(home, "bin", name)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}

var javaVersion = regexp.MustCompile(`version "(\d+)(?:\.(\d+))?`)

// javaMajor reads the major version from java's own words; 0 when there is none. Java 8 calls itself 1.8.
func javaMajor(text string) int {
	match := javaVersion.FindStringSubmatch(text)
	if match == nil {
		return 0
	}
	major, _ := strconv.Atoi(match[1])
	if major == 1 {
		major, _ = strconv.Atoi(match[2])
	}
	return major
}

func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
