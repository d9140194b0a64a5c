// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package kafka talks to the cluster. It is the only room that imports franz-go,
// and it hands out plain values: nobody else sees a client, a request or an error
// code's number.
//
// A [Client] connects late: making one does no I/O, so a configuration that only
// uses functions needs no broker. The first reading is the [Snapshot], taken once
// per process and shared by all callers: every topic with its partitions, replicas
// and settings, the brokers, and what a new topic would get. Numbers in plans come
// from that snapshot and from nothing later, so writes never refresh it. What the
// rules of tiered storage need beyond it, [Client.Capabilities] asks of one broker when
// the first of them wants to know: its version, and whether it tiers.
//
// Calls that come together travel together: a creation, a change, a question and a
// look at a topic each wait a few milliseconds for others of their kind and go in one
// request with them (see gatherer). Every method takes one topic and answers for it.
// The Probe methods ask with validate-only what the write would be answered; they end
// with the first write of the process.
//
// A write ends when the cluster shows what was written. [Client.Create] and
// [Client.Delete] look with metadata requests of their own, because the client
// library's cached metadata may trail by seconds; [Client.Change] reads back what it
// has written, because a cluster may acknowledge what it does not keep. Once a write
// is on its way its answer is waited for, also when the caller's context ends: what
// the cluster has done must reach the state.
//
// [Client.SetReplicationFactor] moves replicas. Where they go is computed by a pure
// planner (placement.go); that it ends, is not started over, and leaves no throttle
// behind is the rest. It holds for a process that is killed too: what it has set
// bears a mark by which the next one knows it.
//
// Failure comes in two kinds. An [*Error] is the cluster's answer: the request,
// the topic, Kafka's code by name, the broker's own words and its address. An
// [*UnreachableError] says that no answer came within the deadline, and why the
// last connection failed. Every request has one deadline, the request timeout,
// or the caller's if that is sooner; nothing sleeps a fixed time.
//
// Within that deadline a request has several attempts (attempts.go): a broker that says
// nothing is left for another one, and let alone for a while. A write that was refused
// with what Kafka calls retriable goes again (insist.go), for the topics that were
// refused only; a mutation quota is waited for beyond the deadline, because the cluster
// is well. What may have been done without an answer is recognised and not done twice.
package kafka
