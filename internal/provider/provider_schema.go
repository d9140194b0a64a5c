// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// names turns typed names into the strings that a validator lists.
func names[T ~string](values []T) []string {
	texts := make([]string, 0, len(values))
	for _, value := range values {
		texts = append(texts, string(value))
	}
	return texts
}

// providerSchema is the provider block.
func providerSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Manages Kafka topics and knows what they will hold: a plan adds up the storage that topics reserve and fails, with the numbers and the way out, when the quota would be exceeded.",
		Attributes: map[string]schema.Attribute{
			"bootstrap_servers": schema.ListAttribute{
				MarkdownDescription: "Brokers to connect to first, each as `host:port`; an element may hold several, separated by commas. Without a port it is 9092. An IPv6 address with a port stands in brackets: `[::1]:9092`. Environment: `KAFKASTORAGE_BOOTSTRAP_SERVERS`, then `KAFKA_BOOTSTRAP_SERVERS`. The provider connects when it first needs the cluster, so configurations that only use functions need none.",
				ElementType:         types.StringType,
				Optional:            true,
				Validators:          []validator.List{listvalidator.SizeAtLeast(1)},
			},
			"client_id": schema.StringAttribute{
				MarkdownDescription: "Client id that brokers show in their logs and quotas. Environment: `KAFKASTORAGE_CLIENT_ID`. Default: `terraform-provider-kafkastorage`.",
				Optional:            true,
			},
			"request_timeout": schema.StringAttribute{
				MarkdownDescription: "How long the cluster may take to answer a request, reaching it included, such as `30s` or `2m`, from `100ms` to `30m`. Environment: `KAFKASTORAGE_REQUEST_TIMEOUT`. Default: `30s`.",
				Optional:            true,
			},
			"tls":  tlsAttribute(),
			"sasl": saslAttribute(),
			"platform": schema.StringAttribute{
				MarkdownDescription: "What kind of cluster it is. `kafka`: replicas count, limit 85 percent. `event_streams` (IBM Event Streams): partitions count once, limit 90 percent. `msk` (Amazon MSK with Standard brokers): as `kafka`, with MSK's rules for tiered topics. `msk_express` (Express brokers): replicas count, limit 85 percent, and topics have no settings for segments and tiers. Environment: `KAFKASTORAGE_PLATFORM`. Default: `kafka`.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.OneOf(names(reservation.Platforms())...)},
			},
			"plan_validation": schema.StringAttribute{
				MarkdownDescription: "Whose verdict a plan carries. `broker`: every planned creation, change and added partition is also sent to the cluster with validate-only, and the principal's rights are held against the plan, so that a refusal by the cluster's own policies and a missing right are heard before an apply. `offline`: the plan reads the cluster and asks for no verdict. Credentials that may change nothing plan as with `offline`. Environment: `KAFKASTORAGE_PLAN_VALIDATION`. Default: `broker`.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.OneOf(names(planValidations())...)},
			},
			"replication_throttle_bytes_per_second": schema.Int64Attribute{
				MarkdownDescription: "How much each broker may copy while a changed `replication_factor` moves replicas, in bytes per second. It holds for the replicas that move and is removed afterwards, also when the run fails or is interrupted; a throttle that somebody else has set stays as it is. Environment: `KAFKASTORAGE_REPLICATION_THROTTLE_BYTES_PER_SECOND`. Default: no throttle.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
			},
			"storage_quota": quotaAttribute(),
			"deletion_protection": schema.BoolAttribute{
				MarkdownDescription: "Whether topics that do not say so themselves are protected from deletion. Environment: `KAFKASTORAGE_DELETION_PROTECTION`. Default: `false`.",
				Optional:            true,
			},
			"advice": schema.BoolAttribute{
				MarkdownDescription: "Whether plans tell, as warnings, what settings will lead to: data that outlives its limit, segments that never fill, indexes that are too small, local limits that free nothing. It is told of topics that a plan creates or whose settings it changes, once a kind. Data that will be lost, tiered settings that change hands and a weakened gate are told in any case. Environment: `KAFKASTORAGE_ADVICE`. Default: `true`.",
				Optional:            true,
			},
			"adopt_existing": schema.BoolAttribute{
				MarkdownDescription: "What happens when a topic to create exists already: `false` is an error that names the import, `true` takes the topic over and changes only what the configuration says. Environment: `KAFKASTORAGE_ADOPT_EXISTING`. Default: `false`.",
				Optional:            true,
			},
		},
	}
}

// quotaAttribute is the block that says what may be reserved.
func quotaAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: "What topics may reserve in total. Without a capacity totals are computed and shown, and nothing is enforced.",
		Optional:            true,
		Attributes: map[string]schema.Attribute{
			"capacity_bytes": schema.Int64Attribute{
				MarkdownDescription: "Storage configured for the instance, in bytes. Environment: `KAFKASTORAGE_CAPACITY_BYTES`.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
			},
			"limit_percent": schema.Int64Attribute{
				MarkdownDescription: "Part of the capacity that may be reserved, in whole percent. A total of exactly that many bytes is allowed. Environment: `KAFKASTORAGE_LIMIT_PERCENT`. Default: `90` on `event_streams`, else `85`.",
				Optional:            true,
				Validators:          []validator.Int64{int64validator.Between(1, 100)},
			},
			"enforcement": schema.StringAttribute{
				MarkdownDescription: "What happens when growth would exceed the limit: `error` fails the plan, `warn` lets it pass with a warning, `off` says nothing. The environment variable `KAFKASTORAGE_ENFORCEMENT` beats this setting; it is the emergency switch, and every run under a gate that it weakens says so. Default: `error`.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.OneOf(names(quota.Enforcements())...)},
			},
			"accounting": schema.StringAttribute{
				MarkdownDescription: "What is added up: `reserved`, the reservations of all topics. Default: `reserved`.",
				Optional:            true,
				Validators:          []validator.String{stringvalidator.OneOf(string(quota.Reserved))},
			},
		},
	}
}
