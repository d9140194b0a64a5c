// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// runLoginExample plans an example that logs in, with its secrets where its comment
// says that they stand: its settings are taken, up to the connection, which nobody
// answers here. That each way in works is the real tier's to show.
func runLoginExample(t *testing.T, text string) {
	t.Helper()
	authority, err := kafkatest.NewAuthority("example")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Issue(kafkatest.CertificateOptions{Name: "topics"})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t, "")
	for name, content := range map[string]string{
		"main.tf": text + topic("example", 1, ""), "ca.pem": authority.PEM, "topics.pem": certificate.PEM, "topics.key": certificate.Key,
	} {
		if err := os.WriteFile(filepath.Join(w.folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := closedPort(t)
	w.env["TF_VAR_bootstrap_servers"] = `["` + address + `"]`
	w.env["KAFKASTORAGE_BOOTSTRAP_SERVERS"] = address
	w.env["KAFKASTORAGE_REQUEST_TIMEOUT"] = "1s"
	for _, name := range []string{"KAFKASTORAGE_SASL_PASSWORD", "KAFKASTORAGE_SASL_OAUTH_CLIENT_SECRET", "TFC_WORKLOAD_IDENTITY_TOKEN"} {
		if strings.Contains(text, name) {
			w.env[name] = "a-secret"
		}
	}
	w.plan(1).says(t, "Error: Kafka server refuses connections", address)
}
