resource "enms_device" "router" {
  for_each = toset(["DALLAS", "HOUSTON", "AUSTIN"])
  name     = each.key
}

resource "enms_device" "gateway" {
  name = "GATEWAY"
  type = "gateway"
}

resource "enms_instance" "server_room" {
  name = "Server room"
  type = "site"
}
