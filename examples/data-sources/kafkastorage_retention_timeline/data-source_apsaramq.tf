# ApsaraMQ for Kafka deletes by its own rules: by size closed segments only, in a
# daily run, and earlier when the disk fills. No topic is named, so no cluster is asked.
data "kafkastorage_retention_timeline" "billing" {
  platform                    = "apsaramq"
  config                      = { "retention.ms" = 259200000 } # 72 hours
  throughput_bytes_per_second = 8192

  disk_total_bytes             = 300000000000
  disk_used_bytes              = 216000000000 # 72 %
  disk_growth_bytes_per_second = 20000

  apsaramq = {
    daily_run          = "04:00"
    utc_offset_minutes = 480 # China's time
  }
}

output "billing_in_words" {
  value = data.kafkastorage_retention_timeline.billing.summary
}

# Messages that go although they are not expired yet, because the disk is too full.
output "billing_goes_early" {
  value = anytrue([for event in data.kafkastorage_retention_timeline.billing.events : event.kind == "expired" && event.reason == "disk"])
}
