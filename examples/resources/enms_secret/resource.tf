variable "snmp_community" {
  type      = string
  ephemeral = true
}

# The value is in no state and no plan. Another version sends it again.
resource "enms_secret" "snmp" {
  name                    = ">Secrets>SNMP"
  secret_value_wo         = var.snmp_community
  secret_value_wo_version = 1
}
