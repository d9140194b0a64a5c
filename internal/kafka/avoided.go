// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// avoided are the brokers that have lately not answered. Without them every request
// to a broker that hangs would wait for it again. The zero value avoids nobody.
type avoided struct {
	mu    sync.Mutex
	until map[int32]time.Time
	// known are the brokers of the last metadata.
	known []kgo.BrokerMetadata
}

// failed notes a broker that gave no answer. One that is silent is left alone for a
// whole request's time; one that refuses or cuts connections may be back at once.
func (a *avoided) failed(id int32, timeout time.Duration, err error) {
	if !errors.Is(err, context.DeadlineExceeded) {
		timeout /= 10
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.until == nil {
		a.until = map[int32]time.Time{}
	}
	a.until[id] = time.Now().Add(timeout)
}

// answered notes a broker that gave an answer, and whom it knows.
func (a *avoided) answered(id int32, response kmsg.Response) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.until, id)
	metadata, ok := response.(*kmsg.MetadataResponse)
	if !ok {
		return
	}
	a.known = nil
	for _, broker := range metadata.Brokers {
		a.known = append(a.known, kgo.BrokerMetadata{NodeID: broker.NodeID, Host: broker.Host, Port: broker.Port, Rack: broker.Rack})
	}
}

// heed leaves the choice of a broker to the client library where only the controller
// may be asked: before KRaft other brokers do not hand writes on.
func (a *avoided) heed(err error) {
	if !errors.Is(err, kerr.NotController) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.until)
}

// elsewhere picks a broker for a request while others are avoided; false leaves the
// choice to the client library.
func (a *avoided) elsewhere(request kmsg.Request) (kgo.BrokerMetadata, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(a.until, func(_ int32, until time.Time) bool { return now.After(until) })
	if len(a.until) == 0 || onlyItself(request) {
		return kgo.BrokerMetadata{}, false
	}
	others := slices.DeleteFunc(slices.Clone(a.known), func(broker kgo.BrokerMetadata) bool {
		_, avoid := a.until[broker.NodeID]
		return avoid
	})
	if len(others) == 0 {
		return kgo.BrokerMetadata{}, false
	}
	return others[rand.IntN(len(others))], true //nolint:gosec // no secret
}

// onlyItself says that a broker is asked about itself, or told something for itself:
// any other one refuses that (ConfigAdminManager, Apache Kafka 4.4).
func onlyItself(request kmsg.Request) bool {
	switch r := request.(type) {
	case *kmsg.DescribeConfigsRequest:
		return slices.ContainsFunc(r.Resources, func(resource kmsg.DescribeConfigsRequestResource) bool {
			return resource.ResourceType == kmsg.ConfigResourceTypeBroker && resource.ResourceName != ""
		})
	case *kmsg.IncrementalAlterConfigsRequest:
		return slices.ContainsFunc(r.Resources, func(resource kmsg.IncrementalAlterConfigsRequestResource) bool {
			return resource.ResourceType == kmsg.ConfigResourceTypeBroker && resource.ResourceName != ""
		})
	}
	return false
}
