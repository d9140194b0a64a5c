// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// The wordings are those of kversion.Versions.VersionGuess. A range is no version: the
// requests that some service serves say nothing of its release.
func TestVersionFromGuess_TakesOnlyWhatNamesARelease(t *testing.T) {
	for guess, want := range map[string]topicconfig.Version{
		kversion.V2_8_0().VersionGuess():       {Major: 2, Minor: 8},
		kversion.V3_2_0().VersionGuess():       {Major: 3, Minor: 2},
		"at least v4.4":                        {Major: 4, Minor: 4},
		"between v1.0 and v1.1":                {},
		"not even v0.8.0":                      {},
		"unknown custom version":               {},
		"unknown custom version at least v2.1": {},
	} {
		if got := versionFromGuess(guess); got != want {
			t.Errorf("%s: got %v, want %v", guess, got, want)
		}
	}
}

// Each level bears its release in MetadataVersion.java of Apache Kafka 4.4. One that is
// newer than this code is at least the last release that it knows.
func TestVersionFromLevel_EveryLevelBelongsToItsRelease(t *testing.T) {
	releases := map[string][]int16{
		"unknown": {0, 1, 3}, "3.3": {4, 7}, "3.4": {8}, "3.5": {9, 11}, "3.6": {12, 14}, "3.7": {15, 19}, "3.8": {20}, "3.9": {21},
		"4.0": {22, 25}, "4.1": {26, 27}, "4.2": {28, 29}, "4.3": {30}, "4.4": {31, 33, 34, 99},
	}
	for want, levels := range releases {
		for _, level := range levels {
			if got := versionFromLevel(level); got.String() != want {
				t.Errorf("level %d: got %v, want %s", level, got, want)
			}
		}
	}
}
