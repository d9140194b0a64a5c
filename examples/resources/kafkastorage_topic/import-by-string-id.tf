import {
  to = kafkastorage_topic.audit
  id = "audit.events"
}
