locals {
  topic = {
    partitions         = 12
    replication_factor = 3
    config = {
      "retention.bytes" = 10737418240 # 10 GiB
      "segment.bytes"   = 1073741824  # 1 GiB
    }
  }

  reservation = provider::kafkastorage::reservation(local.topic, { platform = "kafka" })
}

output "segments" {
  value = local.reservation.segments # 11
}

output "index_bytes" {
  value = local.reservation.index_bytes # 230686720
}

output "per_partition_bytes" {
  value = local.reservation.per_partition_bytes # 12041846784
}

output "copies" {
  value = local.reservation.copies # 3
}

output "reserved_bytes" {
  value = local.reservation.reserved_bytes # 433506484224
}
