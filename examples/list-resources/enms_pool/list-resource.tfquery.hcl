# The pools that a device is in.
list "enms_pool" "of_dallas" {
  provider = enms

  config {
    devices = ["DALLAS"]
  }
}
