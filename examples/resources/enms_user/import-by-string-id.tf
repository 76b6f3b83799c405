import {
  to = enms_user.ann
  id = "ann"
}
