// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"testing"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafkatest"
)

// alter changes a topic's settings behind Terraform's back.
func alter(t *testing.T, fake *kafkatest.Fake, topic string, settings map[string]string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := fake.Alter(ctx, topic, settings); err != nil {
		t.Fatal(err)
	}
}
