import {
  to = enms_instance.rack
  id = "rack/DALLAS 12"
}
