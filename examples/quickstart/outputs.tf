# All three follow from peak_bytes: what the cluster reserves when the topics of this configuration
# are there, too. So they are the same before and after the apply, and a second plan is clean.

output "reserved_bytes" {
  description = "What all topics of the cluster reserve, those of this configuration included."
  value       = data.kafkastorage_reserved_storage.this.peak_bytes
}

output "reserved_percent" {
  description = "The same, in percent of the capacity; cut, not rounded. The limit is 90."
  value = floor(
    data.kafkastorage_reserved_storage.this.peak_bytes * 10000 /
    data.kafkastorage_reserved_storage.this.capacity_bytes
  ) / 100
}

output "headroom_bytes" {
  description = "What may still be reserved before the limit."
  value       = data.kafkastorage_reserved_storage.this.available_bytes
}
