# Customers, and a store for each of them.
resource "enms_store" "customers" {
  name = ">Customers"
}

resource "enms_store" "acme" {
  name        = "${enms_store.customers.name}>Acme"
  description = "What the services of Acme use."
}

# Other data is an enms_instance. eNMS composes its name from store and scoped_name.
resource "enms_instance" "management" {
  type = "vlan"
  name = "${enms_store.acme.name}>Management"
  properties = {
    store       = enms_store.acme.name
    scoped_name = "Management"
    vlan_id     = 10
  }
}
