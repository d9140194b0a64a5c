// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/units"
)

// tieringRule is how one rule reads: a title without values, and the sentence with
// them that follows the topic's name.
type tieringRule struct {
	title string
	text  func(w tieringWords, f topicconfig.Finding) string
}

// tieringRefusals are the rules that refuse. For some versions or clusters a few of
// them only advise, in the same words.
var tieringRefusals = map[topicconfig.Rule]tieringRule{
	topicconfig.RuleSystemOff: {"Cluster has no tiered storage", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s, and remote.log.storage.system.enable is false on this cluster's brokers, so it would refuse the topic. "+
			"In a cluster with KRaft the controllers' own file decides, which no request shows; it is meant to say the same. Switch tiered storage on for the cluster first, or leave the setting out.", w.value(f.Key))
	}},
	topicconfig.RuleSystemUnknown: {"Whether the cluster has tiered storage is not known", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s, and remote.log.storage.system.enable of the brokers may not be read. If it is false, the cluster refuses the topic in apply. To hear it at plan, allow the principal DescribeConfigs on the cluster.", w.value(f.Key))
	}},
	topicconfig.RuleTieredCompact: {"Tiered topic cannot be compacted", func(w tieringWords, _ topicconfig.Finding) string {
		return fmt.Sprintf("%s, with %s. Kafka tiers only topics whose cleanup.policy is delete, because compaction rewrites segments that the remote tier already holds.",
			w.value(topicconfig.CleanupPolicy), w.value(topicconfig.RemoteStorageEnable))
	}},
	topicconfig.RuleTieredEmptyPolicy: {"Tiered topic has an empty cleanup.policy", func(w tieringWords, f topicconfig.Finding) string {
		if f.Refused {
			return fmt.Sprintf("%s is empty (%s), and Kafka 4.1 refuses that for a tiered topic.", topicconfig.CleanupPolicy, w.origin(topicconfig.CleanupPolicy))
		}
		return fmt.Sprintf("%s is empty (%s). From Kafka 4.2 on the remote tier then keeps everything for ever, while the local limits still hold; what older versions make of it is not documented.", topicconfig.CleanupPolicy, w.origin(topicconfig.CleanupPolicy))
	}},
	topicconfig.RuleSegmentTooSmall: {"Segment is too small", func(w tieringWords, f topicconfig.Finding) string {
		if f.Refused {
			return fmt.Sprintf("%s is below the least that this cluster takes (Kafka %s).", w.value(f.Key), w.version)
		}
		return fmt.Sprintf("%s is below 1048576, which Kafka refuses from 4.1 on. This cluster takes it, and the topic's next change after an upgrade would be refused.", w.value(f.Key))
	}},
	topicconfig.RuleLocalUnlimited: {"Local retention must have a limit", func(w tieringWords, f topicconfig.Finding) string {
		local, total := localAndTotal(f)
		return fmt.Sprintf("%s, while %s: the local tier cannot keep for ever what the topic drops.", w.value(local), w.value(total))
	}},
	topicconfig.RuleLocalAboveTotal: {"Local retention is longer than the total", func(w tieringWords, f topicconfig.Finding) string {
		local, total := localAndTotal(f)
		return fmt.Sprintf("%s is above %s. Equal is allowed, more is not.", w.value(local), w.value(total))
	}},
	topicconfig.RuleLocalNotBelowTotal: {"Local retention must be shorter than the total", func(w tieringWords, f topicconfig.Finding) string {
		local, total := localAndTotal(f)
		return fmt.Sprintf("%s is not below %s. Amazon MSK requires it strictly below; Kafka itself allows equal.", w.value(local), w.value(total))
	}},
	topicconfig.RuleCopyDisabledLocal: {"Local retention must be the total while copying is disabled", func(w tieringWords, f topicconfig.Finding) string {
		local, total := localAndTotal(f)
		return fmt.Sprintf("%s is neither -2 nor the same as %s, and %s: nothing more is copied, so the brokers have to keep new data for the whole of the topic's retention.", w.value(local), w.value(total), w.value(topicconfig.RemoteLogCopyDisable))
	}},
	topicconfig.RuleKeyTooNew: {"Tiered setting is too new for this cluster", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s came with Kafka %s, and this cluster is Kafka %s, which would refuse it as unknown. Leave the setting out, or move the cluster to that version.", f.Key, topicconfig.KeySince(f.Key), w.version)
	}},
	topicconfig.RuleCopyLagAboveLocal: {"Copy lag is longer than local retention", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s is above the local limit that holds, %s: segments would be due to leave the brokers before they may be copied.", w.value(f.Key), w.value(f.Other))
	}},
	topicconfig.RuleDisableKeepsRemote: {"Switching tiered storage off deletes remote data", func(w tieringWords, f topicconfig.Finding) string {
		how := "Kafka switches tiered storage off only together with what the remote tier holds, and refuses otherwise"
		switch {
		case f.ByChoice && f.Other == topicconfig.RemoteLogDeleteOnDisable:
			how = f.Other + " = true stands on the topic from before, so the cluster would delete what the remote tier holds, and that is to be asked for anew"
		case f.ByChoice:
			how = "This version of Kafka would take it without a word and leave what the remote tier holds behind, where nobody can read it"
		}
		return fmt.Sprintf("this plan switches tiered storage off, and %s. %s. Lost would be %s.\n\n%s", w.missingConsent(), how, lostSpan(f), w.waysOff())
	}},
	topicconfig.RuleCannotDisable: {"This version of Kafka cannot switch tiered storage off", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("this plan switches tiered storage off, and Kafka %s has no way to do that: it would leave what the remote tier holds behind, unreadable. From Kafka 3.9 on it can be deleted in the same change. In question is %s.\n\nUntil then keep it on. %s", w.version, lostSpan(f), w.lettingGo())
	}},
	topicconfig.RuleMSKSegmentTooSmall: {"Segment is too small for Amazon MSK", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s. Amazon MSK tiers topics with segments of at least 50331648 bytes (48 MiB).", w.value(f.Key))
	}},
	topicconfig.RuleMSKSegmentTooShort: {"Segment is too short for Amazon MSK", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s. Amazon MSK tiers topics whose segments stay open for at least 600000 ms (10 min).", w.value(f.Key))
	}},
	topicconfig.RuleMSKRetentionTooShort: {"Total retention is too short for Amazon MSK", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s. Amazon MSK tiers topics that keep data for at least 259200000 ms (3 d), or -1 for ever.", w.value(f.Key))
	}},
	topicconfig.RuleMSKRetentionInherited: {"Tiered topic must set retention.ms itself on Amazon MSK", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s. Amazon MSK tiers only topics that set retention.ms themselves, to at least 259200000 (3 d) or -1.", w.value(f.Key))
	}},
	topicconfig.RuleMSKPolicyFixed: {"Cleanup policy of a tiered topic is fixed on Amazon MSK", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s. Amazon MSK does not let the cleanup.policy of a tiered topic change after its creation.", w.value(f.Key))
	}},
	topicconfig.RuleMSKDisabledForEver: {"Tiered storage stays off on Amazon MSK", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("tiered storage was switched off on this topic once (it carries %s), and Amazon MSK does not let it be switched on again. Create a topic of another name and move the clients there.", topicconfig.MSKDisablePolicy)
	}},
	topicconfig.RuleIndexTooSmall: {"Index is too small for one entry", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s: an entry of the time index takes 12 bytes, so not even one fits and every append would close a segment. Kafka takes the value; this provider does not.", w.value(f.Key))
	}},
}

// tieringAdvice are the rules that only advise.
var tieringAdvice = map[topicconfig.Rule]tieringRule{
	topicconfig.RuleRemoteDataLost: {"Remote data will be deleted", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("this plan switches tiered storage off and agrees to delete what the remote tier holds. Lost is %s. Older offsets can no longer be read, and there is no way back. "+
			"To keep them readable until they expire, leave tiered storage on and set %s instead.", lostSpan(f), w.readOnly())
	}},
	topicconfig.RuleNoLocalLimit: {"Tiered storage frees no local disk", func(w tieringWords, _ topicconfig.Finding) string {
		return fmt.Sprintf("%s and %s: brokers keep everything for the whole of the topic's retention, and the remote tier holds it a second time. Set one of them to what the brokers are to keep.",
			w.value(topicconfig.LocalRetentionMs), w.value(topicconfig.LocalRetentionBytes))
	}},
	topicconfig.RuleFollowUnresolved: {"Local retention of -2 may mean no limit on this version", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s, and this cluster is Kafka %s. In 3.6, in 3.7 up to 3.7.1 and in 3.8.0 brokers take -2 for no limit and free local disk only once the remote tier expires (KAFKA-17360). Write the limit that you mean.", w.value(f.Key), w.version)
	}},
	topicconfig.RuleIdleSegmentStays: {"Newest segment of an idle partition never expires on this version", func(w tieringWords, _ topicconfig.Finding) string {
		return fmt.Sprintf("this cluster is Kafka %s, which never closes the newest segment of a tiered partition that gets no more records, so its data outlives every limit (KAFKA-15047, mended in 3.7).", w.version)
	}},
	topicconfig.RuleLocalBelowCheck: {"Local retention ends before the next check", func(w tieringWords, f topicconfig.Finding) string {
		if f.Key == topicconfig.LocalRetentionBytes {
			return fmt.Sprintf("%s: every check finds the newest segment over its limit and closes it, however little it holds, and each becomes a set of objects in the remote tier. Keep at least a segment (segment.bytes %d).", w.value(f.Key), f.Number)
		}
		return fmt.Sprintf("%s is shorter than the brokers' check interval of %s: a pause in writing that is longer than it makes the next check close the newest segment, however little it holds, and each becomes a set of objects in the remote tier.", w.value(f.Key), units.ReadableMs(f.Number))
	}},
	topicconfig.RuleLocalBelowSegment: {"Local retention is smaller than a segment", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s is below %s. The open segment stays on the brokers whatever the limit says, so a partition holds up to %s, and what has not been copied yet besides.", w.value(f.Key), w.value(topicconfig.SegmentBytes), exact(big.NewInt(f.Number)))
	}},
	topicconfig.RuleSegmentOutlivesLimit: {"Data outlives its limit until its segment closes", func(w tieringWords, f topicconfig.Finding) string {
		if f.Key == topicconfig.SegmentBytes {
			return fmt.Sprintf("at its throughput a segment of %s fills only %s after the end of %s. Only closed segments expire one by one, so its first record stays that much longer.%s", w.value(f.Key), units.ReadableMs(f.Number), w.value(f.Other), w.nearest(f))
		}
		return fmt.Sprintf("%s is longer than %s by %s. Only closed segments expire one by one, and a slow partition closes one only after segment.ms, so its first record stays that much longer.%s", w.value(f.Key), w.value(f.Other), units.ReadableMs(f.Number), w.nearest(f))
	}},
	topicconfig.RuleSegmentNeverFills: {"Segments close by time only", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("at its throughput a segment of %s takes %s to fill, longer than %s. So only time closes it, and only when a record comes after that.%s", w.value(f.Key), units.ReadableMs(f.Number), w.value(f.Other), w.nearest(f))
	}},
	topicconfig.RuleMessageAboveSegment: {"Largest message is larger than a segment", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s is above %s: a batch that large passes the first check and is refused when it is written.", w.value(f.Key), w.value(topicconfig.SegmentBytes))
	}},
	topicconfig.RuleLocalUnused: {"Local retention has no effect yet", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s has no effect while the topic is not tiered, and it is above %s: switching tiered storage on will be refused until one of them changes.", w.value(f.Key), w.value(f.Other))
	}},
	topicconfig.RuleTotalBelowSegment: {"Total retention is smaller than a segment", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s is below %s: a partition holds up to %s before anything goes.", w.value(f.Key), w.value(topicconfig.SegmentBytes), exact(big.NewInt(f.Number)))
	}},
	topicconfig.RuleRemoteUnbounded: {"Remote tier grows without end", func(w tieringWords, _ topicconfig.Finding) string {
		return fmt.Sprintf("%s and %s: neither time nor size ever removes anything from the remote tier.", w.value(topicconfig.RetentionMs), w.value(topicconfig.RetentionBytes))
	}},
	topicconfig.RuleFutureTimestamps: {"Timestamps in the future keep data", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("%s, and with CreateTime the producers' clocks decide when data expires: one record dated that far ahead keeps its whole segment until then.", w.value(f.Key))
	}},
	topicconfig.RuleIndexEndsSegment: {"Index closes segments before they are full", func(w tieringWords, f topicconfig.Finding) string {
		return fmt.Sprintf("with %s the time index may be full after %s of a segment, and closes it before %s does. Smaller segments are more files.%s", w.value(f.Key), exact(big.NewInt(f.Number)), w.value(topicconfig.SegmentBytes), w.nearest(f))
	}},
}

// localAndTotal are the two settings of a finding about them, whichever of them this
// change is about.
func localAndTotal(f topicconfig.Finding) (local, total string) {
	if strings.HasPrefix(f.Key, "local.") {
		return f.Key, f.Other
	}
	return f.Other, f.Key
}

// lostSpan is what only the remote tier holds, in time and where known in bytes.
func lostSpan(f topicconfig.Finding) string {
	byTime := "by time up to " + units.ReadableMs(f.Number) + " of data"
	switch f.Number {
	case topicconfig.Endless:
		byTime = "by time everything older than the local limit"
	case 0:
		byTime = "by time nothing"
	}
	switch {
	case !f.HasBytes && f.Number == 0:
		return "what brokers no longer hold; by the settings as they are they hold everything"
	case !f.HasBytes:
		return "what only the remote tier holds: " + byTime
	}
	bySize := "by size up to " + exact(big.NewInt(f.Bytes)) + " of each partition"
	switch f.Bytes {
	case topicconfig.Endless:
		bySize = "by size everything beyond the local limit"
	case 0:
		bySize = "by size nothing"
	}
	return "what only the remote tier holds: " + byTime + ", " + bySize
}

// removedBlock stops managing a tiered resource and leaves what it manages as it is.
const removedBlock = "  removed {\n    from = kafkastorage_topic_tiered_storage.NAME\n    lifecycle {\n      destroy = false\n    }\n  }\n"

const noConsent = "delete_remote_data_on_disable is not true"

// missingConsent is what keeps the remote data from being deleted.
func (w tieringWords) missingConsent() string {
	if key := topicconfig.RemoteLogDeleteOnDisable; !w.destroys && forbids(w.after) && w.origin(key) == "this plan" {
		return fmt.Sprintf("%s says that what the remote tier holds is to stay, whatever delete_remote_data_on_disable says", w.value(key))
	}
	return noConsent
}

// waysOff are the ways to go on where switching off was refused.
func (w tieringWords) waysOff() string {
	ways := []string{"To delete the remote data on purpose, set it in the same change:\n  delete_remote_data_on_disable = true\n"}
	if w.missingConsent() != noConsent {
		ways[0] = fmt.Sprintf("To delete the remote data on purpose, leave %s out and set in the same change:\n  delete_remote_data_on_disable = true\n", topicconfig.RemoteLogDeleteOnDisable)
	}
	if w.destroys {
		ways[0] = "To delete the remote data on purpose, set this, apply it, and then destroy, because a destroy goes by the state:\n  delete_remote_data_on_disable = true\n"
	}
	if !w.version.Before(3, 9) {
		ways = append(ways, fmt.Sprintf("To copy nothing more and keep what is there readable until it expires, leave both local limits out and write:\n  %s\n  %s\n",
			w.offer(topicconfig.RemoteStorageEnable, "true"), w.readOnly()))
	}
	return strings.Join(append(ways, w.lettingGo()), "")
}

// lettingGo is how tiered storage stays as it is while nobody manages it here.
func (w tieringWords) lettingGo() string {
	const keeping = "To keep tiered storage as it is and only stop managing it here, "
	if !w.apart {
		return keeping + "leave its settings out of config; nothing is sent for that.\n"
	}
	return keeping + "replace the resource block by\n" + removedBlock
}

// readOnly is the setting that stops copying, as its owner writes it.
func (w tieringWords) readOnly() string {
	return w.offer(topicconfig.RemoteLogCopyDisable, "true")
}
