// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// largestShown is how many topics the data source lists unasked.
const largestShown = 10

// storageForecast is one reading of the reserved-storage data source: the planned
// set laid over the snapshot.
type storageForecast struct {
	view     *cluster
	settings providerSettings
	planned  map[string]reservation.Amount
	lines    map[string]reservedTopicModel // planned topics only
	// remote is what the remote tiers of planned topics may hold, and of released ones: nothing.
	remote map[string]reservation.Amount
	totals quota.Totals
	at     path.Path // the attribute that plans, for Terraform to point at
	diags  diag.Diagnostics
}

// newStorageForecast computes the planned topics and adds them up.
func newStorageForecast(view *cluster, settings providerSettings, model reservedStorageModel) *storageForecast {
	f := &storageForecast{view: view, settings: settings, planned: map[string]reservation.Amount{}, remote: map[string]reservation.Amount{}, lines: map[string]reservedTopicModel{}, at: path.Root("planned_topics")}
	if len(model.PlannedTopics) == 0 {
		f.at = path.Root("planned_bytes")
	}
	for _, name := range slices.Sorted(maps.Keys(model.PlannedTopics)) {
		f.planTopic(name, model.PlannedTopics[name])
	}
	for _, name := range slices.Sorted(maps.Keys(model.PlannedBytes)) {
		f.planBytes(name, model.PlannedBytes[name])
	}
	var released []string
	for _, element := range model.ReleasedTopics {
		name := element.ValueString()
		if _, twice := f.planned[name]; twice {
			f.diags.Append(plannedAndReleased(path.Root("released_topics"), name))
			continue
		}
		released = append(released, name)
		f.remote[name] = reservation.Bytes(0)
	}
	counted := map[string]reservation.Amount{}
	for name, amount := range f.planned {
		if view.counts(name) {
			counted[name] = amount
		}
	}
	f.totals = quota.Forecast(view.live, counted, released)
	return f
}

// planTopic computes one planned topic as the topic resource would.
func (f *storageForecast) planTopic(name string, model *plannedTopicModel) {
	if model == nil {
		model = &plannedTopicModel{} // all of it left to the cluster
	}
	at := path.Root("planned_topics").AtMapKey(name)
	settings, _ := settingsOf(model.Config)
	for _, invalid := range settings.Validate() {
		f.diags.Append(invalidSetting(at.AtName("config").AtMapKey(invalid.Key), name, invalid))
	}
	if f.diags.HasError() {
		return
	}
	topic := f.view.resolve(plannedTopic{
		name: name, partitions: model.Partitions.ValueInt64(), replicationFactor: max(model.ReplicationFactor.ValueInt64(), 0), settings: settings,
		keeps: func(key string) bool { return isTieredKey(key) && !listsTiering(settings) },
	})
	computed, err := reservation.Of(f.view.platform, topic)
	if err != nil {
		f.diags.Append(plannedNotCountable(at, name, err))
		return
	}
	f.planned[name], f.remote[name] = computed.Amount(), computed.Remote
	f.lines[name] = topicLine(topic.Partitions, topic.ReplicationFactor, computed)
}

// planBytes takes one topic's bytes as given.
func (f *storageForecast) planBytes(name string, bytes types.Int64) {
	if _, twice := f.planned[name]; twice {
		f.diags.Append(plannedTwice(path.Root("planned_bytes").AtMapKey(name), name))
		return
	}
	line := reservedTopicModel{
		Partitions: types.Int64Null(), ReplicationFactor: types.Int64Null(), PerPartitionBytes: types.Int64Null(),
		ReservedBytes: bytes, Unbounded: types.BoolValue(bytes.IsNull()), Tiered: types.BoolNull(), RemoteBytes: types.Int64Null(),
	}
	f.remote[name] = reservation.Bytes(0) // bytes are given for what is charged
	f.planned[name], f.lines[name] = reservation.Bytes(bytes.ValueInt64()), line
	if bytes.IsNull() {
		f.planned[name] = reservation.Unbounded
	}
}

// enforce judges the set where the configuration asks for it. Of the two
// switches only the environment's counts here.
func (f *storageForecast) enforce(asked bool, done []string) diag.Diagnostics {
	enforcement := quota.Error
	if f.settings.enforcementSource == fromEnvironment {
		enforcement = f.settings.quota.Enforcement
	}
	if !asked || !f.settings.quota.HasCapacity() || enforcement == quota.Off || !f.totals.Grows {
		return nil
	}
	var diagnostic diag.Diagnostic
	switch {
	case len(f.totals.BecomesUnbounded) > 0:
		diagnostic = plannedUnbounded(f.at, f.totals, f.settings.quota, done)
	case f.settings.quota.Exceeds(f.totals.Peak):
		diagnostic = plannedOverLimit(f.at, f.totals, f.settings.quota, done)
	default:
		return nil
	}
	if enforcement == quota.Warn {
		diagnostic = asWarning(diagnostic)
	}
	return diag.Diagnostics{diagnostic}
}

// fill writes the totals into the data source.
func (f *storageForecast) fill(model *reservedStorageModel) {
	limits := f.settings.quota
	model.LiveBytes, model.FinalBytes, model.PeakBytes = number(f.totals.Live), number(f.totals.Final), number(f.totals.Peak)
	model.InternalBytes = number(f.view.internalBytes)
	model.CapacityBytes, model.LimitBytes = capacityAndLimit(f.settings)
	model.AvailableBytes, model.ReservedPercent = types.NumberNull(), types.NumberNull()
	if limits.HasCapacity() {
		model.AvailableBytes = number(new(big.Int).Sub(big.NewInt(limits.LimitBytes()), f.totals.Peak))
		model.ReservedPercent = decimal(limits.Percent(f.totals.Live, 2))
	}
	model.LimitExceeded = types.BoolValue(limits.Exceeds(f.totals.Peak))
	model.UnboundedTopics = texts(f.unbounded())
	model.UnreadableTopics = texts(f.view.snapshot.UnreadableNames())
	remote, unbounded := f.remoteTier()
	model.RemoteBytes, model.RemoteUnbounded = number(remote), texts(unbounded)
	model.Topics = f.topics(model.IncludeTopics.ValueBool())
}

// remoteTier sums what the remote tiers may hold, and lists those without a bound.
func (f *storageForecast) remoteTier() (sum *big.Int, unbounded []string) {
	all := maps.Clone(f.view.remote)
	maps.Copy(all, f.remote)
	sum = new(big.Int)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if bytes, bounded := all[name].Bounded(); bounded {
			sum.Add(sum, big.NewInt(bytes))
		} else {
			unbounded = append(unbounded, name)
		}
	}
	return sum, unbounded
}

// unbounded lists topics without a bound: planned ones as planned, others as they are.
func (f *storageForecast) unbounded() []string {
	set := map[string]bool{}
	for _, name := range f.view.unbounded() {
		set[name] = true
	}
	for name, amount := range f.planned {
		delete(set, name)
		if amount.IsUnbounded() {
			set[name] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// topics lists planned topics and, of the live ones, all or the largest.
func (f *storageForecast) topics(all bool) map[string]reservedTopicModel {
	lines := maps.Clone(f.lines)
	var names []string
	for name := range f.view.live {
		if _, planned := f.lines[name]; !planned {
			names = append(names, name)
		}
	}
	if !all {
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(f.liveBytes(b), f.liveBytes(a)), cmp.Compare(a, b))
		})
		names = names[:min(len(names), largestShown)]
	}
	for _, name := range names {
		topic := f.view.snapshot.Topics[name]
		lines[name] = topicLine(topic.Partitions, topic.ReplicationFactor, f.view.shownReservation(topic))
	}
	return lines
}

// liveBytes is what a live topic adds to totals.
func (f *storageForecast) liveBytes(name string) int64 {
	bytes, bounded := f.view.live[name].Bounded()
	if !bounded {
		return 0
	}
	return bytes
}

// topicLine is one topic's line; byte counts are null when unbounded.
func topicLine(partitions, replicationFactor int64, r reservation.Reservation) reservedTopicModel {
	line := reservedTopicModel{
		Partitions: types.Int64Value(partitions), ReplicationFactor: types.Int64Value(replicationFactor),
		PerPartitionBytes: types.Int64Null(), ReservedBytes: types.Int64Null(), Unbounded: types.BoolValue(r.Unbounded),
		Tiered: types.BoolValue(r.Tiered), RemoteBytes: amountValue(r.Remote),
	}
	if !r.Unbounded {
		line.PerPartitionBytes, line.ReservedBytes = types.Int64Value(r.PerPartitionBytes), types.Int64Value(r.ReservedBytes)
	}
	return line
}
