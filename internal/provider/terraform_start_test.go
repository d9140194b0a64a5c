// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"bytes"
	"os"
	"os/exec"
)

// running is a command that has not ended.
type running struct {
	command *exec.Cmd
	output  bytes.Buffer
	ended   chan struct{}
}

// outcome is what it came to.
func (r *running) outcome() outcome {
	return outcome{code: r.command.ProcessState.ExitCode(), text: plain(r.output.String())}
}

// start starts a terraform command and does not wait for it.
func (w *workspace) start(arguments ...string) *running {
	w.t.Helper()
	r := &running{command: exec.CommandContext(w.t.Context(), "terraform", arguments...), ended: make(chan struct{})}
	r.command.Dir = w.folder
	r.command.Env = os.Environ()
	for name, value := range w.env {
		r.command.Env = append(r.command.Env, name+"="+value)
	}
	r.command.Stdout, r.command.Stderr = &r.output, &r.output
	if err := r.command.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() {
		defer close(r.ended)
		_ = r.command.Wait() // the state is in ProcessState
	}()
	return r
}
