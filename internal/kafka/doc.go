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
// from that snapshot and from nothing later, so writes never refresh it.
//
// Reads that follow a write ([Client.Create] and [Client.Delete] wait for their
// end) use metadata requests of their own, because the client library's cached
// metadata may trail by seconds.
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
package kafka
