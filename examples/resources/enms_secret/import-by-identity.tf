import {
  to = enms_secret.snmp
  identity = {
    name = ">Secrets>SNMP"
  }
}
