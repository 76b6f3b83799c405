# By the full name, with its prefix. A name with brackets needs quotes.
terraform import enms_service.backup Backup
terraform import enms_service.show_version '[Backup] Show version'
terraform import enms_service.check_disk '[Shared] Check disk'
