# A topic that somebody else owns: the brokers keep a day of it, the remote tier the rest.
resource "kafkastorage_topic_tiered_storage" "audit" {
  topic              = "audit.events"
  local_retention_ms = 86400000 # 1 day
}

output "audit_on_the_brokers" {
  value = kafkastorage_topic_tiered_storage.audit.local_reserved_bytes
}
