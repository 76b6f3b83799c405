variable "snmp_community" {
  type      = string
  ephemeral = true
}

# The value is not stored in the state or the plan. Changing the version sends it again.
resource "enms_secret" "snmp" {
  name                    = ">Secrets>SNMP"
  secret_value_wo         = var.snmp_community
  secret_value_wo_version = 1
}
