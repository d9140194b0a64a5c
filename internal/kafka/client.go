// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// DefaultRequestTimeout is the deadline of a request where none is configured.
const DefaultRequestTimeout = 30 * time.Second

// softwareName is how the client introduces itself to brokers (KIP-511).
const softwareName = "terraform-provider-kafkastorage"

// Config says how to reach a cluster.
type Config struct {
	// Servers are bootstrap servers as host:port; at least one.
	Servers []string
	// ClientID appears in the brokers' logs and quotas.
	ClientID string
	// Version is the provider's version, sent as software version.
	Version string
	// RequestTimeout is the deadline of each request; 0 means [DefaultRequestTimeout].
	RequestTimeout time.Duration
	// TLS encrypts the connections; nil does not.
	TLS *TLS
	// SASL logs in; nil does not.
	SASL *SASL
	// Dial replaces the network, for tests. nil dials TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client reaches one cluster. It is safe for concurrent use; making one does no I/O.
type Client struct {
	config    Config
	kgo       *kgo.Client
	dialer    *dialer
	reach     *reach
	lost      *lostAnswers
	throttles *throttles
	avoid     avoided
	gatherers
	history

	snapshotMu sync.Mutex
	snapshot   *Snapshot
	snapshotOf error

	capabilities capabilities

	moving firstMoves
	rates  rateUsers
}

// New makes a client. The error says what is wrong with the configuration.
func New(config Config) (*Client, error) {
	if config.RequestTimeout <= 0 {
		config.RequestTimeout = DefaultRequestTimeout
	}
	client := &Client{config: config, reach: newReach(), lost: &lostAnswers{}, throttles: &throttles{}}
	var security *tls.Config
	if config.TLS != nil {
		var err error
		if security, err = config.TLS.config(); err != nil {
			return nil, fmt.Errorf("configuring TLS: %w", err)
		}
	}
	client.dialer = newDialer(security, config.stepTimeout(), config.Dial)
	options := []kgo.Opt{
		kgo.SeedBrokers(config.Servers...),
		kgo.ClientID(config.ClientID),
		kgo.SoftwareNameAndVersion(softwareName, softwareVersion(config.Version)),
		kgo.Dialer(client.dialer.dial),
		kgo.RequestTimeoutOverhead(config.attemptTimeout()),
		kgo.RetryTimeout(config.RequestTimeout),
		kgo.MetadataMinAge(10 * time.Millisecond),
		kgo.DisableClientMetrics(),
		kgo.WithHooks(client.dialer, client.lost, client.throttles),
	}
	if config.SASL != nil {
		mechanism, err := config.SASL.mechanism(newTokenClient(config, security), config.stepTimeout())
		if err != nil {
			return nil, fmt.Errorf("configuring the login: %w", err)
		}
		options = append(options, kgo.SASL(mechanism))
	}
	var err error
	if client.kgo, err = kgo.NewClient(options...); err != nil {
		return nil, fmt.Errorf("configuring the Kafka client: %w", err)
	}
	client.gatherers = newGatherers(client)
	return client, nil
}

// Close ends all connections.
func (c *Client) Close() {
	c.kgo.Close()
}

// Servers returns the bootstrap servers.
func (c *Client) Servers() []string {
	return c.config.Servers
}

// softwareVersion keeps what brokers accept as a version (KIP-511): letters,
// digits, dots and dashes, beginning and ending with a letter or digit.
func softwareVersion(version string) string {
	kept := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, version)
	if kept = strings.Trim(kept, ".-"); kept == "" {
		return "dev"
	}
	return kept
}

// send issues one request under one deadline and says which broker answered.
func (c *Client) send(ctx context.Context, request kmsg.Request) (kmsg.Response, string, error) {
	if c.reach.answered.Load() {
		return c.exchange(ctx, request)
	}
	return c.first(ctx, request)
}

// explain puts the reason of the last failed connection in the place of a deadline
// that only says that time is over.
func (c *Client) explain(meta kgo.BrokerMetadata, err error) error {
	address, why := addressOf(meta.Host, meta.Port), err
	if at, last := c.dialer.lastFailure(); last != nil && !errors.Is(err, last) {
		address, why = at, last
	}
	explained := c.classify(address, failure{err: why})
	switch {
	case explained.Kind != Other && explained.Kind != Closed && explained.Kind != Silent:
		return explained
	case !c.reach.answered.Load() && explained.Kind != Other:
		return explained
	case why != err: // a cluster that has answered before is no riddle: it went away
		return fmt.Errorf("%w (the last connection failed: %w)", err, why)
	}
	return err
}

// notSent is a request whose caller has given up.
func (c *Client) notSent(ctx context.Context, request kmsg.Request) error {
	cause := ctx.Err()
	if cause == nil {
		cause = context.Canceled
	}
	return fmt.Errorf("%s was interrupted: %w", kmsg.NameForKey(request.Key()), cause)
}

// unreachable is a request that the cluster did not answer.
func (c *Client) unreachable(request kmsg.Request, cause error) *UnreachableError {
	return &UnreachableError{Request: kmsg.NameForKey(request.Key()), Servers: c.config.Servers, Cause: cause}
}

// brokerName is how messages name a broker.
func brokerName(meta kgo.BrokerMetadata) string {
	address := addressOf(meta.Host, meta.Port)
	if isSeed(meta) {
		return "the broker at " + address
	}
	return fmt.Sprintf("broker %d (%s)", meta.NodeID, address)
}

// isSeed says that a broker is known as a bootstrap server only: franz-go numbers
// those outside the range of node ids.
func isSeed(meta kgo.BrokerMetadata) bool {
	return meta.NodeID < 0 || meta.NodeID > 1<<30
}
