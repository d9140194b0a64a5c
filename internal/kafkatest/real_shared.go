// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// sharedReals holds the clusters that tests of this process share, by their options.
var sharedReals struct {
	sync.Mutex
	byKey map[string]*sharedReal
}

type sharedReal struct {
	real *Real
	dir  string
	err  error
}

// SharedReal returns a cluster with these options that all tests of the process share; the first caller starts it.
// It is handed over as the last test left it (see Reset). The package's TestMain has to stop it: see M.
func SharedReal(tb testing.TB, opts RealOptions) *Real {
	tb.Helper()
	tools := requireRealTools(tb)
	sharedReals.Lock()
	defer sharedReals.Unlock()
	shared := sharedReals.byKey[opts.key()]
	if shared == nil {
		shared = startShared(tools, opts)
		if sharedReals.byKey == nil {
			sharedReals.byKey = map[string]*sharedReal{}
		}
		sharedReals.byKey[opts.key()] = shared
	}
	if shared.err != nil {
		tb.Fatalf("kafkatest: %v", shared.err)
	}
	tb.Cleanup(func() { shared.real.logWhenFailed(tb) })
	return shared.real
}

// startShared keeps a failure too: the tests that follow fail at once instead of waiting for the same again.
func startShared(tools realTools, opts RealOptions) *sharedReal {
	dir, err := os.MkdirTemp("", "kafkatest-")
	if err != nil {
		return &sharedReal{err: err}
	}
	real, err := startReal(tools, opts, dir)
	return &sharedReal{real: real, dir: dir, err: err}
}

// StopShared stops the shared clusters.
func StopShared() {
	sharedReals.Lock()
	defer sharedReals.Unlock()
	var stops sync.WaitGroup
	for _, shared := range sharedReals.byKey {
		stops.Go(func() {
			if shared.real != nil {
				if err := shared.real.process.stop(); err != nil {
					fmt.Fprintln(os.Stderr, "kafkatest:", err)
				}
			}
			_ = os.RemoveAll(shared.dir)
		})
	}
	stops.Wait()
	sharedReals.byKey = nil
}

// M runs the tests of a package and stops the shared clusters after them. It stands in wherever a *testing.M is run, for
// example goleak.VerifyTestMain(kafkatest.M{M: m}).
type M struct {
	*testing.M
}

// Run runs the tests and returns their exit code.
func (m M) Run() int {
	defer StopShared()
	return m.M.Run()
}

// Main is the whole TestMain of a package that shares clusters: os.Exit(kafkatest.Main(m)).
func Main(m *testing.M) int { return M{M: m}.Run() }
