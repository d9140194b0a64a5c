// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.controller.QuorumController;
import scala.Option;

/**
 * Two things about the running nodes that Kafka has no public word for, read by reflection (the version is pinned):
 * whether the brokers have caught up with the controller, and which controller event is being handled.
 *
 * <p>A broker learns of a write only after it is committed and published, some milliseconds after the controller
 * has handled it. A policy that asks a broker would judge by yesterday's cluster; so it first waits until every broker
 * has seen all that the controller has written.
 */
final class Nodes {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final AtomicLong lastEvent = new AtomicLong();
    private static final ThreadLocal<Long> currentEvent = ThreadLocal.withInitial(() -> 0L);
    private static final List<BrokerServer> brokers = new ArrayList<>();
    private static final List<Object> offsets = new ArrayList<>();
    private static Method nextWriteOffset;

    private Nodes() {
    }

    /** Called once, when all nodes run and before anyone may ask. */
    static void watch(List<KafkaRaftServer> servers) throws ReflectiveOperationException {
        for (KafkaRaftServer server : servers) {
            brokers.add((BrokerServer) ((Option<?>) field(KafkaRaftServer.class, "broker").get(server)).get());
            ControllerServer node =
                (ControllerServer) ((Option<?>) field(KafkaRaftServer.class, "controller").get(server)).get();
            QuorumController controller = (QuorumController) node.controller();
            Object offset = field(QuorumController.class, "offsetControl").get(controller);
            nextWriteOffset = offset.getClass().getDeclaredMethod("nextWriteOffset");
            nextWriteOffset.setAccessible(true);
            offsets.add(offset);
            countEvents(field(QuorumController.class, "controllerMetrics").get(controller));
        }
    }

    /** The number of the controller event that the calling thread is handling; unique over all controllers. */
    static long event() {
        return currentEvent.get();
    }

    /** Waits until every broker's metadata holds all that the active controller has written. */
    static void awaitMetadata() {
        long deadline = System.nanoTime() + PATIENCE;
        long wanted = offsets.stream().mapToLong(Nodes::next).max().orElse(0) - 1;
        for (long pause = 100; !brokers.stream().allMatch(broker -> seen(broker) >= wanted); pause *= 2) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("brokers did not reach metadata offset " + wanted);
            }
            try {
                TimeUnit.MICROSECONDS.sleep(Math.min(pause, 5000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    private static long seen(BrokerServer broker) {
        return broker.metadataCache().currentImage().highestOffsetAndEpoch().offset();
    }

    /** The next offset that a controller will write; -1 while it is not the active one. */
    private static long next(Object offset) {
        try {
            return (long) nextWriteOffset.invoke(offset);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The controller reports each event's time in the queue when it begins to handle it, on the handling thread. */
    @SuppressWarnings("unchecked")
    private static void countEvents(Object metrics) throws ReflectiveOperationException {
        Field updater = field(metrics.getClass(), "eventQueueTimeUpdater");
        Consumer<Long> real = (Consumer<Long>) updater.get(metrics);
        updater.set(metrics, (Consumer<Long>) millis -> {
            currentEvent.set(lastEvent.incrementAndGet());
            real.accept(millis);
        });
    }

    private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
