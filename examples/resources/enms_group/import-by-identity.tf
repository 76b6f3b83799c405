import {
  to = enms_group.operators
  identity = {
    name = "operators"
  }
}
