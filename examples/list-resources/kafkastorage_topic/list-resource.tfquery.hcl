# Names only.
list "kafkastorage_topic" "orders" {
  provider = kafkastorage

  config {
    name_prefix = "orders."
  }
}

# With everything that a generated configuration needs.
list "kafkastorage_topic" "payments" {
  provider = kafkastorage

  include_resource = true
  limit            = 500

  config {
    name_regex       = "^payments\\.(booked|accounts)"
    include_internal = false
  }
}
