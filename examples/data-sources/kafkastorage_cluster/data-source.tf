data "kafkastorage_cluster" "this" {}

locals {
  topic = {
    partitions         = 12
    replication_factor = 3
    config             = { "retention.bytes" = 1073741824 }
  }
}

# With the cluster's own defaults for everything that the topic leaves out.
output "would_reserve" {
  value = provider::kafkastorage::reserved_bytes(local.topic, data.kafkastorage_cluster.this)
}

output "enforcement" {
  value = "${data.kafkastorage_cluster.this.enforcement}, by ${data.kafkastorage_cluster.this.enforcement_source}"
}
