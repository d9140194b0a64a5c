// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

// switchedOff: a topic that is tiered and is not to be any more. Amazon MSK has a
// key of its own for that in all its versions.
func (j *judge) switchedOff() {
	if !j.was() || !j.untiered() || !j.hears(RemoteStorageEnable) {
		return
	}
	old := j.Version.Before(3, 9)
	finding := Finding{Key: RemoteStorageEnable, Near: "true"}
	finding.Number, _ = j.onlyRemote(dimensions[0])
	finding.Bytes, finding.HasBytes = j.onlyRemote(dimensions[1])
	switch {
	case old && !j.MSK:
		finding.Rule, finding.ByChoice = RuleCannotDisable, true
		j.refuse(finding)
	case !j.change.MayDelete:
		// A flag from before deletes without being asked again.
		finding.ByChoice = old || j.change.Before.isTrue(RemoteLogDeleteOnDisable)
		finding.Rule, finding.Other = RuleDisableKeepsRemote, j.deleteKey()
		j.refuse(finding)
	default:
		finding.Rule, finding.Near = RuleRemoteDataLost, ""
		j.say(finding)
	}
}

// deleteKey is the platform's own word for consent.
func (j *judge) deleteKey() string {
	if j.MSK {
		return MSKDisablePolicy
	}
	return RemoteLogDeleteOnDisable
}

// onlyRemote is by how much the total reaches beyond the local limit before the
// change; false where neither is a limit, or they cannot be read.
func (j *judge) onlyRemote(d dimension) (int64, bool) {
	total, err := j.change.Before.Integer(d.total)
	if err != nil {
		return 0, false
	}
	local, err := j.change.Before.Integer(d.local)
	if err != nil || local == followTotal || j.change.Before.isTrue(RemoteLogCopyDisable) {
		local = total
	}
	switch {
	case local < 0 && total < 0:
		return 0, false
	case total < 0:
		return Endless, true
	case local < 0:
		return 0, true
	}
	return max(total-local, 0), true
}
