import {
  to = enms_link.backbone
  id = "DALLAS-HOUSTON"
}
