// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import "os"

// The environment variables that the provider reads. Names with KAFKA_ are those
// that the field's most used provider reads, so that a pipeline can switch
// without edits.
const (
	envBootstrapServers = "KAFKASTORAGE_BOOTSTRAP_SERVERS"
	envIncumbentServers = "KAFKA_BOOTSTRAP_SERVERS"
	envClientID         = "KAFKASTORAGE_CLIENT_ID"
	envRequestTimeout   = "KAFKASTORAGE_REQUEST_TIMEOUT"
	envTLSEnabled       = "KAFKASTORAGE_TLS_ENABLED"
	envIncumbentTLS     = "KAFKA_ENABLE_TLS"
	envPlatform         = "KAFKASTORAGE_PLATFORM"
	envCapacityBytes    = "KAFKASTORAGE_CAPACITY_BYTES"
	envLimitPercent     = "KAFKASTORAGE_LIMIT_PERCENT"
	envEnforcement      = "KAFKASTORAGE_ENFORCEMENT"

	envDeletionProtection  = "KAFKASTORAGE_DELETION_PROTECTION"
	envAdoptExisting       = "KAFKASTORAGE_ADOPT_EXISTING"
	envAdvice              = "KAFKASTORAGE_ADVICE"
	envPlanValidation      = "KAFKASTORAGE_PLAN_VALIDATION"
	envReplicationThrottle = "KAFKASTORAGE_REPLICATION_THROTTLE_BYTES_PER_SECOND"
)

// environment looks a variable up; empty means that it is not set.
type environment func(name string) string

// options are what tests replace.
type options struct {
	getenv environment
}

// osEnvironment is the process's own environment. This is the only place that reads it.
func osEnvironment(name string) string {
	return os.Getenv(name)
}
