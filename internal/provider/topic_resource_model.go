// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// throttleKeys belong to whoever runs a reassignment, unless the configuration
// lists them.
var throttleKeys = []string{topicconfig.LeaderThrottledReplicas, topicconfig.FollowerThrottledReplicas}

// settingsOf reads a config map. Null elements count as not written. known is
// false when the map or one of its values is not known yet; the settings then
// hold what is.
func settingsOf(config types.Map) (settings topicconfig.Settings, known bool) {
	settings, known = topicconfig.Settings{}, !config.IsUnknown()
	for key, element := range config.Elements() {
		value, isString := element.(types.String)
		switch {
		case !isString || value.IsNull():
		case value.IsUnknown():
			known = false
		default:
			settings[key] = value.ValueString()
		}
	}
	return settings, known
}

// configChange is what turns the overrides of one map into those of another. Tiered
// settings that the second lets go of stay as they are.
func configChange(from, to types.Map) topicconfig.Change {
	old, _ := settingsOf(from)
	wanted, _ := settingsOf(to)
	return withoutReleased(old, wanted, topicconfig.Diff(old, wanted))
}

// sameConfig says that two maps list the same settings with the same meaning.
func sameConfig(from, to types.Map) bool {
	old, _ := settingsOf(from)
	wanted, _ := settingsOf(to)
	return topicconfig.Diff(old, wanted).Empty()
}

// fill brings the model to what the cluster shows.
func (m *topicModel) fill(view *cluster, topic kafka.Topic) {
	imported := m.Partitions.IsNull()
	m.ID = types.StringValue(topic.Name)
	m.Name = types.StringValue(topic.Name)
	m.Partitions = types.Int64Value(topic.Partitions)
	m.fillReplicationFactor(topic)
	m.TopicID = types.StringValue(topic.ID)
	m.Config = mergeConfig(m.Config, topic, imported)
	m.setReservation(view.reservationOf(topic))
}

// fillCreated completes a plan with what only the created topic knows.
func (m *topicModel) fillCreated(view *cluster, topic kafka.Topic) {
	m.ID = types.StringValue(topic.Name)
	m.TopicID = types.StringValue(topic.ID)
	if m.Partitions.IsUnknown() || m.Partitions.IsNull() {
		m.Partitions = types.Int64Value(topic.Partitions)
	}
	if m.ReplicationFactor.IsUnknown() || m.ReplicationFactor.IsNull() {
		m.ReplicationFactor = types.Int64Value(topic.ReplicationFactor)
	}
	if m.ReservedBytes.IsUnknown() || m.Reservation.IsUnknown() {
		m.setReservation(view.reservationOf(topic))
	}
}

// setReservation fills the two computed values of the rule. A reservation that
// cannot be counted is unbounded for a topic that exists.
func (m *topicModel) setReservation(r reservation.Reservation, err error) {
	switch {
	case err != nil:
		m.ReservedBytes = types.Int64Null()
		m.Reservation = types.StringValue("unbounded: " + err.Error())
	case r.Unbounded:
		m.ReservedBytes = types.Int64Null()
		m.Reservation = types.StringValue(r.String())
	default:
		m.ReservedBytes = types.Int64Value(r.ReservedBytes)
		m.Reservation = types.StringValue(r.String())
	}
}

// mergeConfig lays a topic's overrides over the map that the state held, key by
// key: a value that means the same keeps the spelling that the user wrote, null
// elements count as not written and stay null, and overrides that belong to
// somebody else stay out. So do entries that the broker marks as read-only or
// sensitive, unless the state lists them; a sensitive one, of which the broker
// shows no value, then keeps the value that was last sent. A map
// that was null stays null, and an empty one empty, while there is nothing to
// hold, so that neither plans a change.
func mergeConfig(prior types.Map, topic kafka.Topic, imported bool) types.Map {
	elements := map[string]attr.Value{}
	written, _ := settingsOf(prior)
	for key, element := range prior.Elements() {
		if element.IsNull() {
			elements[key] = element
		}
	}
	for key, entry := range topic.Entries {
		value, listed := written[key]
		switch {
		case !entry.Override || !listed && !manages(key, written, imported): // inherited, or somebody else's
		case entry.Sensitive:
			if listed {
				elements[key] = types.StringValue(value)
			}
		case !entry.HasValue || entry.ReadOnly && !listed:
		case listed && sameValue(key, entry, value):
			elements[key] = types.StringValue(value)
		default:
			elements[key] = types.StringValue(entry.Value)
		}
	}
	if len(elements) == 0 && prior.IsNull() {
		return types.MapNull(types.StringType)
	}
	return types.MapValueMust(types.StringType, elements)
}

// sameValue says whether a written value is what the broker reports, as Kafka
// reads the key, or as the broker declares it.
func sameValue(key string, entry kafka.Entry, written string) bool {
	return topicconfig.Equal(key, written, entry.Value) || topicconfig.EqualAs(entry.Type, key, written, entry.Value)
}

// manages says whether an override that the state does not list is this
// resource's to show.
func manages(key string, written topicconfig.Settings, imported bool) bool {
	switch {
	case slices.Contains(throttleKeys, key), slices.Contains(topicconfig.DeleteOnDisableKeys(), key):
		return false
	case slices.Contains(topicconfig.TieredKeys(), key):
		return imported || listsTiering(written)
	}
	return true
}
