// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"regexp/syntax"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// wantRegularExpression completes the sentence "must be …".
const wantRegularExpression = "a regular expression of RE2, such as ^orders\\."

// invalidRegularExpression is a filter that cannot be read.
func invalidRegularExpression(at path.Path, value string, err error) diag.Diagnostic {
	why := err.Error()
	var syntaxError *syntax.Error
	if errors.As(err, &syntaxError) {
		why = fmt.Sprintf("%s: %s", syntaxError.Code, syntaxError.Expr)
	}
	return diag.NewAttributeErrorDiagnostic(at, "Regular expression cannot be used",
		fmt.Sprintf("%s = %q must be %s (%s). RE2 has no look-around and no back-references. %s", at, value, wantRegularExpression, why, nothingChanged))
}

// topicNotFound is a data source of a topic that is not there.
func topicNotFound(name string, topics int) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Topic was not found",
		fmt.Sprintf("The cluster has no topic %q among the %s that it shows. Names are case-sensitive; kafka-topics.sh --list prints them. "+
			"For a topic that the same apply creates, set wait_for to its topic_id: Terraform then reads it afterwards. %s", name, count(topics, "topic"), nothingChanged))
}

// topicsNotListed says that a search shows less than the cluster holds.
func topicsNotListed(names []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Topics may not be read and are not listed",
		fmt.Sprintf("%s of the cluster may not be read (%s). To list them, allow the principal DescribeConfigs on them:\n  %s",
			count(len(names), "topic"), firstOf(names), allowReading))
}

// clusterUnknownAtQuery is a search without an address to ask.
func clusterUnknownAtQuery() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Kafka cluster is not known yet",
		"The provider block holds values that are known only after apply, so no topic can be listed. Apply what supplies them first, or write the addresses into the provider block. "+nothingChanged)
}
