// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// throttle takes over what an earlier run has left on the topic, and bounds the
// copying of the moves. remove undoes both, whatever has happened to the context;
// it is there after an error too.
func (c *Client) throttle(ctx context.Context, name string, all []Move, brokers []Broker, rate int64) (remove func() error, err error) {
	c.rates.Lock()
	defer c.rates.Unlock()
	t := &throttling{client: c, topic: name}
	remove = func() error {
		c.rates.Lock()
		defer c.rates.Unlock()
		const patience = 15 * time.Second // a broker that does not answer must not hold up an interrupted run
		ctx, cancel := c.within(context.WithoutCancel(ctx), min(patience, c.config.RequestTimeout))
		defer cancel()
		return t.remove(ctx)
	}
	moves := slices.DeleteFunc(slices.Clone(all), func(m Move) bool { return len(m.Adding) == 0 })
	if err := t.adopt(ctx); err != nil {
		return remove, err
	}
	if rate <= 0 || len(moves) == 0 {
		_ = t.remove(ctx) // tried again at the end, which reports a failure
		return remove, nil
	}
	return remove, t.set(ctx, moves, brokers, rate)
}

// FinishMove does what a run has left undone that was interrupted, where its move
// has ended by itself: it removes the throttle from the topic and its brokers, and
// has the preferred leaders elected. Where nothing is left it changes nothing.
func (c *Client) FinishMove(ctx context.Context, name string) *ThrottleError {
	remove, err := c.throttle(ctx, name, nil, nil, 0)
	if err = errors.Join(err, remove()); err != nil {
		return &ThrottleError{Topic: name, Cause: err}
	}
	if partitions, _, err := c.layoutsNow(ctx, name); err == nil {
		c.electPreferred(ctx, name, partitions)
	}
	return nil
}

// throttling is the throttle of one topic. Its methods need the lock of the rates.
type throttling struct {
	client *Client
	topic  string
	lists  map[string]Entry // the topic's lists as found
	using  []rateKey        // the rates that this topic counts for
	marked bool             // a list of ours may be on the topic
}

// adopt reads the topic's lists, and takes over the rates that a list of this
// provider names.
func (t *throttling) adopt(ctx context.Context) error {
	answer, err := t.client.describe(ctx, []string{t.topic})
	if err == nil {
		err = answer.failed[t.topic]
	}
	if err != nil {
		return err
	}
	t.lists = answer.entries[t.topic]
	for _, side := range sides {
		brokers, marked := readMark(t.lists[side.list])
		t.marked = t.marked || marked
		for _, id := range brokers {
			t.use(rateKey{id, side.rate})
		}
	}
	return nil
}

// use counts this topic for a rate, once.
func (t *throttling) use(key rateKey) {
	if slices.Contains(t.using, key) {
		return
	}
	t.using = append(t.using, key)
	if t.client.rates.count == nil {
		t.client.rates.count = map[rateKey]int{}
	}
	t.client.rates.count[key]++
}

// set writes the lists first, because they are what a next run knows the rates by,
// then the rates.
func (t *throttling) set(ctx context.Context, moves []Move, brokers []Broker, rate int64) error {
	lists := topicconfig.Change{Set: topicconfig.Settings{}}
	rates := map[int32]topicconfig.Settings{}
	found := map[int32]map[string]Entry{}
	for _, side := range sides {
		entry := t.lists[side.list]
		if _, ours := readMark(entry); entry.Override && !ours {
			continue // somebody else's, with the rates that they chose
		}
		for _, m := range moves {
			for _, id := range side.held(m) {
				if err := t.claim(ctx, side, id, brokers, found, rates); err != nil {
					return err
				}
			}
		}
		var owned []int32
		for _, key := range t.using {
			if key.rate == side.rate {
				owned = append(owned, key.broker)
			}
		}
		lists.Set[side.list] = throttledList(side.held, moves, owned)
	}
	if len(lists.Set) == 0 {
		return nil
	}
	t.marked = true
	if err := t.client.Change(ctx, t.topic, lists); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(rates)) {
		for key := range rates[id] {
			rates[id][key] = strconv.FormatInt(rate, 10)
		}
		if err := t.client.changeBroker(ctx, id, topicconfig.Change{Set: rates[id]}); err != nil {
			return err
		}
	}
	return nil
}

// claim notes a rate to set on a live broker, unless somebody else has set it.
func (t *throttling) claim(ctx context.Context, side side, id int32, brokers []Broker, found map[int32]map[string]Entry, rates map[int32]topicconfig.Settings) error {
	if !slices.ContainsFunc(brokers, func(b Broker) bool { return b.ID == int64(id) }) {
		return nil
	}
	key := rateKey{id, side.rate}
	if t.client.rates.count[key] == 0 {
		if found[id] == nil {
			entries, err := t.client.describeBroker(ctx, id)
			if err != nil {
				return err
			}
			found[id] = entries
		}
		if _, set := found[id][side.rate]; set {
			return nil
		}
	}
	t.use(key)
	if rates[id] == nil {
		rates[id] = topicconfig.Settings{}
	}
	rates[id][side.rate] = ""
	return nil
}

// remove gives up the rates, and then the lists that this provider has marked. A
// rate that could not be removed stays claimed, and the lists stay with it.
func (t *throttling) remove(ctx context.Context) error {
	gone := map[int32][]string{}
	for _, key := range t.using {
		if t.client.rates.count[key]--; t.client.rates.count[key] == 0 {
			gone[key.broker] = append(gone[key.broker], key.rate)
		}
	}
	t.using = nil
	var failed error
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		if err := t.client.changeBroker(ctx, id, topicconfig.Change{Remove: gone[id]}); err != nil {
			failed = errors.Join(failed, err)
			for _, rate := range gone[id] {
				t.use(rateKey{id, rate})
			}
		}
	}
	if failed != nil || !t.marked {
		return failed
	}
	answer, err := t.client.describe(ctx, []string{t.topic})
	if err == nil {
		err = answer.failed[t.topic]
	}
	if err != nil {
		return err
	}
	var change topicconfig.Change
	for _, side := range sides {
		if _, marked := readMark(answer.entries[t.topic][side.list]); marked {
			change.Remove = append(change.Remove, side.list)
		}
	}
	if !change.Empty() {
		if err := t.client.Change(ctx, t.topic, change); err != nil {
			return err
		}
	}
	t.marked = false
	return nil
}

// describeBroker reads the settings that are set for a broker, those for all
// brokers included; what has its default value is left out.
func (c *Client) describeBroker(ctx context.Context, id int32) (map[string]Entry, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType = kmsg.ConfigResourceTypeBroker
	resource.ResourceName = strconv.Itoa(int(id))
	resource.ConfigNames = []string{sides[0].rate, sides[1].rate}
	request.Resources = append(request.Resources, resource)
	response, broker, err := answerTo[*kmsg.DescribeConfigsResponse](ctx, c, request)
	switch {
	case err != nil:
		return nil, err
	case len(response.Resources) != 1:
		return nil, anotherKind(request)
	}
	if err := newError("DescribeConfigs", "", response.Resources[0].ErrorCode, response.Resources[0].ErrorMessage, broker); err != nil {
		return nil, err
	}
	set := map[string]Entry{}
	for _, config := range response.Resources[0].Configs {
		if config.Source != kmsg.ConfigSourceDefaultConfig && config.Value != nil {
			set[config.Name] = entry(config.Value, config.Source, config.ReadOnly, config.IsSensitive)
		}
	}
	return set, nil
}

// changeBroker changes a broker's own dynamic settings.
func (c *Client) changeBroker(ctx context.Context, id int32, change topicconfig.Change) error {
	request := kmsg.NewPtrIncrementalAlterConfigsRequest()
	resource := kmsg.NewIncrementalAlterConfigsRequestResource()
	resource.ResourceType = kmsg.ConfigResourceTypeBroker
	resource.ResourceName = strconv.Itoa(int(id))
	resource.Configs = alterations(change)
	request.Resources = append(request.Resources, resource)
	response, broker, err := answerTo[*kmsg.IncrementalAlterConfigsResponse](ctx, c, request)
	switch {
	case err != nil:
		return err
	case len(response.Resources) != 1:
		return anotherKind(request)
	}
	return newError("IncrementalAlterConfigs", "", response.Resources[0].ErrorCode, response.Resources[0].ErrorMessage, broker)
}
