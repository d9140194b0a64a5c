// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// closedPort is an address that nobody listens on.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return address
}

// A wrong address costs one timeout and one error, not one for each topic.
func TestConnection_UnreachableIsOneErrorWithinTheTimeout(t *testing.T) {
	t.Parallel()
	address := closedPort(t)
	configuration := providerBlock(address, "request_timeout = \"2s\"\n  storage_quota = { accounting = \"reserved\" }")
	for i := range 25 {
		configuration += topic(fmt.Sprintf("t%d", i), 1, "")
	}
	w := newWorkspace(t, configuration)
	start := time.Now()
	got := w.plan(1)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	if n := got.count("Error:"); n != 1 {
		t.Errorf("%d errors, want one:\n%s", n, got.text)
	}
	got.says(t, "Error: Kafka server refuses connections", address, "connection refused", "without TLS", "Nothing was changed.")
}

// With topics in the state the same holds, and the state stays as it was.
func TestConnection_LostClusterKeepsTheState(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	topics := topic("a", 1, "") + topic("b", 1, "")
	w := newWorkspace(t, plainKafka(fake)+topics)
	w.apply(0)
	w.write(providerBlock(closedPort(t), "request_timeout = \"2s\"\n  storage_quota = { accounting = \"reserved\" }") + topics)
	if n := w.plan(1).count("Error:"); n != 1 {
		t.Errorf("%d errors, want one", n)
	}
	w.destroy(1)
	w.write(plainKafka(fake) + topics)
	w.plan(0)
}

// A client that expects TLS on a plain listener must say TLS.
func TestConnection_NamesTLSAsTheLikelyCause(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	block := fmt.Sprintf("provider \"kafkastorage\" {\n  bootstrap_servers = split(\",\", %q)\n  request_timeout = \"2s\"\n  storage_quota = { accounting = \"reserved\" }\n}\n", fake.Bootstrap())
	newWorkspace(t, block+topic("t", 1, "")).plan(1).says(t, "with TLS (tls = { enabled = false } switches it off)", "Error: Kafka listener does not speak TLS", "Set tls = { enabled = false }")
}

// Functions and validation need no cluster: not even one that is configured wrongly.
func TestConnection_FunctionsNeedNoCluster(t *testing.T) {
	t.Parallel()
	const call = `
output "bytes" {
  value = provider::kafkastorage::reserved_bytes({ partitions = 3, replication_factor = 1, config = { "retention.bytes" = 1073741824 } }, { platform = "kafka" })
}
`
	for name, block := range map[string]string{
		"no provider block": "",
		"unreachable":       providerBlock(closedPort(t), ""),
	} {
		w := newWorkspace(t, block+call)
		w.must(0, "validate", "-no-color")
		start := time.Now()
		w.plan(2).says(t, "+ bytes = 6568280064")
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
	w := newWorkspace(t, providerBlock(closedPort(t), "")+topic("t", 1, ""))
	w.must(0, "validate", "-no-color")
}

// What is missing or misspelt in the provider block is said with the right form.
func TestConnection_BadSettingsAreNamed(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	for settings, want := range map[string]string{
		`tls = { enabled = false }`:                          "Error: No Kafka cluster is configured",
		`bootstrap_servers = ["SASL_SSL://b1.example:9092"]`: `Write "b1.example:9092"`,
		`bootstrap_servers = []`:                             "at least 1 elements",
		`bootstrap_servers = ["b:1"]
  platform = "eventstreams"`: `"event_streams"`,
		`bootstrap_servers = ["b:1"]
  request_timeout = "soon"`: "a duration from 100ms to 30m",
		`bootstrap_servers = ["b:1"]
  storage_quota = { capacity_bytes = 0 }`: "at least 1",
		`bootstrap_servers = ["b:1"]
  storage_quota = { capacity_bytes = 1, limit_percent = 101 }`: "between 1 and 100",
		`bootstrap_servers = ["b:1"]
  storage_quota = { accounting = "measured" }`: `"reserved"`,
	} {
		newWorkspace(t, "provider \"kafkastorage\" {\n  "+settings+"\n}\n"+topic("t", 1, "")).plan(1).says(t, want)
	}
	// The environment supplies what the block leaves out, in both spellings.
	for _, name := range []string{"KAFKASTORAGE_BOOTSTRAP_SERVERS", "KAFKA_BOOTSTRAP_SERVERS"} {
		w := newWorkspace(t, topic("t", 1, ""))
		w.env[name] = strings.ReplaceAll(fake.Bootstrap(), ",", " , ")
		w.env["KAFKA_ENABLE_TLS"] = "false"
		w.plan(2)
	}
}
