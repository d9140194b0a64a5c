variable "bootstrap_servers" {
  description = "Brokers to connect to first, each as host:port."
  type        = list(string)
}

variable "tls_enabled" {
  description = "Whether the brokers' listeners use TLS."
  type        = bool
  default     = true
}

variable "capacity" {
  description = "Storage of the Event Streams instance, such as 2TiB or 2000000000000."
  type        = string

  # The provider's functions need no cluster, so a slip like "2TB" (1000s or 1024s?) is found before
  # anything is asked.
  validation {
    condition     = can(provider::kafkastorage::parse_bytes(var.capacity))
    error_message = "Write a number of bytes, or one with an IEC unit (KiB, MiB, GiB, TiB), such as 2TiB."
  }
}
