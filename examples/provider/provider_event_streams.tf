terraform {
  required_version = ">= 1.8" # for provider functions

  required_providers {
    kafkastorage = {
      source = "kafkastorage/kafkastorage"
    }
  }
}

# IBM Event Streams: a partition counts once, and 90 % of the storage may be
# reserved. Where the brokers are stands in KAFKASTORAGE_BOOTSTRAP_SERVERS, and the API
# key in KAFKASTORAGE_SASL_PASSWORD.
provider "kafkastorage" {
  platform = "event_streams"

  sasl = {
    mechanism = "plain"
    username  = "token"
  }

  storage_quota = {
    capacity_bytes = 2000000000000 # 2 TB
  }
}
