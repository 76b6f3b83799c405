import {
  to = enms_instance.rack
  identity = {
    type = "rack"
    name = "DALLAS 12"
  }
}
