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
	// TLS encrypts the connections and checks the brokers against the system's roots.
	TLS bool
	// Dial replaces the network, for tests. nil dials TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Client reaches one cluster. It is safe for concurrent use; making one does no I/O.
type Client struct {
	config Config
	kgo    *kgo.Client
	dials  *dialErrors
	lost   *lostAnswers
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
	dials, lost := &dialErrors{}, &lostAnswers{}
	options := []kgo.Opt{
		kgo.SeedBrokers(config.Servers...),
		kgo.ClientID(config.ClientID),
		kgo.SoftwareNameAndVersion(softwareName, softwareVersion(config.Version)),
		kgo.DialTimeout(min(10*time.Second, config.RequestTimeout)),
		kgo.RequestTimeoutOverhead(config.RequestTimeout),
		kgo.RetryTimeout(config.RequestTimeout),
		kgo.MetadataMinAge(10 * time.Millisecond),
		kgo.DisableClientMetrics(),
		kgo.WithHooks(dials, lost),
	}
	if config.TLS {
		options = append(options, kgo.DialTLSConfig(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	if config.Dial != nil {
		options = append(options, kgo.Dialer(config.Dial))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return nil, fmt.Errorf("configuring the Kafka client: %w", err)
	}
	c := &Client{config: config, kgo: client, dials: dials, lost: lost}
	c.gatherers = newGatherers(c)
	return c, nil
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
	name := kmsg.NameForKey(request.Key())
	ctx, cancel := context.WithTimeout(ctx, c.config.RequestTimeout)
	defer cancel()
	shards := c.kgo.RequestSharded(ctx, request)
	shard := shards[0]
	if shard.Err == nil {
		return shard.Resp, brokerName(shard.Meta), nil
	}
	if isCancelled(shard.Err) {
		return nil, "", fmt.Errorf("%s was interrupted: %w", name, shard.Err)
	}
	if isUnsupported(shard.Err) {
		return nil, "", &UnsupportedError{Request: name}
	}
	unreachable := &UnreachableError{Request: name, Servers: c.config.Servers, Cause: c.dials.explain(shard.Err)}
	if shard.Meta.Host != "" {
		unreachable.Broker = brokerName(shard.Meta)
	}
	return nil, "", unreachable
}

// brokerName is how messages name a broker.
func brokerName(meta kgo.BrokerMetadata) string {
	address := net.JoinHostPort(meta.Host, fmt.Sprint(meta.Port))
	if meta.NodeID < 0 || meta.NodeID > 1<<30 { // franz-go numbers bootstrap servers outside the range of node ids
		return "the broker at " + address
	}
	return fmt.Sprintf("broker %d (%s)", meta.NodeID, address)
}

// dialErrors remembers why the last connection failed: a request that runs into
// its deadline while the client retries only knows the deadline.
type dialErrors struct {
	mu   sync.Mutex
	last error
}

// OnBrokerConnect is called by the client after each connection attempt.
func (d *dialErrors) OnBrokerConnect(_ kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil || !errors.Is(err, context.DeadlineExceeded) || d.last == nil {
		d.last = err
	}
}

// explain adds the reason of the last failed connection to an error.
func (d *dialErrors) explain(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.last == nil || errors.Is(err, d.last) {
		return err
	}
	return fmt.Errorf("%w (the last connection failed: %w)", err, d.last)
}
