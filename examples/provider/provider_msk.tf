terraform {
  required_version = ">= 1.8" # for provider functions

  required_providers {
    kafkastorage = {
      source = "kafkastorage/kafkastorage"
    }
  }
}

# Amazon MSK: every replica counts, and the capacity is what all brokers have
# together. Where the brokers are stands in KAFKASTORAGE_BOOTSTRAP_SERVERS.
provider "kafkastorage" {
  platform = "msk" # with Express brokers: msk_express

  storage_quota = {
    capacity_bytes = 3298534883328 # three brokers with 1 TiB each
    accounting     = "reserved"
  }
}
