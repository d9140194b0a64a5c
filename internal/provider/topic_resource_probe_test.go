// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A topic's call asks the cluster for what it was judged by. Its tiered resource is
// planned at the same time: what that comes to say between the verdict and the question
// is for its own call, or one mistake would be two errors by chance.
func TestTopicProbe_AsksForWhatWasJudged(t *testing.T) {
	t.Parallel()
	for _, heardBefore := range []bool{true, false} {
		fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
		r, err := newRuntime(providerSettings{kafka: kafka.Config{Servers: strings.Split(fake.Bootstrap(), ","), ClientID: "test", RequestTimeout: 10 * time.Second}}, "test")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.client.Close)
		view, _, err := r.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fake.ForgetRequests()
		tiered := func() {
			r.changes.hearTiered("t", tieredChange{complete: true, change: topicconfig.Change{Set: topicconfig.Settings{"local.retention.bytes": "5"}}}, false)
		}
		want := []string{"retention.ms"}
		if heardBefore {
			tiered()
			want = []string{"local.retention.bytes", "retention.ms"}
		}
		p := &topicPlan{runtime: r, plan: modelOf(1, 1, map[string]string{"retention.ms": "5"})}
		p.config = p.plan
		p.hear(plannedTopic{name: "t"}, true, false, kafka.Topic{})
		tiered()
		p.askCreate(t.Context(), view)
		asked := fake.Received()
		if len(asked) != 1 || !asked[0].ValidateOnly {
			t.Fatalf("sent %v", asked)
		}
		if diff := cmp.Diff(want, asked[0].Settings); diff != "" {
			t.Errorf("heard before the verdict: %v (-want +got):\n%s", heardBefore, diff)
		}
	}
}
