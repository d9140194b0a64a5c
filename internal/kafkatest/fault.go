// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Fault makes the fake answer a request with an error instead of doing it. It is
// written with Kafka's own names, so that tests outside this room need no client
// library.
type Fault struct {
	// Request is Kafka's name of the request, such as CreateTopics.
	Request string
	// Topic is the topic that is struck; empty strikes all.
	Topic string
	// Code is Kafka's name of the error, such as POLICY_VIOLATION.
	Code string
	// Message is what the broker says with it, from here on with each error of that code.
	// Only answers to what creates or changes topics carry words.
	Message string
	// Writes strikes only requests that change something: none with validate-only.
	// Probes strikes only those with validate-only.
	Writes, Probes bool
	// Skip is how many requests that the fault could strike pass before the first is struck.
	Skip int
	// Times is how many requests are struck; 0 means all, until the fault is removed.
	Times int
}

// Fail installs a fault and returns what removes it and says how many requests it
// has struck. Answers to DescribeConfigs of
// topics are out of its reach where the fake has broker settings of its own.
func (f *Fake) Fail(tb testing.TB, fault Fault) (remove func() (struck int)) {
	tb.Helper()
	strike := kfake.Fault{Keys: []kmsg.Key{requestKey(tb, fault.Request)}, Err: errorNamed(tb, fault.Code), Count: fault.Times}
	if fault.Message != "" {
		f.mu.Lock()
		f.messages[strike.Err.Code] = fault.Message
		f.mu.Unlock()
	}
	strike.When = fault.when()
	if fault.Times == 0 {
		strike.Count = -1
	}
	switch fault.Request {
	case "DescribeConfigs", "AlterConfigs", "IncrementalAlterConfigs": // they name topics as resources
		strike.Resource = fault.Topic
	default:
		strike.Topic = fault.Topic
	}
	handle := f.Cluster.Fault(strike)
	return func() int {
		handle.Remove()
		return handle.Hits()
	}
}

// when picks the requests that are struck. The cluster asks once for each topic of a
// request, and on one goroutine.
func (fault Fault) when() func(kmsg.Request) bool {
	var last kmsg.Request
	seen := 0
	return func(request kmsg.Request) bool {
		if !picks(request, fault.Writes, fault.Probes) {
			return false
		}
		if request != last {
			last = request
			seen++
		}
		return seen > fault.Skip
	}
}

// picks says whether a request is one of those that are meant.
func picks(request kmsg.Request, writes, probes bool) bool {
	return !writes && !probes || validateOnly(request) == probes
}

// RetriableErrors lists the errors that Kafka calls retriable, by name and in the order
// of their codes. Among them are the answers of a broker that was the wrong one to
// ask, such as NOT_CONTROLLER.
func RetriableErrors() []string {
	var names []string
	for code := int16(-1); code < maxErrorCode; code++ {
		if err := kerr.TypedErrorForCode(code); err != nil && err.Retriable {
			names = append(names, err.Message)
		}
	}
	return names
}

// maxErrorCode is beyond Kafka's table of errors, which has holes.
const maxErrorCode = 1000

// requestKey finds a request by name.
func requestKey(tb testing.TB, name string) kmsg.Key {
	tb.Helper()
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		if kmsg.NameForKey(key) == name {
			return kmsg.Key(key)
		}
	}
	tb.Fatalf("kafkatest: Kafka has no request %q", name)
	return 0
}

// errorNamed finds an error by name.
func errorNamed(tb testing.TB, name string) *kerr.Error {
	tb.Helper()
	for code := int16(-1); code < maxErrorCode; code++ {
		if err := kerr.TypedErrorForCode(code); err != nil && err.Message == name {
			return err
		}
	}
	tb.Fatalf("kafkatest: Kafka has no error %q", name)
	return nil
}

// Silence makes the fake swallow the requests that name a topic's settings: the
// connection stays open and no answer comes.
func (f *Fake) Silence(topic string) {
	f.Cluster.ControlKey(int16(kmsg.DescribeConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		f.Cluster.KeepControl()
		describe, ok := request.(*kmsg.DescribeConfigsRequest)
		if !ok {
			return nil, nil, false
		}
		for _, resource := range describe.Resources {
			if resource.ResourceName == topic {
				f.note(request)
				return nil, nil, true
			}
		}
		return nil, nil, false
	})
}

// addWords puts the broker's words beside the errors of an answer; kfake has none.
func (f *Fake) addWords(response kmsg.Response) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	say := func(code int16, words **string) {
		if message, ok := f.messages[code]; ok {
			*words, changed = &message, true
		}
	}
	switch r := response.(type) {
	case *kmsg.CreateTopicsResponse:
		for i := range r.Topics {
			say(r.Topics[i].ErrorCode, &r.Topics[i].ErrorMessage)
		}
	case *kmsg.CreatePartitionsResponse:
		for i := range r.Topics {
			say(r.Topics[i].ErrorCode, &r.Topics[i].ErrorMessage)
		}
	case *kmsg.IncrementalAlterConfigsResponse:
		for i := range r.Resources {
			say(r.Resources[i].ErrorCode, &r.Resources[i].ErrorMessage)
		}
	}
	return changed
}
