// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Command figures writes the pictures of the documentation into folders:
//
//	go run ./internal/retention/figures assets internal/retention/testdata
//
// What they show is computed in [retention.Figures]; this command only writes files.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// write puts each picture into each folder.
func write(folders []string) error {
	figures, err := retention.Figures()
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		for _, figure := range figures {
			if err := os.WriteFile(filepath.Join(folder, figure.Name+".svg"), []byte(figure.SVG), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
