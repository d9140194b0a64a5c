// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// grace is how long a command may take to end after it was told to stop.
const grace = 15 * time.Second

// result is how a command ended.
type result struct {
	stdout, stderr string
	code           int
}

// runCommand runs a command in a folder to its end. A code other than 0 is no error, for some parts
// of the story want one; not running at all, or being stopped by ctx, is.
func runCommand(ctx context.Context, folder string, env []string, name string, args ...string) (result, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = folder, env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = grace
	separate(cmd)
	defer killGroup(cmd)

	err := cmd.Run()
	r := result{stdout: stdout.String(), stderr: stderr.String()}
	if ctx.Err() != nil {
		return r, fmt.Errorf("%s: %w", strings.Join(args, " "), ctx.Err())
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.Exited():
		r.code = exit.ExitCode()
	case err != nil:
		return r, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, r.stderr)
	}
	return r, nil
}

// cleanEnvironment is the environment without the variables that steer Kafka or Terraform: those of
// whoever runs the demo would change its story.
func cleanEnvironment(environ []string, more ...string) []string {
	env := slices.DeleteFunc(slices.Clone(environ), func(setting string) bool {
		for _, prefix := range []string{"KAFKA_", "KAFKASTORAGE_", "TF_", "CHECKPOINT_"} {
			if strings.HasPrefix(setting, prefix) {
				return true
			}
		}
		return false
	})
	return append(env, more...)
}
