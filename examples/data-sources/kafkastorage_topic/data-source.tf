# A topic that another workspace owns.
data "kafkastorage_topic" "orders" {
  name = "orders.created"
}

# The value in force, and whether the topic sets it itself or inherits it.
output "orders_retention" {
  value = "${data.kafkastorage_topic.orders.settings["retention.ms"].value} ms, from ${data.kafkastorage_topic.orders.settings["retention.ms"].source}"
}

output "orders_leaders" {
  value = data.kafkastorage_topic.orders.replicas[*].leader
}

# Null when nothing bounds the topic.
output "reserved_by_orders" {
  value = data.kafkastorage_topic.orders.reserved_bytes
}

# The functions take the topic whole, and a variation of it, too.
data "kafkastorage_cluster" "this" {}

output "orders_with_twice_the_partitions" {
  value = provider::kafkastorage::reserved_bytes(
    merge(data.kafkastorage_topic.orders, { partitions = 2 * data.kafkastorage_topic.orders.partitions }),
    data.kafkastorage_cluster.this,
  )
}
