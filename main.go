// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Command terraform-provider-kafkastorage serves the provider to Terraform.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/provider"
)

// version is set when a release is linked.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "keep running and print how a debugger's Terraform attaches")
	flag.Parse()
	quietSDK()
	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: provider.Address,
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}

// quietSDK switches the plugin SDK's own trace logging off unless the user asked
// for logs: the SDK formats every line even when nobody reads it, which is about
// half of a provider's CPU time.
func quietSDK() {
	for _, setting := range os.Environ() {
		if strings.HasPrefix(setting, "TF_LOG") {
			return
		}
	}
	for _, subsystem := range []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO"} {
		if err := os.Setenv(subsystem, "OFF"); err != nil {
			log.Printf("switching %s off: %v", subsystem, err)
		}
	}
}
