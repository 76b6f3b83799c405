# The links that begin at one of two devices.
list "enms_link" "from_core" {
  provider = enms
  limit    = 500

  config {
    source = ["DALLAS", "HOUSTON"]
  }
}
