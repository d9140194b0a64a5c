// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// A creation whose answer is lost must not leave a topic that no state knows: it is
// recognised and kept, and the apply succeeds.
func TestTopicCreate_WhoseAnswerIsLostIsKept(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]kafkatest.Disturbance{
		"cut after the answer":  {Request: "CreateTopics", Writes: true, How: kafkatest.CutAfter, Times: 1},
		"cut before the answer": {Request: "CreateTopics", Writes: true, How: kafkatest.CutBefore, Times: 1},
		"an answer too late":    {Request: "CreateTopics", Writes: true, How: kafkatest.Delay, By: 4 * time.Second, Times: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			remove := fake.Disturb(t, d)
			w := newWorkspace(t, providerBlock(fake.Bootstrap(), `request_timeout = "2s"`)+topic("t", 3, `config = { "retention.ms" = 5 }`))
			w.apply(0)
			if remove() == 0 {
				t.Error("nothing was disturbed")
			}
			w.plan(0)
		})
	}
}

// What somebody else has created meanwhile is not taken, lost answer or not, unless
// it is exactly what was asked for.
func TestTopicCreate_DoesNotTakeAStrangersTopic(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 3, `config = { "retention.ms" = 5 }`))
	w.plan(2, "-out=saved")
	fake.Disturb(t, kafkatest.Disturbance{Request: "CreateTopics", Writes: true, How: kafkatest.CutBefore, Times: 1})
	fake.CreateTopic(t, "t", 3, map[string]string{"retention.ms": "6"})
	w.must(1, "apply", "-no-color", "-input=false", "saved").says(t, "Error: Topic exists already", "terraform import ADDRESS 't'", "adopt_existing = true")
	if values, _ := w.stateOf("kafkastorage_topic.t"); values != nil {
		t.Errorf("state: %v", values)
	}
}

// A service that acknowledges what it does not keep is found out in the apply, with
// the key, what was wanted and what it holds; nothing of it is stored in silence.
func TestTopicWrite_ThatIsNotKeptIsAnError(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	head := providerBlock(fake.Bootstrap(), `request_timeout = "2s"`)
	w := newWorkspace(t, head+topic("t", 1, `config = { "retention.ms" = 5 }`))
	w.apply(0)
	stop := fake.Lie("t")
	w.write(head + topic("t", 1, `config = { "retention.ms" = 6 }`))
	w.apply(1).says(t, "Error: The cluster did not keep what was written", `"retention.ms" = 6`, `"t": the cluster has acknowledged retention.ms = "6", and holds "5".`)
	w.write(head + topic("t", 1, ""))
	w.apply(1).says(t, `acknowledged retention.ms = no value of the topic's own, and holds "5"`)
	if values, tainted := w.stateOf("kafkastorage_topic.t"); tainted || fmt.Sprint(values["config"]) != "map[retention.ms:5]" {
		t.Errorf("tainted %v, state %v", tainted, values)
	}
	stop()
	w.apply(0)
	w.plan(0)

	fake = kafkatest.StartFake(t, kafkatest.FakeOptions{})
	stop = fake.Lie("t")
	head = providerBlock(fake.Bootstrap(), `request_timeout = "2s"`)
	w = newWorkspace(t, head+topic("t", 1, `config = { "retention.ms" = 5, "segment.ms" = 6 }`))
	w.apply(1).says(t, "Error: The cluster did not keep what was written", "retention.ms", "1 more of the same write", `This run has already created "t"`)
	if values, tainted := w.stateOf("kafkastorage_topic.t"); !tainted || values["topic_id"] == "" {
		t.Errorf("a topic that exists is not in the state: tainted %v, %v", tainted, values)
	}
	stop()
	w.apply(0)
	w.plan(0)
}

// Ctrl-C while the cluster creates the topic: the state that comes back with the
// error holds it, and the next apply goes on from there.
func TestTopicCreate_InterruptedKeepsWhatIsCreated(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	remove := fake.Disturb(t, kafkatest.Disturbance{Request: "CreateTopics", Writes: true, How: kafkatest.Delay, By: 3 * time.Second})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 3, ""))
	ctx, cancel := context.WithTimeout(t.Context(), commandTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "terraform", "apply", "-no-color", "-input=false", "-auto-approve")
	command.Dir = w.folder
	command.Env = os.Environ()
	for name, value := range w.env {
		command.Env = append(command.Env, name+"="+value)
	}
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for !fake.Has("t") {
		select {
		case <-ctx.Done():
			t.Fatal("the topic was never created")
		case <-ticker.C:
		}
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil {
		t.Errorf("an interrupted apply succeeded:\n%s", output.String())
	}
	remove()
	if values, _ := w.stateOf("kafkastorage_topic.t"); values["name"] != "t" || values["topic_id"] == "" {
		t.Errorf("state %v\n%s", values, output.String())
	}
	w.apply(0)
	w.plan(0)
}

// A name is free when the delete says so: destroying and creating it again works in
// one apply, however long the old topic shows.
func TestTopicDelete_WaitsForTheEnd(t *testing.T) {
	t.Parallel()
	fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
	w := newWorkspace(t, plainKafka(fake)+topic("t", 1, ""))
	w.apply(0)
	w.must(0, "taint", "-no-color", "kafkastorage_topic.t")
	fake.Disturb(t, kafkatest.Disturbance{Request: "DeleteTopics", How: kafkatest.CutAfter, Times: 1})
	w.apply(0).says(t, "1 added, 0 changed, 1 destroyed")
	w.plan(0)
}

// Of a write without an answer nobody knows what has become: the error must not say
// that nothing was changed, and what it does say is the way on. An answer that Kafka
// calls passing is one to try again after.
func TestTopicWrite_SaysWhatToDoAfterAFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault kafkatest.Fault
		wire  kafkatest.Disturbance
		says  []string
		not   string
		more  string // of the topic
	}{
		"no answer": {
			wire: kafkatest.Disturbance{Request: "IncrementalAlterConfigs", Writes: true, How: kafkatest.CutAfter},
			says: []string{"Error: Kafka did not answer when asked to change the topic", "may have done it all the same. Apply again"}, not: "Nothing was changed",
		},
		"the broker stopped waiting": {
			fault: kafkatest.Fault{Request: "IncrementalAlterConfigs", Writes: true, Code: "REQUEST_TIMED_OUT"},
			says:  []string{"Error: Kafka could not tell whether it would change the topic", "REQUEST_TIMED_OUT", "Apply again"}, not: "Nothing was changed",
		},
		"done and not read back": {
			fault: kafkatest.Fault{Request: "DescribeConfigs", Topic: "t", Code: "TOPIC_AUTHORIZATION_FAILED", Skip: 2}, // after those of plan and apply
			says:  []string{"Error: Change could not be read back", "Apply again"}, not: "Nothing was changed",
		},
		"a passing refusal": {
			fault: kafkatest.Fault{Request: "IncrementalAlterConfigs", Writes: true, Code: "THROTTLING_QUOTA_EXCEEDED"},
			says:  []string{"Error: Kafka refused to change the topic", "has been exceeded.\n", "that it passes: apply again. Nothing was changed."},
			more:  "\n  timeouts = { update = \"5s\" }", // a quota is waited for as long as the change may take
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := kafkatest.StartFake(t, kafkatest.FakeOptions{})
			w := newWorkspace(t, plainKafka(fake)+topic("t", 1, `config = { "retention.ms" = 5 }`+c.more))
			w.apply(0)
			w.write(plainKafka(fake) + topic("t", 1, `config = { "retention.ms" = 6 }`+c.more))
			var remove func() int
			if c.fault.Request != "" {
				remove = fake.Fail(t, c.fault)
			} else {
				remove = fake.Disturb(t, c.wire)
			}
			got := w.apply(1)
			got.says(t, c.says...)
			if c.not != "" {
				got.silent(t, c.not)
			}
			if remove() == 0 {
				t.Error("nothing was struck")
			}
			w.apply(0)
			w.plan(0)
		})
	}
}
