// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"context"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// starting is a client of a cluster that refuses connections for some time.
func starting(t *testing.T, late, timeout time.Duration) (client *kafka.Client, refused *atomic.Int64) {
	t.Helper()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	up := time.Now().Add(late)
	refused = &atomic.Int64{}
	client, err := kafka.New(kafka.Config{
		Servers: strings.Split(fake.Bootstrap(), ","), ClientID: "test", Version: "1.0.0", RequestTimeout: timeout,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if time.Now().Before(up) {
				refused.Add(1)
				return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, refused
}

// A cluster that is still starting is waited for within the request timeout, by one
// request for all: twenty topics do not knock twenty times.
func TestClient_WaitsForAClusterThatIsStarting(t *testing.T) {
	t.Parallel()
	client, refused := starting(t, 1500*time.Millisecond, 10*time.Second)
	ctx := deadline(t, 30*time.Second)
	together(20, func(name string) {
		if err := client.Lookup(ctx, name); !kafka.IsUnknownTopic(err) {
			t.Errorf("%s: %v", name, err)
		}
	})
	if n := refused.Load(); n == 0 || n > 60 { // three servers, and pauses that grow from a tenth of a second
		t.Errorf("refused %d connections", n)
	}
}

// One that does not come is waited for once in the whole run.
func TestClient_WaitsOnceForAClusterThatDoesNotCome(t *testing.T) {
	t.Parallel()
	const timeout = 2 * time.Second
	client, _ := starting(t, time.Hour, timeout)
	ctx := deadline(t, 30*time.Second)
	start := time.Now()
	for range 3 {
		together(20, func(name string) {
			if err := client.Lookup(ctx, name); err == nil || kafka.IsUnknownTopic(err) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if took := time.Since(start); took > 2*timeout {
		t.Errorf("three times twenty requests took %v", took)
	}
}
