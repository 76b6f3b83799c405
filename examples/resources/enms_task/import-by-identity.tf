import {
  to = enms_task.nightly
  identity = {
    name = "Nightly backup"
  }
}
