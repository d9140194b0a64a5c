// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

// Package kafkatest gives tests something that answers like Kafka.
//
// # Why a real broker
//
// What this provider promises is about what a broker will accept, and a fake accepts whatever its author thought of.
// So the real half of this room starts Apache Kafka itself: a Java process with one to three combined nodes, on
// loopback ports, with its data in the test's own folder. Optionally the cluster enforces the reserved-storage rule
// through Kafka's create and alter policies. That rule is written a second time there, in Java, from the published
// text and not from our Go code; where the two differ, one of them is wrong and a test says so.
//
// # Use
//
// StartReal gives a test a cluster of its own. SharedReal gives all tests of a package one cluster for each set of
// options; a TestMain has to stop them (Main, or M for goleak):
//
//	func TestMain(m *testing.M) { os.Exit(kafkatest.Main(m)) }
//
//	func TestRealThing(t *testing.T) {
//		real := kafkatest.SharedReal(t, kafkatest.RealOptions{Nodes: 3, Policy: "event_streams", EventStreamsDefaults: true})
//		real.Reset(t)
//		real.SetCapacity(t, 1<<40)
//		…
//	}
//
// Tests that do so carry the build tag "real", so a plain go test neither needs Java nor skips anything.
//
// # Versions and tiers
//
// RealOptions.Version picks a release: what differs between releases is tried on each of RealVersions. With
// RealOptions.Tiered a folder is the remote tier, and what takes Kafka minutes takes seconds: closed segments are copied,
// then leave the broker, and expire. All of that happens in the background, so a test looks for it with AwaitSegments
// and AwaitOffsets and never waits a fixed time. An active segment whose newest record is older than the local retention
// is closed and goes the same way: a test of what stays on the broker bounds it by size.
//
// # Under fire
//
// StartSeparate gives each node a process of its own, which a test can stop, kill or pause, and a proxy before each. The
// proxies know requests by their frames: a Fire drops, delays and cuts them at random from a seed, counts how often that
// struck a write in flight, and tells when a write is at a node, which is when to strike the node.
//
// # When is a change visible
//
// A broker learns what the controller has written a few milliseconds later, and each broker at its own time. A test
// never has to guess: Settle returns when all brokers have caught up, PolicyReserved and DeleteAllTopics do the same
// on their way, and the policy waits for it before each verdict, so a verdict counts every request before it. Topics
// of one request are judged one after the other. Two holes are Kafka's own and stay: adding partitions is shown to no
// policy (JudgePartitions tells what ours would have said), and a client keeps a copy of the metadata for a while (Admin
// and Client return ones that hardly do).
//
// # What it may touch
//
// Jars and compiled classes are kept in the user's cache folder, under terraform-provider-kafkastorage; it may be deleted
// at any time. Everything else is in temporary folders. Java 17 with its compiler and Maven are needed; Maven is the only
// thing that goes to the network, once for each version.
//
// # How failure looks
//
// Where Java or Maven is missing, tests skip with one line that says what to install; with CI=true they fail. A broker
// that does not come up, or a test that fails, prints the end of the broker's log. Every wait has a deadline. The
// broker ends when its standard input closes, so it does not outlive a test process that was killed.
package kafkatest
