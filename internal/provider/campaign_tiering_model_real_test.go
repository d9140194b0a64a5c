// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// What the campaign of the tiered rules thinks of: changes of one topic that lie at
// the edge of one rule, on either side of it, and changes at random. Nothing here
// knows the provider's rules; who is right, a broker says.

const (
	tierEnable     = "remote.storage.enable"
	tierCopyStops  = "remote.log.copy.disable"
	tierDeletes    = "remote.log.delete.on.disable"
	weekMs         = 604800000 // what the clusters' topics inherit as retention.ms
	ruleOwnRange   = topicconfig.Rule("own_range")
	ruleAtRandom   = topicconfig.Rule("at_random")
	leastSegment   = 1048576
	leastIndexSize = 12
)

// tierSpan is one of the two ways to limit a topic.
type tierSpan struct{ total, local, lag string }

var (
	tierTime  = tierSpan{"retention.ms", "local.retention.ms", "remote.copy.lag.ms"}
	tierBytes = tierSpan{"retention.bytes", "local.retention.bytes", "remote.copy.lag.bytes"}
	// ownedTierKeys have one owner: a map that no longer lists the first lets go of all.
	ownedTierKeys = []string{tierEnable, tierTime.local, tierBytes.local, tierCopyStops, tierTime.lag, tierBytes.lag}
)

// settingsMap are a topic's own settings.
type settingsMap map[string]string

// with is a copy with settings given as key, value, key, value; an empty value takes one away.
func (s settingsMap) with(pairs ...any) settingsMap {
	changed := settingsMap{}
	maps.Copy(changed, s)
	for i := 0; i < len(pairs); i += 2 {
		key, value := fmt.Sprint(pairs[i]), fmt.Sprint(pairs[i+1])
		if value == "" {
			delete(changed, key)
		} else {
			changed[key] = value
		}
	}
	return changed
}

// tierWish is what a configuration says of a topic.
type tierWish struct {
	settings settingsMap
	consent  bool
}

// tierCase is one change of one topic.
type tierCase struct {
	name    string
	rule    topicconfig.Rule // what it is about
	current settingsMap      // nil: the topic is created
	wish    tierWish
}

// config is the wish as a configuration has it.
func (c tierCase) config() fields {
	values := fields{"name": c.name, "partitions": 1}
	if c.wish.consent {
		values["delete_remote_data_on_disable"] = true
	}
	settings := fields{}
	for key, value := range c.wish.settings {
		settings[key] = value
	}
	if len(settings) > 0 {
		values["config"] = settings
	}
	return values
}

// request is what has to be sent to make the wish come true, worked out from what is
// documented: a map that no longer lists remote.storage.enable leaves all tiered
// settings as they are, the flag that deletes is never taken away, and consent adds
// it to the request that switches off.
func (c tierCase) request() (set map[string]string, remove []string) {
	set = map[string]string{}
	for key, value := range c.wish.settings {
		if old, had := c.current[key]; !had || old != value || key == tierDeletes {
			set[key] = value
		}
	}
	_, listed := c.current[tierEnable]
	_, lists := c.wish.settings[tierEnable]
	for _, key := range slices.Sorted(maps.Keys(c.current)) {
		_, stays := c.wish.settings[key]
		if !stays && key != tierDeletes && (!listed || lists || !slices.Contains(ownedTierKeys, key)) {
			remove = append(remove, key)
		}
	}
	if _, says := set[tierDeletes]; !says && c.current != nil && c.wish.consent && set[tierEnable] == "false" {
		set[tierDeletes] = "true"
	}
	return set, remove
}

// end are the topic's own settings once that is done.
func (c tierCase) end() map[string]string {
	set, remove := c.request()
	end := c.current.with()
	maps.Copy(end, set)
	for _, key := range remove {
		delete(end, key)
	}
	return end
}

// tierDraw thinks of changes for one version.
type tierDraw struct {
	chance  *rand.Rand
	version topicconfig.Version
	off     bool // the cluster has no tiered storage
}

// edge is a change with a good end and a bad one, which differ in what one rule looks at.
type edge struct {
	current   settingsMap // nil: the topic is created
	good, bad tierWish
}

// to makes an edge of maps.
func to(current, good, bad settingsMap) edge {
	return edge{current, tierWish{settings: good}, tierWish{settings: bad}}
}

// edges are the rules that this version has, with their edges.
func (d tierDraw) edges() map[topicconfig.Rule]func() edge {
	if d.off {
		return map[topicconfig.Rule]func() edge{topicconfig.RuleSystemOff: d.noTiers}
	}
	edges := map[topicconfig.Rule]func() edge{
		topicconfig.RuleTieredCompact:   d.compacted,
		topicconfig.RuleLocalUnlimited:  d.unlimited,
		topicconfig.RuleLocalAboveTotal: d.aboveTotal,
		topicconfig.RuleIndexTooSmall:   d.smallIndex,
		ruleOwnRange:                    d.outOfRange,
	}
	if !d.version.Before(4, 1) {
		edges[topicconfig.RuleSegmentTooSmall] = d.smallSegment
	}
	if d.version.Before(4, 4) {
		edges[topicconfig.RuleKeyTooNew] = d.newKey
	} else {
		edges[topicconfig.RuleCopyLagAboveLocal] = d.longLag
	}
	if d.version.Before(3, 9) {
		edges[topicconfig.RuleCannotDisable] = d.switchedOff
	} else {
		edges[topicconfig.RuleDisableKeepsRemote] = d.switchedOff
		edges[topicconfig.RuleCopyDisabledLocal] = d.stopped
	}
	return edges
}

// span is one of the two, with a total for it.
func (d tierDraw) span() (tierSpan, int64) {
	return pick(d.chance, tierTime, tierBytes), pick(d.chance, 1, 1000, 1048576, 86400000, weekMs, 1+d.chance.Int64N(1<<40))
}

// start is a state to come from: none, one without tiers, or the settings themselves
// less some.
func (d tierDraw) start(settings settingsMap, less ...string) settingsMap {
	switch d.chance.IntN(3) {
	case 0:
		return nil
	case 1:
		return settingsMap{"retention.ms": "3600000"}
	}
	current := settings.with()
	for _, key := range less {
		delete(current, key)
	}
	return current
}

func (d tierDraw) aboveTotal() edge {
	span, total := d.span()
	over := total + pick(d.chance, 1, 1, 1+d.chance.Int64N(1<<40))
	under := pick(d.chance, total, total, total-1, 0, -2)
	tiered := settingsMap{tierEnable: "true"}
	switch d.chance.IntN(6) {
	case 0: // a total that is lowered
		current := tiered.with(span.total, total, span.local, total)
		return to(current, current.with(span.total, pick(d.chance, total+1, -1)), current.with(span.total, total-1))
	case 1: // a local limit that lay in wait
		current := settingsMap{}.with(span.total, total, span.local, over)
		enabled := current.with(tierEnable, true)
		return to(current, pick(d.chance, enabled.with(span.local, under), enabled.with(span.total, over)), enabled)
	case 2: // an inherited total
		return to(d.start(tiered), tiered.with(tierTime.local, weekMs), tiered.with(tierTime.local, weekMs+1))
	case 3: // a total that comes to be inherited
		current := tiered.with(tierTime.total, -1, tierTime.local, weekMs+1)
		return to(current, current.with(tierTime.total, weekMs+1), current.with(tierTime.total, ""))
	case 4: // both in one change
		current := tiered.with(span.total, total, span.local, total/2)
		return to(current, current.with(span.total, total/2+7, span.local, total/2+7), current.with(span.total, total/2+7, span.local, total/2+8))
	}
	planned := tiered.with(span.total, total)
	return to(d.start(planned), planned.with(span.local, under), planned.with(span.local, over))
}

func (d tierDraw) unlimited() edge {
	span, total := d.span()
	if d.chance.IntN(3) == 0 { // a total that gets a limit
		current := settingsMap{tierEnable: "true"}.with(span.total, -1, span.local, -1)
		return to(current, current.with(span.total, total, span.local, -2), current.with(span.total, total))
	}
	planned := settingsMap{tierEnable: "true"}.with(span.total, total, span.local, -1)
	return to(d.start(planned, span.local), pick(d.chance, planned.with(span.total, -1), planned.with(span.local, -2)), planned)
}

func (d tierDraw) compacted() edge {
	policy := pick(d.chance, "compact", "compact,delete", "delete,compact")
	planned := settingsMap{tierEnable: "true", "cleanup.policy": policy}
	current := pick(d.chance, nil, settingsMap{tierEnable: "true"}, settingsMap{"cleanup.policy": policy}, settingsMap{tierEnable: "true", "cleanup.policy": "delete"})
	good := planned.with("cleanup.policy", pick(d.chance, "delete", ""))
	if current[tierEnable] != "true" && d.chance.IntN(2) == 0 {
		good = planned.with(tierEnable, pick(d.chance, "false", ""))
	}
	return to(current, good, planned)
}

func (d tierDraw) smallSegment() edge {
	planned := settingsMap{"segment.bytes": fmt.Sprint(leastSegment - 1 - d.chance.Int64N(leastSegment-14)*d.chance.Int64N(2))}
	if d.chance.IntN(2) == 0 {
		planned[tierEnable] = "true"
	}
	return to(d.start(planned, "segment.bytes"), planned.with("segment.bytes", leastSegment+d.chance.Int64N(2)), planned)
}

func (d tierDraw) smallIndex() edge {
	planned := settingsMap{"segment.index.bytes": fmt.Sprint(4 + d.chance.IntN(leastIndexSize-4))}
	return to(d.start(planned, "segment.index.bytes"), planned.with("segment.index.bytes", pick(d.chance, leastIndexSize, 24)), planned)
}

func (d tierDraw) stopped() edge {
	span, total := d.span()
	planned := settingsMap{tierEnable: "true", tierCopyStops: "true"}.with(span.total, total)
	if d.chance.IntN(3) == 0 { // the total moves away from the local limit
		current := planned.with(span.local, total)
		return to(current, current.with(span.total, total+5, span.local, total+5), current.with(span.total, total+5))
	}
	bad := planned.with(span.local, pick(d.chance, total-1, 0, total/2))
	good := pick(d.chance, planned.with(span.local, total), planned.with(span.local, -2), planned, bad.with(tierCopyStops, "false"))
	return to(d.start(bad, tierCopyStops), good, bad)
}

func (d tierDraw) longLag() edge {
	span, total := d.span()
	limit := pick(d.chance, total, total/2, 0)
	current := settingsMap{tierEnable: "true"}.with(span.total, total, span.local, limit)
	if limit == total && d.chance.IntN(2) == 0 {
		current[span.local] = pick(d.chance, "-2", "-2", fmt.Sprint(total))
	}
	switch d.chance.IntN(4) {
	case 0: // the local limit comes below the lag
		if limit < 2 {
			break
		}
		current = settingsMap{tierEnable: "true"}.with(span.total, total, span.local, limit, span.lag, limit)
		return to(current, current.with(span.lag, limit-1, span.local, limit-1), current.with(span.local, limit-1))
	case 1: // an inherited total
		planned := settingsMap{tierEnable: "true"}
		return to(d.start(planned), planned.with(tierTime.lag, weekMs), planned.with(tierTime.lag, weekMs+1))
	}
	return to(d.start(current), current.with(span.lag, pick(d.chance, limit, 0, -1)), current.with(span.lag, limit+1))
}

func (d tierDraw) noTiers() edge {
	span, total := d.span()
	planned := settingsMap{tierEnable: "true"}.with(span.total, total, span.local, total)
	return to(pick(d.chance, nil, planned.with(tierEnable, "", span.local, "")), planned.with(tierEnable, pick(d.chance, "false", "")), planned)
}

func (d tierDraw) newKey() edge {
	keys := []string{tierTime.lag, tierBytes.lag}
	if d.version.Before(3, 9) {
		keys = append(keys, tierCopyStops, tierDeletes)
	}
	key := pick(d.chance, keys...)
	value := "0"
	if key == tierCopyStops || key == tierDeletes {
		value = pick(d.chance, "true", "false")
	}
	planned := settingsMap{"retention.ms": strconv.Itoa(1000 + d.chance.IntN(1000))}
	if d.chance.IntN(2) == 0 {
		planned[tierEnable] = "true"
	}
	return to(d.start(planned, "retention.ms"), planned, planned.with(key, value))
}

func (d tierDraw) switchedOff() edge {
	span, total := d.span()
	current := settingsMap{tierEnable: "true"}.with(span.total, total)
	if d.chance.IntN(2) == 0 {
		current = current.with(span.local, total/2)
	}
	if !d.version.Before(3, 9) && d.chance.IntN(4) == 0 {
		current[tierDeletes] = "true" // from an earlier change
	}
	off := current.with(tierEnable, "false", tierDeletes, "")
	switch d.chance.IntN(4) {
	case 0:
		off = off.with(span.local, "")
	case 1:
		off = off.with("cleanup.policy", "compact")
	}
	e := to(current, current.with(tierEnable, ""), off)
	if d.version.Before(3, 9) {
		e.good = tierWish{settings: pick(d.chance, current.with("retention.ms", 5000000, "local.retention.ms", ""), current.with(tierEnable, ""))}
		e.bad.consent = d.chance.IntN(2) == 0
		return e
	}
	e.good = pick(d.chance, e.good,
		tierWish{off, true}, tierWish{off, true}, tierWish{off.with(tierDeletes, "true"), false}, tierWish{off.with(tierDeletes, "true"), true},
		tierWish{settings: current.with(span.local, "", tierCopyStops, "true")})
	e.bad = pick(d.chance, e.bad, e.bad, tierWish{off.with(tierDeletes, "false"), false}, tierWish{off.with(tierDeletes, "false"), true})
	return e
}

func (d tierDraw) outOfRange() edge {
	bad := pick(d.chance, [2]string{tierTime.local, "-3"}, [2]string{tierBytes.local, "-3"}, [2]string{tierTime.total, "-2"},
		[2]string{tierEnable, "yes"}, [2]string{"segment.bytes", "13"}, [2]string{"segment.bytes", "2147483648"}, [2]string{tierBytes.total, "1e3"}, [2]string{"segment.index.bytes", "3"})
	good := map[string]string{tierEnable: "true", "segment.bytes": "2147483647", "segment.index.bytes": "10485760", tierTime.total: "-1", tierBytes.total: "-5"}[bad[0]]
	if good == "" {
		good = "-2"
	}
	planned := settingsMap{"flush.ms": "1000"}
	return to(d.start(planned), planned.with(bad[0], good), planned.with(bad[0], bad[1]))
}
