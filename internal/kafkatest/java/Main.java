// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import com.sun.net.httpserver.HttpServer;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * Formats and runs one or several combined nodes in this JVM: {@code Main CLUSTER_ID PLATFORM FILE...}.
 *
 * <p>Prints one line {@code READY PORT} when all nodes serve; PORT is the control server's. Ends on SIGTERM and when
 * standard input closes, which is what the kernel does for a test process that was killed.
 */
public final class Main {
    /** Nothing of a test's cluster is kept, so nobody waits for the last vote of a dissolving quorum (5 s). */
    private static final long STOP_SECONDS = Long.getLong("kafkastorage.stop.seconds", 1);
    private static final long HALT_SECONDS = 10;

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        endWithInput();
        String cluster = args[0];
        List<String> files = Arrays.asList(args).subList(2, args.length);
        List<Properties> nodes = new ArrayList<>();
        for (String file : files) {
            nodes.add(load(file));
            Format.storage(cluster, file);
        }
        Lookup lookup = new Lookup(bootstrap(nodes), nodes.get(0).getProperty("node.id"));
        ReservedStorage.use(args[1], lookup);
        List<KafkaRaftServer> servers = nodes.stream()
            .map(node -> new KafkaRaftServer(new KafkaConfig(node), Time.SYSTEM)).collect(Collectors.toList());
        // Each start waits for the quorum, so they have to start side by side.
        startTogether(servers);
        Nodes.watch(servers);
        HttpServer control = Control.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            control.stop(0);
            lookup.close();
            List<Thread> stops = new ArrayList<>();
            servers.forEach(server -> stops.add(new Thread(server::shutdown)));
            stops.forEach(Thread::start);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
            for (Thread stop : stops) {
                try {
                    stop.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
                } catch (InterruptedException e) {
                    return;
                }
            }
        }));
        System.out.println("READY " + control.getAddress().getPort());
        for (KafkaRaftServer server : servers) {
            server.awaitShutdown();
        }
    }

    private static void startTogether(List<KafkaRaftServer> servers) throws InterruptedException {
        List<Thread> starts = new ArrayList<>();
        servers.forEach(server -> starts.add(new Thread(() -> {
            try {
                server.startup();
            } catch (Throwable e) {
                // The others would wait for this node's vote for ever.
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        })));
        starts.forEach(Thread::start);
        for (Thread start : starts) {
            start.join();
        }
    }

    /** The plain listeners: the policy's own way in, whatever else a test adds. */
    private static String bootstrap(List<Properties> nodes) {
        return nodes.stream().flatMap(node -> Arrays.stream(node.getProperty("advertised.listeners").split(",")))
            .filter(listener -> listener.startsWith("PLAINTEXT://"))
            .map(listener -> listener.substring("PLAINTEXT://".length())).collect(Collectors.joining(","));
    }

    private static Properties load(String file) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = new FileInputStream(file)) {
            properties.load(in);
        }
        return properties;
    }

    private static void endWithInput() {
        Thread watcher = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is ever said; only the end counts.
                }
            } catch (IOException e) {
                // As good as the end.
            }
            Thread exit = new Thread(() -> System.exit(0));
            exit.setDaemon(true);
            exit.start();
            try {
                exit.join(TimeUnit.SECONDS.toMillis(HALT_SECONDS));
            } catch (InterruptedException e) {
                // Halt at once, then.
            }
            Runtime.getRuntime().halt(2);
        }, "end-with-input");
        watcher.setDaemon(true);
        watcher.start();
    }
}
