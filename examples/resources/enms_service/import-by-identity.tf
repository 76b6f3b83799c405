import {
  to = enms_service.show_version
  identity = {
    name = "[Backup] Show version"
  }
}
