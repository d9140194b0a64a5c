// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package kafkatest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
)

// Grant allows one user operations on topics with a prefix, or on the cluster for "".
// Operations are named as kafka-acls.sh names them.
type Grant struct {
	Operations  []string
	TopicPrefix string
}

var grantOperations = map[string]kadm.ACLOperation{
	"Describe": kadm.OpDescribe, "DescribeConfigs": kadm.OpDescribeConfigs, "Create": kadm.OpCreate,
	"Alter": kadm.OpAlter, "AlterConfigs": kadm.OpAlterConfigs, "Delete": kadm.OpDelete,
}

// ParseGrants reads the commands of kafka-acls.sh in a text, by the user that they
// allow something: what documentation tells to grant is what a test grants.
func ParseGrants(text string) (map[string][]Grant, error) {
	grants := map[string][]Grant{}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "kafka-acls.sh" {
			continue
		}
		user, grant, err := parseGrant(words[1:])
		if err != nil {
			return nil, fmt.Errorf("kafkatest: %q: %w", line, err)
		}
		grants[user] = append(grants[user], grant)
	}
	return grants, nil
}

// parseGrant reads one command's options.
func parseGrant(words []string) (user string, grant Grant, err error) {
	var adds, cluster, prefixed bool
	for len(words) > 0 {
		option := words[0]
		words = words[1:]
		switch option {
		case "--add":
			adds = true
			continue
		case "--cluster":
			cluster = true
			continue
		}
		if len(words) == 0 {
			return "", grant, fmt.Errorf("%s has no value", option)
		}
		value := words[0]
		words = words[1:]
		switch option {
		case "--bootstrap-server":
		case "--allow-principal":
			user = strings.TrimPrefix(value, "User:")
		case "--operation":
			if _, known := grantOperations[value]; !known {
				return "", grant, fmt.Errorf("%s is no operation", value)
			}
			grant.Operations = append(grant.Operations, value)
		case "--topic":
			grant.TopicPrefix = value
		case "--resource-pattern-type":
			prefixed = value == "prefixed"
		default:
			return "", grant, fmt.Errorf("%s is not understood", option)
		}
	}
	if !adds || user == "" || len(grant.Operations) == 0 || cluster == (grant.TopicPrefix != "") || prefixed == cluster {
		return "", grant, fmt.Errorf("it must add, for a user, operations on the cluster or on topics with a prefix")
	}
	return user, grant, nil
}

// Without returns grants that lack one operation of one grant; others come in its place.
func Without(grants []Grant, of Grant, operation string, instead ...string) []Grant {
	var left []Grant
	for _, grant := range grants {
		if grant.TopicPrefix == of.TopicPrefix {
			kept := slices.DeleteFunc(slices.Clone(grant.Operations), func(each string) bool { return each == operation })
			grant.Operations = append(kept, instead...)
		}
		if len(grant.Operations) > 0 {
			left = append(left, grant)
		}
	}
	return left
}

// SetGrants replaces what a user may do.
func (r *Real) SetGrants(tb testing.TB, user string, grants ...Grant) {
	tb.Helper()
	admin := r.Admin(tb)
	old := kadm.NewACLs().Allow("User:" + user).AllowHosts().Deny("User:" + user).DenyHosts().AnyResource().ResourcePatternType(kadm.ACLPatternAny).Operations(kadm.OpAny)
	if _, err := admin.DeleteACLs(tb.Context(), old); err != nil {
		tb.Fatalf("kafkatest: acls: %v", err)
	}
	for _, grant := range grants {
		var operations []kadm.ACLOperation
		for _, operation := range grant.Operations {
			operations = append(operations, grantOperations[operation])
		}
		acl := kadm.NewACLs().Allow("User:" + user).AllowHosts("*").Operations(operations...)
		if grant.TopicPrefix == "" {
			acl = acl.Clusters().ResourcePatternType(kadm.ACLPatternLiteral)
		} else {
			acl = acl.Topics(grant.TopicPrefix).ResourcePatternType(kadm.ACLPatternPrefixed)
		}
		answers, err := admin.CreateACLs(tb.Context(), acl)
		if err != nil {
			tb.Fatalf("kafkatest: acls: %v", err)
		}
		for _, answer := range answers {
			if answer.Err != nil {
				tb.Fatalf("kafkatest: acls: %v %s", answer.Err, answer.ErrMessage)
			}
		}
	}
	r.Settle(tb)
}
