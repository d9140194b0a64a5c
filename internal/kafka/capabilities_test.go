// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// tieredBroker is what a broker with tiered storage shows (RemoteLogManagerConfig.java
// and ServerLogConfigs.java, Apache Kafka 4.4; the intervals are the defaults).
var tieredBroker = map[string]string{
	"remote.log.storage.system.enable":     "true",
	"remote.log.manager.task.interval.ms":  "30000",
	"log.retention.check.interval.ms":      "300000",
	"remote.log.storage.manager.impl.path": "/not/asked/for",
}

// capabilitiesOf asks a fake cluster.
func capabilitiesOf(t *testing.T, options kafkatest.FakeOptions) kafka.Capabilities {
	t.Helper()
	got, err := connect(t, kafkatest.StartFake(t, options), 10*time.Second).Capabilities(deadline(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// What is asked once is shared by everybody, and names what it wants: a broker has
// hundreds of settings.
func TestCapabilities_AreAskedOnceForAllCallers(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Shown: tieredBroker})
	client := connect(t, fake, 10*time.Second)
	ctx := deadline(t, 20*time.Second)
	if _, err := client.Snapshot(ctx); err != nil {
		t.Fatal(err)
	}
	fake.ForgetRequests()
	want := kafka.Capabilities{
		Version:       topicconfig.Version{Major: 4, Minor: 4}, // what the fake stands for
		TieredStorage: topicconfig.SupportOn, CheckIntervalMs: 300000, TaskIntervalMs: 30000,
	}
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			got, err := client.Capabilities(ctx)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
	group.Wait()
	if diff := cmp.Diff(map[string]int{"DescribeConfigs": 1}, fake.Requests()); diff != "" {
		t.Error(diff)
	}
}

func TestCapabilities_TieredStorageIsOffWhereABrokerSaysSo(t *testing.T) {
	got := capabilitiesOf(t, kafkatest.FakeOptions{Shown: map[string]string{"remote.log.storage.system.enable": "false"}})
	if got.TieredStorage != topicconfig.SupportOff || got.TaskIntervalMs != 0 {
		t.Errorf("%+v", got)
	}
}

// Nobody needs a right to plan: what may not be read, and what a broker does not
// list, is unknown.
func TestCapabilities_WhatIsNotToldIsUnknown(t *testing.T) {
	denied := capabilitiesOf(t, kafkatest.FakeOptions{Shown: tieredBroker, Rights: kafkatest.RightsOn("*", "DESCRIBE", "DESCRIBE_CONFIGS")})
	if diff := cmp.Diff(kafka.Capabilities{Version: topicconfig.Version{Major: 4, Minor: 4}}, denied); diff != "" {
		t.Error(diff)
	}
	bare := capabilitiesOf(t, kafkatest.FakeOptions{})
	if bare.TieredStorage != topicconfig.SupportUnknown || bare.TaskIntervalMs != 0 {
		t.Errorf("%+v", bare)
	}
}

// A failed reading is a value, as an unreachable cluster is told of by the snapshot;
// it is kept. A caller that was interrupted leaves nothing behind.
func TestCapabilities_OnlyACancellationIsForgotten(t *testing.T) {
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Shown: tieredBroker})
	client := connect(t, fake, 10*time.Second)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Capabilities(cancelled); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if got, err := client.Capabilities(deadline(t, 20*time.Second)); err != nil || got.TieredStorage != topicconfig.SupportOn {
		t.Errorf("%+v %v", got, err)
	}

	fake = kafkatest.StartFake(t, kafkatest.FakeOptions{Shown: tieredBroker})
	remove := fake.Fail(t, kafkatest.Fault{Request: "DescribeConfigs", Code: "CLUSTER_AUTHORIZATION_FAILED"})
	client = connect(t, fake, 10*time.Second)
	for range 2 {
		if got, err := client.Capabilities(deadline(t, 20*time.Second)); err != nil || got.TieredStorage != topicconfig.SupportUnknown {
			t.Errorf("%+v %v", got, err)
		}
		remove()
	}

	client, err := kafka.New(kafka.Config{Servers: []string{"127.0.0.1:1"}, RequestTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if got, err := client.Capabilities(deadline(t, 20*time.Second)); err != nil || got != (kafka.Capabilities{}) {
		t.Errorf("%+v %v", got, err)
	}
}

// A broker's highest level of metadata.version tells its release line.
func TestCapabilities_VersionOfEachRelease(t *testing.T) {
	for name, versions := range map[string]*kversion.Versions{
		"3.3": kversion.V3_3_0(), "3.4": kversion.V3_4_0(), "3.5": kversion.V3_5_0(), "3.6": kversion.V3_6_0(), "3.7": kversion.V3_7_0(),
		"3.8": kversion.V3_8_0(), "3.9": kversion.V3_9_0(), "4.0": kversion.V4_0_0(), "4.1": kversion.V4_1_0(), "4.2": kversion.V4_2_0(),
		"4.3": kversion.V4_3_0(), "4.4": kversion.V4_4_0(),
	} {
		t.Run(name, func(t *testing.T) {
			got := capabilitiesOf(t, kafkatest.FakeOptions{Options: []kfake.Opt{kfake.MaxVersions(versions)}}).Version
			if got.String() != name {
				t.Errorf("got %v", got)
			}
		})
	}
}

// A cluster without levels whose requests fit no release, as many services are, has
// the version that its settings prove, and none if they prove none. The fake's own
// selection of requests is such a one.
func TestCapabilities_DeclaredSettingsProveAVersion(t *testing.T) {
	absent := func(keys ...string) map[string]kafkatest.FakeSetting {
		settings := map[string]kafkatest.FakeSetting{}
		for _, key := range keys {
			settings[key] = kafkatest.FakeSetting{Absent: true}
		}
		return settings
	}
	lag := []string{"remote.copy.lag.ms", "remote.copy.lag.bytes"}
	disable := []string{"remote.log.copy.disable", "remote.log.delete.on.disable"}
	tier := []string{"remote.storage.enable", "local.retention.ms", "local.retention.bytes"}
	for name, lacks := range map[string][]string{
		"4.4": {"no.such.setting"}, "3.9": lag, "3.6": slices.Concat(lag, disable), "unknown": slices.Concat(lag, disable, tier),
	} {
		t.Run(name, func(t *testing.T) {
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{Settings: absent(lacks...), Options: []kfake.Opt{kfake.MaxVersions(kversion.V3_2_0())}})
			fake.CreateTopic(t, "a", 1, nil) // a topic shows what the cluster declares
			got, err := connect(t, fake, 10*time.Second).Capabilities(deadline(t, 20*time.Second))
			if err != nil || got.Version.String() != name {
				t.Errorf("got %v %v", got.Version, err)
			}
		})
	}
}
