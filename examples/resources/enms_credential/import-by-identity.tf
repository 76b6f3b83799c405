import {
  to = enms_credential.backup
  identity = {
    name = "backup"
  }
}
