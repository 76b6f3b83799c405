import {
  to = enms_task.nightly
  id = "Nightly backup"
}
