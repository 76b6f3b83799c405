data "enms_pool" "core" {
  name = "Core"
}

output "core_devices" {
  value = data.enms_pool.core.devices
}
