# Teams write sizes with a unit; Kafka gets exact bytes.
variable "retention" {
  type    = string
  default = "1.5GiB"

  validation {
    condition     = can(provider::kafkastorage::parse_bytes(var.retention))
    error_message = "Write a size such as 512MiB or 1.5GiB. KB, MB and GB are ambiguous."
  }
}

output "retention_bytes" {
  value = provider::kafkastorage::parse_bytes(var.retention) # 1610612736
}
