# A topic of the same configuration: the reference lets Terraform plan and apply it first.
resource "kafkastorage_topic" "clicks" {
  name               = "clicks"
  partitions         = 12
  replication_factor = 3

  config = {
    "retention.ms"    = 2592000000 # 30 days
    "retention.bytes" = 5368709120 # 5 GiB for each partition
    "segment.bytes"   = 134217728  # 128 MiB
  }
}

resource "kafkastorage_topic_tiered_storage" "clicks" {
  topic                 = kafkastorage_topic.clicks.name
  local_retention_bytes = 1073741824 # 1 GiB for each partition
}
