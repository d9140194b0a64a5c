# A topic is backed up into an object store. An object may expire there once the
# topic has dropped its messages as well: not after retention.ms, but after the age
# that a message really reaches.
locals {
  ledger = provider::kafkastorage::retention_timeline({
    platform                    = "kafka"
    partitions                  = 12
    throughput_bytes_per_second = 98304
    config = {
      "retention.ms" = provider::kafkastorage::parse_duration_ms("7d")
      "segment.ms"   = provider::kafkastorage::parse_duration_ms("1d")
    }
  })

  day_ms      = provider::kafkastorage::parse_duration_ms("1d")
  expire_days = ceil(local.ledger.worst_message_age.ms / local.day_ms)
}

# Stands for the lifecycle rule of your object store.
resource "terraform_data" "expiry_rule" {
  input = {
    prefix      = "backup/ledger/"
    expire_days = local.expire_days
  }

  lifecycle {
    precondition {
      condition     = !local.ledger.worst_message_age.at_least
      error_message = "Messages still get older at the horizon: ${local.ledger.summary}"
    }
  }
}

output "expire_days" {
  value = local.expire_days # 9
}
