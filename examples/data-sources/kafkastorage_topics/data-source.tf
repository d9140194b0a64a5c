data "kafkastorage_topics" "orders" {
  name_prefix = "orders."
}

output "orders" {
  value = data.kafkastorage_topics.orders.names
}

# sum() fails on null, which stands for unbounded.
output "reserved_by_orders" {
  value = sum(concat([0], [for topic in data.kafkastorage_topics.orders.topics : topic.reserved_bytes if !topic.unbounded]))
}

output "orders_without_a_bound" {
  value = [for name, topic in data.kafkastorage_topics.orders.topics : name if topic.unbounded]
}
