import {
  to = enms_credential.backup
  id = "backup"
}
