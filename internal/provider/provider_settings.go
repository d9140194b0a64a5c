// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/kafka"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/quota"
	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/reservation"
)

// providerModel is the provider block as Terraform sends it.
type providerModel struct {
	BootstrapServers types.List   `tfsdk:"bootstrap_servers"` //< types.String
	ClientID         types.String `tfsdk:"client_id"`
	RequestTimeout   types.String `tfsdk:"request_timeout"`
	TLS              types.Object `tfsdk:"tls"`  //< tlsModel
	SASL             types.Object `tfsdk:"sasl"` //< saslModel
	Platform         types.String `tfsdk:"platform"`
	PlanValidation   types.String `tfsdk:"plan_validation"`
	StorageQuota     types.Object `tfsdk:"storage_quota"` //< quotaModel

	DeletionProtection  types.Bool  `tfsdk:"deletion_protection"`
	AdoptExisting       types.Bool  `tfsdk:"adopt_existing"`
	Advice              types.Bool  `tfsdk:"advice"`
	ReplicationThrottle types.Int64 `tfsdk:"replication_throttle_bytes_per_second"`
}

// quotaModel is the storage_quota attribute.
type quotaModel struct {
	CapacityBytes types.Int64  `tfsdk:"capacity_bytes"`
	LimitPercent  types.Int64  `tfsdk:"limit_percent"`
	Enforcement   types.String `tfsdk:"enforcement"`
	Accounting    types.String `tfsdk:"accounting"`
}

// Where the enforcement comes from.
const (
	fromDefault       = "default"
	fromConfiguration = "configuration"
	fromEnvironment   = "environment"
)

// providerSettings is the provider block with the environment and the defaults
// laid in.
type providerSettings struct {
	kafka    kafka.Config
	platform reservation.Platform
	quota    quota.Settings
	// configured is the enforcement that the configuration asks for, before the
	// environment; enforcementSource says where the one in quota comes from.
	configured        quota.Enforcement
	enforcementSource string
	// deletionProtection protects topics that say nothing themselves.
	deletionProtection bool
	// adoptExisting takes over a topic that a create finds.
	adoptExisting bool
	// advice says that plans tell what settings will lead to.
	advice bool
	// planValidation says whose verdict a plan carries.
	planValidation planValidation
	// replicationThrottle bounds the copying of moved replicas; 0 does not.
	replicationThrottle int64
	// unknown says that a value is not known yet, so the cluster cannot be asked.
	unknown bool
}

// gateWeakened says that the environment lets pass what the configuration would refuse.
func (s providerSettings) gateWeakened() bool {
	return s.quota.HasCapacity() && s.enforcementSource == fromEnvironment && s.quota.Enforcement.WeakerThan(s.configured)
}

// enforceWeakened says the same of a data source's own enforce where the provider
// block's enforcement is no stricter than the environment's, so that nothing has
// been said about it yet.
func (s providerSettings) enforceWeakened() bool {
	return s.quota.HasCapacity() && s.enforcementSource == fromEnvironment && s.quota.Enforcement.WeakerThan(quota.Error) && !s.gateWeakened()
}

// readProviderSettings resolves every setting: configuration, then environment,
// then default; for the enforcement the environment comes first.
func readProviderSettings(ctx context.Context, model providerModel, getenv environment) (providerSettings, diag.Diagnostics) {
	r := &settingsReader{getenv: getenv}
	var limits quotaModel
	r.object(ctx, model.StorageQuota, &limits)
	settings := providerSettings{
		kafka: kafka.Config{
			Servers:        r.servers(ctx, model.BootstrapServers),
			ClientID:       r.text(path.Root("client_id"), model.ClientID, "terraform-provider-kafkastorage", envClientID),
			RequestTimeout: r.timeout(model.RequestTimeout),
			TLS:            r.tls(ctx, model.TLS),
			SASL:           r.sasl(ctx, model.SASL),
		},
		platform:           r.platform(model.Platform),
		deletionProtection: r.boolean(path.Root("deletion_protection"), model.DeletionProtection, false, envDeletionProtection),
		adoptExisting:      r.boolean(path.Root("adopt_existing"), model.AdoptExisting, false, envAdoptExisting),
		advice:             r.boolean(path.Root("advice"), model.Advice, true, envAdvice),
		planValidation:     r.planValidation(model.PlanValidation),
	}
	settings.replicationThrottle = r.integer(path.Root("replication_throttle_bytes_per_second"), model.ReplicationThrottle, 0, 1, 1<<63-1, envReplicationThrottle)
	block := path.Root("storage_quota")
	settings.quota = quota.Settings{
		CapacityBytes: r.integer(block.AtName("capacity_bytes"), limits.CapacityBytes, 0, 1, 1<<63-1, envCapacityBytes),
		LimitPercent:  r.integer(block.AtName("limit_percent"), limits.LimitPercent, settings.platform.LimitPercent(), 1, 100, envLimitPercent),
		Accounting:    quota.Reserved,
	}
	r.known(limits.Accounting)
	r.enforcement(block.AtName("enforcement"), limits.Enforcement, &settings)
	settings.unknown = r.unknown
	return settings, r.diags
}

// settingsReader resolves values one by one and gathers what is wrong.
type settingsReader struct {
	getenv  environment
	unknown bool
	diags   diag.Diagnostics
}

// known reports whether the configuration gives a value, and remembers one that is unknown.
func (r *settingsReader) known(value attr.Value) bool {
	if value.IsUnknown() {
		r.unknown = true
		return false
	}
	return !value.IsNull()
}

// object reads a nested attribute, if there is one, into a model of it.
func (r *settingsReader) object(ctx context.Context, value types.Object, model any) {
	if r.known(value) {
		r.diags.Append(value.As(ctx, model, basetypes.ObjectAsOptions{})...)
	}
}

// given reports whether the configuration gives a text. One of blanks only counts as
// not set, as an empty variable does: modules hand their own defaults down like that.
func (r *settingsReader) given(value types.String) bool {
	return r.known(value) && strings.TrimSpace(value.ValueString()) != ""
}

// fromEnv returns the first variable that is set.
func (r *settingsReader) fromEnv(names []string) (name, value string, ok bool) {
	for _, name := range names {
		if value := strings.TrimSpace(r.getenv(name)); value != "" {
			return name, value, true
		}
	}
	return "", "", false
}

// text resolves a string.
func (r *settingsReader) text(_ path.Path, value types.String, fallback string, env ...string) string {
	if r.given(value) {
		return strings.TrimSpace(value.ValueString())
	}
	if _, text, ok := r.fromEnv(env); ok {
		return text
	}
	return fallback
}

// boolean resolves a boolean.
func (r *settingsReader) boolean(at path.Path, value types.Bool, fallback bool, env ...string) bool {
	if r.known(value) {
		return value.ValueBool()
	}
	if name, text, ok := r.fromEnv(env); ok {
		parsed, err := strconv.ParseBool(text)
		if err != nil {
			r.diags.Append(invalidEnvironment(at, name, text, "true or false"))
		}
		return parsed
	}
	return fallback
}

// integer resolves a whole number within bounds.
func (r *settingsReader) integer(at path.Path, value types.Int64, fallback, least, most int64, env ...string) int64 {
	if r.known(value) {
		return value.ValueInt64()
	}
	if name, text, ok := r.fromEnv(env); ok {
		parsed, err := strconv.ParseInt(text, 10, 64)
		if err != nil || parsed < least || parsed > most {
			r.diags.Append(invalidEnvironment(at, name, text, "a whole number from "+strconv.FormatInt(least, 10)+" to "+strconv.FormatInt(most, 10)))
		}
		return parsed
	}
	return fallback
}

// The bounds of request_timeout: below, the client library waits longer than that;
// above, a wrong address costs an afternoon.
const (
	leastTimeout = 100 * time.Millisecond
	mostTimeout  = 30 * time.Minute
)

// timeout resolves request_timeout.
func (r *settingsReader) timeout(value types.String) time.Duration {
	const want = "a duration from 100ms to 30m, such as 45s or 2m"
	at := path.Root("request_timeout")
	read := func(text string) (time.Duration, bool) {
		parsed, err := time.ParseDuration(text)
		return parsed, err == nil && parsed >= leastTimeout && parsed <= mostTimeout
	}
	if r.given(value) {
		parsed, ok := read(strings.TrimSpace(value.ValueString()))
		if !ok {
			r.diags.Append(invalidValue(at, value.ValueString(), want))
		}
		return parsed
	}
	if name, text, ok := r.fromEnv([]string{envRequestTimeout}); ok {
		parsed, ok := read(text)
		if !ok {
			r.diags.Append(invalidEnvironment(at, name, text, want))
		}
		return parsed
	}
	return kafka.DefaultRequestTimeout
}

// platform resolves the platform.
func (r *settingsReader) platform(value types.String) reservation.Platform {
	if r.known(value) {
		return reservation.Platform(value.ValueString())
	}
	if name, text, ok := r.fromEnv([]string{envPlatform}); ok {
		platform, err := reservation.ParsePlatform(text)
		if err != nil {
			r.diags.Append(invalidEnvironment(path.Root("platform"), name, text, oneOf(names(reservation.Platforms()))))
		}
		return platform
	}
	return reservation.Kafka
}

// planValidation says whose verdict a plan carries.
type planValidation string

// The plan validations.
const (
	// validateAtBroker: planned changes are also sent to the cluster with validate-only,
	// and the principal's rights are held against them.
	validateAtBroker planValidation = "broker"
	// validateOffline: a plan asks the cluster for nothing but its state.
	validateOffline planValidation = "offline"
)

// planValidations lists them.
func planValidations() []planValidation {
	return []planValidation{validateAtBroker, validateOffline}
}

// planValidation resolves whose verdict a plan carries.
func (r *settingsReader) planValidation(value types.String) planValidation {
	at := path.Root("plan_validation")
	validation := planValidation(r.text(at, value, string(validateAtBroker), envPlanValidation))
	if !slices.Contains(planValidations(), validation) && !value.IsUnknown() {
		r.diags.Append(invalidEnvironment(at, envPlanValidation, string(validation), oneOf(names(planValidations()))))
	}
	return validation
}

// enforcement resolves the enforcement: the environment wins, and where the value
// comes from is remembered.
func (r *settingsReader) enforcement(at path.Path, value types.String, settings *providerSettings) {
	settings.configured, settings.enforcementSource = quota.Error, fromDefault
	if r.known(value) {
		settings.configured, settings.enforcementSource = quota.Enforcement(value.ValueString()), fromConfiguration
	}
	settings.quota.Enforcement = settings.configured
	name, text, ok := r.fromEnv([]string{envEnforcement})
	if !ok {
		return
	}
	enforcement, err := quota.ParseEnforcement(text)
	if err != nil {
		r.diags.Append(invalidEnvironment(at, name, text, oneOf(names(quota.Enforcements()))))
		return
	}
	settings.quota.Enforcement, settings.enforcementSource = enforcement, fromEnvironment
}
