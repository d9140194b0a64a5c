// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tieredAttributes are the attributes of the tiered resource by the settings that
// they stand for. The copy lag is nobody's here: it stays as it is found.
var tieredAttributes = map[string]string{
	topicconfig.RemoteStorageEnable:  "enabled",
	topicconfig.LocalRetentionMs:     "local_retention_ms",
	topicconfig.LocalRetentionBytes:  "local_retention_bytes",
	topicconfig.RemoteLogCopyDisable: "copy_disabled",
}

// wanted are the settings that the model asks for. An attribute that is left out is
// no setting: nothing is sent for it that nobody wrote. known is false while one is
// not known yet.
func (m *tieredStorageModel) wanted() (settings topicconfig.Settings, known bool) {
	settings, known = topicconfig.Settings{}, !m.Enabled.IsUnknown()
	settings[topicconfig.RemoteStorageEnable] = strconv.FormatBool(m.Enabled.ValueBool())
	for key, value := range map[string]types.Int64{topicconfig.LocalRetentionMs: m.LocalRetentionMs, topicconfig.LocalRetentionBytes: m.LocalRetentionBytes} {
		switch {
		case value.IsUnknown():
			known = false
		case !value.IsNull():
			settings[key] = strconv.FormatInt(value.ValueInt64(), 10)
		}
	}
	switch {
	case m.CopyDisabled.IsUnknown():
		known = false
	case !m.CopyDisabled.IsNull():
		settings[topicconfig.RemoteLogCopyDisable] = strconv.FormatBool(m.CopyDisabled.ValueBool())
	}
	return settings, known
}

// unknown says that a setting of the model is not known yet.
func (m *tieredStorageModel) unknown(key string) bool {
	switch key {
	case topicconfig.RemoteStorageEnable:
		return m.Enabled.IsUnknown()
	case topicconfig.LocalRetentionMs:
		return m.LocalRetentionMs.IsUnknown()
	case topicconfig.LocalRetentionBytes:
		return m.LocalRetentionBytes.IsUnknown()
	case topicconfig.RemoteLogCopyDisable:
		return m.CopyDisabled.IsUnknown()
	}
	return false
}

// heldTiering are the tiered settings of a live topic as the resource sees them:
// those that the topic itself sets, and whether it is tiered at all, whoever says so.
func heldTiering(topic kafka.Topic) topicconfig.Settings {
	held := topicconfig.Settings{topicconfig.RemoteStorageEnable: strconv.FormatBool(isTiered(topic.Effective()))}
	for key, value := range topic.Overrides() {
		if _, ours := tieredAttributes[key]; ours && key != topicconfig.RemoteStorageEnable {
			held[key] = value
		}
	}
	return held
}

// isTiered says that settings in force switch tiered storage on.
func isTiered(settings topicconfig.Settings) bool {
	return topicconfig.Equal(topicconfig.RemoteStorageEnable, settings[topicconfig.RemoteStorageEnable], "true")
}

// fill brings the model to what the cluster shows.
func (m *tieredStorageModel) fill(view *cluster, topic kafka.Topic) {
	held := heldTiering(topic)
	m.ID, m.Topic = types.StringValue(topic.Name), types.StringValue(topic.Name)
	m.Enabled = types.BoolValue(isTiered(held))
	m.LocalRetentionMs = heldNumber(held, topicconfig.LocalRetentionMs)
	m.LocalRetentionBytes = heldNumber(held, topicconfig.LocalRetentionBytes)
	m.CopyDisabled = types.BoolNull()
	if value, own := held[topicconfig.RemoteLogCopyDisable]; own {
		m.CopyDisabled = types.BoolValue(topicconfig.Equal(topicconfig.RemoteLogCopyDisable, value, "true"))
	}
	m.setReservation(view.shownReservation(topic))
}

// heldNumber is a number that a topic sets itself; null where it sets none.
func heldNumber(held topicconfig.Settings, key string) types.Int64 {
	if n, err := held.Integer(key); err == nil {
		return types.Int64Value(n)
	}
	return types.Int64Null()
}

// setReservation fills the computed values: what each tier may come to hold.
func (m *tieredStorageModel) setReservation(computed reservation.Reservation) {
	m.LocalReservedBytes = reservedBytes(computed)
	m.RemoteReservedBytes = amountValue(computed.Remote)
}

// unknownReservation leaves the computed values open until they are computed.
func (m *tieredStorageModel) unknownReservation() {
	m.LocalReservedBytes, m.RemoteReservedBytes = types.Int64Unknown(), types.Int64Unknown()
}

// amountValue is an amount as Terraform has it; null when unbounded.
func amountValue(amount reservation.Amount) types.Int64 {
	if bytes, bounded := amount.Bounded(); bounded {
		return types.Int64Value(bytes)
	}
	return types.Int64Null()
}
