import {
  to = enms_secret.snmp
  id = ">Secrets>SNMP"
}
