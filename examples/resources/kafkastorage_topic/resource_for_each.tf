# Many topics stand in one local. It feeds the topics and the data source alike.
locals {
  topics = {
    "orders.created" = {
      partitions = 12
      config = {
        "retention.ms"    = 259200000  # 3 days
        "retention.bytes" = 1073741824 # 1 GiB for each partition
        "segment.bytes"   = 134217728  # 128 MiB
      }
    }
    "orders.shipped" = {
      partitions = 6
      config = {
        "retention.bytes" = 1073741824
        "segment.bytes"   = 134217728
      }
    }
    "orders.state" = {
      partitions = 6
      config     = { "cleanup.policy" = "compact" }
    }
  }
}

resource "kafkastorage_topic" "this" {
  for_each = local.topics

  name       = each.key
  partitions = each.value.partitions
  config     = each.value.config
}

# Not fed from kafkastorage_topic.this: a data source that names a resource with
# pending changes is not read at plan.
data "kafkastorage_reserved_storage" "this" {
  planned_topics = local.topics
}

output "storage_left" {
  value = data.kafkastorage_reserved_storage.this.available_bytes
}
