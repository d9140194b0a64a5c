// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.AlterConfigPolicy;

/** The same house rule for changes: a key that is removed comes with the value null. */
public final class MinInsyncAlterPolicy implements AlterConfigPolicy {
    @Override
    public void configure(Map<String, ?> configs) {
    }

    @Override
    public void validate(RequestMetadata request) {
        Map<String, String> changed = request.configs();
        if (request.resource().type() == ConfigResource.Type.TOPIC && changed.containsKey(MinInsyncCreatePolicy.KEY)
            && !"2".equals(changed.get(MinInsyncCreatePolicy.KEY))) {
            throw new PolicyViolationException(MinInsyncCreatePolicy.WORDS);
        }
    }

    @Override
    public void close() {
    }
}
