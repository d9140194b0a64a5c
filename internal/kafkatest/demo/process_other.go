// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package main

import "os/exec"

// separate does nothing: there are no process groups here.
func separate(*exec.Cmd) {}

// killGroup does nothing: there are no process groups here.
func killGroup(*exec.Cmd) {}
