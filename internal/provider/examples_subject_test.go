// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// What an example is about follows from its text: which platforms it works on, which
// topics have to be there, and what a topic is like that an import takes over.

var (
	asksForTiers        = regexp.MustCompile(`"remote\.storage\.enable"|"` + tieredKind + `"`)
	readsTopic          = regexp.MustCompile(`(?m)^data "kafkastorage_topic" "\w+" \{\n  name = "([^"]+)"`)
	tiersTopic          = regexp.MustCompile(`(?m)^  topic +?= "([^"]+)"`)
	tieredBlock         = regexp.MustCompile(`(?m)^resource "(` + tieredKind + `)" "(\w+)" \{`)
	describedPartitions = regexp.MustCompile(`(?m)^  partitions +?= (\d+)`)
	describedSetting    = regexp.MustCompile(`(?m)^    "([a-z.]+)" *= "?([^" \n]+)`)
	describedTier       = regexp.MustCompile(`(?m)^  (\w+) +?= (-?\d+|true|false)\b`)
)

// tierOfAttribute are the settings that attributes of the tiered resource stand for.
var tierOfAttribute = map[string]string{
	"enabled": "remote.storage.enable", "local_retention_ms": "local.retention.ms",
	"local_retention_bytes": "local.retention.bytes", "copy_disabled": "remote.log.copy.disable",
}

// examplePlatform is the provider block of the platform that an example is imported on.
func examplePlatform(text string) string {
	platforms := platformsOf(text)
	return examplePlatforms[slices.Sorted(maps.Keys(platforms))[0]]
}

// platformsOf are the platforms that an example has to work on: all, or those whose
// topics can be tiered where it asks for tiers.
func platformsOf(text string) map[string]string {
	platforms := maps.Clone(examplePlatforms)
	maps.DeleteFunc(platforms, func(name, _ string) bool {
		return asksForTiers.MatchString(text) && !reservation.Platform(name).Tiers()
	})
	return platforms
}

// exampleFake starts a cluster on which an example works: with somebody else's topics
// that it is about, and with tiers where it asks for them.
func exampleFake(t *testing.T, text string) *kafkatest.Fake {
	t.Helper()
	options := kafkatest.EventStreamsFake()
	if asksForTiers.MatchString(text) {
		options = tieredFake()
	}
	fake := kafkatest.StartFake(t, options)
	for _, foreign := range append(readsTopic.FindAllStringSubmatch(text, -1), tiersTopic.FindAllStringSubmatch(text, -1)...) {
		fake.CreateTopic(t, foreign[1], 3, nil)
	}
	return fake
}

// createDescribed starts a cluster that holds a topic as a resource describes it.
func createDescribed(t *testing.T, kind, name, described string) *kafkatest.Fake {
	t.Helper()
	fake := exampleFake(t, tiersTopic.ReplaceAllString(described, ""))
	partitions, settings := int64(3), map[string]string{}
	if kind == tieredKind { // which describes a part of somebody else's topic
		for key, value := range tierSettings(described) {
			settings[key] = fmt.Sprint(value)
		}
	} else {
		count := describedPartitions.FindStringSubmatch(described)
		if count == nil {
			t.Fatalf("no partitions in %s", described)
		}
		var err error
		if partitions, err = strconv.ParseInt(count[1], 10, 32); err != nil {
			t.Fatal(err)
		}
		for _, setting := range describedSetting.FindAllStringSubmatch(described, -1) {
			settings[setting[1]] = setting[2]
		}
	}
	fake.CreateTopic(t, name, int32(partitions), settings) //nolint:gosec // parsed as 32 bits
	return fake
}

// tierSettings are the settings that a tiered resource describes.
func tierSettings(described string) map[string]string {
	settings := map[string]string{"remote.storage.enable": "true"}
	for _, tier := range describedTier.FindAllStringSubmatch(described, -1) {
		if key, is := tierOfAttribute[tier[1]]; is {
			settings[key] = tier[2]
		}
	}
	return settings
}

// describedFields is the configuration of a resource as an example describes it.
func describedFields(kind, name, described string, fake *kafkatest.Fake) fields {
	if kind == tieredKind {
		config := fields{"topic": name, "enabled": true}
		for _, tier := range describedTier.FindAllStringSubmatch(described, -1) {
			if n, err := strconv.ParseInt(tier[2], 10, 64); err == nil {
				config[tier[1]] = n
			} else {
				config[tier[1]] = tier[2] == "true"
			}
		}
		return config
	}
	settings := fields{}
	for key, value := range fake.Overrides(name) {
		settings[key] = value
	}
	return fields{"name": name, "partitions": describedPartitions.FindStringSubmatch(described)[1], "replication_factor": 3, "config": settings}
}

// identityAttribute is the one attribute that tells a resource from others of its kind.
func identityAttribute(t *testing.T, kind string) string {
	t.Helper()
	schema, err := started(t, nil).identitySchema(t.Context(), kind)
	if err != nil || len(schema.IdentityAttributes) != 1 {
		t.Fatalf("%s: %v, %v", kind, schema, err)
	}
	return schema.IdentityAttributes[0].Name
}

// letGo is what takes the tiered resources of an example out of the state: to destroy
// one would delete the remote data, which takes consent.
func letGo(text string) string {
	var blocks strings.Builder
	for _, block := range tieredBlock.FindAllStringSubmatch(text, -1) {
		fmt.Fprintf(&blocks, "removed {\n  from = %s.%s\n  lifecycle {\n    destroy = false\n  }\n}\n", block[1], block[2])
	}
	return blocks.String()
}

// resourceAt returns the example in a folder that describes the resource at an address.
func resourceAt(t *testing.T, folder, address string) string {
	t.Helper()
	kind, name, _ := strings.Cut(address, ".")
	files, err := filepath.Glob(filepath.Join(folder, "resource*.tf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text := readText(t, file); strings.Contains(text, fmt.Sprintf("resource %q %q {", kind, name)) {
			return text
		}
	}
	t.Fatalf("%s has no example of %s", folder, address)
	return ""
}
