// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Right allows everybody who connects to a fake cluster one operation, by Kafka's
// own name for it: on a topic, on all topics ("*"), or on the cluster (no topic).
type Right struct {
	Operation string
	Topic     string
}

// RightsOn lists operations on one topic.
func RightsOn(topic string, operations ...string) []Right {
	var rights []Right
	for _, operation := range operations {
		rights = append(rights, Right{Operation: operation, Topic: topic})
	}
	return rights
}

// rightsOptions switch access control on, with these rights and no others.
func rightsOptions(rights []Right) ([]kfake.Opt, error) {
	if rights == nil {
		return nil, nil
	}
	var acls []kfake.ACL
	for _, right := range rights {
		operation, err := kmsg.ParseACLOperation(right.Operation)
		if err != nil {
			return nil, fmt.Errorf("kafkatest: %q is no operation: %w", right.Operation, err)
		}
		acl := kfake.ACL{
			Resource: kmsg.ACLResourceTypeTopic, Name: right.Topic, Pattern: kmsg.ACLResourcePatternTypeLiteral,
			Operation: operation, Allow: true,
		}
		if right.Topic == "" {
			acl.Resource, acl.Name = kmsg.ACLResourceTypeCluster, "kafka-cluster"
		}
		acls = append(acls, acl)
	}
	// The user's name is Kafka's own wildcard for principals.
	return []kfake.Opt{kfake.EnableACLs(), kfake.User("PLAIN", "*", "unused", acls...)}, nil
}
