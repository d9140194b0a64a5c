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

# A client certificate. Each PEM attribute takes the path of a file or its content.
# The passphrase of an encrypted key stands in KAFKASTORAGE_TLS_PRIVATE_KEY_PASSPHRASE.
provider "kafkastorage" {
  bootstrap_servers = var.bootstrap_servers

  tls = {
    ca_pem          = "${path.root}/ca.pem"
    certificate_pem = "${path.root}/topics.pem"
    private_key_pem = "${path.root}/topics.key"
  }

  platform = "kafka"

  storage_quota = {
    accounting = "reserved"
  }
}
