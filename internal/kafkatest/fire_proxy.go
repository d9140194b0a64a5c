// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// proxy stands before one broker.
type proxy struct {
	fire     *Fire
	node     int
	broker   string
	listener net.Listener
	running  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	conns  map[*proxied]bool
}

// proxied is one connection through a proxy.
type proxied struct {
	proxy          *proxy
	client, broker net.Conn
	once           sync.Once

	mu     sync.Mutex
	writes map[uint32]bool // writes in flight, by correlation id
	cut    map[uint32]bool // requests whose answer ends the connection
}

// accept takes connections until the proxy is closed. Where the broker is not there, the client is refused.
func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		broker, err := net.DialTimeout("tcp", p.broker, time.Second)
		if err != nil {
			reset(client)
			continue
		}
		c := &proxied{proxy: p, client: client, broker: broker, writes: map[uint32]bool{}, cut: map[uint32]bool{}}
		p.mu.Lock()
		if p.closed {
			p.mu.Unlock()
			c.end()
			return
		}
		p.conns[c] = true
		p.mu.Unlock()
		p.running.Go(c.requests)
		p.running.Go(c.answers)
	}
}

// close ends the proxy and its connections.
func (p *proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.closed = true
	conns := p.conns
	p.conns = map[*proxied]bool{}
	p.mu.Unlock()
	for c := range conns {
		c.end()
	}
	p.running.Wait()
}

// end ends both sides, as hard as the other end would notice of a broken line: what the broker has not read is gone.
func (c *proxied) end() {
	c.once.Do(func() {
		reset(c.client)
		reset(c.broker)
		c.mu.Lock()
		for id := range c.writes {
			c.proxy.fire.lands(flight{c.proxy.node, c, id})
		}
		clear(c.writes)
		c.mu.Unlock()
		c.proxy.mu.Lock()
		delete(c.proxy.conns, c)
		c.proxy.mu.Unlock()
	})
}

func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// requests hands requests on, or does not.
func (c *proxied) requests() {
	defer c.end()
	dropped := false
	for {
		frame, err := readFrame(c.client)
		if err != nil {
			return
		}
		if dropped {
			continue
		}
		parts := writeParts(frame)
		kind, by := c.proxy.fire.strike(parts != nil)
		id := binary.BigEndian.Uint32(frame[8:])
		switch kind {
		case FireDrop:
			dropped = true
			continue
		case FireCutBefore:
			return
		case FireCutAfter:
			c.mu.Lock()
			c.cut[id] = true
			c.mu.Unlock()
		case FireDelay:
			time.Sleep(by)
		}
		if parts != nil {
			c.mu.Lock()
			c.writes[id] = true
			c.mu.Unlock()
		}
		if _, err := c.broker.Write(frame); err != nil {
			return
		}
		if parts != nil { // after the hand-over: whoever waits for it finds the write at the broker
			c.proxy.fire.flies(flight{c.proxy.node, c, id}, parts)
		}
	}
}

// answers hands answers on.
func (c *proxied) answers() {
	defer c.end()
	for {
		frame, err := readFrame(c.broker)
		if err != nil {
			return
		}
		id := binary.BigEndian.Uint32(frame[4:])
		c.mu.Lock()
		cut, write := c.cut[id], c.writes[id]
		delete(c.writes, id)
		c.mu.Unlock()
		if write {
			c.proxy.fire.lands(flight{c.proxy.node, c, id})
		}
		if cut {
			return
		}
		if _, err := c.client.Write(frame); err != nil {
			return
		}
	}
}

// readFrame reads a whole request or answer with its length.
func readFrame(from io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > maxFrame || size < 4 {
		return nil, errors.New("not a frame of Kafka's")
	}
	frame := make([]byte, 4+size)
	copy(frame, length[:])
	_, err := io.ReadFull(from, frame[4:])
	return frame, err
}
