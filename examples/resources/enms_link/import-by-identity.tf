import {
  to = enms_link.backbone
  identity = {
    name = "DALLAS-HOUSTON"
  }
}
