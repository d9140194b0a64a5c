# Takes over every topic that matches, exactly as it is: the plan shows imports
# and no change.
data "kafkastorage_topics" "payments" {
  name_regex = "^payments\\.(booked|accounts)"
}

import {
  for_each = data.kafkastorage_topics.payments.topics

  to = kafkastorage_topic.payments[each.key]
  id = each.key
}

resource "kafkastorage_topic" "payments" {
  for_each = data.kafkastorage_topics.payments.topics

  name               = each.key
  partitions         = each.value.partitions
  replication_factor = each.value.replication_factor
  config             = each.value.config
}
