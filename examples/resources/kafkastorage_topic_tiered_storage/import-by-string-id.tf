import {
  to = kafkastorage_topic_tiered_storage.audit
  id = "audit.events"
}
