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

# A token for client credentials. The secret stands in
# KAFKASTORAGE_SASL_OAUTH_CLIENT_SECRET.
provider "kafkastorage" {
  bootstrap_servers = var.bootstrap_servers

  sasl = {
    mechanism = "oauthbearer"
    oauth = {
      token_url = "https://login.example.com/oauth2/token"
      client_id = "topics"
      scopes    = ["kafka"]
    }
  }

  platform = "kafka"

  storage_quota = {
    accounting = "reserved"
  }
}
