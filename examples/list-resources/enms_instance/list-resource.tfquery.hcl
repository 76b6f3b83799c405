# Instances of a type that has no resource of its own, such as one of a site's.
list "enms_instance" "racks" {
  provider = enms

  config {
    type   = "rack"
    filter = { building = "North" }
  }
}
