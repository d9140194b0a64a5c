// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// modelOf is a topic with these settings.
func modelOf(partitions, replicas int64, settings map[string]string) topicModel {
	elements := map[string]attr.Value{}
	for key, value := range settings {
		elements[key] = types.StringValue(value)
	}
	return topicModel{
		Name: types.StringValue("t"), Partitions: types.Int64Value(partitions), ReplicationFactor: types.Int64Value(replicas),
		Config: types.MapValueMust(types.StringType, elements),
	}
}

// A gate that judges the end state is sound only if the way there is not higher:
// whatever an update changes together, no moment of it reserves more than the
// larger of before and after.
func TestUpdateSteps_NoMomentReservesMoreThanBeforeOrAfter(t *testing.T) {
	reserves := func(t *rapid.T, m topicModel) int64 {
		settings, _ := settingsOf(m.Config)
		r, err := reservation.Of(reservation.Kafka, reservation.Topic{
			Partitions: m.Partitions.ValueInt64(), ReplicationFactor: m.ReplicationFactor.ValueInt64(), Settings: settings.Over(topicconfig.KafkaDefaults()),
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.ReservedBytes
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) topicModel {
			settings := map[string]string{topicconfig.RetentionBytes: strconv.FormatInt(rapid.Int64Range(0, 1<<40).Draw(t, name+" retention"), 10)}
			if rapid.Bool().Draw(t, name+" in sync") {
				settings[topicconfig.MinInsyncReplicas] = strconv.Itoa(rapid.IntRange(1, 3).Draw(t, name+" min.insync.replicas"))
			}
			return modelOf(rapid.Int64Range(1, 20).Draw(t, name+" partitions"), rapid.Int64Range(1, 4).Draw(t, name+" replicas"), settings)
		}
		state, plan := draw("state"), draw("plan")
		plan.Partitions = types.Int64Value(max(plan.Partitions.ValueInt64(), state.Partitions.ValueInt64()))
		highest := max(reserves(t, state), reserves(t, plan))
		resource := &topicResource{resourceBase{runtime: &runtime{}}}
		for _, step := range resource.updateSteps(state, plan, false) {
			step.keep(&state)
			if now := reserves(t, state); now > highest {
				t.Fatalf("after it has %s the topic, it reserves %d, more than %d", step.did, now, highest)
			}
		}
		if diff := cmp.Diff(plan, state); diff != "" {
			t.Fatalf("the steps do not end at the plan:\n%s", diff)
		}
	})
}

// min.insync.replicas is raised after the replicas are there and lowered before
// they go, or producers that wait for it would stand still meanwhile.
func TestUpdateSteps_ProducersNeverWaitForMoreReplicasThanThereAre(t *testing.T) {
	inSync := func(replicas int64, settings map[string]string) topicModel { return modelOf(2, replicas, settings) }
	low := map[string]string{topicconfig.MinInsyncReplicas: "1", topicconfig.RetentionMs: "5"}
	high := map[string]string{topicconfig.MinInsyncReplicas: "2", topicconfig.RetentionMs: "6"}
	for _, c := range []struct {
		from, to topicModel
		want     []string // min.insync.replicas and the replication factor after each step
	}{
		{inSync(1, low), inSync(3, high), []string{"1 of 1", "1 of 3", "2 of 3"}},
		{inSync(3, high), inSync(1, low), []string{"1 of 3", "1 of 1", "1 of 1"}},
	} {
		var got []string
		resource := &topicResource{resourceBase{runtime: &runtime{}}}
		for _, step := range resource.updateSteps(c.from, c.to, false) {
			step.keep(&c.from)
			settings, _ := settingsOf(c.from.Config)
			got = append(got, settings[topicconfig.MinInsyncReplicas]+" of "+strconv.FormatInt(c.from.ReplicationFactor.ValueInt64(), 10))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
