// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.server.policy.AlterConfigPolicy;

/** Refuses a change of topic settings that the reserved-storage rule does not allow. */
public final class ReservedStorageAlterPolicy implements AlterConfigPolicy {
    @Override
    public void configure(Map<String, ?> configs) {
    }

    @Override
    public void validate(RequestMetadata request) {
        if (request.resource().type() == ConfigResource.Type.TOPIC) {
            ReservedStorage.judgeAlter(request.resource().name(), request.configs());
        }
    }

    @Override
    public void close() {
    }
}
