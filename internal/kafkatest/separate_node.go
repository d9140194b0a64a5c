// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// SeparateNode is one node of a [Separate] cluster, broker and controller in one. Its methods are for one goroutine.
type SeparateNode struct {
	id        int
	tools     realTools
	arguments []string
	dir       string
	starts    int
	process   *realProcess
}

// ID is the node's id.
func (n *SeparateNode) ID() int { return n.id }

// start starts the process; a stopped node goes on with its data.
func (n *SeparateNode) start() error {
	n.starts++
	dir := filepath.Join(n.dir, fmt.Sprintf("run-%d-%d", n.id, n.starts))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	var err error
	n.process, err = startRealProcess(n.tools, n.arguments, dir)
	return err
}

// Start starts a node that was stopped or killed, and waits until it serves. Its ports may be in somebody's use for a
// moment: they are of those that the kernel gives to connections.
func (n *SeparateNode) Start() error {
	for try := 0; ; try++ {
		if err := n.start(); err != nil {
			return err
		}
		_, err := n.process.awaitReady()
		if err == nil {
			return nil
		}
		log := n.process.tail()
		n.process.kill()
		if try == 3 || !strings.Contains(log, "Address already in use") {
			return fmt.Errorf("node %d: %w; end of its log:\n%s", n.id, err, log)
		}
	}
}

// Stop stops a node in order: it hands over what it leads first.
func (n *SeparateNode) Stop() error {
	if err := n.process.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-n.process.done:
	case <-time.After(realStopPatience):
		n.process.kill() // as whoever restarts a cluster would
	}
	return n.process.input.Close()
}

// Kill ends a node at once.
func (n *SeparateNode) Kill() { n.process.kill() }

// Pause stops the process where it is, and Resume lets it go on: its connections stay open, and nobody answers.
func (n *SeparateNode) Pause() error { return n.process.command.Process.Signal(syscall.SIGSTOP) }

// Resume ends a pause.
func (n *SeparateNode) Resume() error { return n.process.command.Process.Signal(syscall.SIGCONT) }

// end ends the node with the test.
func (n *SeparateNode) end() {
	if n.process != nil {
		n.process.kill()
	}
}

// startAll starts all nodes side by side: each waits for the others' votes.
func (s *Separate) startAll() error {
	failures := make([]error, len(s.nodes))
	var starts sync.WaitGroup
	for i, node := range s.nodes {
		starts.Go(func() { failures[i] = node.Start() })
	}
	starts.Wait()
	return errors.Join(failures...)
}

// Controller returns the node that is the active controller; it waits while there is none.
func (s *Separate) Controller(ctx context.Context, tb testing.TB) *SeparateNode {
	tb.Helper()
	client := s.Client(tb)
	defer client.kafka.Close()
	request := kmsg.NewPtrDescribeQuorumRequest()
	topic := kmsg.NewDescribeQuorumRequestTopic()
	topic.Topic = "__cluster_metadata"
	topic.Partitions = append(topic.Partitions, kmsg.NewDescribeQuorumRequestTopicPartition())
	request.Topics = append(request.Topics, topic)
	var found *SeparateNode
	err := realPoll(realStartPatience, func() (bool, error) {
		response, err := request.RequestWith(ctx, client.kafka)
		if err != nil || len(response.Topics) != 1 || len(response.Topics[0].Partitions) != 1 {
			return false, ctx.Err()
		}
		for _, node := range s.nodes {
			if int32(node.id) == response.Topics[0].Partitions[0].LeaderID {
				found = node
			}
		}
		return found != nil, nil
	})
	if err != nil {
		tb.Fatalf("kafkatest: no controller: %v", err)
	}
	return found
}

// AwaitWhole waits until every node serves as a broker and every replica is in sync.
func (s *Separate) AwaitWhole(ctx context.Context, tb testing.TB) {
	tb.Helper()
	admin := s.Admin(tb)
	defer admin.Close()
	last := ""
	err := realPoll(realStartPatience, func() (bool, error) {
		metadata, err := admin.Metadata(ctx)
		if err != nil {
			return false, ctx.Err()
		}
		if last = fmt.Sprintf("%d brokers", len(metadata.Brokers)); len(metadata.Brokers) != len(s.nodes) {
			return false, nil
		}
		for _, topic := range metadata.Topics {
			for _, partition := range topic.Partitions {
				if len(partition.ISR) < len(partition.Replicas) || partition.Leader < 0 {
					last = fmt.Sprintf("%s[%d]: in sync %v of %v", topic.Topic, partition.Partition, partition.ISR, partition.Replicas)
					return false, nil
				}
			}
		}
		return true, nil
	})
	if err != nil {
		tb.Fatalf("kafkatest: the cluster is not whole: %v; %s", err, last)
	}
}
