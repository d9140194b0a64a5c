// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// stage is how far a connection came.
type stage int

const (
	stageDial stage = iota
	stageTLS
	stageKafka
)

// stageError is a connection that failed on its way.
type stageError struct {
	stage stage
	err   error
}

func (e *stageError) Error() string { return e.err.Error() }
func (e *stageError) Unwrap() error { return e.err }

// errSilent is a connection over which nothing came in time.
var errSilent error = silentError{}

type silentError struct{}

func (silentError) Error() string { return "no answer in time" }

// Timeout and Temporary tell the client library that another try may help.
func (silentError) Timeout() bool   { return true }
func (silentError) Temporary() bool { return true }

// dialer opens connections, each step under a deadline, and keeps what failed: a
// request that ends by its own deadline only knows the deadline.
type dialer struct {
	tls     *tls.Config // nil for plaintext
	step    time.Duration
	network func(ctx context.Context, network, address string) (net.Conn, error)

	mu sync.Mutex
	// latest are the newest connections, by the address that was dialled.
	latest map[string]*watchedConn
	failed map[string]error
	last   error // of the connection that was attempted last; nil if it stands
	lastAt string
	up     bool // a connection has come to stand since forget
	// afterFailure is told of each failure.
	afterFailure func()
}

// newDialer makes one. dial replaces the network where it is not nil.
func newDialer(security *tls.Config, step time.Duration, dial func(context.Context, string, string) (net.Conn, error)) *dialer {
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return &dialer{tls: security, step: step, network: dial, latest: map[string]*watchedConn{}, failed: map[string]error{}}
}

// dial is what the client library calls.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.open(ctx, network, address, d.tls)
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// open dials and, with a TLS configuration, shakes hands.
func (d *dialer) open(ctx context.Context, network, address string, security *tls.Config) (net.Conn, error) {
	dialling, cancel := context.WithTimeout(ctx, d.step)
	defer cancel()
	raw, err := d.network(dialling, network, address)
	if err != nil {
		return nil, &stageError{stageDial, err}
	}
	if tcp, ok := raw.(*net.TCPConn); ok {
		// A broker that was given up may come back to life with our requests in its
		// buffers. A reset throws them away, so that none is done behind a later one.
		_ = tcp.SetLinger(0)
	}
	watched := watch(raw, d.step)
	d.mu.Lock()
	d.latest[address] = watched
	d.mu.Unlock()
	if security == nil {
		return watched, nil
	}
	if security.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, errors.Join(err, raw.Close())
		}
		host, _, _ = strings.Cut(host, "%") // the zone of an IPv6 address is this machine's own affair
		security = security.Clone()
		security.ServerName = host
	}
	shaking, cancelShake := context.WithTimeout(ctx, d.step)
	defer cancelShake()
	conn := tls.Client(watched, security)
	if err := conn.HandshakeContext(shaking); err != nil {
		_ = watched.Close() // nothing was said over it
		return nil, &stageError{stageTLS, err}
	}
	// With TLS 1.3 a broker judges the client's certificate after the handshake: the next bytes tell.
	watched.rearm()
	return conn, nil
}

// OnBrokerConnect is called by the client library after each attempt, which includes
// versions and login.
func (d *dialer) OnBrokerConnect(meta kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	address := addressOf(meta.Host, meta.Port)
	d.mu.Lock()
	if err == nil {
		delete(d.failed, address)
		d.last, d.up = nil, true
	} else if !errors.Is(err, context.Canceled) && !errors.Is(err, kgo.ErrClientClosed) {
		d.failed[address] = err
		if !errors.Is(err, context.DeadlineExceeded) || d.last == nil {
			d.last, d.lastAt = err, address
		}
	}
	tell := d.afterFailure
	d.mu.Unlock()
	if err != nil && tell != nil {
		tell()
	}
}

// failures returns what failed at which address since forget, with the first bytes
// that came from there.
func (d *dialer) failures() map[string]failure {
	d.mu.Lock()
	defer d.mu.Unlock()
	failures := map[string]failure{}
	for address, err := range d.failed {
		failures[address] = failure{err: err, first: d.latest[address].firstBytes(), silent: d.latest[address].wasSilent()}
	}
	return failures
}

// cutShort is what is known of an address while nothing has failed there: how far it came.
func (d *dialer) cutShort(address string) failure {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, dialled := d.latest[address]; dialled {
		return failure{err: errSilent}
	}
	return failure{err: &stageError{stageDial, context.DeadlineExceeded}}
}

// forget begins a new attempt.
func (d *dialer) forget(tell func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.failed)
	d.afterFailure, d.up = tell, false
}

// stands says that a connection has come to stand since forget.
func (d *dialer) stands() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.up
}

// forgetTeller ends the telling.
func (d *dialer) forgetTeller() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.afterFailure = nil
}

// lastFailure is where and why the last connection failed; nil if it stands.
func (d *dialer) lastFailure() (address string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lastAt, d.last
}

// failure is what is known of an address that failed.
type failure struct {
	err    error
	first  []byte
	silent bool
}

// watchedConn keeps the first bytes that come, and ends a connection over which none
// come in time.
type watchedConn struct {
	net.Conn

	mu     sync.Mutex
	first  []byte
	silent bool
	timer  *time.Timer
	step   time.Duration
}

// watchedBytes is how many bytes are kept: enough to know HTTP, SSH or TLS by.
const watchedBytes = 16

func watch(conn net.Conn, step time.Duration) *watchedConn {
	w := &watchedConn{Conn: conn, step: step}
	w.rearm()
	return w
}

// rearm starts waiting for bytes.
func (w *watchedConn) rearm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	w.timer = time.AfterFunc(w.step, func() {
		w.mu.Lock()
		w.silent = true
		w.mu.Unlock()
		_ = w.Conn.Close() // ends the Read that waits
	})
}

// Read keeps the first bytes.
func (w *watchedConn) Read(into []byte) (int, error) {
	n, err := w.Conn.Read(into)
	w.mu.Lock()
	defer w.mu.Unlock()
	if n > 0 && w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if missing := watchedBytes - len(w.first); n > 0 && missing > 0 {
		w.first = append(w.first, into[:min(n, missing)]...)
	}
	if err != nil && w.silent {
		err = errSilent
	}
	return n, err
}

// Close ends the connection and the waiting.
func (w *watchedConn) Close() error {
	w.mu.Lock()
	if w.timer != nil {
		w.timer.Stop()
	}
	w.mu.Unlock()
	return w.Conn.Close()
}

// firstBytes are what came first. It may be called on nil.
func (w *watchedConn) firstBytes() []byte {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]byte(nil), w.first...)
}

// wasSilent says that the wait ended without bytes. It may be called on nil.
func (w *watchedConn) wasSilent() bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.silent
}
