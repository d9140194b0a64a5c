// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	realStartPatience = 2 * time.Minute
	realStopPatience  = 20 * time.Second
	realTailLines     = 60
)

// realProcess is one Java process with its output in two files. Files and not pipes: nothing has to be pumped, and what
// a killed process wrote is still there.
type realProcess struct {
	command *exec.Cmd
	input   *os.File
	out     string
	log     string
	done    chan struct{} // closed when the process has ended
}

func startRealProcess(tools realTools, arguments []string, dir string) (*realProcess, error) {
	p := &realProcess{
		command: exec.Command(tools.java, arguments...),
		out:     filepath.Join(dir, "out"),
		log:     filepath.Join(dir, "log"),
		done:    make(chan struct{}),
	}
	out, err := os.Create(p.out)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	// The kernel closes our end of this pipe however we die, and then the broker ends too.
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = theirs.Close() }()
	p.input = ours
	p.command.Dir = dir
	p.command.Stdin, p.command.Stdout, p.command.Stderr = theirs, out, log
	if err := p.command.Start(); err != nil {
		_ = ours.Close()
		return nil, err
	}
	go func() {
		defer close(p.done)
		_ = p.command.Wait() // The state is in command.ProcessState.
	}()
	return p, nil
}

// awaitReady waits for the line that says that all nodes serve and returns the port of the control server.
func (p *realProcess) awaitReady() (string, error) {
	var port string
	err := p.await("serve", func() bool {
		text, _ := os.ReadFile(p.out)
		_, after, found := strings.Cut("\n"+string(text), "\nREADY ")
		line, _, whole := strings.Cut(after, "\n")
		port = line
		return found && whole
	})
	return port, err
}

// awaitTiering waits until tiered storage is set up on every node: before that a broker neither tiers nor stops.
func (p *realProcess) awaitTiering(nodes int) error {
	return p.await("tier", func() bool {
		log, _ := os.ReadFile(p.log)
		return bytes.Count(log, []byte("Initialized topic-based RLMM resources successfully")) >= nodes
	})
}

func (p *realProcess) await(what string, met func() bool) error {
	ended := errors.New("the broker ended")
	err := realPoll(realStartPatience, func() (bool, error) {
		select {
		case <-p.done:
			return false, ended
		default:
			return met(), nil
		}
	})
	if err != nil {
		return fmt.Errorf("the broker did not come to %s: %w", what, err)
	}
	return nil
}

// stop closes the broker's input, which makes it stop in order, and kills it when that takes too long.
func (p *realProcess) stop() error {
	_ = p.input.Close()
	select {
	case <-p.done:
		return nil
	case <-time.After(realStopPatience):
		p.kill()
		return fmt.Errorf("the broker did not stop within %v and was killed", realStopPatience)
	}
}

func (p *realProcess) kill() {
	_ = p.input.Close()
	_ = p.command.Process.Kill()
	<-p.done
}

// tail returns the last lines of the log, indented for a test's output; the address clash that a start is tried again
// for is looked for in them too.
func (p *realProcess) tail() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	lines = lines[max(0, len(lines)-realTailLines):]
	return "\t" + strings.Join(lines, "\n\t")
}

// realPoll asks until the answer is yes, with growing pauses, and gives up after patience.
func realPoll(patience time.Duration, ask func() (bool, error)) error {
	deadline := time.Now().Add(patience)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		met, err := ask()
		if err != nil || met {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("gave up after %v", patience)
		}
		time.Sleep(pause)
	}
}
