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

# A user with a password. The password stands in KAFKASTORAGE_SASL_PASSWORD.
provider "kafkastorage" {
  bootstrap_servers = var.bootstrap_servers

  sasl = {
    mechanism = "scram-sha-512"
    username  = "topics"
  }

  platform = "kafka"

  storage_quota = {
    accounting = "reserved"
  }
}
