# Instances of a type without its own resource, such as one that your site has added.
list "enms_instance" "racks" {
  provider = enms

  config {
    type   = "rack"
    filter = { building = "North" }
  }
}
