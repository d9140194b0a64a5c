// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads the cluster's topics through its own plain listener. The metadata is served without the controller's thread,
 * so a policy that runs on that thread may wait for the answers.
 */
final class Lookup {
    /** One topic as the rule sees it. */
    record Topic(int partitions, int replicas, Map<String, String> settings) {
    }

    /** Topic-level setting to the broker-level setting that it inherits. */
    private static final Map<String, String> INHERITED = Map.of(
        "cleanup.policy", "log.cleanup.policy",
        "retention.bytes", "log.retention.bytes",
        "segment.bytes", "log.segment.bytes",
        "segment.index.bytes", "log.index.size.max.bytes");

    private final String bootstrap;
    private final String node;
    private Admin admin;

    Lookup(String bootstrap, String node) {
        this.bootstrap = bootstrap;
        this.node = node;
    }

    /** All topics but internal ones and names that start with two underscores. */
    Map<String, Topic> topics() {
        Nodes.awaitMetadata();
        return asked(this::topicsNow);
    }

    /** What a topic without settings of its own inherits. */
    Map<String, String> defaults() {
        Nodes.awaitMetadata();
        return asked(this::defaultsNow);
    }

    private Map<String, Topic> topicsNow() throws Exception {
        Set<String> names = admin().listTopics().names().get().stream()
            .filter(name -> !name.startsWith("__")).collect(Collectors.toSet());
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, KafkaFuture<TopicDescription>> descriptions = admin().describeTopics(names).topicNameValues();
        Collection<ConfigResource> resources = new ArrayList<>();
        names.forEach(name -> resources.add(new ConfigResource(ConfigResource.Type.TOPIC, name)));
        Map<ConfigResource, KafkaFuture<Config>> configs = admin().describeConfigs(resources).values();
        Map<String, Topic> topics = new HashMap<>();
        for (ConfigResource resource : resources) {
            try {
                TopicDescription description = descriptions.get(resource.name()).get();
                Config config = configs.get(resource).get();
                Map<String, String> settings = new HashMap<>();
                INHERITED.keySet().forEach(key -> settings.put(key, config.get(key).value()));
                int replicas = description.partitions().stream().mapToInt(p -> p.replicas().size()).sum();
                topics.put(resource.name(), new Topic(description.partitions().size(), replicas, settings));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                } // Deleted between the two questions: it counts no more.
            }
        }
        return topics;
    }

    private Map<String, String> defaultsNow() throws Exception {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, node);
        Config config = admin().describeConfigs(List.of(broker)).all().get().get(broker);
        Map<String, String> defaults = new HashMap<>();
        INHERITED.forEach((key, name) -> defaults.put(key, config.get(name).value()));
        return defaults;
    }

    private interface Question<T> {
        T ask() throws Exception;
    }

    /** A failed lookup is no verdict. The client sees no text of it, so it goes to the log in full. */
    private static <T> T asked(Question<T> question) {
        try {
            return question.ask();
        } catch (Exception e) {
            e.printStackTrace();
            throw new IllegalStateException("reserved-storage lookup failed", e);
        }
    }

    private synchronized Admin admin() {
        if (admin == null) {
            admin = Admin.create(Map.of("bootstrap.servers", bootstrap, "client.id", "reserved-storage-policy",
                "request.timeout.ms", "5000", "default.api.timeout.ms", "10000", "retry.backoff.ms", "20"));
        }
        return admin;
    }

    synchronized void close() {
        if (admin != null) {
            admin.close(java.time.Duration.ZERO);
            admin = null;
        }
    }
}
