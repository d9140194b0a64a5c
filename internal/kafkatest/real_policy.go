// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

const realRequestPatience = 30 * time.Second

// PolicyTopic is what the cluster's policy reserves for one topic.
type PolicyTopic struct {
	// Bytes is the reservation; nil when Unbounded.
	Bytes *big.Int
	// Unbounded says that nothing bounds the topic; it then adds nothing to the total.
	Unbounded bool
}

// PolicyView is the cluster's reserved storage as its own policy counts it: a second opinion, in another language,
// on the numbers of the provider.
type PolicyView struct {
	// Total is the sum over all bounded topics.
	Total *big.Int
	// Topics has every topic but internal ones and names that start with two underscores.
	Topics map[string]PolicyTopic
}

// SetCapacity sets the capacity that the policy enforces from now on; zero or less enforces nothing.
func (r *Real) SetCapacity(tb testing.TB, bytes int64) {
	tb.Helper()
	if _, err := r.ask(http.MethodPut, "/capacity", strconv.FormatInt(bytes, 10)); err != nil {
		tb.Fatalf("kafkatest: set capacity: %v", err)
	}
}

// Settle waits until every broker has seen all that the controller has written: after it, any broker tells what the
// requests that were answered before have done. The policy does the same before each verdict.
func (r *Real) Settle(tb testing.TB) {
	tb.Helper()
	if _, err := r.ask(http.MethodGet, "/settled", ""); err != nil {
		tb.Fatalf("kafkatest: settle: %v", err)
	}
}

// PolicyReserved returns what the policy counts now, all finished requests included. Without a policy it counts as
// event_streams does.
func (r *Real) PolicyReserved(tb testing.TB) PolicyView {
	tb.Helper()
	view, err := r.policyView()
	if err != nil {
		tb.Fatalf("kafkatest: reserved storage: %v", err)
	}
	return view
}

func (r *Real) policyView() (PolicyView, error) {
	body, err := r.ask(http.MethodGet, "/reserved", "")
	if err != nil {
		return PolicyView{}, err
	}
	var answer struct {
		Total  string
		Topics map[string]string
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return PolicyView{}, err
	}
	view := PolicyView{Topics: map[string]PolicyTopic{}}
	var ok bool
	if view.Total, ok = new(big.Int).SetString(answer.Total, 10); !ok {
		return PolicyView{}, fmt.Errorf("total %q is no number", answer.Total)
	}
	for name, text := range answer.Topics {
		if text == "unbounded" {
			view.Topics[name] = PolicyTopic{Unbounded: true}
			continue
		}
		bytes, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return PolicyView{}, fmt.Errorf("topic %s: %q is no number", name, text)
		}
		view.Topics[name] = PolicyTopic{Bytes: bytes}
	}
	return view, nil
}

// JudgePartitions tells what the policy would say to a topic with this many partitions, if Kafka asked it: it asks no
// policy when partitions are added. refusal is empty when the policy would accept.
func (r *Real) JudgePartitions(tb testing.TB, topic string, partitions int64) (refusal string) {
	tb.Helper()
	answer, err := r.ask(http.MethodPut, "/judge", fmt.Sprintf("%s %d", topic, partitions))
	if err != nil {
		tb.Fatalf("kafkatest: judge %d partitions of %s: %v", partitions, topic, err)
	}
	return string(answer)
}

// DeleteAllTopics deletes every topic that the policy counts and waits until no broker and no policy sees one.
func (r *Real) DeleteAllTopics(tb testing.TB) {
	tb.Helper()
	admin := r.Admin(tb)
	err := realPoll(realRequestPatience, func() (bool, error) {
		view, err := r.policyView()
		if err != nil || len(view.Topics) == 0 {
			return err == nil, err
		}
		return false, deleteRealTopics(admin, slices.Sorted(maps.Keys(view.Topics)))
	})
	if err != nil {
		tb.Fatalf("kafkatest: delete all topics: %v", err)
	}
}

func deleteRealTopics(admin *kadm.Client, names []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), realRequestPatience)
	defer cancel()
	deleted, err := admin.DeleteTopics(ctx, names...)
	if err != nil {
		return err
	}
	for _, topic := range deleted.Sorted() {
		if topic.Err != nil && !errors.Is(topic.Err, kerr.UnknownTopicOrPartition) {
			return fmt.Errorf("%s: %w", topic.Topic, topic.Err)
		}
	}
	return nil
}

// Reset makes a shared cluster as good as new: no topics, no capacity.
func (r *Real) Reset(tb testing.TB) {
	tb.Helper()
	r.SetCapacity(tb, 0)
	r.DeleteAllTopics(tb)
}

// ask talks to the control server. Each request has a connection of its own, so that a test that looks for leaked
// goroutines finds none of ours.
func (r *Real) ask(method, path, body string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), realRequestPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, r.control+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return answer, err
}
