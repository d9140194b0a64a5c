# Checks a team's input before any cluster is asked.
variable "topic" {
  type = object({
    partitions = number
    config     = map(string)
  })

  default = {
    partitions = 12
    config = {
      "retention.bytes" = "1073741824"
      "segment.bytes"   = "134217728"
    }
  }

  validation {
    condition     = provider::kafkastorage::reserved_bytes(var.topic, { platform = "event_streams" }) != null
    error_message = "Set retention.bytes: without it nothing bounds the topic."
  }

  validation {
    condition     = coalesce(provider::kafkastorage::reserved_bytes(var.topic, { platform = "event_streams" }), 0) <= 53687091200
    error_message = "A topic may reserve at most 50 GiB."
  }
}

output "reserved_bytes" {
  value = provider::kafkastorage::reserved_bytes(var.topic, { platform = "event_streams" }) # 16760438784
}
