// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// arguments are Java's arguments for nodes of a cluster with these property files.
func (f realFixture) arguments(opts RealOptions, cluster string, files []string) []string {
	heap := 256
	if len(files) > 1 {
		heap = 384
	}
	arguments := []string{
		// A cluster of a test lives for seconds: it never earns back the second compiler or a concurrent collector.
		"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", fmt.Sprintf("-Xmx%dm", heap),
		"-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
		"-Dorg.slf4j.simpleLogger.showDateTime=true",
		"-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
		// Nodes that start or learn of a topic side by side complain of each other for a moment.
		"-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients.NetworkClient=error",
		"-Dorg.slf4j.simpleLogger.log.kafka.server.ReplicaFetcherThread=error",
		// Each added partition is an error to this one, once on every broker.
		"-Dorg.slf4j.simpleLogger.log.state.change.logger=off",
		// One line of this one says when tiered storage is up.
		"-Dorg.slf4j.simpleLogger.log.org.apache.kafka.server.log.remote.metadata.storage=info",
	}
	if opts.Security {
		// Kafka reads no key set that is not named here too.
		arguments = append(arguments, "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=file://"+filepath.Join(filepath.Dir(files[0]), "keys.json"))
	}
	if f.archive != "" {
		arguments = append(arguments, "-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-XX:SharedArchiveFile="+f.archive)
	}
	policy := opts.Policy
	if policy == "" || policy == minInsyncPolicy {
		policy = "event_streams"
	}
	arguments = append(arguments, "-cp", f.classPath, "kafkastorage.Main", cluster, policy)
	return append(arguments, files...)
}

// clusterID returns a fresh id in Kafka's form: 16 bytes as base64 for URLs. The leading letter keeps it from
// looking like an option of the command that formats the storage.
func clusterID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	id[0] &= 0x3f        // The first six bits make the first letter, and these make it A to P.
	return base64.RawURLEncoding.EncodeToString(id)
}

// trainArchive runs one node with the policy and lets Java write down the classes that it has loaded. About half of a
// start is reading classes; with the archive it is gone.
func trainArchive(tools realTools, fixture realFixture, archive string) error {
	dir, err := os.MkdirTemp("", "kafkatest-archive-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	opts := RealOptions{Policy: "event_streams"}
	files, _, _, err := writeRealConfig(opts, dir)
	if err != nil {
		return err
	}
	partial := fmt.Sprintf("%s.%d", archive, os.Getpid())
	defer func() { _ = os.Remove(partial) }()
	arguments := append([]string{"-XX:ArchiveClassesAtExit=" + partial}, fixture.arguments(opts, clusterID(), files)...)
	process, err := startRealProcess(tools, arguments, dir)
	if err != nil {
		return err
	}
	ready, err := process.awaitReady()
	if err == nil {
		// Loads the policy's classes and the admin client's.
		_, err = (&Real{control: "http://127.0.0.1:" + ready}).ask("GET", "/reserved", "")
	}
	if err == nil {
		// By signal and not by closing its input: writing may take longer than the patience of that way.
		err = process.command.Process.Signal(syscall.SIGTERM)
	}
	if err != nil {
		process.kill()
		return fmt.Errorf("%w\n%s", err, process.tail())
	}
	select {
	case <-process.done:
	case <-time.After(archivePatience):
		process.kill()
		return fmt.Errorf("the archive was not written within %v", archivePatience)
	}
	return os.Rename(partial, archive)
}
