import {
  to = enms_service.show_version
  id = "[Backup] Show version"
}
