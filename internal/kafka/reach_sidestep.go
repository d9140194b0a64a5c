// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"time"
)

// Of several bootstrap servers one may hang: a machine that takes connections and says
// nothing, or one behind a firewall that drops what is sent. The client library tries
// one after the other, and a third of the time that there is would be gone for each.

// reachPatience is how long the first attempt waits for a connection to stand, where
// there are other servers to try.
const reachPatience = 2 * time.Second

// loseNoTime ends the first attempt early where no connection comes to stand. stop
// ends the watch.
func (c *Client) loseNoTime(cancel func()) (stop func()) {
	if c.reach.sidestepped || len(c.config.Servers) < 2 {
		return func() {}
	}
	watch := time.AfterFunc(min(reachPatience, c.config.stepTimeout()), func() {
		if !c.dialer.stands() {
			c.reach.stalled.Store(true)
			cancel()
		}
	})
	return func() { watch.Stop() }
}

// sidestep looks at all servers together, once, after an attempt that was ended early,
// and leads the client library to one that answers as Kafka does; false where none
// does. The brokers that it names come with its first answer, so the other servers are
// not missed.
func (c *Client) sidestep(ctx context.Context) bool {
	if c.reach.sidestepped || !c.reach.stalled.Load() {
		return false
	}
	c.reach.sidestepped = true
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	answers := make(chan string, len(c.config.Servers))
	for _, server := range c.config.Servers {
		go func() {
			if c.look(ctx, server, c.config.TLS != nil).kafka {
				answers <- server
			} else {
				answers <- ""
			}
		}()
	}
	for range c.config.Servers {
		if server := <-answers; server != "" {
			return c.kgo.UpdateSeedBrokers(server) == nil
		}
	}
	return false
}
