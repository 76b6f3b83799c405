data "enms_device" "dallas" {
  name = "DALLAS"
}

output "dallas_address" {
  value = data.enms_device.dallas.ip_address
}
