output "one_gibibyte_in_halves" {
  value = provider::kafkastorage::segment_count(1073741824, 536870912) # 3
}

output "one_byte_less" {
  value = provider::kafkastorage::segment_count(1073741823, 536870912) # 2
}

output "segment_larger_than_retention" {
  value = provider::kafkastorage::segment_count(104857600, 536870912) # 1
}
