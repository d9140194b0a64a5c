// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// defaultPort is the port of a server that is written without one.
const defaultPort = "9092"

// servers resolves the bootstrap servers.
func (r *settingsReader) servers(ctx context.Context, value types.List) []string {
	at := path.Root("bootstrap_servers")
	var servers []string
	add := func(at path.Path, source, text string) {
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			server, problem := parseServer(part)
			shown := part
			if _, bare, found := strings.Cut(part, "@"); found { // what stands before it may be a password
				shown = "…@" + bare
			}
			switch {
			case problem == schemeProblem:
				r.diags.Append(serverWithScheme(at, shown, source))
			case problem != "":
				r.diags.Append(invalidServer(at, shown, problem, source))
			case !slices.Contains(servers, server):
				servers = append(servers, server)
			}
		}
	}
	given := value.IsUnknown()
	if r.known(value) {
		var elements []types.String
		r.diags.Append(value.ElementsAs(ctx, &elements, false)...)
		for i, element := range elements {
			given = given || element.IsUnknown() || strings.Trim(element.ValueString(), ", \t\r\n") != ""
			if r.known(element) {
				add(at.AtListIndex(i), fromConfiguration, element.ValueString())
			}
		}
	}
	if given { // a list of blanks counts as not set
		return servers
	}
	if name, text, ok := r.fromEnv([]string{envBootstrapServers, envIncumbentServers}); ok {
		add(at, name, text)
	}
	return servers
}

// schemeProblem is a server written as a URL, which gets a message of its own.
const schemeProblem = "it names a scheme"

// parseServer brings a server into the form host:port; problem says why it cannot.
func parseServer(text string) (server, problem string) {
	if strings.Contains(text, "@") {
		return "", "it names a user, for which sasl is the place"
	}
	if strings.Contains(text, "://") {
		return "", schemeProblem
	}
	if strings.ContainsAny(text, " \t\r\n/@?#\\\"'") {
		return "", "it holds a character that no address has"
	}
	address, bracketed := strings.CutPrefix(text, "[")
	if bracketed {
		if address, bracketed = strings.CutSuffix(address, "]"); !bracketed {
			address = ""
		}
	}
	if bare, err := netip.ParseAddr(address); err == nil && (bare.Is6() || !strings.Contains(text, ":")) {
		return net.JoinHostPort(bare.String(), defaultPort), ""
	}
	if !strings.Contains(text, ":") {
		text += ":" + defaultPort
	}
	host, port, err := net.SplitHostPort(text)
	switch {
	case err != nil && strings.Count(text, ":") > 1:
		return "", "an IPv6 address with a port must stand in brackets, as in [::1]:9092"
	case err != nil:
		return "", "it is not of the form host:port"
	case host == "":
		return "", "it has no host"
	case strings.ContainsAny(host, "[]"):
		return "", "it has brackets in the wrong place"
	case strings.Contains(host, ":"):
		if _, err := netip.ParseAddr(host); err != nil {
			return "", "the part in brackets is no IPv6 address"
		}
	}
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		return "", "the port must be a whole number from 1 to 65535"
	}
	return net.JoinHostPort(host, port), ""
}
