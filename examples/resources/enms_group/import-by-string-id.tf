import {
  to = enms_group.operators
  id = "operators"
}
