# Every topic of a team that has tiered storage, ready for a generated configuration.
list "kafkastorage_topic_tiered_storage" "orders" {
  provider = kafkastorage

  include_resource = true

  config {
    name_prefix = "orders."
  }
}
