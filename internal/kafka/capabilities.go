// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// Capabilities are what the rules of tiered storage need to know of the cluster as a
// whole. What the cluster does not tell is unknown, never guessed.
type Capabilities struct {
	// Version is the release line of the broker that answered: while brokers are
	// upgraded, others may still be older.
	Version topicconfig.Version
	// TieredStorage is remote.log.storage.system.enable as a broker shows it. What
	// counts is the controller's file, which no request reads; the two are meant to
	// be the same.
	TieredStorage topicconfig.Support
	// CheckIntervalMs and TaskIntervalMs are how often a broker looks for what to
	// delete, and for what to copy; 0 where it does not tell.
	CheckIntervalMs, TaskIntervalMs int64
}

// The broker settings that tell (ServerLogConfigs.java and
// RemoteLogManagerConfig.java, Apache Kafka 4.4).
const (
	tieringEnable   = "remote.log.storage.system.enable"
	checkIntervalMs = "log.retention.check.interval.ms"
	taskIntervalMs  = "remote.log.manager.task.interval.ms"
)

// capabilities holds the one reading of a process.
type capabilities struct {
	mu    sync.Mutex
	taken bool
	value Capabilities
}

// Capabilities returns what the cluster can do, and asks if nobody has: two requests
// beside the snapshot, for all callers. Where an answer fails, its part is unknown
// and stays so: the error is the caller's own cancellation, and only that is
// forgotten.
func (c *Client) Capabilities(ctx context.Context) (Capabilities, error) {
	c.capabilities.mu.Lock()
	defer c.capabilities.mu.Unlock()
	if c.capabilities.taken {
		return c.capabilities.value, nil
	}
	value, err := c.readCapabilities(ctx)
	if err != nil && isCancelled(err) {
		return Capabilities{}, err
	}
	c.capabilities.value, c.capabilities.taken = value, true
	return value, nil
}

// readCapabilities asks a broker for its version and one for its settings. Only a
// cancellation matters to its caller; any other error means that it knows less.
func (c *Client) readCapabilities(ctx context.Context) (Capabilities, error) {
	snapshot, err := c.Snapshot(ctx)
	if err != nil {
		return Capabilities{}, err
	}
	var known Capabilities
	var versionErr error
	if known.Version, versionErr = c.version(ctx, snapshot.Declared); isCancelled(versionErr) {
		return Capabilities{}, versionErr
	}
	values, err := c.brokerSettings(ctx, snapshot, tieringEnable, checkIntervalMs, taskIntervalMs)
	switch values[tieringEnable] {
	case "true":
		known.TieredStorage = topicconfig.SupportOn
	case "false":
		known.TieredStorage = topicconfig.SupportOff
	}
	known.CheckIntervalMs = firstNumber(0, values[checkIntervalMs])
	known.TaskIntervalMs = firstNumber(0, values[taskIntervalMs])
	return known, err
}

// brokerSettings reads settings of a broker, by name; without a name, all. A broker
// that does not show them answers with an [*Error]; nil is a cluster that tells of none.
// Only the broker itself can be asked, so one that hangs is left for the next after one
// attempt's time: all are meant to say the same.
func (c *Client) brokerSettings(ctx context.Context, snapshot *Snapshot, names ...string) (values map[string]string, err error) {
	for i, broker := range snapshot.Brokers {
		within, cancel := ctx, context.CancelFunc(func() {})
		if i+1 < len(snapshot.Brokers) {
			within, cancel = c.within(ctx, c.config.attemptTimeout())
		}
		values, err = c.settingsOf(within, broker, names)
		cancel()
		var unreachable *UnreachableError
		if !errors.As(err, &unreachable) || ctx.Err() != nil {
			break
		}
	}
	return values, err
}

// settingsOf reads settings of one broker.
func (c *Client) settingsOf(ctx context.Context, of Broker, names []string) (map[string]string, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType = kmsg.ConfigResourceTypeBroker
	resource.ResourceName = strconv.FormatInt(of.ID, 10)
	resource.ConfigNames = slices.Clone(names)
	request.Resources = append(request.Resources, resource)
	response, broker, err := answerTo[*kmsg.DescribeConfigsResponse](ctx, c, request)
	if err != nil {
		return nil, err
	}
	if len(response.Resources) != 1 {
		return nil, nil // a service that leaves its brokers out knows nothing of them
	}
	if err := newError("DescribeConfigs", "", response.Resources[0].ErrorCode, response.Resources[0].ErrorMessage, broker); err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, config := range response.Resources[0].Configs {
		if config.Value != nil && !config.IsSensitive {
			values[config.Name] = *config.Value
		}
	}
	return values, nil
}
