// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Leave takes a broker out of the cluster, as one that restarts is for a while. The
// controller, which is the last one, cannot be missed.
func (f *Fake) Leave(tb testing.TB, id int32) {
	tb.Helper()
	if err := f.Cluster.RemoveNode(id); err != nil {
		tb.Fatal(err)
	}
}

// SetBrokers sets dynamic settings of the brokers, as an operator would. The fake
// keeps them for all brokers together.
func (f *Fake) SetBrokers(tb testing.TB, settings map[string]string) {
	tb.Helper()
	if err := setBrokers(f.Cluster.ListenAddrs(), settings); err != nil {
		tb.Fatal(err)
	}
}

// BrokerSettings returns the dynamic settings of the brokers whose names hold a text.
func (f *Fake) BrokerSettings(tb testing.TB, text string) map[string]string {
	tb.Helper()
	settings, err := brokerSettings(f.Cluster.ListenAddrs(), text)
	if err != nil {
		tb.Fatal(err)
	}
	return settings
}

// setBrokers sets the same on every broker.
func setBrokers(servers []string, settings map[string]string) error {
	return onBrokers(servers, func(ctx context.Context, admin *kadm.Client, id int32) error {
		var changes []kadm.AlterConfig
		for key, value := range settings {
			changes = append(changes, kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &value})
		}
		answers, err := admin.AlterBrokerConfigs(ctx, changes, id)
		if err == nil {
			err = answers[0].Err
		}
		return err
	})
}

// resetBrokers takes settings of every broker back.
func resetBrokers(servers []string, keys []string) error {
	return onBrokers(servers, func(ctx context.Context, admin *kadm.Client, id int32) error {
		var changes []kadm.AlterConfig
		for _, key := range keys {
			changes = append(changes, kadm.AlterConfig{Op: kadm.DeleteConfig, Name: key})
		}
		answers, err := admin.AlterBrokerConfigs(ctx, changes, id)
		if err == nil {
			err = answers[0].Err
		}
		return err
	})
}

// brokerSettings reads what is set on any broker and inherited by none.
func brokerSettings(servers []string, text string) (map[string]string, error) {
	settings := map[string]string{}
	err := onBrokers(servers, func(ctx context.Context, admin *kadm.Client, id int32) error {
		answers, err := admin.DescribeBrokerConfigs(ctx, id)
		if err != nil {
			return err
		}
		for _, config := range answers[0].Configs {
			if strings.Contains(config.Key, text) && strings.HasPrefix(config.Source.String(), "DYNAMIC_") {
				settings[config.Key] = config.MaybeValue()
			}
		}
		return answers[0].Err
	})
	return settings, err
}

// onBrokers calls a function for each broker.
func onBrokers(servers []string, do func(context.Context, *kadm.Client, int32) error) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(servers...), kgo.MetadataMinAge(10*time.Millisecond))
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	admin := kadm.NewClient(client)
	brokers, err := admin.ListBrokers(ctx)
	if err != nil {
		return err
	}
	for _, broker := range brokers {
		if err := do(ctx, admin, broker.NodeID); err != nil {
			return err
		}
	}
	return nil
}
