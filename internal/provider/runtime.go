// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
)

// runtime is what one provider configuration shares between all calls of one
// process: the client, the snapshot as a [cluster], the ledger, and what this
// process has already said and done. It is safe for concurrent use.
type runtime struct {
	settings providerSettings
	client   *kafka.Client // nil where no servers are configured or they are unknown
	notes    notes
	asked    once // creations that the cluster was asked about, by name
	changes  topicChanges

	mu      sync.Mutex
	cluster *cluster
	ledger  *quota.Ledger
	failed  bool            // the first failed connection has been explained
	written []string        // what this process has changed, as "created \"a\""
	creates map[string]int  // calls that plan to create a topic, by name
	held    map[string]bool // topics that Terraform is known to hold
	// metricNames are the topics that calls plan to create, by metric name.
	metricNames map[string]string
}

// errNoServers says that nothing tells where the cluster is.
var errNoServers = errors.New("no bootstrap servers are configured")

// newRuntime makes a runtime without touching the network.
func newRuntime(settings providerSettings, version string) (*runtime, error) {
	r := &runtime{settings: settings, creates: map[string]int{}, held: map[string]bool{}}
	if settings.unknown || len(settings.kafka.Servers) == 0 {
		return r, nil
	}
	settings.kafka.Version = version
	client, err := kafka.New(settings.kafka)
	if err != nil {
		return nil, fmt.Errorf("provider configuration: %w", err)
	}
	r.client = client
	return r, nil
}

// takeRuntime takes the runtime from what the provider hands to its parts. Terraform
// validates without configuring, so there may be none.
func takeRuntime(data any, into **runtime) diag.Diagnostics {
	if data == nil {
		return nil
	}
	shared, ok := data.(*runtime)
	if !ok {
		return diag.Diagnostics{unexpectedProviderData(data)}
	}
	*into = shared
	return nil
}

// open returns the cluster and the ledger over the first snapshot.
func (r *runtime) open(ctx context.Context) (*cluster, *quota.Ledger, error) {
	if r.client == nil {
		return nil, nil, errNoServers
	}
	snapshot, err := r.client.Snapshot(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the cluster: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cluster == nil {
		r.cluster = newCluster(r.settings.platform, snapshot)
		r.ledger = quota.NewLedger(r.settings.quota, r.cluster.live)
	}
	return r.cluster, r.ledger, nil
}

// unreachable explains a failed reading of the cluster. The first call of a
// process gets the whole explanation; later ones get nothing, because the run
// has failed already and hundreds of copies would hide the cause.
func (r *runtime) unreachable(err error) diag.Diagnostics {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed {
		return nil
	}
	r.failed = true
	return diag.Diagnostics{clusterUnreachable(err, r.settings)}
}

// unreachableAgain is the same for calls that cannot go on without an answer:
// later ones repeat the title in one line.
func (r *runtime) unreachableAgain(err error) diag.Diagnostics {
	if diags := r.unreachable(err); diags != nil {
		return diags
	}
	return diag.Diagnostics{clusterStillUnreachable(err)}
}

// numbers returns the ledger's numbers as they stand; nil where there is no ledger.
func (r *runtime) numbers(topic string) *quota.Verdict {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ledger == nil {
		return nil
	}
	standing := r.ledger.Standing(topic)
	return &standing
}

// did notes a change that this process has made, for the error of a later call.
func (r *runtime) did(what, topic string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written = append(r.written, fmt.Sprintf("%s %q", what, topic))
}

// plansCreate notes that a call plans to create a topic, and says whether it is
// the first of its name. Terraform plans each new topic once with no state before
// it, so a second call comes from a second resource.
func (r *runtime) plansCreate(topic string) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.creates[topic]++
	return r.creates[topic] == 1
}

// hold notes that Terraform holds a topic: a call has brought its state. A create of
// the same name is then a replacement, or a move to another address.
func (r *runtime) hold(topic string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[topic] = true
}

// holds says whether Terraform is known to hold a topic. Not known does not mean
// that it does not: with -refresh=false, and in apply, its state may come later.
func (r *runtime) holds(topic string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held[topic]
}

// find looks a topic up in the snapshot. Not found means that the cluster says
// so, not that it may not be seen.
func (r *runtime) find(ctx context.Context, view *cluster, name string) (kafka.Topic, bool, diag.Diagnostics) {
	if topic, ok := view.snapshot.Topics[name]; ok {
		return topic, true, nil
	}
	err, unreadable := view.snapshot.Unreadable[name]
	if !unreadable {
		if err = r.client.Lookup(ctx, name); kafka.IsUnknownTopic(err) {
			return kafka.Topic{}, false, nil
		}
	}
	if err == nil {
		return kafka.Topic{}, false, diag.Diagnostics{topicAppeared(name)}
	}
	return kafka.Topic{}, false, diag.Diagnostics{topicUnreadable(name, err)}
}

// done says what this process has changed so far.
func (r *runtime) done() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.written...)
}
