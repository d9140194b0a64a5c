// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Both owners of the tiered settings, in the words of each.
const (
	mapTotal = smallSegments + `, "retention.bytes" = 1073741824`
	mapOwns  = mapTotal + ", " + enabledSetting + ", " + smallLocal
	resOwns  = "local_retention_bytes = 1048576"
)

// resourceOfTopic is a topic with settings and its tiered resource, with a reference.
func resourceOfTopic(settings, body string) string {
	return inMap(settings) + tiered("kafkastorage_topic.orders.name", body)
}

// ownedByMap applies a filled topic whose config owns its tiers, and ownedByResource
// one whose tiered resource does.
func ownedByMap(t *testing.T) (realCluster, *workspace) {
	t.Helper()
	c := freshReal(t, realTiered)
	w := newWorkspace(t, "")
	w.settle(c.provider("") + inMap(mapOwns))
	c.fill("orders")
	c.moved()
	return c, w
}

func ownedByResource(t *testing.T) (realCluster, *workspace) {
	t.Helper()
	c := freshReal(t, realTiered)
	w := newWorkspace(t, "")
	w.settle(c.provider("") + resourceOfTopic(mapTotal, resOwns))
	c.fill("orders")
	c.moved()
	return c, w
}

// unasked applies a configuration that only changes who owns what: nothing is sent,
// because Terraform shows no setting that changes and the topic is as before, the
// remote data is whole, and the next plan is empty.
func (c realCluster) unasked(w *workspace, configuration string) outcome {
	c.t.Helper()
	before := c.overrides("orders")
	_, topicID := c.describe("orders")
	got := w.settle(configuration)
	if diff := cmp.Diff(before, c.overrides("orders")); diff != "" {
		c.t.Errorf("the hand-over has changed the topic:\n%s", diff)
	}
	if _, now := c.describe("orders"); now != topicID {
		c.t.Error("the hand-over has replaced the topic")
	}
	c.intact()
	return got
}

// Tiered settings change hands without a request and without a risk to the data:
// from the config to the resource in one plan, and back with a removed block, which
// is the only thing in Terraform that lets go of a resource without a delete.
func TestRealTiered_OwnershipChangesHandsWithTheDataIntact(t *testing.T) {
	c, w := ownedByMap(t)
	head := c.provider("")
	c.unasked(w, head+resourceOfTopic(mapTotal, resOwns)).says(t, "1 added, 1 changed, 0 destroyed", "Warning: Tiered settings are no longer managed here")
	state, _ := w.stateOf(tieredAddress)
	if diff := cmp.Diff(map[string]string{"id": `"orders"`, "enabled": "true", "local_retention_bytes": "1048576"}, pickJSON(state, "id", "enabled", "local_retention_bytes")); diff != "" {
		t.Error(diff)
	}
	c.unasked(w, head+inMap(mapOwns)+forget(tieredAddress)).says(t, "0 added, 1 changed, 0 destroyed")
	w.settle(head + inMap(mapOwns)) // the block has done its work and goes
	c.intact()
}

// Deleting the resource switches tiers off, so it is no way to hand over to a config
// that keeps them on: with consent in the state the data would be gone before anyone
// reads a message.
func TestRealTiered_AHandOverByDeletingIsRefused(t *testing.T) {
	for name, consent := range map[string]string{"without consent": "", "with consent": "\n  delete_remote_data_on_disable = true"} {
		t.Run(name, func(t *testing.T) {
			c, w := ownedByResource(t)
			head := c.provider("")
			w.settle(head + resourceOfTopic(mapTotal, resOwns+consent))
			before := c.overrides("orders")
			w.write(head + inMap(mapOwns))
			// Without consent the delete may say so for itself before it hears of the config.
			got := w.plan(1)
			got.says(t, "Error: Tiered settings would be lost on their way", `The config of "orders" keeps tiered storage on`, "destroy = false", "Nothing was changed.")
			w.apply(1)
			c.sets(before)
			c.intact()
			// What the message says works as it stands there.
			c.unasked(w, head+inMap(mapOwns)+copied(t, got))
		})
	}
}

// copied is the removed block of a message, with the address that the plan shows.
func copied(t *testing.T, message outcome) string {
	t.Helper()
	from := strings.Index(message.text, "  removed {")
	to := strings.Index(message.text, "\n  }\n")
	if from < 0 || to < from {
		t.Fatalf("no block to copy:\n%s", message.text)
	}
	block := message.text[from:to] + "\n  }\n"
	return strings.Replace(block, "kafkastorage_topic_tiered_storage.NAME", tieredAddress, 1)
}

// Two owners would undo each other at every apply.
func TestRealTiered_OneOwnerATopic(t *testing.T) {
	c, w := ownedByResource(t)
	head := c.provider("")
	before := c.overrides("orders")
	const title = "Error: Tiered settings have two owners"
	w.refuse(head+resourceOfTopic(mapOwns, resOwns), title, `"orders"`, "(remote.storage.enable, local.retention.bytes)", "take them out of config in the same plan", "destroy = false")
	second := strings.Replace(tiered("kafkastorage_topic.orders.name", resOwns), `"t"`, `"u"`, 1)
	w.refuse(head+resourceOfTopic(mapTotal, resOwns)+second, title, "Two kafkastorage_topic_tiered_storage resources", `"orders"`, "destroy = false")
	c.sets(before)
	c.intact()

	// Without references both calls come in any order, and one of them says it.
	c = freshReal(t, realTiered)
	c.foreign(nil)
	w = newWorkspace(t, "")
	w.refuse(c.provider("")+tiered(`"orders"`, resOwns)+strings.Replace(tiered(`"orders"`, resOwns), `"t"`, `"u"`, 1), title, `"orders"`)
}

// A destroy of everything would delete the tiered resource first, and with it the
// remote data. It stops and names two ways, and each of them works.
func TestRealTiered_DestroyOfTopicAndTiers(t *testing.T) {
	for name, way := range map[string]func(c realCluster, w *workspace){
		"consent applied first": func(c realCluster, w *workspace) {
			w.settle(c.provider("") + resourceOfTopic(mapTotal, resOwns+"\n  delete_remote_data_on_disable = true"))
			c.intact()
			w.destroy(0)
		},
		"removed block": func(c realCluster, w *workspace) {
			w.settle(c.provider("") + inMap(mapTotal) + forget(tieredAddress))
			c.intact()
			w.destroy(0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, w := ownedByResource(t)
			before := c.overrides("orders")
			refused := w.plan(1, "-destroy")
			refused.says(t, "Error: Switching tiered storage off deletes remote data", `"orders": `, "delete_remote_data_on_disable = true", "destroy = false", "Nothing was changed.")
			w.apply(1, "-destroy")
			c.sets(before)
			c.intact()
			way(c, w)
			if c.has("orders") {
				t.Error("the topic is still there")
			}
			c.AwaitSegments(t, "orders", 0, 0)
		})
	}
	// A topic whose own config has its tiers goes as any topic does: its remote data is
	// as much its own as the rest.
	t.Run("in config", func(t *testing.T) {
		c, w := ownedByMap(t)
		w.plan(2, "-destroy").silent(t, "Error")
		w.destroy(0)
		if c.has("orders") {
			t.Error("the topic is still there")
		}
		c.AwaitSegments(t, "orders", 0, 0)
	})
}

// What is imported is what is there, so that the configuration that Terraform writes
// changes nothing: a tiered key that an import left out would be switched off, or
// forgotten, by the first apply.
func TestRealTiered_ImportsPlanClean(t *testing.T) {
	for kind, want := range map[string][]string{
		"kafkastorage_topic":                {`"remote.storage.enable"`, `"local.retention.bytes"`, `"1048576"`},
		"kafkastorage_topic_tiered_storage": {"local_retention_bytes", "1048576", "enabled"},
	} {
		t.Run(kind, func(t *testing.T) {
			c := freshReal(t, realTiered)
			c.foreign(map[string]string{"retention.bytes": "1073741824", "remote.storage.enable": "true", "local.retention.bytes": "1048576"})
			c.moved()
			before := c.overrides("orders")
			w := newWorkspace(t, c.provider("")+"import {\n  to = "+kind+".t\n  id = \"orders\"\n}\n")
			w.must(0, "plan", "-no-color", "-input=false", "-generate-config-out=generated.tf").says(t, "1 to import, 0 to add, 0 to change, 0 to destroy")
			generated := readText(t, w.folder+"/generated.tf")
			for _, text := range want {
				if !strings.Contains(generated, text) {
					t.Errorf("%s is missing:\n%s", text, generated)
				}
			}
			w.apply(0).says(t, "1 imported, 0 added, 0 changed")
			w.plan(0)
			c.sets(before)
			c.intact()
		})
	}
}
