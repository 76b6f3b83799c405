terraform import enms_secret.snmp '>Secrets>SNMP'
