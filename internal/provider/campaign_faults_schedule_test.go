// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// faultAPI is a kind of request.
type faultAPI struct {
	name  string
	probe bool // with validate-only
}

// String is how the campaign names it.
func (a faultAPI) String() string {
	if a.probe {
		return a.name + " validate-only"
	}
	return a.name
}

// faultSite is one request of a topic's life: the nth of its kind in one step.
type faultSite struct {
	empty bool // on a cluster without any other topic, which is asked for more
	step  int
	api   faultAPI
	nth   int
}

// faultKind is a way in which a request goes wrong: an error of the broker, or what
// happens to it on the wire.
type faultKind struct {
	name string
	code string
	how  kafkatest.How
	by   time.Duration
}

// faultSchedule is one disturbed life.
type faultSchedule struct {
	faultSite
	kind faultKind
}

// String is for the report of a failure.
func (s faultSchedule) String() string {
	where := faultSteps[s.step].name
	if s.empty {
		where += " on an empty cluster"
	}
	return fmt.Sprintf("%s, %s %d, %s", where, s.api, s.nth+1, s.kind.name)
}

// faultKinds lists the ways.
func faultKinds() []faultKind {
	kinds := []faultKind{
		{name: "connection lost before", how: kafkatest.CutBefore},
		{name: "connection lost after", how: kafkatest.CutAfter},
		{name: "slow answer", how: kafkatest.Delay, by: struckTimeout / 8},
		{name: "answer too late", how: kafkatest.Delay, by: struckTimeout * 3 / 2},
	}
	for _, code := range kafkatest.RetriableErrors() {
		kinds = append(kinds, faultKind{name: code, code: code})
	}
	return kinds
}

// faultSteps is the life: each step is a configuration to reach, and after the last
// there is nothing.
var faultSteps = []struct {
	name   string
	config fields
}{
	{"create", fields{
		"name": "t", "partitions": 2, "replication_factor": 3,
		"config": fields{"retention.ms": "100000", "segment.ms": "600000", "max.message.bytes": "200000"},
	}},
	{"update", fields{
		"name": "t", "partitions": 4, "replication_factor": 3,
		"config": fields{"retention.ms": "200000", "max.message.bytes": "200000", "min.insync.replicas": "2"},
	}},
	{"delete", nil},
}

// lifecycleAPIs are the requests that a topic's life is known to consist of.
var lifecycleAPIs = []string{
	"CreatePartitions", "CreatePartitions validate-only", "CreateTopics", "CreateTopics validate-only", "DeleteTopics",
	"DescribeCluster", "DescribeConfigs", "IncrementalAlterConfigs", "IncrementalAlterConfigs validate-only", "Metadata",
}

// asideAPIs are requests that only a struck run sends: whether replicas are being
// moved is asked where a partition shows none, and a listener that hangs up on the
// first request is asked which logins it offers.
var asideAPIs = []string{"ListPartitionReassignments", "SASLHandshake"}

// sites finds every request of an undisturbed life, and those that are made in
// addition on an empty cluster.
func (c *faultCampaign) sites() []faultSite {
	c.t.Helper()
	sites := c.sitesOf(false)
	usual := map[faultAPI]bool{}
	for _, site := range sites {
		usual[site.api] = true
	}
	more := slices.DeleteFunc(c.sitesOf(true), func(site faultSite) bool { return usual[site.api] })
	return append(sites, more...)
}

// sitesOf finds the requests of one life.
func (c *faultCampaign) sitesOf(empty bool) []faultSite {
	c.t.Helper()
	life, err := beginLife(empty)
	if err != nil {
		c.t.Fatal(err)
	}
	defer life.fake.Close()
	var sites []faultSite
	for step := range faultSteps {
		life.fake.ForgetRequests()
		if err := life.must(c.t.Context(), step); err != nil {
			c.t.Fatalf("an undisturbed life: %v", err)
		}
		counts := map[faultAPI]int{}
		for _, request := range life.fake.Received() {
			api := faultAPI{request.Name, request.ValidateOnly}
			sites = append(sites, faultSite{empty, step, api, counts[api]})
			counts[api]++
		}
		if err := life.check(c.t.Context(), step); err != nil {
			c.t.Fatalf("an undisturbed life: %v", err)
		}
	}
	return sites
}

// complete says that no schedule is missing: as many as there are APIs, faults and
// occurrences, each once.
func (c *faultCampaign) complete(all []faultSchedule, sites []faultSite) {
	c.t.Helper()
	occurrences := map[string]int{}
	for _, site := range sites {
		occurrences[site.api.String()]++
	}
	if diff := gocmp.Diff(lifecycleAPIs, slices.Sorted(maps.Keys(occurrences))); diff != "" {
		c.t.Errorf("the requests of a topic's life (-known +found):\n%s", diff)
	}
	want := 0
	for _, n := range occurrences {
		want += n * len(faultKinds())
	}
	distinct := map[string]bool{}
	for _, s := range all {
		distinct[s.String()] = true
	}
	if len(all) != want || len(distinct) != want {
		c.t.Errorf("%d schedules, %d of them distinct; APIs × faults × occurrences are %d", len(all), len(distinct), want)
	}
	codes := kafkatest.RetriableErrors()
	for _, code := range []string{"NOT_CONTROLLER", "NOT_LEADER_FOR_PARTITION", "REQUEST_TIMED_OUT", "THROTTLING_QUOTA_EXCEEDED"} {
		if !slices.Contains(codes, code) {
			c.t.Errorf("%s is not among the retriable errors", code)
		}
	}
	c.t.Logf("campaign: faults: a life has %d requests: %s", len(sites), counted(occurrences))
}

// faultShare picks a share that meets every API with each disturbance of the wire,
// and every error.
func faultShare(all []faultSchedule, size int, chance *rand.Rand) []faultSchedule {
	if size >= len(all) {
		return all
	}
	shuffled := slices.Clone(all)
	chance.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	met := map[string]bool{}
	var first, rest []faultSchedule
	for _, s := range shuffled {
		what := s.kind.name
		if s.kind.code == "" {
			what += " of " + s.api.String()
		}
		if !met[what] || !met[s.api.String()] {
			first = append(first, s)
		} else {
			rest = append(rest, s)
		}
		met[what], met[s.api.String()] = true, true
	}
	return append(first, rest[:max(0, size-len(first))]...)
}
