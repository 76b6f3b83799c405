# The networks that a device is in.
list "enms_network" "of_dallas" {
  provider = enms

  config {
    nodes = ["DALLAS"]
  }
}
