terraform import enms_credential.backup backup
