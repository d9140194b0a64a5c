// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// check holds the state, the configuration and the cluster together after a step.
func (l *life) check(ctx context.Context, step int) error {
	contents, err := l.fake.Contents(ctx)
	if err != nil {
		return err
	}
	config := faultSteps[step].config
	want := maps.Clone(l.others)
	if config != nil {
		want["t"] = asTopic(contents["t"].ID, config)
	}
	if diff := gocmp.Diff(want, contents); diff != "" {
		return fmt.Errorf("the cluster after %s (-want +got):\n%s", faultSteps[step].name, diff)
	}
	switch {
	case config == nil && l.state == nil:
		return nil
	case config == nil || l.state == nil:
		return fmt.Errorf("the state after %s: %v", faultSteps[step].name, l.state)
	case l.tainted:
		return fmt.Errorf("the resource is tainted after %s", faultSteps[step].name)
	}
	return l.holds(ctx, contents["t"], config)
}

// asTopic is the topic that a configuration or a state describes.
func asTopic(id any, values fields) kafkatest.FakeTopic {
	number := func(value any) int {
		n, err := strconv.Atoi(fmt.Sprint(value))
		if err != nil {
			return -1 // which no topic has
		}
		return n
	}
	topic := kafkatest.FakeTopic{
		ID: fmt.Sprint(id), Partitions: number(values["partitions"]), ReplicationFactor: number(values["replication_factor"]),
		Overrides: map[string]string{},
	}
	settings, _ := values["config"].(fields)
	for key, value := range settings {
		topic.Overrides[key] = fmt.Sprint(value)
	}
	return topic
}

// holds compares the state with the cluster, and has the next plan say the same.
func (l *life) holds(ctx context.Context, topic kafkatest.FakeTopic, config fields) error {
	held := asTopic(l.state.values["topic_id"], l.state.values)
	if diff := gocmp.Diff(topic, held); diff != "" {
		return fmt.Errorf("the state (-cluster +state):\n%s", diff)
	}
	p, err := l.start(ctx, patientTimeout)
	if err != nil {
		return err
	}
	defer p.end()
	refreshed, planned, said, err := l.plan(ctx, p, config)
	switch {
	case err != nil:
		return err
	case len(said) > 0:
		return fmt.Errorf("a plan without changes says: %s", said)
	case refreshed == nil || planned == nil || !planned.empty():
		return fmt.Errorf("the next plan has changes: %v", planned)
	}
	return nil
}

// waysOut are how the provider says what to do.
var waysOut = regexp.MustCompile(`[Rr]un again|[Aa]pply again|[Pp]lan again|then run|next plan|second apply|Check the|terraform import|Raise |Set `)

// worded says whether a failed run tells what has happened and what to do, and does
// not say that nothing was changed where something was, or may have been.
func worded(said diagnoses, changed bool) error {
	for _, one := range said {
		switch {
		case one.Summary == "" || one.Detail == "":
			return fmt.Errorf("without words: %q, %q", one.Summary, one.Detail)
		case one.Severity == "error" && changed && strings.Contains(one.Detail, "Nothing was changed"):
			return fmt.Errorf("the cluster was changed: %s\n%s", one.Summary, one.Detail)
		case strings.Contains(one.Detail, "may have done") && strings.Contains(one.Detail, "Nothing was changed"):
			return fmt.Errorf("contradicts itself: %s\n%s", one.Summary, one.Detail)
		}
	}
	if errs := said.errors(); len(errs) > 0 && !waysOut.MatchString(errs.String()) {
		return fmt.Errorf("does not say what to do: %s", errs)
	}
	return nil
}
