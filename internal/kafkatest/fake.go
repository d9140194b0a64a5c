// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// FakeOptions say what a fake cluster is.
type FakeOptions struct {
	// Brokers is the number of brokers; 0 means 3.
	Brokers int
	// Version is the release that the fake speaks as, such as "3.8": it takes no later requests. Together with Config it
	// knows no later tiered setting either. "" is the newest.
	Version string
	// Config are broker settings, such as log.segment.bytes. Settings that the fake
	// does not know are refused by it.
	Config map[string]string
	// Shown are further broker settings, which the brokers show and do not act by, such as
	// remote.log.storage.system.enable.
	Shown map[string]string
	// Rights switch access control on: whoever connects may do this and nothing else.
	// nil leaves it off. Where Config is set too, topics' settings can be read by all.
	Rights []Right
	// Users are the passwords of those who may log in, by PLAIN or SCRAM-SHA-512, and
	// then do everything. nil takes no login.
	Users map[string]string
	// BareCreations makes the answers to creations lack the new topic's settings, as
	// those of clusters before 2.4 do.
	BareCreations bool
	// Settings are topic settings that the fake reports beside those of Kafka 4.4, or
	// as others than Kafka does.
	Settings map[string]FakeSetting
	// Options are further options of the fake, such as kfake.EnableSASL.
	Options []kfake.Opt
}

// EventStreamsFake is a fake cluster with the defaults of IBM Event Streams, as
// far as the fake can hold them.
func EventStreamsFake() FakeOptions {
	return FakeOptions{Config: map[string]string{
		"log.retention.bytes":        "1073741824",
		"log.segment.bytes":          "536870912",
		"log.retention.ms":           "86400000",
		"default.replication.factor": "3",
	}}
}

// Fake is a cluster inside the process. It answers the protocol as Kafka does and
// judges hardly anything: what a broker would refuse belongs to the real tier.
type Fake struct {
	// Cluster is the fake itself, for faults.
	Cluster *kfake.Cluster

	brokerConfig  map[string]string
	topicSettings map[string]FakeSetting
	wire          *wire

	mu       sync.Mutex
	requests []Request
	messages map[int16]string // the broker's words, by error code
}

// StartFake starts a fake cluster and ends it with the test.
func StartFake(tb testing.TB, options FakeOptions) *Fake {
	tb.Helper()
	fake, err := NewFake(options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(fake.Close)
	return fake
}

// NewFake starts a fake cluster; the caller closes it.
func NewFake(options FakeOptions) (*Fake, error) {
	if options.Brokers == 0 {
		options.Brokers = 3
	}
	rights, err := rightsOptions(options.Rights)
	if err != nil {
		return nil, err
	}
	wire := &wire{}
	kfakeOptions := append([]kfake.Opt{kfake.NumBrokers(options.Brokers), kfake.DefaultNumPartitions(1), kfake.ListenFn(wire.listen)}, options.Options...)
	kfakeOptions = append(kfakeOptions, rights...)
	if len(options.Users) > 0 {
		kfakeOptions = append(kfakeOptions, kfake.EnableSASL())
	}
	for user, password := range options.Users {
		kfakeOptions = append(kfakeOptions, kfake.Superuser("PLAIN", user, password), kfake.Superuser("SCRAM-SHA-512", user, password))
	}
	settings, err := options.settings()
	if err != nil {
		return nil, err
	}
	if options.Version != "" {
		kfakeOptions = append(kfakeOptions, kfake.MaxVersions(kversion.FromString("v"+options.Version)))
	}
	if len(options.Config) > 0 {
		kfakeOptions = append(kfakeOptions, kfake.BrokerConfigs(options.Config))
	}
	cluster, err := kfake.NewCluster(kfakeOptions...)
	if err != nil {
		return nil, fmt.Errorf("starting a fake cluster: %w", err)
	}
	fake := &Fake{Cluster: cluster, brokerConfig: options.Config, topicSettings: settings, wire: wire, messages: map[int16]string{}}
	wire.complete = func(request kmsg.Request, response kmsg.Response) bool {
		completed := !options.BareCreations && fake.completeCreate(request, response)
		shown := completeDescribe(options.Shown, request, response)
		return fake.addWords(response) || completed || shown
	}
	cluster.Control(fake.count)
	if len(options.Config) > 0 || len(options.Settings) > 0 {
		cluster.ControlKey(int16(kmsg.DescribeConfigs), fake.describeConfigs)
	}
	return fake, nil
}

// settings are the topic settings that the fake reports: without those that came after
// its version.
func (o FakeOptions) settings() (map[string]FakeSetting, error) {
	if o.Version == "" {
		return o.Settings, nil
	}
	if kversion.FromString("v"+o.Version) == nil {
		return nil, fmt.Errorf("%q is no version of Kafka", o.Version)
	}
	version, err := topicconfig.ParseVersion(o.Version)
	if err != nil {
		version = topicconfig.Version{Major: 1} // 0.x: older than any setting that has come since
	}
	settings := maps.Clone(o.Settings)
	if settings == nil {
		settings = map[string]FakeSetting{}
	}
	for _, key := range slices.Concat(topicconfig.TieredKeys(), []string{topicconfig.RemoteLogDeleteOnDisable}) {
		if since := topicconfig.KeySince(key); version.Before(since.Major, since.Minor) {
			settings[key] = FakeSetting{Absent: true}
		}
	}
	return settings, nil
}

// Close ends the cluster.
func (f *Fake) Close() {
	f.Cluster.Close()
}

// Bootstrap returns the brokers' addresses, separated by commas.
func (f *Fake) Bootstrap() string {
	return strings.Join(f.Cluster.ListenAddrs(), ",")
}

// count notes a request and lets it pass. A control for one kind of request runs
// before it, so one that answers has to note its requests itself.
func (f *Fake) count(request kmsg.Request) (kmsg.Response, error, bool) {
	f.Cluster.KeepControl()
	f.note(request)
	return nil, nil, false
}

// CreateTopic creates a topic behind Terraform's back.
func (f *Fake) CreateTopic(tb testing.TB, name string, partitions int32, settings map[string]string) {
	tb.Helper()
	if err := f.AddTopic(name, partitions, settings); err != nil {
		tb.Fatal(err)
	}
}

// AddTopic is [Fake.CreateTopic] without a test.
func (f *Fake) AddTopic(name string, partitions int32, settings map[string]string) error {
	if err := f.Cluster.CreateTopic(name, partitions, settings); err != nil {
		return fmt.Errorf("creating %s: %w", name, err)
	}
	return nil
}

// Has says whether the cluster holds a topic.
func (f *Fake) Has(name string) bool {
	return f.Cluster.TopicInfo(name) != nil
}

// Overrides returns the settings that a topic itself sets; nil where there is no
// such topic.
func (f *Fake) Overrides(name string) map[string]string {
	info := f.Cluster.TopicInfo(name)
	if info == nil {
		return nil
	}
	overrides := map[string]string{}
	for key, value := range info.Configs {
		if value != nil {
			overrides[key] = *value
		}
	}
	return overrides
}

// Partitions returns how many partitions a topic has; 0 where there is no such topic.
func (f *Fake) Partitions(name string) int {
	return len(f.Cluster.PartitionInfos(name))
}

// Alter sets overrides of a topic, as an operator with another tool would.
func (f *Fake) Alter(ctx context.Context, topic string, settings map[string]string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(f.Cluster.ListenAddrs()...))
	if err != nil {
		return fmt.Errorf("altering %s: %w", topic, err)
	}
	defer client.Close()
	var changes []kadm.AlterConfig
	for key, value := range settings {
		changes = append(changes, kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: kadm.StringPtr(value)})
	}
	responses, err := kadm.NewClient(client).AlterTopicConfigs(ctx, changes, topic)
	if err != nil {
		return fmt.Errorf("altering %s: %w", topic, err)
	}
	for _, response := range responses {
		if response.Err != nil {
			return fmt.Errorf("altering %s: %w", topic, response.Err)
		}
	}
	return nil
}
