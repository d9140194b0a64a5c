// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a topic reserves, by the rule that IBM publishes for Event Streams ("Reserved disk usage"). Written again here,
 * from the rule and not from the provider's own code, so that the two can disagree in a test.
 *
 * @param bytes the reserved bytes, null when nothing bounds them
 */
record Reservation(BigInteger bytes) {
    static final Reservation UNBOUNDED = new Reservation(null);
    static final Reservation NOTHING = new Reservation(BigInteger.ZERO);

    /** What one partition of a compacted topic counts, whatever its other settings are. */
    private static final BigInteger COMPACTED = BigInteger.valueOf(1L << 30);

    boolean unbounded() {
        return bytes == null;
    }

    /** What the topic adds to a total: unbounded topics have no number, so they add nothing. */
    BigInteger counted() {
        return unbounded() ? BigInteger.ZERO : bytes;
    }

    /** True when going from before to this makes the topic's own reservation larger. */
    boolean raises(Reservation before) {
        if (before.unbounded()) {
            return false;
        }
        return unbounded() || bytes.compareTo(before.bytes) > 0;
    }

    /**
     * The reservation of copies partitions (or partition replicas) with these settings, by Kafka's topic-level names.
     *
     * @throws NumberFormatException when a size is not a number; the broker's own validation reports that better
     */
    static Reservation of(long copies, Map<String, String> settings) {
        BigInteger count = BigInteger.valueOf(copies);
        if (compactOnly(settings.get("cleanup.policy"))) {
            return new Reservation(COMPACTED.multiply(count));
        }
        BigInteger retention = size(settings, "retention.bytes");
        BigInteger segment = size(settings, "segment.bytes");
        BigInteger index = size(settings, "segment.index.bytes");
        if (retention.signum() < 0) {
            return UNBOUNDED;
        }
        if (segment.signum() <= 0) {
            throw new NumberFormatException("segment.bytes is not positive");
        }
        BigInteger segments = retention.divide(segment).add(BigInteger.ONE);
        BigInteger perPartition = retention.add(segment).add(index.shiftLeft(1).multiply(segments));
        return new Reservation(perPartition.multiply(count));
    }

    private static boolean compactOnly(String policy) {
        return Arrays.stream(policy.split(",")).map(String::trim).filter(p -> !p.isEmpty())
            .collect(Collectors.toSet()).equals(java.util.Set.of("compact"));
    }

    private static BigInteger size(Map<String, String> settings, String key) {
        return new BigInteger(settings.get(key).trim());
    }

    @Override
    public String toString() {
        return unbounded() ? "unbounded" : bytes.toString();
    }
}
