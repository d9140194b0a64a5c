// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"fmt"
	"maps"
	"slices"
)

// atRandom is a topic with settings by chance, each drawn near the others, and a
// change of some of them.
func (d tierDraw) atRandom() edge {
	current := d.settings()
	var planned settingsMap
	if d.chance.IntN(4) == 0 {
		current, planned = nil, d.settings()
	} else {
		planned = d.changed(current)
	}
	// A map cannot say it: what is only forgotten is refused before any rule.
	delete(planned, emptyPolicyIn(planned))
	e := to(current, planned, planned)
	e.good.consent = d.chance.IntN(3) == 0 && current[tierEnable] == "true"
	return e
}

// emptyPolicyIn is cleanup.policy where it is there and empty.
func emptyPolicyIn(settings settingsMap) string {
	if value, set := settings["cleanup.policy"]; set && value == "" {
		return "cleanup.policy"
	}
	return ""
}

// settings are settings by chance.
func (d tierDraw) settings() settingsMap {
	settings := settingsMap{}
	for _, key := range d.keys() {
		if d.chance.IntN(5) < 2 {
			settings[key] = d.value(key, settings)
		}
	}
	if d.chance.IntN(3) > 0 {
		settings[tierEnable] = "true"
	}
	if d.chance.IntN(20) == 0 {
		settings["cleanup.policy"] = ""
	}
	return settings
}

// changed are settings with some of them changed, added or taken away.
func (d tierDraw) changed(from settingsMap) settingsMap {
	planned := from.with()
	for maps.Equal(planned, from) {
		for range 1 + d.chance.IntN(3) {
			key := pick(d.chance, d.keys()...)
			if _, set := planned[key]; set && d.chance.IntN(3) == 0 {
				delete(planned, key)
			} else {
				planned[key] = d.value(key, planned)
			}
		}
	}
	return planned
}

// keys are those that this version has.
func (d tierDraw) keys() []string {
	keys := []string{tierEnable, tierTime.total, tierBytes.total, tierTime.local, tierBytes.local, "cleanup.policy", "segment.bytes"}
	if !d.version.Before(3, 9) {
		keys = append(keys, tierCopyStops, tierDeletes)
	}
	if !d.version.Before(4, 4) {
		keys = append(keys, tierTime.lag, tierBytes.lag)
	}
	return keys
}

// value is a value for a key, beside the values that are there.
func (d tierDraw) value(key string, beside settingsMap) string {
	near := func(of string) string {
		var n int64
		if _, err := fmt.Sscan(beside[of], &n); err != nil {
			n = weekMs
		}
		return fmt.Sprint(max(0, n+d.chance.Int64N(3)-1))
	}
	total := []string{"-1", "-1", "0", "1000", "1048576", "86400000"}
	switch key {
	case tierEnable:
		return pick(d.chance, "true", "true", "false", "TRUE")
	case tierCopyStops, tierDeletes:
		return pick(d.chance, "true", "false")
	case tierTime.total:
		return pick(d.chance, append(slices.Clone(total), near(tierTime.local))...)
	case tierBytes.total:
		return pick(d.chance, append(slices.Clone(total), near(tierBytes.local), "-7")...)
	case tierTime.local:
		return pick(d.chance, "-2", "-1", "0", "500", near(tierTime.total), near(tierTime.total))
	case tierBytes.local:
		return pick(d.chance, "-2", "-1", "0", "500", near(tierBytes.total), near(tierBytes.total))
	case tierTime.lag:
		return pick(d.chance, "-1", "0", near(tierTime.local), near(tierTime.total))
	case tierBytes.lag:
		return pick(d.chance, "-1", "0", near(tierBytes.local), near(tierBytes.total))
	case "cleanup.policy":
		return pick(d.chance, "delete", "delete", "compact", "compact,delete", "delete,delete")
	case "segment.bytes":
		return pick(d.chance, "1048575", "1048576", "1048577", "536870912")
	}
	panic("no values for " + key)
}
