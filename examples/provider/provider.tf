terraform {
  required_version = ">= 1.8" # for provider functions

  required_providers {
    kafkastorage = {
      source = "kafkastorage/kafkastorage"
    }
  }
}

variable "bootstrap_servers" {
  description = "Brokers to connect to first, each as host:port."
  type        = list(string)
}

# Apache Kafka as one runs it oneself: every replica counts, and 85 % of the
# disks may be reserved unless limit_percent says otherwise.
provider "kafkastorage" {
  bootstrap_servers = var.bootstrap_servers
  platform          = "kafka"

  storage_quota = {
    capacity_bytes = 3298534883328 # three brokers with 1 TiB each
    accounting     = "reserved"
  }
}
