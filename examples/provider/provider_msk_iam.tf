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

# Amazon MSK with IAM. The region is read off the brokers' names, and the identity is what
# AWS's default chain finds; role_arn is assumed with it.
provider "kafkastorage" {
  bootstrap_servers = var.bootstrap_servers

  sasl = {
    mechanism = "aws-iam"
    aws       = { role_arn = "arn:aws:iam::123456789012:role/topics" }
  }

  platform = "kafka"

  storage_quota = {
    accounting = "reserved"
  }
}
