// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// newTopics are the topics of the quickstart. All reserve the same, and any two of them fit. So
// whichever topic Terraform asks about last carries the error, and its numbers are always the same.
var newTopics = []string{"billing.invoices", "billing.payments", "compliance.audit"}

// tell tells the four parts and checks that each comes out as told.
func (s *stage) tell(ctx context.Context, out io.Writer) error {
	fmt.Fprint(out, "A plan that knows the quota\n===========================\n\n")
	paragraph(out, fmt.Sprintf(`An IBM Event Streams instance with %s of storage holds %d topics of several teams. The service
counts what every topic may come to occupy, and lets topics reserve 90 percent of the storage in
all. Now a team brings three more, as in examples/quickstart. Each of them would fit, and any two;
all three do not.`, strings.Replace(capacity, "TiB", " TiB", 1), len(s.cluster.fleet)))
	paragraph(out, `The cluster is a fake inside this process; Terraform and the provider are real. Lines after a bar
are Terraform's own, shortened where a plan or an apply is long.`)

	refused, err := s.tellRefusal(ctx, out)
	if err != nil {
		return fmt.Errorf("part 1, the refusal: %w", err)
	}
	planned, err := s.tellCorrection(ctx, out, refused)
	if err != nil {
		return fmt.Errorf("part 2, the corrected plan: %w", err)
	}
	if err := s.tellApply(ctx, out); err != nil {
		return fmt.Errorf("part 3, the apply: %w", err)
	}
	if err := s.tellTotals(ctx, out, planned); err != nil {
		return fmt.Errorf("part 4, the totals: %w", err)
	}
	fmt.Fprintln(out, `Read next: examples/quickstart is the configuration that you have just seen, and its README.md tells
how to point it at a cluster of your own.`)
	return nil
}

// tellRefusal is part 1: the plan fails, with its numbers and what would fit.
func (s *stage) tellRefusal(ctx context.Context, out io.Writer) (refusal, error) {
	part(out, 1, "The plan is refused")
	paragraph(out, `Terraform asks about the topics in an order of its own, and the sum grows with each. The topic that
takes it over the limit carries the error, which tells how much is reserved, what this plan adds, by
how much that is too much, and what would fit.`)
	r, err := s.workspace.plan(ctx)
	if err != nil {
		return refusal{}, err
	}
	if r.code != 1 {
		return refusal{}, fmt.Errorf("terraform plan should have ended with 1, not %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	all, err := refusals(r.stderr)
	if err != nil {
		return refusal{}, err
	}
	shown := fullest(all)
	quote(out, "terraform plan", shown.text)
	if len(all) > 1 {
		paragraph(out, fmt.Sprintf("(%d of the topics carry this error; the fullest is shown.)", len(all)))
	}
	if n := s.cluster.count(newTopics); n != 0 {
		return refusal{}, fmt.Errorf("the cluster has %d of the new topics after a refused plan", n)
	}
	paragraph(out, "Terraform ends with exit code 1, so a pipeline stops here, before any apply. The cluster has none of\nthe three topics.")
	return shown, nil
}

// tellCorrection is part 2: the value that the message offers is planned, and passes.
func (s *stage) tellCorrection(ctx context.Context, out io.Writer, refused refusal) (totals, error) {
	part(out, 2, "The corrected plan passes")
	if refused.retention == "" {
		return totals{}, fmt.Errorf("the message offers no retention.bytes:\n%s", refused.text)
	}
	changed, err := s.workspace.set(refused.topic, `"retention.bytes"`, refused.retention)
	if err != nil {
		return totals{}, err
	}
	paragraph(out, fmt.Sprintf("For %q the message offers a retention.bytes that just fits. Exactly this value\ngoes into the configuration:", refused.topic))
	fmt.Fprintf(out, "  main.tf, line %d\n  - %s\n  + %s\n\n", changed.number, strings.TrimSpace(changed.old), strings.TrimSpace(changed.now))
	paragraph(out, "Now the plan passes, and shows what each topic will reserve and how that comes about:")
	r, err := s.workspace.plan(ctx)
	if err != nil {
		return totals{}, err
	}
	if r.code != 2 || !strings.Contains(r.stdout, "Plan: 3 to add, 0 to change, 0 to destroy.") {
		return totals{}, fmt.Errorf("terraform plan should have planned three topics, and ended with %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	quote(out, "terraform plan -out="+planFile, shortPlan(r.stdout))
	return s.workspace.totals(ctx)
}

// tellApply is part 3: what was planned is created.
func (s *stage) tellApply(ctx context.Context, out io.Writer) error {
	part(out, 3, "The apply does what was planned")
	paragraph(out, "Before it writes, the provider reads the cluster anew and judges once more: somebody else may have\nbeen faster. Nobody was.")
	r, err := s.workspace.apply(ctx)
	if err != nil {
		return err
	}
	if r.code != 0 {
		return fmt.Errorf("terraform apply ended with %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	quote(out, "terraform apply "+planFile, shortApply(r.stdout))
	if n := s.cluster.count(newTopics); n != len(newTopics) {
		return fmt.Errorf("the cluster has %d of the three topics after the apply", n)
	}
	return nil
}

// tellTotals is part 4: a second plan is clean, and its data source shows what is reserved now.
func (s *stage) tellTotals(ctx context.Context, out io.Writer, planned totals) error {
	part(out, 4, "What the cluster reserves now")
	paragraph(out, "A second plan finds nothing to do. The data source in it has read the whole cluster again:")
	r, err := s.workspace.plan(ctx)
	if err != nil {
		return err
	}
	if r.code != 0 {
		return fmt.Errorf("the second plan should have been clean, and ended with %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	quote(out, "terraform plan -out="+planFile, cleanLine.FindString(r.stdout))
	now, err := s.workspace.totals(ctx)
	if err != nil {
		return err
	}
	now.print(out)
	switch {
	case now.Live != planned.Peak:
		return fmt.Errorf("the cluster reserves %s bytes, and the plan had said %s", now.Live, planned.Peak)
	case now.Exceeded:
		return errors.New("the cluster is over its limit")
	}
	paragraph(out, fmt.Sprintf("live_bytes is to the byte what the corrected plan had announced as peak_bytes. Before the apply it was\n%s.", groupedBytes(planned.Live)))
	return nil
}
