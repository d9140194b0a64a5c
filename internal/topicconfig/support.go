// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package topicconfig

// Support says whether a cluster has something switched on.
type Support int

// The zero value is a cluster that does not tell.
const (
	SupportUnknown Support = iota
	SupportOff
	SupportOn
)
