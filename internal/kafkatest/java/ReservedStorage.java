// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.errors.PolicyViolationException;

/**
 * The reserved-storage rule as a service would enforce it. All nodes of the fixture live in one JVM and whichever
 * controller is active asks the same policy, so its state is static.
 */
final class ReservedStorage {
    /** The settings that decide a reservation; an alter that touches none of them needs no lookup. */
    static final java.util.List<String> KEYS =
        java.util.List.of("cleanup.policy", "retention.bytes", "segment.bytes", "segment.index.bytes");

    private static volatile BigInteger capacity = BigInteger.ZERO;
    private static volatile Platform platform = Platform.EVENT_STREAMS;
    private static volatile Lookup lookup;
    private static volatile View view = new View(0, Map.of(), Map.of(), Map.of());

    /**
     * What all verdicts of one controller event are based on. One request may create many topics, and the policy is
     * asked for each before any of them exists; so what was accepted earlier in the event counts as if it did.
     */
    private record View(long event, Map<String, Lookup.Topic> topics, Map<String, String> defaults,
        Map<String, Reservation> accepted) {
        Map<String, Reservation> reservations() {
            Map<String, Reservation> all = new HashMap<>();
            topics.forEach((name, topic) -> all.put(name, of(topic)));
            all.putAll(accepted);
            return all;
        }
    }

    /** What a platform counts and where it stops. */
    enum Platform {
        EVENT_STREAMS(90, false), KAFKA(85, true);

        final int percent;
        final boolean replicasCount;

        Platform(int percent, boolean replicasCount) {
            this.percent = percent;
            this.replicasCount = replicasCount;
        }
    }

    private ReservedStorage() {
    }

    static void use(String name, Lookup topics) {
        platform = Platform.valueOf(name.toUpperCase(java.util.Locale.ROOT));
        lookup = topics;
    }

    static void capacity(BigInteger bytes) {
        capacity = bytes;
    }

    /** What every counted topic reserves now. */
    static Map<String, Reservation> live() {
        Map<String, Reservation> all = new HashMap<>();
        lookup.topics().forEach((name, topic) -> all.put(name, of(topic)));
        return all;
    }

    static BigInteger total(Map<String, Reservation> all) {
        return all.values().stream().map(Reservation::counted).reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Judges a topic that does not exist yet; overrides holds its explicit settings only. */
    static void judgeCreate(String name, int partitions, int replicas, Map<String, String> overrides) {
        if (exempt(name)) {
            return;
        }
        View now = view();
        Map<String, String> settings = new HashMap<>(now.defaults());
        settings.putAll(overrides);
        long copies = platform.replicasCount ? replicas : partitions;
        judge(name, now, Reservation.NOTHING, parse(copies, settings));
    }

    /** Judges new settings of a topic; changes holds the changed keys only, null where an override goes away. */
    static void judgeAlter(String name, Map<String, String> changes) {
        if (exempt(name) || KEYS.stream().noneMatch(changes::containsKey)) {
            return;
        }
        View now = view();
        Lookup.Topic topic = now.topics().get(name);
        if (topic == null) {
            return; // The controller asks this for the settings of a create too; judgeCreate follows.
        }
        Map<String, String> settings = new HashMap<>(topic.settings());
        for (String key : KEYS) {
            if (changes.containsKey(key)) {
                settings.put(key, changes.get(key) == null ? now.defaults().get(key) : changes.get(key));
            }
        }
        judge(name, now, of(topic), parse(copies(topic), settings));
    }

    /**
     * What this policy would say to more partitions of a topic, if Kafka asked; empty when it would accept. Asked from
     * outside of any controller event, so it looks at the topics anew.
     */
    static String judgePartitions(String name, int partitions) {
        View now = new View(0, lookup.topics(), lookup.defaults(), new HashMap<>());
        Lookup.Topic topic = now.topics().get(name);
        int replicas = topic.replicas() / topic.partitions() * partitions;
        Lookup.Topic grown = new Lookup.Topic(partitions, replicas, topic.settings());
        try {
            if (!exempt(name)) {
                judge(name, now, of(topic), of(grown));
            }
            return "";
        } catch (PolicyViolationException e) {
            return e.getMessage();
        }
    }

    private static View view() {
        long event = Nodes.event();
        View last = view;
        if (last.event() != event) {
            last = new View(event, lookup.topics(), lookup.defaults(), new HashMap<>());
            view = last;
        }
        return last;
    }

    private static void judge(String name, View now, Reservation before, Reservation after) {
        if (after == null) {
            return;
        }
        Map<String, Reservation> all = now.reservations();
        BigInteger limit = capacity.multiply(BigInteger.valueOf(platform.percent)).divide(BigInteger.valueOf(100));
        if (after.unbounded() && !before.unbounded()) {
            throw new PolicyViolationException("Reserved storage: topic '" + name
                + "' would have no bound; total " + total(all) + " bytes, limit " + limit + " bytes.");
        }
        all.put(name, after);
        BigInteger total = total(all);
        boolean over = total.multiply(BigInteger.valueOf(100))
            .compareTo(capacity.multiply(BigInteger.valueOf(platform.percent))) > 0;
        if (after.raises(before) && over) {
            throw new PolicyViolationException("Reserved storage: with topic '" + name + "' at " + after
                + " bytes the total would be " + total + " bytes, limit " + limit + " bytes.");
        }
        now.accepted().put(name, after);
    }

    private static boolean exempt(String name) {
        return name.startsWith("__") || capacity.signum() <= 0;
    }

    private static Reservation of(Lookup.Topic topic) {
        return Reservation.of(copies(topic), topic.settings());
    }

    private static long copies(Lookup.Topic topic) {
        return platform.replicasCount ? topic.replicas() : topic.partitions();
    }

    /** Null when the settings are no numbers: the broker refuses those itself, with a better message. */
    private static Reservation parse(long copies, Map<String, String> settings) {
        try {
            return Reservation.of(copies, settings);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
