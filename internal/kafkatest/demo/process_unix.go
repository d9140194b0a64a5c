// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// separate gives a command a process group of its own. A Ctrl-C at the terminal then reaches the
// demo alone, which passes it on once; Terraform takes a second one for "stop at once" and leaves
// its provider behind.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup ends what a command has left running: after an orderly end there is nothing.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
