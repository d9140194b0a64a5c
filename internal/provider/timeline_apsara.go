// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kafkastorage/terraform-provider-kafkastorage/internal/retention"
)

// readApsara reads the rules of ApsaraMQ for Kafka; nothing where the platform is another.
func (r *timelineReader) readApsara(input *timelineInput) {
	if input.platform != apsaraMQ {
		return
	}
	rules := retention.DefaultApsara()
	rules.DiskTotalBytes = r.whole("disk_total_bytes", 0, 1, mostAmount)
	rules.DiskUsedBytes = r.whole("disk_used_bytes", 0, 0, mostAmount)
	rules.DiskGrowthBytesPerSecond = r.whole("disk_growth_bytes_per_second", 0, 0, mostAmount)
	if more := r.object(apsaraMQ); more != nil {
		more.apply(&rules)
		r.failedIn(apsaraMQ, "", more)
	}
	if rules.DiskTotalBytes == 0 && (r.given("disk_used_bytes") || r.given("disk_growth_bytes_per_second")) {
		r.fail("disk_total_bytes", errors.New("is missing: how full the disk is depends on how large it is"))
	}
	input.scenario.Apsara = &rules
}

// storages are the kinds of storage by name.
var storages = map[string]retention.Storage{"cloud": retention.CloudStorage, "local": retention.LocalStorage, "serverless": retention.ServerlessStorage}

// apply reads the attributes of the nested object.
func (r *timelineReader) apply(rules *retention.Apsara) {
	if name, given := r.text("storage"); given {
		storage, known := storages[name]
		if !known {
			r.fail("storage", fmt.Errorf("%q is no kind of storage: use cloud, local or serverless", name))
		}
		rules.Storage = storage
	}
	if text, given := r.text("daily_run"); given {
		clock, err := time.Parse("15:04", strings.TrimSpace(text))
		if err != nil {
			r.fail("daily_run", fmt.Errorf("%q is no time of day: write it as 04:00", text))
		}
		rules.DailyRunMs = int64(clock.Hour())*60*60*1000 + int64(clock.Minute())*60*1000
	}
	if text, given := r.text("utc_offset_minutes"); given {
		offset, err := strconv.ParseInt(text, 10, 64)
		if err != nil || offset < -14*60 || offset > 14*60 {
			r.fail("utc_offset_minutes", fmt.Errorf("must be a whole number from -840 to 840, got %s", text))
			offset = 0
		}
		rules.ZoneOffsetMinutes = offset
	}
	rules.PollMs = r.whole("poll_ms", rules.PollMs, 1, mostAmount)
	rules.PurgeTargetPercent = r.whole("purge_target_percent", rules.PurgeTargetPercent, 1, 85)
}
