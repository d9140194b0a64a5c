# Teams write spans of time with a unit; Kafka gets exact milliseconds.
variable "retention" {
  type    = string
  default = "7d"

  validation {
    condition     = can(provider::kafkastorage::parse_duration_ms(var.retention))
    error_message = "Write a span such as 7d, 36h or 1d 12h."
  }
}

output "retention_ms" {
  value = provider::kafkastorage::parse_duration_ms(var.retention) # 604800000
}

output "local_retention_ms" {
  value = provider::kafkastorage::parse_duration_ms("1d 12h") # 129600000
}
