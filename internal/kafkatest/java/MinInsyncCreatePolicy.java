// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkastorage;

import java.util.Map;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/** A house rule that no provider models: every new topic sets min.insync.replicas to 2. */
public final class MinInsyncCreatePolicy implements CreateTopicPolicy {
    static final String KEY = "min.insync.replicas";
    static final String WORDS = KEY + " must be 2";

    @Override
    public void configure(Map<String, ?> configs) {
    }

    @Override
    public void validate(RequestMetadata request) {
        if (!request.topic().startsWith("__") && !"2".equals(request.configs().get(KEY))) {
            throw new PolicyViolationException(WORDS);
        }
    }

    @Override
    public void close() {
    }
}
