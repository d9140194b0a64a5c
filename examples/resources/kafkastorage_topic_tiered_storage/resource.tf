# A topic that somebody else owns: the brokers keep a day of it, and no more than 1 GiB
# of each partition; the remote tier has the rest.
resource "kafkastorage_topic_tiered_storage" "audit" {
  topic                 = "audit.events"
  local_retention_ms    = 86400000   # 1 day
  local_retention_bytes = 1073741824 # 1 GiB
}

output "audit_on_the_brokers" {
  value = kafkastorage_topic_tiered_storage.audit.local_reserved_bytes
}
