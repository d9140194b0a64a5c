locals {
  topics = {
    "payments.booked" = {
      partitions = 12
      config     = { "retention.bytes" = 2147483648, "segment.bytes" = 134217728 }
    }
    "payments.accounts" = {
      partitions = 4
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

# The same local again, so Terraform reads this at plan.
data "kafkastorage_reserved_storage" "this" {
  planned_topics = local.topics
  enforce        = true
}

# A budget of this workspace's own, beside the limit of the cluster.
locals {
  budget_bytes = provider::kafkastorage::parse_bytes("200GiB")

  # Unbounded topics have no number, and sum() fails on null.
  bounded = [
    for name in keys(local.topics) : data.kafkastorage_reserved_storage.this.topics[name].reserved_bytes
    if !data.kafkastorage_reserved_storage.this.topics[name].unbounded
  ]
}

output "reserved_by_payments" {
  value = sum(concat([0], local.bounded))

  precondition {
    condition     = sum(concat([0], local.bounded)) <= local.budget_bytes
    error_message = "The payments topics may reserve at most ${provider::kafkastorage::format_bytes(local.budget_bytes)}."
  }
}
