// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"slices"
	"strconv"
)

// Values of local retention that are no numbers (LogConfig.java, Apache Kafka 4.4).
const (
	followTotal = -2 // the same as the total
	noLimit     = -1
)

// dimension is one of the two ways to limit a topic, by time and by size.
type dimension struct{ local, total, lag string }

var dimensions = []dimension{
	{LocalRetentionMs, RetentionMs, RemoteCopyLagMs},
	{LocalRetentionBytes, RetentionBytes, RemoteCopyLagBytes},
}

// judge reads one change and collects what the rules say about it.
type judge struct {
	Tiering
	change   TieredChange
	findings []Finding
}

// say adds a finding.
func (j *judge) say(f Finding) {
	j.findings = append(j.findings, f)
}

// refuse adds a finding that stops the change.
func (j *judge) refuse(f Finding) {
	f.Refused = true
	j.say(f)
}

// hears says that a rule about these keys is to speak: at least one is touched.
func (j *judge) hears(keys ...string) bool {
	return j.change.Touched == nil || slices.ContainsFunc(keys, j.change.Touched)
}

// blames says that the change touches the first key and none of the others, so
// that the first is the one to change back.
func (j *judge) blames(key string, others ...string) bool {
	return j.change.Touched != nil && j.hears(key) && !j.hears(others...)
}

// overrides says that a key stands on the topic itself.
func (j *judge) overrides(key string) bool {
	return j.change.Overrides != nil && j.change.Overrides(key)
}

// unknown says that a planned value is not known yet.
func (j *judge) unknown(key string) bool {
	return j.change.Unknown != nil && j.change.Unknown(key)
}

// raw reads a planned whole number; false where it is unknown, absent or unreadable.
func (j *judge) raw(key string) (int64, bool) {
	if j.unknown(key) {
		return 0, false
	}
	n, err := j.change.After.Integer(key)
	return n, err == nil
}

// number reads one that its own range allows too: no advice is built on another.
func (j *judge) number(key string) (int64, bool) {
	n, ok := j.raw(key)
	held, _ := LimitsOf(key)
	return n, ok && (!held.bounded() || n >= held.Least && n <= held.Most)
}

// numbers reads two of them.
func (j *judge) numbers(a, b string) (x, y int64, ok bool) {
	x, okX := j.number(a)
	y, okY := j.number(b)
	return x, y, okX && okY
}

// tiered says that the topic is known to be tiered after the change.
func (j *judge) tiered() bool {
	return !j.unknown(RemoteStorageEnable) && j.change.After.isTrue(RemoteStorageEnable)
}

// untiered says that it is known not to be.
func (j *judge) untiered() bool {
	return !j.unknown(RemoteStorageEnable) && !j.change.After.isTrue(RemoteStorageEnable)
}

// copies says that the topic is known to be tiered and to go on copying.
func (j *judge) copies() bool {
	return j.tiered() && !j.unknown(RemoteLogCopyDisable) && !j.change.After.isTrue(RemoteLogCopyDisable)
}

// stopped says that the topic is known to be tiered and to copy no more.
func (j *judge) stopped() bool {
	return j.tiered() && !j.unknown(RemoteLogCopyDisable) && j.change.After.isTrue(RemoteLogCopyDisable)
}

// was says that the topic is tiered before the change.
func (j *judge) was() bool {
	return j.change.Before.isTrue(RemoteStorageEnable)
}

// cleanup reads the planned cleanup.policy.
func (j *judge) cleanup() (Policy, bool) {
	if _, has := j.change.After[CleanupPolicy]; !has || j.unknown(CleanupPolicy) {
		return Policy{}, false
	}
	policy, err := j.change.After.Policy()
	return policy, err == nil
}

// isTrue reads a switch, which is off where it is absent or unreadable.
func (s Settings) isTrue(key string) bool {
	normal, err := Normalize(key, s[key])
	return err == nil && normal == "true"
}

// text prints a number as Kafka spells it.
func text(n int64) string {
	return strconv.FormatInt(n, 10)
}
