# A promise about a topic that is still to be created: no message gets older than a week.
locals {
  audit = {
    name       = "audit.events"
    partitions = 6
    throughput = 6144 # bytes per second

    config = {
      "retention.ms"    = provider::kafkastorage::parse_duration_ms("5d")
      "segment.ms"      = provider::kafkastorage::parse_duration_ms("1d")
      "retention.bytes" = provider::kafkastorage::parse_bytes("1GiB")
    }
  }
}

resource "kafkastorage_topic" "audit" {
  name                        = local.audit.name
  partitions                  = local.audit.partitions
  config                      = local.audit.config
  throughput_bytes_per_second = local.audit.throughput
}

# The same local, not the resource, so Terraform reads this at plan.
data "kafkastorage_retention_timeline" "audit" {
  topic                       = local.audit.name
  partitions                  = local.audit.partitions
  config                      = local.audit.config
  throughput_bytes_per_second = local.audit.throughput
}

output "oldest_audit_event" {
  value = data.kafkastorage_retention_timeline.audit.worst_message_age.text

  precondition {
    condition     = !data.kafkastorage_retention_timeline.audit.worst_message_age.at_least && data.kafkastorage_retention_timeline.audit.worst_message_age.ms <= provider::kafkastorage::parse_duration_ms("7d")
    error_message = data.kafkastorage_retention_timeline.audit.summary
  }
}
