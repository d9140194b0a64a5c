import {
  to = kafkastorage_topic.audit
  identity = {
    name = "audit.events"
  }
}
