// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Command demo is what `make demo` runs: it shows, in four parts, how a plan beyond the quota is
// refused, corrected and applied, and what the cluster reserves afterwards.
//
// Terraform and the provider are real; the cluster is the fake of package kafkatest, in this
// process, with a fleet of topics whose settings are those of real ones. The configuration is
// examples/quickstart, as anybody can use it. The demo does not only show the story, it checks it:
// where a part does not come out as told, it stops there and exits with 1.
//
// All files are in one temporary folder, which goes at the end, on Ctrl-C too. The story is on
// standard output, what takes a while on standard error. With terraform on PATH and the modules
// downloaded, nothing but the loopback interface is used.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long the whole demo may take. Most of it is for the first build of the provider,
// and for fetching Terraform where it is missing.
const patience = 15 * time.Minute

func main() {
	// A closed pipe (make demo | head) is caught like Ctrl-C: without that, the first write to it
	// would end the process before the temporary folder is removed.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	err := run(ctx, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "demo: %v\n", err)
		os.Exit(1)
	}
}

// run prepares everything, tells the story to out, and cleans up. What takes a while is announced
// on progress.
func run(ctx context.Context, out, progress io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	s, err := prepare(ctx, progress)
	if err != nil {
		return interrupted(ctx, err)
	}
	err = s.tell(ctx, out)
	return errors.Join(interrupted(ctx, err), s.Close())
}

// stage is what the story needs: the cluster, and the workspace of those who use it.
type stage struct {
	cluster   *demoCluster
	workspace *workspace
}

// prepare makes a stage; the caller closes it.
func prepare(ctx context.Context, progress io.Writer) (*stage, error) {
	cluster, err := startCluster()
	if err != nil {
		return nil, err
	}
	w, err := newWorkspace(ctx, cluster.Bootstrap(), progress)
	if err != nil {
		cluster.Close()
		return nil, err
	}
	return &stage{cluster: cluster, workspace: w}, nil
}

// Close ends the cluster and removes the workspace.
func (s *stage) Close() error {
	s.cluster.Close()
	return s.workspace.Close()
}

// interrupted puts the reason for a broken-off demo before what it broke.
func interrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("broken off (%w): %w", context.Cause(ctx), err)
}
