// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

// The words for timelines that cannot be worked out.

// timelineRefused is an input that cannot be used.
func timelineRefused(at path.Path, err error) diag.Diagnostic {
	var bound *retention.NotTimeBoundError
	if errors.As(err, &bound) {
		return diag.NewAttributeErrorDiagnostic(at, "Compacted topic has no timeline",
			fmt.Sprintf("%v. Ask for a topic with cleanup.policy = delete. %s", bound, nothingChanged))
	}
	return diag.NewAttributeErrorDiagnostic(at, "Timeline cannot be worked out", fmt.Sprintf("%s %s", sentence(err), nothingChanged))
}

// timelineTopicNotFound is a topic without settings to work with.
func timelineTopicNotFound(topic string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("topic"), "Topic was not found",
		fmt.Sprintf("The cluster has no topic %q. For one that is still to be created, pass its planned settings in config. %s", topic, nothingChanged))
}
