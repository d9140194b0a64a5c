// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// How says what happens to a request on its way.
type How int

// What can happen on the wire.
const (
	// CutBefore ends the connection before the cluster has seen the request.
	CutBefore How = iota + 1
	// CutAfter ends the connection after the cluster has done what was asked: only the
	// answer is lost.
	CutAfter
	// Delay holds the answer back.
	Delay
)

// Disturbance is a fault of the network and not of the cluster: the client cannot
// know what has become of its request.
type Disturbance struct {
	// Request is Kafka's name of the request, such as CreateTopics.
	Request string
	// Topic strikes only requests that name this topic; empty strikes all.
	Topic string
	// Writes strikes only requests that change something: none with validate-only.
	// Probes strikes only those with validate-only.
	Writes, Probes bool
	// How says what happens.
	How How
	// By is how long Delay holds an answer back.
	By time.Duration
	// Skip is how many requests pass before the first is struck.
	Skip int
	// Times is how many requests are struck; 0 means all, until it is removed.
	Times int
}

// Disturb installs a disturbance and returns what removes it and says how many
// requests it has struck.
func (f *Fake) Disturb(tb testing.TB, d Disturbance) (remove func() (struck int)) {
	tb.Helper()
	return f.wire.add(int16(requestKey(tb, d.Request)), d)
}

// wire holds the disturbances of a cluster's connections, and what its answers lack.
type wire struct {
	// complete adds to an answer what Kafka's has and the fake's has not.
	complete func(request kmsg.Request, response kmsg.Response) (changed bool)

	mu   sync.Mutex
	list []*disturbance
}

type disturbance struct {
	Disturbance
	key          int16
	seen, struck int
	removed      bool
}

func (w *wire) add(key int16, d Disturbance) func() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	added := &disturbance{Disturbance: d, key: key}
	w.list = append(w.list, added)
	return func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		added.removed = true
		return added.struck
	}
}

// strike returns what happens to a request, given as its whole frame.
func (w *wire) strike(frame []byte) *disturbance {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := int16(binary.BigEndian.Uint16(frame[4:]))
	for _, d := range w.list {
		if d.removed || d.key != key || d.Times > 0 && d.struck == d.Times || !names(frame, d.Topic) {
			continue
		}
		if request := parse(frame); request != nil && !picks(request, d.Writes, d.Probes) {
			continue
		}
		if d.seen++; d.seen <= d.Skip {
			continue
		}
		d.struck++
		return d
	}
	return nil
}

// names says that a request holds a text, as the protocol writes one: with its
// length before it, in one of two ways.
func names(frame []byte, text string) bool {
	return text == "" || bytes.Contains(frame, append([]byte{byte(len(text) + 1)}, text...)) ||
		bytes.Contains(frame, append([]byte{0, byte(len(text))}, text...))
}

// parse reads a request; nil where it is none that we know.
func parse(frame []byte) kmsg.Request {
	reader := kbin.Reader{Src: frame[4:]}
	key, version := reader.Int16(), reader.Int16()
	reader.Int32() // its correlation id
	reader.NullableString()
	request := kmsg.RequestForKey(key)
	if request == nil {
		return nil
	}
	request.SetVersion(version)
	if request.IsFlexible() {
		kmsg.SkipTags(&reader)
	}
	if request.ReadFrom(reader.Src) != nil {
		return nil
	}
	return request
}

// validateOnly reads the flag of the requests that have one.
func validateOnly(request kmsg.Request) bool {
	flag := reflect.ValueOf(request).Elem().FieldByName("ValidateOnly")
	return flag.IsValid() && flag.Bool()
}

// listen is what the cluster listens with.
func (w *wire) listen(network, address string) (net.Listener, error) {
	listener, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	return &wireListener{Listener: listener, wire: w}, nil
}

type wireListener struct {
	net.Listener
	wire *wire
}

// Accept wraps each connection.
func (l *wireListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &wireConn{Conn: conn, wire: l.wire, closed: make(chan struct{}), struck: map[uint32]*disturbance{}, writes: map[uint32]kmsg.Request{}}, nil
}

// maxFrame is more than any request of a test; whatever begins with a larger number
// is no request, and the connection is left alone (TLS begins so).
const maxFrame = 64 << 20

// wireConn reads whole requests and disturbs them or their answers.
type wireConn struct {
	net.Conn
	wire *wire

	ahead  bytes.Buffer // read and not handed on yet
	opaque bool

	closeOnce sync.Once
	closed    chan struct{}

	mu     sync.Mutex
	struck map[uint32]*disturbance // by correlation id
	writes map[uint32]kmsg.Request
}

// Close ends the connection and whoever waits in it.
func (c *wireConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Read hands a request on unless the connection is cut before it.
func (c *wireConn) Read(p []byte) (int, error) {
	if c.ahead.Len() == 0 && !c.opaque {
		if err := c.readFrame(); err != nil {
			return 0, err
		}
	}
	if c.ahead.Len() == 0 {
		return c.Conn.Read(p)
	}
	return c.ahead.Read(p)
}

// readFrame reads a request ahead.
func (c *wireConn) readFrame() error {
	var length [4]byte
	if _, err := io.ReadFull(c.Conn, length[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > maxFrame || size < 8 {
		c.opaque = true
		c.ahead.Write(length[:])
		return nil
	}
	frame := make([]byte, 4+size)
	copy(frame, length[:])
	if _, err := io.ReadFull(c.Conn, frame[4:]); err != nil {
		return err
	}
	if d := c.wire.strike(frame); d != nil {
		if d.How == CutBefore {
			return errors.Join(io.EOF, c.Close())
		}
		c.mu.Lock()
		c.struck[binary.BigEndian.Uint32(frame[8:])] = d
		c.mu.Unlock()
	}
	if request := parse(frame); answersLack(request) {
		c.mu.Lock()
		c.writes[binary.BigEndian.Uint32(frame[8:])] = request
		c.mu.Unlock()
	}
	c.ahead.Write(frame)
	return nil
}

// answersLack says whether the fake's answers to a request may have to be completed.
func answersLack(request kmsg.Request) bool {
	switch r := request.(type) {
	case *kmsg.CreateTopicsRequest, *kmsg.CreatePartitionsRequest, *kmsg.IncrementalAlterConfigsRequest:
		return true
	case *kmsg.DescribeConfigsRequest:
		return len(r.Resources) > 0 && r.Resources[0].ResourceType == kmsg.ConfigResourceTypeBroker
	}
	return false
}

// Write hands an answer on; the fake writes each in one piece.
func (c *wireConn) Write(p []byte) (int, error) {
	if len(p) < 8 || c.opaque {
		return c.Conn.Write(p)
	}
	id := binary.BigEndian.Uint32(p[4:])
	c.mu.Lock()
	d, write := c.struck[id], c.writes[id]
	delete(c.struck, id)
	delete(c.writes, id)
	c.mu.Unlock()
	if d != nil && d.How == CutAfter {
		return 0, errors.Join(io.ErrClosedPipe, c.Close())
	}
	if d != nil && d.How == Delay {
		timer := time.NewTimer(d.By)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.closed:
		}
	}
	if write != nil {
		if _, err := c.Conn.Write(c.wire.completed(write, p)); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// completed returns the frame of an answer with what it lacks.
func (w *wire) completed(request kmsg.Request, frame []byte) []byte {
	response := request.ResponseKind()
	header := 8 // size and correlation id
	if response.IsFlexible() {
		header++ // no tags
	}
	if response.ReadFrom(frame[header:]) != nil || !w.complete(request, response) {
		return frame
	}
	whole := response.AppendTo(bytes.Clone(frame[:header]))
	binary.BigEndian.PutUint32(whole, uint32(len(whole)-4))
	return whole
}
