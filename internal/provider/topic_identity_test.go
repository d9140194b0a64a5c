// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// identityKeeper stands between the driver and the provider, keeps the identity of
// every answer and, where Terraform is 1.12 or later, sends it with the next request.
type identityKeeper struct {
	tfprotov6.ProviderServer
	sendsBack bool
	current   *tfprotov6.ResourceIdentityData
	answers   []*tfprotov6.ResourceIdentityData
}

// keep notes an answer's identity.
func (k *identityKeeper) keep(answer *tfprotov6.ResourceIdentityData) {
	k.answers = append(k.answers, answer)
	if k.sendsBack {
		k.current = answer
	}
}

func (k *identityKeeper) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	req.CurrentIdentity = k.current
	answer, err := k.ProviderServer.ReadResource(ctx, req)
	if err == nil {
		k.keep(answer.NewIdentity)
	}
	return answer, err
}

func (k *identityKeeper) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	req.PriorIdentity = k.current
	return k.ProviderServer.PlanResourceChange(ctx, req)
}

func (k *identityKeeper) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	req.PlannedIdentity = k.current
	answer, err := k.ProviderServer.ApplyResourceChange(ctx, req)
	if err == nil {
		k.keep(answer.NewIdentity)
	}
	return answer, err
}

// Terraform up to 1.11 sends no identity back, so a provider that only hands on
// what it was sent would fail every read there; from 1.12 on the identity may not
// change. Every answer of a topic's life carries it: also the read that leaves the
// state as it was because the servers are not known.
func TestTopicIdentity_ComesWithEveryAnswerAndStays(t *testing.T) {
	t.Parallel()
	for name, sendsBack := range map[string]bool{"Terraform up to 1.11": false, "Terraform from 1.12 on": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			keeper := &identityKeeper{sendsBack: sendsBack}
			inProcess := func(settings fields) *process {
				p := started(t, settings)
				keeper.ProviderServer, p.server = p.server, keeper
				return p
			}
			var topic *instance
			for _, config := range []fields{
				{"name": "t", "partitions": 1},
				{"name": "t", "partitions": 2, "config": fields{"retention.ms": 1}},
			} {
				planned, err := inProcess(plainSettings(fake)).plan(t.Context(), topicKind, topic, config)
				if err != nil || planned.refused() {
					t.Fatalf("%v, %s", err, planned.said)
				}
				applied, said, err := inProcess(plainSettings(fake)).apply(t.Context(), planned)
				if err != nil || len(said.errors()) > 0 {
					t.Fatalf("%v, %s", err, said)
				}
				topic = readBack(t, inProcess(plainSettings(fake)), applied)
			}
			unknownServers := plainSettings(fake)
			unknownServers["bootstrap_servers"] = unknown
			if kept := readBack(t, inProcess(unknownServers), topic); !cmp.Equal(kept.values, topic.values) {
				t.Errorf("the state did not stay:\n%s", cmp.Diff(topic.values, kept.values))
			}
			p := inProcess(plainSettings(fake))
			for i, answer := range keeper.answers {
				if identity, err := p.identityOf(t.Context(), topicKind, answer); err != nil || !cmp.Equal(identity, fields{"name": "t"}) {
					t.Errorf("answer %d: identity %v, %v", i, identity, err)
				}
			}
			if len(keeper.answers) != 5 { // two applies, each read back, and the read without servers
				t.Errorf("%d answers", len(keeper.answers))
			}
		})
	}
}

// readBack refreshes a resource that is there.
func readBack(t *testing.T, p *process, state *instance) *instance {
	t.Helper()
	read, said, err := p.read(t.Context(), topicKind, state)
	if err != nil || read == nil || len(said) > 0 {
		t.Fatalf("%v, %s", err, said)
	}
	return read
}

// A topic that the broker has made and does not show yet comes back with the
// error; without its identity Terraform from 1.12 on would have half of it.
func TestTopicIdentity_ComesWithTheStateOfAFailedCreate(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.Fail(t, kafkatest.Fault{Request: "Metadata", Topic: "t", Code: "UNKNOWN_TOPIC_OR_PARTITION"})
	planned, err := started(t, plainSettings(fake)).plan(t.Context(), topicKind, nil, fields{"name": "t", "partitions": 1, "timeouts": fields{"create": "1s"}})
	if err != nil {
		t.Fatal(err)
	}
	p := started(t, plainSettings(fake))
	keeper := &identityKeeper{ProviderServer: p.server}
	p.server = keeper
	topic, said, err := p.apply(t.Context(), planned)
	if err != nil || topic == nil || len(said.errors()) != 1 {
		t.Fatalf("%v, %v, %s", topic, err, said)
	}
	if identity, err := p.identityOf(t.Context(), topicKind, keeper.answers[0]); err != nil || !cmp.Equal(identity, fields{"name": "t"}) {
		t.Errorf("identity %v, %v", identity, err)
	}
}

// The identity is the name and nothing else, and import needs it.
func TestTopicIdentity_IsTheName(t *testing.T) {
	t.Parallel()
	schema, err := started(t, nil).identitySchema(t.Context(), topicKind)
	if err != nil {
		t.Fatal(err)
	}
	if len(schema.IdentityAttributes) != 1 || schema.IdentityAttributes[0].Name != "name" || !schema.IdentityAttributes[0].RequiredForImport {
		t.Errorf("identity %+v", schema.IdentityAttributes)
	}
}

// An import by identity takes over what an import by id does, and has the same
// words for what is not there.
func TestTopicImport_ByIdentityIsByID(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "orders.v1", 6, map[string]string{"cleanup.policy": "compact,delete"})
	p := started(t, plainSettings(fake))
	byID, said, err := p.importOne(t.Context(), topicKind, "orders.v1")
	if err != nil || byID == nil || len(said) > 0 {
		t.Fatalf("%v, %s", err, said)
	}
	byIdentity, said, err := p.importBy(t.Context(), topicKind, fields{"name": "orders.v1"})
	if err != nil || byIdentity == nil || len(said) > 0 {
		t.Fatalf("%v, %s", err, said)
	}
	if diff := cmp.Diff(byID.values, byIdentity.values); diff != "" {
		t.Errorf("(-by id +by identity):\n%s", diff)
	}
	_, byID2, err := p.importOne(t.Context(), topicKind, "orders")
	if err != nil {
		t.Fatal(err)
	}
	_, said, err = p.importBy(t.Context(), topicKind, fields{"name": "orders"})
	if err != nil || len(said) != 1 || said[0].Summary != "Topic to import was not found" || !cmp.Equal(said, byID2) {
		t.Errorf("%v, %s", err, said)
	}
}

// The same through Terraform itself, where it is new enough.
func TestTopicImport_ByIdentityBlock(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	fake.CreateTopic(t, "t", 2, map[string]string{"retention.ms": "5"})
	const described = "resource \"kafkastorage_topic\" \"t\" {\n  name = \"t\"\n  config = { \"retention.ms\" = 5 }\n}\n"
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)},
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: plainKafka(fake) + described + "import {\n  to = kafkastorage_topic.t\n  identity = { name = \"t\" }\n}\n",
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectIdentity("kafkastorage_topic.t", map[string]knownvalue.Check{"name": knownvalue.StringExact("t")}),
			},
		}, {
			Config: plainKafka(fake),
		}},
	})
}
