import {
  to = enms_device.dallas
  identity = {
    name = "DALLAS"
  }
}
