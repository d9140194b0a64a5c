// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
)

// TestMain keeps what a developer's machine sets out of the tests, and ends the
// clusters that tests share.
func TestMain(m *testing.M) {
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if strings.HasPrefix(name, "KAFKASTORAGE_") && name != "KAFKASTORAGE_CAMPAIGN" || strings.HasPrefix(name, "KAFKA_") || name == "TF_CLI_CONFIG_FILE" {
			if err := os.Unsetenv(name); err != nil {
				panic(err)
			}
		}
	}
	code := kafkatest.Main(m)
	for _, cleanup := range cleanups {
		if err := cleanup(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// factories serve the provider inside the test process.
var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"kafkastorage": providerserver.NewProtocol6WithError(provider.New("test")()),
}

// providerBlock configures the provider for a plaintext cluster; extra is more of
// the block.
func providerBlock(bootstrap, extra string) string {
	return fmt.Sprintf(`
provider "kafkastorage" {
  bootstrap_servers = split(",", %q)
  tls               = { enabled = false }
  %s
}
`, bootstrap, extra)
}
