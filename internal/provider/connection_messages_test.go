// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// messageTimeout is the request_timeout of the tests of messages: each must have come
// before it is over.
const messageTimeout = 6 * time.Second

// message is one misconfiguration, and what has to be said about it.
type message struct {
	settings fields
	title    string
	says     []string
	fast     bool // no time cures it, so it must not be waited for
}

// check plans three topics and holds what is said to the case: one error, in time.
func (m message) check(t *testing.T) {
	t.Helper()
	m.settings["request_timeout"] = messageTimeout.String()
	m.settings["storage_quota"] = fields{"accounting": "reserved"}
	start := time.Now()
	p, err := startProcess(t.Context(), m.settings)
	if err != nil {
		t.Fatal(err)
	}
	said := p.said
	for i := range 3 {
		if len(p.said.errors()) > 0 {
			break
		}
		planned, err := p.plan(t.Context(), topicKind, nil, fields{"name": fmt.Sprintf("t%d", i), "partitions": 1})
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, planned.said...)
	}
	took := time.Since(start)
	limit := messageTimeout
	if m.fast {
		limit = messageTimeout * 3 / 4
	}
	if took >= limit {
		t.Errorf("took %s, want less than %s", took, limit)
	}
	errors := said.errors()
	if len(errors) != 1 {
		t.Fatalf("%d errors, want one:\n%s", len(errors), said)
	}
	if errors[0].Summary != m.title {
		t.Errorf("title %q, want %q", errors[0].Summary, m.title)
	}
	for _, text := range append(m.says, "Nothing was changed.") {
		if !strings.Contains(errors[0].Detail, text) {
			t.Errorf("the detail does not say %q:\n%s", text, errors[0].Detail)
		}
	}
	t.Logf("%s: %s\n%s", took.Round(time.Millisecond), errors[0].Summary, errors[0].Detail)
}

// serve accepts connections and hands each to a function, until the test ends.
func serve(t *testing.T, handle func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			go handle(conn)
		}
	}()
	return listener.Addr().String()
}

// fullPort is an address whose queue of connections is full, so that the kernel drops
// what comes, as a firewall does.
func fullPort(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(socket) })
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(socket, 0); err != nil {
		t.Fatal(err)
	}
	bound, err := syscall.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	inet, ok := bound.(*syscall.SockaddrInet4)
	if !ok {
		t.Fatalf("%T", bound)
	}
	address := fmt.Sprintf("127.0.0.1:%d", inet.Port)
	for range 8 { // one or two fit
		conn, err := net.DialTimeout("tcp", address, 200*time.Millisecond)
		if err != nil {
			if !os.IsTimeout(err) {
				t.Fatal(err)
			}
			return address
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	t.Fatal("the queue does not fill")
	return ""
}

// Each way in which an address can be wrong has its own message, in time and once for
// all topics.
func TestConnectionMessages_OfTheNetwork(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	old := kafkatest.StartFake(t, kafkatest.FakeOptions{Version: "0.10.2"})
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	closed := closedPort(t)
	for name, m := range map[string]message{
		"name not resolved": {at("no-such-broker.invalid:9092"), "Kafka server name cannot be resolved", []string{"no-such-broker.invalid:9092", "bootstrap_servers"}, false},
		"refused":           {at(closed), "Kafka server refuses connections", []string{closed, "connection refused", "request_timeout = 6s"}, false},
		"timed out":         {at(fullPort(t)), "Kafka server does not answer", []string{"the time ran out", "firewall"}, false},
		"silent": {
			at(serve(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })),
			"Kafka server accepts connections and says nothing",
			[]string{"sent no answer in time"},
			false,
		},
		"closed": {
			at(serve(t, func(conn net.Conn) { _ = conn.Close() })),
			"Kafka server closes connections",
			[]string{"closed it without a word"},
			false,
		},
		"HTTP": {at(web.Listener.Addr().String()), "Server is not a Kafka broker", []string{"is an HTTP server"}, true},
		"HTTP, expected with TLS": {
			fields{"bootstrap_servers": []any{web.Listener.Addr().String()}},
			"Server is not a Kafka broker",
			[]string{"is an HTTP server"},
			true,
		},
		"SSH": {
			at(serve(t, func(conn net.Conn) { _, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n") })),
			"Server is not a Kafka broker",
			[]string{"is an SSH server"},
			true,
		},
		"TLS on a plain listener": {
			fields{"bootstrap_servers": []any{strings.Split(fake.Bootstrap(), ",")[0]}},
			"Kafka listener does not speak TLS",
			[]string{"Set tls = { enabled = false }"},
			true,
		},
		"too old": {at(old.Bootstrap()), "Kafka cluster is too old", []string{"does not know the request DescribeConfigs", "since 0.11"}, true},
		"one of two servers is there": {
			fields{"bootstrap_servers": []any{closed, "no-such-broker.invalid:9092"}, "tls": fields{"enabled": false}},
			"Kafka server refuses connections",
			[]string{"Also tried: no-such-broker.invalid:9092 (name not found)"},
			false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.check(t)
		})
	}
}

// Ctrl-C ends a plan that waits for a cluster within two seconds.
func TestConnectionMessages_InterruptEndsTheWait(t *testing.T) {
	t.Parallel()
	for _, secured := range []bool{false, true} {
		met := make(chan struct{}, 100)
		address := serve(t, func(conn net.Conn) { met <- struct{}{}; _, _ = io.Copy(io.Discard, conn) })
		block := providerBlock(address, "storage_quota = { accounting = \"reserved\" }")
		if secured {
			block = strings.Replace(block, "enabled = false", "enabled = true", 1)
		}
		w := newWorkspace(t, block+topic("t", 1, ""))
		command := exec.CommandContext(t.Context(), "terraform", "plan", "-no-color", "-input=false")
		command.Dir = w.folder
		command.Env = os.Environ()
		for name, value := range w.env {
			command.Env = append(command.Env, name+"="+value)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		<-met
		start := time.Now()
		if err := command.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = command.Wait() // an interrupted plan fails
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("TLS %v: it took %s to end", secured, took)
		}
	}
}
