data "enms_instance" "rack" {
  type = "rack"
  name = "DALLAS 12"
}

output "rack_height" {
  value = data.enms_instance.rack.properties.height
}
