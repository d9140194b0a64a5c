// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.util.List;
import java.util.Map;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/** Refuses a create that the reserved-storage rule does not allow. */
public final class ReservedStorageCreatePolicy implements CreateTopicPolicy {
    @Override
    public void configure(Map<String, ?> configs) {
    }

    @Override
    public void validate(RequestMetadata request) {
        int partitions;
        int replicas;
        if (request.numPartitions() != null) {
            partitions = request.numPartitions();
            replicas = partitions * request.replicationFactor();
        } else {
            Map<Integer, List<Integer>> assignments = request.replicasAssignments();
            partitions = assignments.size();
            replicas = assignments.values().stream().mapToInt(List::size).sum();
        }
        ReservedStorage.judgeCreate(request.topic(), partitions, replicas, request.configs());
    }

    @Override
    public void close() {
    }
}
