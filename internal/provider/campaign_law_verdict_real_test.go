// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

//go:build real

package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// states reads what each resource's state holds, as a state file would.
func (l *law) states(set lawSet) map[string]*instance {
	states := map[string]*instance{}
	process := l.process(l.eventStreamsSettings(set.capacity()))
	for name := range set.base {
		states[name] = l.imported(process, topicKind, name)
	}
	return states
}

// judge plans the set at each parallelism, in an order of its own each time, and
// holds the verdicts together and against the law.
func (l *law) judge(set lawSet) {
	l.t.Helper()
	if set.refused {
		l.refused++
	} else {
		l.green++
	}
	if set.netTurns {
		l.netTurned++
	}
	states := l.states(set)
	for _, parallelism := range []int{1, 10, 50} {
		process := l.process(l.eventStreamsSettings(set.capacity()))
		refused, err := l.walk(process, set, states, parallelism)
		if err != nil || refused != set.refused {
			l.t.Errorf("at parallelism %d: refused %v, want %v; %v", parallelism, refused, set.refused, err)
		}
		l.plans++
	}
}

// walk plans all items, so many at a time.
func (l *law) walk(process *process, set lawSet, states map[string]*instance, parallelism int) (refused bool, err error) {
	items := make(chan lawItem, len(set.items))
	for _, i := range l.chance.Perm(len(set.items)) {
		items <- set.items[i]
	}
	close(items)
	var (
		workers sync.WaitGroup
		mu      sync.Mutex
	)
	for range parallelism {
		workers.Go(func() {
			for item := range items {
				said, failed := planItem(l.t.Context(), process, item, states)
				one, wrong := refusesForStorage(said)
				mu.Lock()
				refused = refused || one
				for _, failure := range []error{failed, wrong} {
					if failure != nil {
						err = failure
					}
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return refused, err
}

// planItem refreshes and plans one resource, as one step of Terraform's walk.
func planItem(ctx context.Context, process *process, item lawItem, states map[string]*instance) (diagnoses, error) {
	var prior *instance
	if item.before != nil {
		var said diagnoses
		var err error
		if prior, said, err = process.read(ctx, topicKind, states[item.before.name]); err != nil || prior == nil {
			return said, fmt.Errorf("%s: cannot be read: %w", item.before.name, err)
		}
	}
	if item.after == nil {
		planned, err := process.planDelete(ctx, topicKind, prior)
		return planned.said, err
	}
	if item.tainted {
		prior = nil
	}
	planned, err := process.plan(ctx, topicKind, prior, item.after.config())
	if err == nil && !planned.refused() && planned.replaces != item.renamed() {
		err = fmt.Errorf("%s: replaces: %v", item.after.name, planned.replaces)
	}
	return planned.said, err
}

// judgeByBinary does the same with the terraform binary, from a state file; a
// green plan is applied, and leaves nothing to plan.
func (l *law) judgeByBinary(set lawSet) {
	l.t.Helper()
	l.binarySets++
	configuration := l.eventStreams(set.capacity())
	for i, item := range set.items {
		if item.after != nil {
			configuration += fmt.Sprintf("resource %q \"item%d\" {\n%s}\n", topicKind, i, hcl(item.after.config()))
		}
	}
	w := newWorkspace(l.t, configuration)
	writeState(l.t, w, set, l.states(set))
	for _, parallelism := range []int{1, 10, 50} {
		output := w.run("plan", "-json", "-input=false", fmt.Sprintf("-parallelism=%d", parallelism))
		said := jsonDiagnoses(l.t, output.text)
		if refused, err := refusesForStorage(said); err != nil || refused != set.refused || refused != (output.code != 0) {
			l.t.Errorf("terraform plan -parallelism=%d exits %d, want refused %v; %v %s", parallelism, output.code, set.refused, err, said)
		}
		l.binaryPlans++
	}
	if set.refused || l.t.Failed() {
		return
	}
	w.apply(0, fmt.Sprintf("-parallelism=%d", pick(l.chance, 1, 10, 50)))
	w.plan(0)
	l.binaryApplies++
	l.Settle(l.t)
	l.now = set.end()
	l.holds(set)
	l.arrange(set.base)
	l.SetCapacity(l.t, set.capacity())
}

// writeState writes a state file that holds the base, by the resources of the items.
func writeState(t *testing.T, w *workspace, set lawSet, states map[string]*instance) {
	t.Helper()
	var resources []any
	for i, item := range set.items {
		if item.before == nil {
			continue
		}
		held := fields{"schema_version": 0, "attributes": states[item.before.name].values}
		if item.tainted {
			held["status"] = "tainted"
		}
		resources = append(resources, fields{
			"mode": "managed", "type": topicKind, "name": fmt.Sprintf("item%d", i),
			"provider":  `provider["registry.terraform.io/kafkastorage/kafkastorage"]`,
			"instances": []any{held},
		})
	}
	text, err := json.Marshal(fields{
		"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "campaign", "outputs": fields{}, "resources": resources,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.folder, "terraform.tfstate"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}
