// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package internal_test

// mutant is a rule switched off: one place of the code, what it becomes, and the
// test that has to notice. A test that passes all the same proves nothing.
type mutant struct {
	kind string // the kind of fault that the rule guards against
	rule string // in words
	file string // in the module
	old  string // exactly once in the file
	new  string
	room string // the package whose tests must notice
	test string // which of them
}

const (
	inProvider = "internal/provider"
	inKafka    = "internal/kafka"

	inRetention = "internal/retention"
)

// mutants are grouped by the kinds of fault that tools like this one are known for.
var mutants = []mutant{
	{
		"drift", "what the topic itself does not set is not managed",
		"internal/provider/topic_resource_model.go", "case !entry.Override || !listed &&", "case !listed &&", inProvider, "TestTopicCounts_LeftOutFollowTheClusterAndStay",
	},
	{
		"drift", "throttles of a reassignment belong to whoever runs it",
		"internal/provider/topic_resource_model.go", "case slices.Contains(throttleKeys, key), ", "case ", inProvider, "TestTopicReadLeavesForeignSettingsAlone",
	},
	{
		"drift", "tiered settings belong to whoever switched tiering on",
		"internal/provider/topic_resource_model.go", "return imported || listsTiering(written)", "return true", inProvider, "TestTopicReadLeavesForeignSettingsAlone",
	},
	{
		"drift", "a setting added by hand shows as a change in place",
		"internal/provider/topic_resource_model.go", "|| !listed && !manages(key, written, imported): //", "|| !listed || !manages(key, written, imported): //", inProvider, "TestTopicReadKeepsSpelling",
	},
	{
		"drift", "what a service shows as its own is not managed",
		"internal/provider/topic_resource_model.go", "case !entry.HasValue || entry.ReadOnly && !listed:", "case !entry.HasValue:", inProvider, "TestTopicSensitive_KeepsWhatWasSentAndNeverDrifts",
	},
	{
		"value spelling", "equal by meaning is no change",
		"internal/topicconfig/value.go", "func Equal(key, a, b string) bool {\n\tif a == b {", "func Equal(key, a, b string) bool {\n\tif a != b {\n\t\treturn false\n\t}\n\tif a == b {", inProvider, "TestTopicConfigEqualByMeaning",
	},
	{
		"value spelling", "the order of cleanup.policy means nothing",
		"internal/topicconfig/value.go", "slices.Sort(items)", "slices.Sort(items[:0])", inProvider, "TestTopicConfigEqualByMeaning",
	},
	{
		"value spelling", "the state keeps what the user wrote",
		"internal/provider/topic_resource_model.go", "case listed && sameValue(key, entry, value):", "case false && listed && sameValue(key, entry, value):", inProvider, "TestTopicReadKeepsSpelling",
	},
	{
		"value spelling", "null elements count as not written",
		"internal/provider/topic_resource_model.go", "case !isString || value.IsNull():", "case !isString:", inProvider, "TestTopicValues_NullOwnsNothing",
	},
	{
		"lifecycle", "a create waits until the topic can be read",
		"internal/kafka/create.go", "if created, err = c.awaitVisible(ctx, created); err != nil {", "if err != nil {", inKafka, "TestCreate_WaitsUntilTheTopicCanBeRead",
	},
	{
		"lifecycle", "a topic that was created comes back with the error",
		"internal/kafka/create.go", "return created, &NotVisibleError{", "return Topic{}, &NotVisibleError{", inProvider, "TestTopicStateComesWithError",
	},
	{
		"lifecycle", "a create whose answer was lost is kept",
		"internal/kafka/create.go", "if unsure && err != nil {\n\t\tif found", "if false && unsure && err != nil {\n\t\tif found", inProvider, "TestTopicCreate_WhoseAnswerIsLostIsKept",
	},
	{
		"lifecycle", "a stranger's topic is not taken for the one just created",
		"internal/kafka/create.go", "return found, createdAsAsked(asked, found) == nil && topicconfig.Diff(asked.Settings, found.Overrides()).Empty()", "return found, true", inKafka, "TestCreate_DoesNotTakeAStrangersTopic",
	},
	{
		"lifecycle", "a create whose answer was lost is recognised",
		"internal/kafka/create.go", "if unsure && err != nil {", "if false && unsure {", inProvider, "TestCampaignFaults",
	},
	{
		"lifecycle", "what may have been done is not called undone",
		"internal/provider/diagnostics.go", "if len(done) == 0 {\n\t\treturn \"\"", "if false {\n\t\treturn \"\"", inProvider, "TestTopicWrite_SaysWhatToDoAfterAFailure",
	},
	{
		"lifecycle", "a topic that is gone already is no error for a delete",
		"internal/kafka/write.go", "err != nil && !IsUnknownTopic(err) {", "err != nil {", inProvider, "TestTopicDeletedByHand",
	},
	{
		"lifecycle", "protection is checked in Delete too",
		"internal/provider/topic_resource.go", "if r.runtime.settings.protects(state) {", "if false {", inProvider, "TestTopicProtection_HoldsOnEveryWayToADelete",
	},
	{
		"lifecycle", "adoption changes nothing that the configuration does not name",
		"internal/provider/topic_resource_adopt.go", "for key := range wanted {", "for key := range overrides.Over(wanted) {", inProvider, "TestTopicAdoption_ChangesWhatTheConfigurationSays",
	},
	{
		"lifecycle", "an adoption that stops leaves no state to taint",
		"internal/provider/topic_resource_adopt.go", "\t\tif said.HasError() {\n\t\t\treturn kafka.Topic{}, said", "\t\tif said.HasError() {\n\t\t\treturn live, said", inProvider, "TestTopicAdoption_HalfWayLeavesNoStateToTaint",
	},
	{
		"partitions and replicas", "fewer partitions is an error at plan",
		"internal/provider/topic_resource_plan.go", "p.plan.Partitions.ValueInt64() < p.state.Partitions.ValueInt64() {", "false {", inProvider, "TestTopicFewerPartitionsStopsReplace",
	},
	{
		"partitions and replicas", "counts that are left out stay what the topic has",
		"internal/provider/topic_resource_plan.go", "\tp.keepCounts()\n", "", inProvider, "TestTopicCounts_LeftOutFollowTheClusterAndStay",
	},
	{
		"partitions and replicas", "more replicas than brokers is an error at plan",
		"internal/provider/topic_resource_replicas.go", "wanted.ValueInt64() > brokers {", "wanted.ValueInt64() > brokers && false {", inProvider, "TestTopicReplicas_MoreThanBrokersIsAPlanError",
	},
	{
		"partitions and replicas", "replicas on the move are no change",
		"internal/provider/topic_resource_replicas.go", "if differs && passing {\n", "if differs && passing && false {\n", inProvider, "TestTopicReplicas_AMoveOfAllPartitionsIsNoDrift",
	},
	{
		"removal", "a removed setting falls back to the cluster's default",
		"internal/kafka/requests.go", "for _, key := range change.Remove {", "for _, key := range change.Remove[:0] {", inProvider, "TestTopicReservedBytesFollowSettings",
	},
	{
		"removal", "only the real difference is sent",
		"internal/topicconfig/settings.go", "if old, had := from[key]; !had || !Equal(key, old, value) {", "if true {", inProvider, "TestTopicConfigEqualByMeaning",
	},
	{
		"removal", "what is acknowledged and not kept is an error",
		"internal/kafka/write.go", "if !held.Sensitive && (!held.Override ||", "if false && (!held.Override ||", inProvider, "TestTopicWrite_ThatIsNotKeptIsAnError",
	},
	{
		"permissions", "a read that is denied never means gone",
		"internal/provider/runtime.go", "\tif err == nil {\n\t\treturn kafka.Topic{}, false, diag.Diagnostics{topicAppeared", "\tif err != nil {\n\t\treturn kafka.Topic{}, false, nil\n\t}\n\tif err == nil {\n\t\treturn kafka.Topic{}, false, diag.Diagnostics{topicAppeared", inProvider, "TestTopicRead_DeniedIsAnErrorAndTheStateStays",
	},
	{
		"permissions", "what cannot be seen is said",
		"internal/provider/topic_resource_plan.go", "if len(view.snapshot.Unreadable) == 0 ||", "if true ||", inProvider, "TestTopicGate_SaysThatItCannotSeeEverything",
	},
	{
		"permissions", "who may change nothing is asked nothing",
		"internal/provider/topic_resource_probe.go", " && !view.snapshot.ReadOnly", "", inProvider, "TestTopicProbe_MissingRightsAreHeardAtPlan",
	},
	{
		"permissions", "credentials that only read ask for no creation",
		"internal/kafka/defaults.go", "if snapshot.ReadOnly {", "if false {", inKafka, "TestSnapshot_KnowsTheRights",
	},
	{
		"permissions", "defaults that may not be read are said",
		"internal/kafka/defaults.go", "known.Denied = refused", "_ = refused", inProvider, "TestTopicProbe_DefaultsThatMayNotBeReadAreSaid",
	},
	{
		"permissions", "a client's secret goes to its endpoint only",
		"internal/kafka/sasl_oauth.go", "return http.ErrUseLastResponse }", "return nil }", inKafka, "TestTokenEndpoint_RedirectsAreNotFollowed",
	},
	{
		"permissions", "a missing right to delete is heard at plan",
		"internal/provider/topic_resource_probe.go", ".Rights.Denies(kafka.OperationDelete) {", ".Rights.Denies(kafka.OperationDelete) || true {", inProvider, "TestTopicProbe_MissingRightToDeleteIsHeardAtPlan",
	},
	{
		"scale and time", "one stuck answer fails one topic",
		"internal/kafka/describe_each.go", "if err == nil || ctx.Err() != nil ||", "if true || ctx.Err() != nil ||", inProvider, "TestTopicRead_OneStuckAnswerFailsOneTopic",
	},
	{
		"scale and time", "an unreachable cluster is told once",
		"internal/provider/runtime.go", "\tif r.failed {\n\t\treturn nil\n\t}\n", "", inProvider, "TestConnection_UnreachableIsOneErrorWithinTheTimeout",
	},
	{
		"scale and time", "a server that hangs is left for another one",
		"internal/kafka/reach_sidestep.go", "if c.reach.sidestepped || len(c.config.Servers) < 2 {", "if true {", inKafka, "TestReach_ServersThatHangCostSeconds",
	},
	{
		"scale and time", "brokers that cannot be reached cost one timeout",
		"internal/kafka/reach.go", "if r.met.Load() || began.IsZero() {", "if true {", inProvider, "TestConnectionMessages_AdvertisedAddresses",
	},
	{
		"scale and time", "one reading serves all callers",
		"internal/kafka/snapshot.go", "if c.snapshot != nil || c.snapshotOf != nil {", "if false {", inKafka, "TestSnapshot_CostsAFewRequestsForAllCallers",
	},
	{
		"scale and time", "after the first write nothing is asked any more",
		"internal/kafka/create.go", "if c.wrote.Load() {", "if c.wrote.Load() && false {", inKafka, "TestProbes_ChangeNothingAndEndWithTheFirstWrite",
	},
	{
		"names", "what is no name is refused offline",
		"internal/provider/topic_resource_validate.go", "if err := topicconfig.CheckName(name.ValueString()); err != nil {", "if err := topicconfig.CheckName(name.ValueString()); err != nil && false {", inProvider, "TestTopicName_IllegalOnesAreRefusedOffline",
	},
	{
		"names", "two names that Kafka cannot tell apart are refused in one plan",
		"internal/provider/topic_resource_names.go", "if planned != \"\" {", "if planned != \"\" && false {", inProvider, "TestTopicName_CollisionInOnePlanIsRefused",
	},
	{
		"names", "a live topic that collides stops the apply",
		"internal/provider/topic_resource_names.go", "err == nil || kafka.IsAuthorization(err) {", "false && err == nil {", inProvider, "TestTopicName_CollisionWithALiveTopicStopsTheApply",
	},
	{
		"names", "Kafka's own topics are never created",
		"internal/provider/topic_resource_names.go", "if isInternal(view, name) {\n\t\treturn diag.Diagnostics{internalTopicCreated", "if isInternal(view, name) && false {\n\t\treturn diag.Diagnostics{internalTopicCreated", inProvider, "TestTopicInternal_IsNeverCreatedOrDestroyed",
	},
	{
		"plan mechanics", "a call that changes nothing books nothing",
		"internal/provider/topic_resource_plan.go", "if p.changesNothing() {", "if false {", inProvider, "TestTopicStaleStateBooksNothing",
	},
	{
		"plan mechanics", "unknown servers keep the state",
		"internal/provider/topic_resource.go", "if r.runtime.settings.unknown {", "if false {", inProvider, "TestTopicReadWithUnknownServers",
	},
	{
		"plan mechanics", "an unknown input gives no verdict",
		"internal/provider/topic_resource_plan.go", "return planned, configKnown && !p.plan.Partitions.IsUnknown()", "return planned, (configKnown || true) && !p.plan.Partitions.IsUnknown()", inProvider, "TestTopicUnknownInputsAreJudgedInApply",
	},
	{
		"plan mechanics", "two creates of one name are an error",
		"internal/provider/runtime.go", "return r.creates[topic] == 1", "return true", inProvider, "TestTopicTwoCreatesOfOneName",
	},
	{
		"reservation", "releases are not credited",
		"internal/quota/ledger.go", "peak := new(big.Int).Add(l.liveTotal, l.growth)", "peak := new(big.Int).Add(l.liveTotal, l.growth)\n\tfor topic := range l.released {\n\t\tpeak.Sub(peak, big.NewInt(boundedOrZero(l.live[topic])))\n\t}", "internal/quota", "TestBook_VerdictDependsOnTheSetOnly",
	},
	{
		"reservation", "the index term has one segment more than retention fills",
		"internal/reservation/reservation.go", "return retention/segment + 1", "return max(1, retention/segment)", "internal/reservation", "TestOf_KnownAnswers",
	},
	{
		"tiered storage", "local retention is not above the total",
		"internal/topicconfig/tiering_rules.go", "case local > total:", "case local > total && false:", inProvider, "TestTieredStorage_RulesHoldForBothWaysAtPlan",
	},
	{
		"tiered storage", "an inherited total counts",
		"internal/topicconfig/tiering_rules.go", "!j.tiered() || total < 0 || local == followTotal", "!j.tiered() || !j.overrides(d.total) || total < 0 || local == followTotal", inProvider, "TestTieredStorage_RulesHoldForBothWaysAtPlan",
	},
	{
		"tiered storage", "switching off needs consent",
		"internal/topicconfig/tiering_rules_off.go", "case !j.change.MayDelete:", "case !j.change.MayDelete && false:", inProvider, "TestTieredStorage_SwitchingOffNeedsConsent",
	},
	{
		"tiered storage", "a taint's delete asks the broker",
		"internal/provider/tiered_storage_resource.go", "said.Errors()...); resp.Diagnostics.HasError() || change.Empty() {", "said.Errors()[:0]...); resp.Diagnostics.HasError() || change.Empty() {", inProvider, "TestTieredStorage_SwitchingOffNeedsConsent",
	},
	{
		"tiered storage", "the flag that lets data go never drifts",
		"internal/provider/topic_resource_model.go", ", slices.Contains(topicconfig.DeleteOnDisableKeys(), key):", ":", inProvider, "TestTieredStorage_SwitchingOffNeedsConsent",
	},
	{
		"tiered storage", "consent is the platform's own flag",
		"internal/provider/tiering_case.go", "\tif r.settings.platform == reservation.MSK {\n\t\tflag =", "\tif false {\n\t\tflag =", inProvider, "TestTieredStorage_ConsentIsThePlatformsOwnFlag",
	},
	{
		"tiered storage", "a map that lets go sends nothing",
		"internal/provider/topic_resource_tiering.go", "\tif releasesTiering(from, to) {\n\t\tchange.Remove", "\tif releasesTiering(from, to) && false {\n\t\tchange.Remove", inProvider, "TestTieredStorage_OwnersHandOver",
	},
	{
		"tiered storage", "a map and a tiered resource are two owners",
		"internal/provider/tiered_storage_plan.go", "len(all.topic.lists) > 0 {", "len(all.topic.lists) > 0 && false {", inProvider, "TestTieredStorage_OwnersHandOver",
	},
	{
		"tiered storage", "two tiered resources are two owners",
		"internal/provider/tiered_storage_plan.go", "if all.creates+all.updates > 1 {", "if all.creates+all.updates > 9 {", inProvider, "TestTieredStorage_OwnersHandOver",
	},
	{
		"tiered storage", "a delete hands nothing over",
		"internal/provider/topic_resource_tiering.go", "keepsTiering: isTiered(settings),", "keepsTiering: isTiered(settings) && false,", inProvider, "TestTieredStorage_OwnersHandOver",
	},
	{
		"tiered storage", "null is not -2",
		"internal/provider/tiered_storage_model.go", "\t\tcase !value.IsNull():\n", "\t\tcase value.IsNull():\n\t\t\tsettings[key] = \"-2\"\n\t\tdefault:\n", inProvider, "TestTieredStorage_Lifecycle",
	},
	{
		"tiered storage", "what nobody wrote is drift",
		"internal/provider/tiered_storage_model.go", "m.LocalRetentionBytes = heldNumber(held, topicconfig.LocalRetentionBytes)", "m.LocalRetentionBytes = types.Int64Null()", inProvider, "TestTieredStorage_WhatNobodyWroteIsDrift",
	},
	{
		"tiered storage", "a tiered topic charges its local tier",
		"internal/reservation/tier.go", "if stopped || local == followTotal {", "if true || stopped || local == followTotal {", inProvider, "TestTieredStorage_ChargesTheLocalTier",
	},
	{
		"tiered storage", "the larger of both resources is booked",
		"internal/provider/topic_booking.go", "reservation.Max(amount, largest.amount) == amount {", "reservation.Max(amount, largest.amount) != amount {", inProvider, "TestTieredStorage_BooksTheLargerOfBothResources",
	},
	{
		"tiered storage", "a replaced topic gets its tiers back",
		"internal/provider/tiered_storage_plan.go", "\treturn p.state != nil && all.topic != nil && all.topic.creates", "\treturn false && p.state != nil && all.topic != nil && all.topic.creates", inProvider, "TestTieredStorage_ComesBackWithAReplacedTopic",
	},
	{
		"advice", "only what a change is about is spoken of",
		"internal/topicconfig/tiering_judge.go", "return j.change.Touched == nil || slices", "return j.change.Touched == nil || len(keys) > 0 || slices", inProvider, "TestTopicAdvice_ComesOnceAndOnlyForWhatChanges",
	},
	{
		"advice", "what a topic inherits is nobody's plan",
		"internal/provider/topic_changes.go", "\t\treturn c.topic.rates\n", "\t\treturn true\n", inProvider, "TestTopicAdvice_InheritedValuesAreNobodysPlan",
	},
	{
		"advice", "a throughput that changes is heard without a change on the cluster",
		"internal/provider/topic_resource_tiering.go", "!all.topic.changes && !all.topic.rates {", "!all.topic.changes {", inProvider, "TestTopicAdvice_InheritedValuesAreNobodysPlan",
	},
	{
		"advice", "advice = false silences advice",
		"internal/provider/tiering_case.go", "(!r.settings.advice && isAdvice(finding) ||", "(false && isAdvice(finding) ||", inProvider, "TestTopicAdvice_GivesTheNumber",
	},
	{
		"advice", "advice = false never silences data loss",
		"internal/provider/tiering_case.go", "var notAdvice = []topicconfig.Rule{topicconfig.RuleRemoteDataLost, ", "var notAdvice = []topicconfig.Rule{", inProvider, "TestTopicAdvice_FalseNeverSilencesDataLoss",
	},
	{
		"timeline", "an input that nobody knows is refused",
		"internal/provider/function_retention_timeline.go", "if !slices.Contains(timelineInputs, name) {", "if !slices.Contains(timelineInputs, name) && false {", inProvider, "TestRetentionTimeline_NamesWhatCannotBeUsed",
	},
	{
		"timeline", "a named topic's settings come before a platform's",
		"internal/provider/timeline_input.go", "if assumed.settings != nil {", "if assumed.settings != nil && input.platform != apsaraMQ {", inProvider, "TestRetentionTimeline_StartsFromTheSettingsInForce",
	},
	{
		"timeline", "sentences do not depend on how many events are listed",
		"internal/retention/ends.go", "	case event.Segment < mostBars:", "	case event.Segment < mostBars && (e.Max == 0 || e.seen <= int64(e.Max)):", inRetention, "TestRenderings_DoNotDependOnHowManyEventsAreListed",
	},
	{
		"retention", "a local segment goes when it is older than its retention, not as old",
		"internal/retention/stages.go", "return plus(plus(max(0, s.newest), ms), 1)", "return plus(max(0, s.newest), ms)", inRetention, "TestExampleA_MSKWalkThroughWithALiveProducer",
	},
	{
		"retention", "nothing leaves the local tier uncopied",
		"internal/retention/stages.go", "keep, remote := later(limit, s.copied), s.remote", "keep, remote := limit, s.remote", inRetention, "TestSimulate_NothingLeavesUncopied",
	},
	{
		"retention", "up to 3.6 an idle tiered segment stays",
		"internal/retention/stages.go", "e.tiered && !e.s.Version.rollsIdleTiered()", "false", inRetention, "TestReport1_QuietTieredTopicUpTo36",
	},
	{
		"retention", "what is not settled may be over by now",
		"internal/retention/stages.go", "keep.lo = max(limit.lo, e.soonestCopy(i, first))", "_ = e.soonestCopy", inRetention, "TestForecast_ACopyThatIsNotSettledMayBeOver",
	},
	{
		"timeline", "an input that could have no effect is refused",
		"internal/provider/timeline_use.go", "if !holds && r.given(name) {", "if !holds && r.given(name) && false {", inProvider, "TestTimelineInputs_WhatHasNoUseIsRefused",
	},
	{
		"timeline", "a horizon that nobody asked for hides no answer",
		"internal/provider/timeline_output.go", "err == nil && timeline.FirstGone.Goes {", "err == nil {", inProvider, "TestTimeline_AChosenHorizonIsCutToWhatFits",
	},
	{
		"retention", "what is offered fits",
		"internal/retention/work.go", "FitsMs: before - 1 - s.Start}", "FitsMs: before - s.Start}", inRetention, "TestTooLong_OffersTheLongestHorizonThatFits",
	},
	{
		"retention", "a course ends where too many segments are there at once",
		"internal/retention/work.go", "return int64(held) >= w.mostHeld }", "return false && int64(held) >= w.mostHeld }", inRetention, "TestTooLong_SegmentsThatStayAreTooMany",
	},
	{
		"retention", "just before a round lies the longest wait",
		"internal/retention/tick.go", "last = max(last, b.next(at-1, due))", "last = max(last, due)", inRetention, "TestForecast_ContainsTheCourseOfEveryPhase",
	},
}
