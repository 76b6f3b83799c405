import {
  to = enms_device.dallas
  id = "DALLAS"
}
