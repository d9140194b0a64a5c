// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"encoding/binary"
	"maps"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Overheard is a network that notes what a client asks for, on connections without
// TLS. The zero value has heard nothing.
type Overheard struct {
	mu    sync.Mutex
	heard map[string]int
}

// Dial dials TCP.
func (o *Overheard) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &overheardConn{Conn: conn, by: o}, nil
}

// Requests counts the requests by Kafka's names of them.
func (o *Overheard) Requests() map[string]int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.heard)
}

type overheardConn struct {
	net.Conn
	by *Overheard

	mu    sync.Mutex
	frame []byte // the beginning of a request
}

// Write notes the requests that it completes.
func (c *overheardConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frame = append(c.frame, p[:n]...)
	for len(c.frame) >= 8 {
		size := 4 + int(binary.BigEndian.Uint32(c.frame))
		if len(c.frame) < size {
			break
		}
		c.by.mu.Lock()
		if c.by.heard == nil {
			c.by.heard = map[string]int{}
		}
		c.by.heard[kmsg.NameForKey(int16(binary.BigEndian.Uint16(c.frame[4:])))]++
		c.by.mu.Unlock()
		c.frame = c.frame[size:]
	}
	return n, err
}
