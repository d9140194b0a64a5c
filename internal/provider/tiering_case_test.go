// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// A key that an old cluster does not know is refused with any value, also with the one
// that newer clusters have by default and on a topic that is not tiered. So what
// counts is that the topic sets it.
func TestTieringCase_AnyTieredKeyThatATopicSetsIsLookedAt(t *testing.T) {
	t.Parallel()
	view := &cluster{defaults: topicconfig.KafkaDefaults()}
	keys := append(topicconfig.TieredKeys(), topicconfig.DeleteOnDisableKeys()...)
	for _, key := range append(keys, "flush.ms") {
		set := topicconfig.Settings{key: view.defaults[key]}
		c := tieringCase{
			view: view, after: reservation.Topic{Settings: set.Over(view.defaults)},
			overrides: func(key string) bool { _, sets := set[key]; return sets },
		}
		if got, want := c.dependsOnCluster(c.change()), key != "flush.ms"; got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
}
