resource "enms_device" "dallas" {
  name = "DALLAS"
}
