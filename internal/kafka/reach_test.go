// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// refusal is what a machine answers on which nothing listens yet.
var refusal = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}

// A cluster that is still starting refuses connections, then hangs up, then serves:
// that is waited for, once for all who ask.
func TestReach_WaitsForAClusterThatStarts(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	var dials atomic.Int32
	client, err := kafka.New(kafka.Config{
		Servers: strings.Split(fake.Bootstrap(), ","), ClientID: "test", RequestTimeout: 20 * time.Second,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			switch n := dials.Add(1); {
			case n <= 7:
				return nil, refusal
			case n <= 12:
				ours, theirs := net.Pipe()
				return ours, theirs.Close()
			}
			var dialer net.Dialer
			return dialer.DialContext(ctx, network, address)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	ctx := deadline(t, 40*time.Second)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := client.Lookup(ctx, "none"); !kafka.IsUnknownTopic(err) {
				t.Errorf("%v", err)
			}
		})
	}
	group.Wait()
	if n := dials.Load(); n < 13 || n > 40 {
		t.Errorf("%d dials for 20 callers", n)
	}
}

// A cluster that does not come is given up once: whoever asks later gets the same
// answer at once.
func TestReach_GivesUpOnceForTheRun(t *testing.T) {
	var dials atomic.Int32
	client, err := kafka.New(kafka.Config{
		Servers: []string{"192.0.2.1:9092"}, RequestTimeout: 2 * time.Second,
		Dial: func(context.Context, string, string) (net.Conn, error) { dials.Add(1); return nil, refusal },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	start := time.Now()
	_, first := client.Snapshot(deadline(t, 10*time.Second))
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("gave up after %s", took)
	}
	tried := dials.Load()
	start = time.Now()
	second := client.Lookup(deadline(t, 10*time.Second), "t")
	if took := time.Since(start); took > time.Second || dials.Load() != tried {
		t.Errorf("the second took %s and %d dials", took, dials.Load()-tried)
	}
	for _, err := range []error{first, second} {
		var failed *kafka.ConnectError
		if !errors.As(err, &failed) || failed.Kind != kafka.Refused || failed.Tries < 2 || !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%v", err)
		}
	}
}

// Of several bootstrap servers some may hang: they take connections and say nothing,
// or the network drops what is sent. One that answers is found within seconds, not
// after a third of the time for each of the others.
func TestReach_ServersThatHangCostSeconds(t *testing.T) {
	for name, hang := range map[string]func(ctx context.Context) (net.Conn, error){
		"silent": func(context.Context) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, theirs) }()
			return ours, nil
		},
		"dropped": func(ctx context.Context) (net.Conn, error) {
			<-ctx.Done()
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: ctx.Err()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			good, _, _ := strings.Cut(fake.Bootstrap(), ",")
			// Which server is tried first is chosen by chance: of these nearly always one that hangs.
			servers := []string{good}
			for i := range 9 {
				servers = append(servers, fmt.Sprintf("hanging-%d.invalid:9092", i))
			}
			client, err := kafka.New(kafka.Config{
				Servers: servers, ClientID: "test", RequestTimeout: 30 * time.Second,
				Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
					if strings.HasPrefix(address, "hanging") {
						return hang(ctx)
					}
					return (&net.Dialer{}).DialContext(ctx, network, address)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			start := time.Now()
			if _, err := client.Snapshot(deadline(t, 40*time.Second)); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > 6*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}
