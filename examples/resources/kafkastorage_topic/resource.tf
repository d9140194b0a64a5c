resource "kafkastorage_topic" "audit" {
  name               = "audit.events"
  partitions         = 6
  replication_factor = 3

  config = {
    "retention.ms"    = 604800000  # 7 days
    "retention.bytes" = 5368709120 # 5 GiB for each partition
    "segment.bytes"   = 268435456  # 256 MiB
  }
}

output "reserved_by_audit" {
  value = kafkastorage_topic.audit.reserved_bytes
}
