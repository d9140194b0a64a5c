import {
  to = kafkastorage_topic_tiered_storage.audit
  identity = {
    topic = "audit.events"
  }
}
