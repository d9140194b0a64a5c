// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"math/big"
	"net"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/topicconfig"
)

// NewEnding is [New] for a test that runs many processes in one: end closes the
// provider's connections at once, as the end of a process does.
func NewEnding(version string) (p provider.Provider, end func()) {
	ending := &endingProvider{kafkastorageProvider: kafkastorageProvider{version: version, options: options{getenv: osEnvironment}}}
	return ending, ending.end
}

// DialBy replaces the network of a provider that [NewEnding] has made.
func DialBy(p provider.Provider, dial func(ctx context.Context, network, address string) (net.Conn, error)) {
	if ending, ok := p.(*endingProvider); ok {
		ending.options.dial = dial
	}
}

// endingProvider remembers what it has configured.
type endingProvider struct {
	kafkastorageProvider

	mu       sync.Mutex
	runtimes []*runtime
}

// Configure notes the runtime.
func (p *endingProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	p.kafkastorageProvider.Configure(ctx, req, resp)
	if made, ok := resp.ResourceData.(*runtime); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.runtimes = append(p.runtimes, made)
	}
}

// end closes what the runtimes have open.
func (p *endingProvider) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, each := range p.runtimes {
		if each.client != nil {
			each.client.Close()
		}
	}
}

// LedgerPeak is what the ledger of a provider has come to; nil where nothing has opened it.
func LedgerPeak(p provider.Provider) *big.Int {
	ending, ok := p.(*endingProvider)
	if !ok {
		return nil
	}
	ending.mu.Lock()
	defer ending.mu.Unlock()
	for _, each := range ending.runtimes {
		if standing := each.numbers(""); standing != nil {
			return standing.Peak
		}
	}
	return nil
}

// TieringRule is the rule of tiered storage that speaks under a title.
func TieringRule(title string) (rule topicconfig.Rule, refuses, ok bool) {
	for rule, words := range tieringRefusals {
		if words.title == title {
			return rule, true, true
		}
	}
	for rule, words := range tieringAdvice {
		if words.title == title {
			return rule, false, true
		}
	}
	return "", false, false
}
