# A billing team brings three topics to a cluster that many teams share. The plan adds them to what
# the cluster reserves already, and fails before anything is changed if the limit would be passed.

terraform {
  required_version = ">= 1.8" # the first with provider functions

  required_providers {
    kafkastorage = {
      source = "kafkastorage/kafkastorage"
    }
  }
}

provider "kafkastorage" {
  bootstrap_servers = var.bootstrap_servers
  tls               = { enabled = var.tls_enabled }

  # The platform decides what counts: IBM Event Streams counts each partition once, however many
  # replicas it has, and reserves at most 90 percent of the capacity.
  platform = "event_streams"

  storage_quota = {
    capacity_bytes = provider::kafkastorage::parse_bytes(var.capacity)
  }
}

locals {
  # All topics in one map by name, because two readers need it: the resource, which creates the
  # topics, and the data source, which adds them up.
  topics = {
    "billing.invoices" = {
      partitions = 6
      config = {
        "retention.bytes" = 6442450944 # 6 GiB in each partition
        "retention.ms"    = 2592000000 # 30 days
      }
    }
    "billing.payments" = {
      partitions = 6
      config = {
        "retention.bytes" = 6442450944 # 6 GiB in each partition
        "retention.ms"    = 604800000  # 7 days
      }
    }
    "compliance.audit" = {
      partitions = 6
      config = {
        "retention.bytes" = 6442450944 # 6 GiB in each partition
        "retention.ms"    = -1         # for as long as the size allows
      }
    }
  }
}

resource "kafkastorage_topic" "this" {
  for_each = local.topics

  name       = each.key
  partitions = each.value.partitions
  config     = each.value.config
}

# It reads local.topics and not kafkastorage_topic.this: a data source that names a resource with
# pending changes is read only during apply, too late for a number that a plan should show.
data "kafkastorage_reserved_storage" "this" {
  planned_topics = local.topics
}
