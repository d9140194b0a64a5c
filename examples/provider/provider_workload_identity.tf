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

# HCP Terraform's workload identity: the platform puts a token into the run's environment,
# and no secret is kept anywhere.
provider "kafkastorage" {
  bootstrap_servers = var.bootstrap_servers

  sasl = {
    mechanism = "oauthbearer"
    oauth     = { token_environment = "TFC_WORKLOAD_IDENTITY_TOKEN" }
  }

  platform = "kafka"

  storage_quota = {
    accounting = "reserved"
  }
}
