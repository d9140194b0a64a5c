// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafka

import (
	"context"
	"math"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Rights are the operations that the principal is allowed on a topic (KIP-430), as
// the bits of Kafka's AclOperation; 0 where the cluster does not tell.
type Rights int32

// Operation is an operation of Kafka's access control on topics.
type Operation int

// The operations that this provider needs, by AclOperation's codes (Apache Kafka 4.4).
const (
	OperationCreate       Operation = 5
	OperationDelete       Operation = 6
	OperationAlter        Operation = 7
	OperationDescribe     Operation = 8
	OperationAlterConfigs Operation = 11
)

// String is the name that kafka-acls.sh takes.
func (o Operation) String() string {
	switch o {
	case OperationCreate:
		return "Create"
	case OperationDelete:
		return "Delete"
	case OperationAlter:
		return "Alter"
	case OperationDescribe:
		return "Describe"
	case OperationAlterConfigs:
		return "AlterConfigs"
	}
	return "unknown"
}

// Grants says that the cluster tells of a right.
func (r Rights) Grants(operation Operation) bool {
	return r&(1<<operation) != 0
}

// Denies says that the cluster tells of the rights, and this one is not among them.
func (r Rights) Denies(operation Operation) bool {
	return r != 0 && !r.Grants(operation)
}

// rightsFrom reads the bits. Metadata shows a topic only to those who may describe
// it, so bits without that one come from a cluster that does not tell.
func rightsFrom(bits int32) Rights {
	if rights := Rights(bits); bits != math.MinInt32 && rights.Grants(OperationDescribe) {
		return rights
	}
	return 0
}

// readsOnly says that the principal may change nothing that the cluster shows: no
// topic grants a right to write, and the cluster none to create. Such credentials
// plan and never apply. Where any of it is not told, the answer is no.
func (c *Client) readsOnly(ctx context.Context, topics map[string]Topic) bool {
	for _, topic := range topics {
		if topic.Rights == 0 {
			return false
		}
		for _, operation := range []Operation{OperationCreate, OperationDelete, OperationAlter, OperationAlterConfigs} {
			if topic.Rights.Grants(operation) {
				return false
			}
		}
	}
	// Only now is it worth a request: most principals may write something.
	request := kmsg.NewPtrDescribeClusterRequest()
	request.IncludeClusterAuthorizedOperations = true
	response, _, err := c.send(ctx, request)
	if err != nil {
		return false // brokers before 2.8 do not know the request, and nothing depends on it
	}
	cluster, ok := response.(*kmsg.DescribeClusterResponse)
	if !ok || cluster.ErrorCode != 0 || cluster.ClusterAuthorizedOperations == math.MinInt32 {
		return false
	}
	// No bit at all is what Kafka answers to those who may not describe the cluster
	// (KafkaApis.handleDescribeCluster, 4.4).
	return !Rights(cluster.ClusterAuthorizedOperations).Grants(OperationCreate)
}
