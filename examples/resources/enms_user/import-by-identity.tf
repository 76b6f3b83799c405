import {
  to = enms_user.ann
  identity = {
    name = "ann"
  }
}
