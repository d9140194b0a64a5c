output "readable" {
  value = provider::kafkastorage::format_bytes(10737418240) # 10 GiB
}

output "always_exact" {
  value = provider::kafkastorage::format_bytes(1073741825) # 1073741825 B
}
