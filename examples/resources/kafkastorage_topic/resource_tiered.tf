# The first choice for a topic of one's own: one request creates it tiered, and it
# charges its local tier only.
resource "kafkastorage_topic" "clicks" {
  name               = "clicks"
  partitions         = 12
  replication_factor = 3

  config = {
    "remote.storage.enable" = true
    "local.retention.bytes" = 1073741824  # 1 GiB for each partition on the brokers
    "retention.bytes"       = 53687091200 # 50 GiB for each partition in all
    "segment.bytes"         = 134217728   # 128 MiB
  }
}

output "clicks_on_the_brokers" {
  value = kafkastorage_topic.clicks.reserved_bytes
}
