// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
)

// What is wrong with the settings that say how to connect. No message repeats a value
// that may be secret.

// environmentHint names the variables of an attribute.
func environmentHint(at path.Path) string {
	if variables := connectionVariables[at.String()]; len(variables) > 0 {
		return " (or " + strings.Join(variables, " or ") + " in the environment)"
	}
	return ""
}

// from says that a value came out of a variable.
func from(source string) string {
	if source == "" || source == fromConfiguration {
		return ""
	}
	return fmt.Sprintf(" It comes from %s in the environment.", source)
}

// missingSetting is a setting that another one needs.
func missingSetting(at path.Path, why string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Connection setting is missing",
		fmt.Sprintf("%s. Set %s%s. %s", why, at, environmentHint(at), nothingChanged))
}

// contradiction is two settings that exclude each other.
func contradiction(at path.Path, why string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Connection settings contradict each other", fmt.Sprintf("%s. Remove one of them. %s", why, nothingChanged))
}

// settingOfAnother is a setting of a mechanism that is not the one in use.
func settingOfAnother(at path.Path, of, mechanism string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Connection settings contradict each other",
		fmt.Sprintf("%s is for the mechanism %s, and the mechanism is %s. Remove %s, or change sasl.mechanism. %s", at, of, mechanism, at, nothingChanged))
}

// uselessWithoutTLS is a setting of TLS beside TLS that is off.
func uselessWithoutTLS(at path.Path, source string) diag.Diagnostic {
	off := "tls.enabled = false switches TLS off"
	if source != fromConfiguration {
		off = source + " in the environment switches TLS off"
	}
	return diag.NewAttributeErrorDiagnostic(at, "Connection settings contradict each other",
		fmt.Sprintf("%s is set, and %s. Remove one of them. %s", at, off, nothingChanged))
}

// unusableField is a certificate or key that cannot be used.
func unusableField(at path.Path, field *kafka.FieldError, source string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Certificate or key cannot be used",
		fmt.Sprintf("%s %s.%s\n\nA PEM attribute takes the content, as file(\"…\") returns it, or the path of the file. %s", at, field.Reason, from(source), nothingChanged))
}

// invalidServerName is a name that no certificate bears.
func invalidServerName(at path.Path, name, problem, source string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Server name must be the name in a certificate",
		fmt.Sprintf("%s = %q cannot be used: %s.%s Write the host's name alone, for example \"b1.example.com\". %s", at, name, problem, from(source), nothingChanged))
}

// unknownMechanism is a word that is no mechanism.
func unknownMechanism(at path.Path, word, source string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Login mechanism is not known",
		fmt.Sprintf("%q is no mechanism; write %s.%s %s", word, oneOf(names(kafka.Mechanisms())), from(source), nothingChanged))
}

// emptyTokenVariable is a variable without the token that it is to hold.
func emptyTokenVariable(at path.Path, variable string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Token is missing from the environment",
		fmt.Sprintf("%s says that the token is in the environment variable %q, which is empty or not set in this run. Set the variable, or correct its name. %s", at, variable, nothingChanged))
}

// invalidTokenURL is an endpoint that is no address.
func invalidTokenURL(at path.Path) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Value cannot be used",
		fmt.Sprintf("%s must be a URL such as https://login.example.com/oauth2/token. %s", at, nothingChanged))
}

// invalidExtension is what RFC 7628 does not take.
func invalidExtension(at path.Path, name string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Value cannot be used",
		fmt.Sprintf("Extension %q: its name must be letters only and not \"auth\", its value printable ASCII (RFC 7628, 3.1). %s", name, nothingChanged))
}

// invalidServer is an address that cannot be dialled.
func invalidServer(at path.Path, server, problem, source string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Bootstrap server must be host:port",
		fmt.Sprintf("%q cannot be used: %s.%s Write, for example, \"b1.example.com:9092\". %s", server, problem, from(source), nothingChanged))
}
