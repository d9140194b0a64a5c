// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// isInternal says that a topic is Kafka's own: by its name, or because the
// cluster flags it. view is nil where the cluster cannot be asked.
func isInternal(view *cluster, name string) bool {
	return topicconfig.IsInternal(name) || view != nil && view.snapshot.Topics[name].Internal
}

// viewIfKnown returns the cluster where it can be asked, else nil: whoever cannot
// do without it reports why.
func (r *runtime) viewIfKnown(ctx context.Context) *cluster {
	if r.settings.unknown {
		return nil
	}
	view, _, err := r.open(ctx)
	if err != nil {
		return nil
	}
	return view
}

// refuseName judges the name of a topic that the plan creates: internal topics are
// refused, and so is a name that collides with another create of this plan. One that collides
// with a live topic is a warning, because the same plan may delete that first.
func (p *topicPlan) refuseName(ctx context.Context) diag.Diagnostics {
	name := p.plan.Name.ValueString()
	if p.state != nil && !p.replacesName() || p.plan.Name.IsUnknown() {
		return nil
	}
	view := p.runtime.viewIfKnown(ctx)
	if isInternal(view, name) {
		return diag.Diagnostics{internalTopicCreated(name, p.runtime.done())}
	}
	planned, again := p.runtime.plansName(name)
	if planned != "" {
		return diag.Diagnostics{namesCollide(name, planned, p.runtime.done())}
	}
	if view == nil || again {
		return nil // Terraform drops the warnings of a replacement's second call
	}
	for _, other := range view.collisions(name) {
		if !p.runtime.hasDeleted(other) {
			return p.runtime.notes.say(noteNameCollides, nameCollidesWithLive(name, other))
		}
	}
	return nil
}

// refuseInternalDelete refuses a plan that deletes a topic of Kafka's own.
func (p *topicPlan) refuseInternalDelete(ctx context.Context) diag.Diagnostics {
	if name := p.state.Name.ValueString(); isInternal(p.runtime.viewIfKnown(ctx), name) {
		return diag.Diagnostics{internalTopicDeleted(name, p.runtime.done())}
	}
	return nil
}

// refuseTaken looks once more, just before a create, at the live topics that its
// name collides with: one that has gone meanwhile is no obstacle.
func (r *topicResource) refuseTaken(ctx context.Context, view *cluster, name string) diag.Diagnostics {
	for _, other := range view.collisions(name) {
		if err := r.runtime.client.Lookup(ctx, other); err == nil || kafka.IsAuthorization(err) {
			return diag.Diagnostics{nameTaken(name, other, r.runtime.done())}
		}
	}
	return nil
}

// plansName notes the name of a planned create. It returns another one, noted
// before, that Kafka cannot tell from it, and says whether this one was noted before.
func (r *runtime) plansName(name string) (other string, again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.metricNames == nil {
		r.metricNames = map[string]string{}
	}
	metric := topicconfig.MetricName(name)
	noted, ok := r.metricNames[metric]
	switch {
	case !ok:
		r.metricNames[metric] = name
	case noted != name:
		return noted, false
	}
	return "", ok
}

// hasDeleted says whether this process has deleted a topic, which its first
// snapshot then still holds.
func (r *runtime) hasDeleted(name string) bool {
	return slices.Contains(r.done(), fmt.Sprintf("deleted %q", name))
}

// collisions lists the live topics, in order, that Kafka cannot tell from a new one
// of this name.
func (c *cluster) collisions(name string) []string {
	var others []string
	for _, other := range c.metricNames[topicconfig.MetricName(name)] {
		if topicconfig.Collide(name, other) {
			others = append(others, other)
		}
	}
	return others
}

// metricNamesOf groups the live topics, those that may not be read too, by what
// they are called in Kafka's metrics.
func metricNamesOf(snapshot *kafka.Snapshot) map[string][]string {
	grouped := make(map[string][]string, len(snapshot.Topics))
	for _, names := range [][]string{snapshot.TopicNames(), snapshot.UnreadableNames()} {
		for _, name := range names {
			metric := topicconfig.MetricName(name)
			grouped[metric] = append(grouped[metric], name)
		}
	}
	return grouped
}
