data "enms_secret" "snmp" {
  name = ">Secrets>SNMP"
}

output "owners_of_snmp" {
  value = data.enms_secret.snmp.owners
}
