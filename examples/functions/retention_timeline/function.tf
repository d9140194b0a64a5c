# Set to keep three days, with Kafka's own defaults for everything else.
locals {
  timeline = provider::kafkastorage::retention_timeline({
    config                      = { "retention.ms" = provider::kafkastorage::parse_duration_ms("3d") }
    throughput_bytes_per_second = 1024
  })
}

output "first_message_gone_after" {
  value = local.timeline.first_message_gone.age # 10 d 5 min 16 s
}

output "no_message_older_than_ms" {
  value = local.timeline.worst_message_age.ms # 864316000
}

output "in_words" {
  value = local.timeline.summary
}
